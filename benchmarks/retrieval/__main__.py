"""Measure recall.

    python -m benchmarks.retrieval --locomo DIR --beam DIR [--engines memctl,fts5,...]
        [--before FILE]
    python -m benchmarks.retrieval --beam DIR --replies
    python -m benchmarks.retrieval --locomo DIR --beam DIR --confidence | --budget | --ladder
    python -m benchmarks.retrieval --locomo DIR --typos
    python -m benchmarks.retrieval --lists [--world FILE]
    python -m benchmarks.retrieval --locomo DIR --scale 600,10k,100k [--kept DIR]

The first asks every question of both sets, one JSON a conversation in ``DIR``, and compares with
FTS5's ``bm25()``, bm25s, MiniLM and chromadb, each where it is installed; ``--before`` puts
memctl's answers of an earlier run's raw figures beside. Conversations that the constants were
fitted on stand apart. The others: replies found by four of their words; how well an answer knows
how sure it is; what a budget packs; how complete lists are, on the worlds of this folder; the steps of the ranking switched off; a misspelt word a
question; and the time at several sizes. Raw figures go to ``benchmarks/results/``. One thread.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.keeping import FOLDER, keep
from benchmarks.retrieval.beam import read_beam
from benchmarks.retrieval.budget import run_budget
from benchmarks.retrieval.calibration import run_confidence
from benchmarks.retrieval.engines import ENGINES
from benchmarks.retrieval.exact import WORLDS
from benchmarks.retrieval.ladder import run_ladder
from benchmarks.retrieval.lists import run_lists
from benchmarks.retrieval.locomo import read_locomo
from benchmarks.retrieval.quality import earlier_run, keys_of, measure
from benchmarks.retrieval.replies import run_replies
from benchmarks.retrieval.scale import parse_sizes, run_scale
from benchmarks.retrieval.tables import tables
from benchmarks.retrieval.typos import run_typos
from benchmarks.retrieval.updates import updates_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.retrieval.conversations import Conversation

# The fallback of the store's own vectors is asked for by name: it changes nothing here.
_COMPARED = [name for name in ENGINES if name != "memctl-store"]
_PARTS = ("replies", "confidence", "budget", "ladder", "typos")


def main() -> None:
    """Run what the options ask for and print its tables."""
    options = _options()
    conversations = read_locomo(options.locomo) if options.locomo else []
    conversations += read_beam(options.beam) if options.beam else []
    chosen = next((part for part in _PARTS if getattr(options, part)), "")
    if options.scale:
        chosen = "scale"
    if options.lists:
        name, figures = (
            "retrieval-lists",
            run_lists([*sorted(WORLDS.glob("*.jsonl")), *options.world]),
        )
        print(f"\nraw figures: {keep(name, figures, options.out)}")
        return
    figures = _run(chosen, conversations, options)
    name = f"retrieval-{chosen}" if chosen else "retrieval"
    print(f"\nraw figures: {keep(name, figures, options.out)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval")
    parser.add_argument("--locomo", type=Path, help="folder of LoCoMo conversations")
    parser.add_argument("--beam", type=Path, help="folder of BEAM chats")
    parser.add_argument(
        "--engines", default=",".join(_COMPARED), help=f"which to compare, of {', '.join(ENGINES)}"
    )
    parser.add_argument("--before", type=Path, help="raw figures of an earlier run")
    parser.add_argument("--scale", default="", help="sizes of a grown store: 600,10k,100k,1m")
    parser.add_argument("--questions", type=int, default=200, help="how many for --scale")
    parser.add_argument("--kept", type=Path, help="folder in which grown stores are kept")
    parser.add_argument("--replies", action="store_true", help="find replies by their words")
    parser.add_argument("--confidence", action="store_true", help="calibration of answers")
    parser.add_argument("--budget", action="store_true", help="what max_tokens packs")
    parser.add_argument("--ladder", action="store_true", help="steps of the ranking switched off")
    parser.add_argument("--typos", action="store_true", help="misspell a word of each question")
    parser.add_argument("--lists", action="store_true", help="questions that ask for all")
    parser.add_argument("--world", type=Path, action="append", default=[], help="one more world")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args()
    if not (options.locomo or options.beam or options.lists):
        parser.error("give --locomo DIR, --beam DIR, both, or --lists")
    return options


def _run(part: str, conversations: list[Conversation], options: argparse.Namespace) -> Any:
    if part == "scale":
        sizes = parse_sizes(options.scale)
        return run_scale(conversations, sizes, options.questions, options.kept)
    if part == "replies":
        return run_replies(conversations, options.engines.split(","))
    if part == "typos":
        return run_typos([c for c in conversations if not c.fitted] or conversations)
    whole: dict[str, Callable[[list[Conversation]], Any]] = {
        "confidence": run_confidence,
        "budget": run_budget,
        "ladder": run_ladder,
    }
    return whole[part](conversations) if part else _compare(conversations, options)


def _compare(conversations: list[Conversation], options: argparse.Namespace) -> Any:
    runs = []
    for name in options.engines.split(","):
        try:
            runs.append(measure(ENGINES[name], conversations))
        except ImportError as error:
            print(f"{name}: left out, {error.name} is not installed")
    if options.before:
        runs.insert(1, earlier_run(options.before, conversations))
    print(tables(runs, conversations))
    print(f"\n{updates_table(runs, keys_of(conversations))}")
    return [run.raw() for run in runs]


if __name__ == "__main__":
    main()
