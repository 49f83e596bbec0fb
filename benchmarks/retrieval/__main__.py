"""Measure recall.

    python -m benchmarks.retrieval --locomo DIR [--engines memctl,fts5,...]
    python -m benchmarks.retrieval --locomo DIR --scale 1k,10k,100k [--kept DIR]
    python -m benchmarks.retrieval --locomo DIR --typos

The first asks every question of the LoCoMo conversations in ``DIR`` (one JSON each) and
compares with FTS5's ``bm25()``, bm25s, MiniLM and chromadb, each where it is installed. The
second grows a store out of the same turns and times recall against the exact ``bm25()`` over
the same cleaned words; the third misspells one word of every question. Raw figures go to ``benchmarks/results/``. One thread.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.keeping import FOLDER, keep
from benchmarks.retrieval.engines import ENGINES
from benchmarks.retrieval.locomo import read_all
from benchmarks.retrieval.quality import FITTED, measure, tables
from benchmarks.retrieval.scale import parse_sizes, run_scale
from benchmarks.retrieval.typos import run_typos


def main() -> None:
    """Run what the options ask for and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval")
    parser.add_argument("--locomo", type=Path, required=True, help="folder of conversations")
    parser.add_argument("--engines", default=",".join(ENGINES), help="which to compare")
    parser.add_argument("--scale", default="", help="sizes of a grown store: 1k,10k,100k,1m")
    parser.add_argument("--questions", type=int, default=200, help="how many for --scale")
    parser.add_argument("--kept", type=Path, help="folder in which grown stores are kept")
    parser.add_argument("--typos", action="store_true", help="misspell a word of each question")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args()
    conversations = read_all(options.locomo)
    if options.typos:
        figures = run_typos([c for c in conversations if c.name not in FITTED] or conversations)
        print(f"\nraw figures: {keep('retrieval-typos', figures, options.out)}")
        return
    if options.scale:
        sizes = run_scale(
            conversations, parse_sizes(options.scale), options.questions, options.kept
        )
        print(f"\nraw figures: {keep('retrieval-scale', sizes, options.out)}")
        return
    runs = []
    for name in options.engines.split(","):
        try:
            runs.append(measure(ENGINES[name], conversations))
        except ImportError as error:
            print(f"{name}: left out, {error.name} is not installed")
    print(tables(runs, conversations))
    print(f"\nraw figures: {keep('retrieval', [run.raw() for run in runs], options.out)}")


if __name__ == "__main__":
    main()
