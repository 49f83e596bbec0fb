"""Measure recall.

    python -m benchmarks.retrieval --locomo DIR --beam DIR --longmemeval FILE
        [--engines memctl,memctl-fused,fts5,...] [--before FILE]
    python -m benchmarks.retrieval --locomo DIR --beam DIR --budget | --ladder | --replies | --typos
    python -m benchmarks.retrieval --locomo DIR --scale 600,10k,100k [--kept DIR]
    python -m benchmarks.retrieval --exact [FILE ...] [--fit | --lists]

The first asks every question of the sets, one JSON a conversation in ``DIR``, and compares with
FTS5's ``bm25()``, bm25s, MiniLM and chromadb, each where it is installed; ``--before`` puts
memctl's answers of an earlier run's raw figures beside. Conversations that the constants were
fitted on stand apart; ``cut`` are the rows that are likely to answer. FILE of LongMemEval is its S
(one JSON list), or the ``questions.jsonl`` of V2 with ``trajectories.jsonl`` and ``haystacks/``
beside it. The others: what a budget packs; each term of the score left out; replies found by four
of their words; a misspelt word a question; the time at several sizes; how exact the rows are that
answers give, with the weights that would fit them; and how complete lists are. Raw figures go to ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.keeping import FOLDER, keep
from benchmarks.retrieval.budget import run_budget
from benchmarks.retrieval.engines import ENGINES, Memctl
from benchmarks.retrieval.exact import WORLDS, run_exact
from benchmarks.retrieval.ladder import run_ladder
from benchmarks.retrieval.lists import run_lists
from benchmarks.retrieval.quality import earlier_run, measure, sure_table, tables
from benchmarks.retrieval.replies import run_replies
from benchmarks.retrieval.scale import parse_sizes, run_scale
from benchmarks.retrieval.sets import read_beam, read_locomo, read_longmemeval
from benchmarks.retrieval.trajectories import run_trajectories
from benchmarks.retrieval.typos import run_typos
from memctl.config.settings import KNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.retrieval.sets import Conversation

_PARTS = ("replies", "budget", "ladder", "typos", "scale", "lists", "exact")


def main() -> None:
    """Run what the options ask for and print its tables."""
    options = _options()
    part = next((name for name in _PARTS if getattr(options, name) not in (False, "", None)), "")
    if options.longmemeval and options.longmemeval.suffix == ".jsonl":
        part = "trajectories"
    figures = _run(part, options)
    name = f"retrieval-{part}" if part else "retrieval"
    print(f"\nraw figures: {keep(name, figures, options.out)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval")
    parser.add_argument("--locomo", type=Path, help="folder of LoCoMo conversations")
    parser.add_argument("--beam", type=Path, help="folder of BEAM chats")
    parser.add_argument("--longmemeval", type=Path, help="file of LongMemEval-S, or V2's questions")
    parser.add_argument(
        "--engines", default=",".join(ENGINES), help=f"which to compare, of {', '.join(ENGINES)}"
    )
    parser.add_argument("--before", type=Path, help="raw figures of an earlier run")
    parser.add_argument("--scale", default="", help="sizes of a grown store: 600,10k,100k,1m")
    parser.add_argument("--questions", type=int, default=200, help="how many for --scale")
    parser.add_argument("--kept", type=Path, help="folder in which grown stores are kept")
    parser.add_argument("--replies", action="store_true", help="find replies by their words")
    parser.add_argument("--budget", action="store_true", help="what max_tokens packs")
    parser.add_argument("--ladder", action="store_true", help="each term of the score left out")
    parser.add_argument("--typos", action="store_true", help="misspell a word of each question")
    parser.add_argument("--exact", type=Path, nargs="*", help="exact rows; more worlds")
    parser.add_argument("--lists", action="store_true", help="of these worlds: what asks for all")
    parser.add_argument("--fit", action="store_true", help="fit the weights of a row's worth")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args()
    if not (
        options.locomo
        or options.beam
        or options.longmemeval
        or options.lists
        or options.exact is not None
    ):
        parser.error("give --locomo DIR, --beam DIR, --longmemeval FILE or --exact")
    return options


def _run(part: str, options: argparse.Namespace) -> Any:
    if part == "lists":
        return run_lists([*sorted(WORLDS.iterdir()), *(options.exact or ())])
    if part == "exact":
        return run_exact(options.exact, fit=options.fit)
    if part == "trajectories":
        return run_trajectories(options.longmemeval)
    conversations = read_locomo(options.locomo) if options.locomo else []
    conversations += read_beam(options.beam) if options.beam else []
    conversations += read_longmemeval(options.longmemeval) if options.longmemeval else []
    engines, aside = options.engines.split(","), [c for c in conversations if not c.fitted]
    parts: dict[str, Callable[[], Any]] = {
        "budget": lambda: run_budget(conversations),
        "ladder": lambda: run_ladder(conversations, engines[0]),
        "replies": lambda: run_replies(conversations, engines),
        "scale": lambda: run_scale(
            conversations, parse_sizes(options.scale), options.questions, options.kept
        ),
        "typos": lambda: run_typos(aside or conversations),
        "": lambda: _compare(conversations, engines, options.before),
    }
    return parts[part]()


def _compare(conversations: list[Conversation], engines: list[str], before: Path | None) -> Any:
    least = float(str(KNOWN["recall_min_worth"].default))
    runs, cut = [], []
    for name in engines:
        try:
            runs.append(measure(ENGINES[name], conversations))
        except ImportError as error:
            print(f"{name}: left out, {error.name} is not installed")
            continue
        if issubclass(ENGINES[name], Memctl):
            cut.append(runs[-1].cut(least))
    if before:
        runs.insert(1, earlier_run(before, conversations))
    print(tables([*runs, *cut], conversations))
    print(f"\n{sure_table(runs, conversations)}")
    return [run.raw() for run in runs]


if __name__ == "__main__":
    main()
