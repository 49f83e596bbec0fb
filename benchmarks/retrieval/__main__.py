"""Measure recall.

    python -m benchmarks.retrieval --locomo DIR --beam DIR [--engines memctl,memctl-fused,fts5,minilm]
    python -m benchmarks.retrieval --locomo DIR --scale 600,10k,100k [--kept DIR]
    python -m benchmarks.retrieval --exact [FILE ...] [--fit]

The first asks every question of the sets, one JSON a conversation in ``DIR``. Conversations that the
constants were fitted on stand apart. The others: the time
at several sizes, and how exact the rows are that answers give, with the weights that would fit them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.engines import ENGINES
from benchmarks.retrieval.exact import run_exact
from benchmarks.retrieval.quality import measure, sure_table, tables
from benchmarks.retrieval.scale import parse_sizes, run_scale
from benchmarks.retrieval.sets import read_beam, read_locomo
from benchmarks.running import arguments, keep, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.retrieval.sets import Conversation


def main(words: Sequence[str] | None = None) -> None:
    """Run what the options ask for and print its tables."""
    parser = arguments(__doc__, "retrieval")
    parser.add_argument("--locomo", type=Path, help="folder of LoCoMo conversations")
    parser.add_argument("--beam", type=Path, help="folder of BEAM chats")
    parser.add_argument("--engines", type=listed, default=[*ENGINES], help="which to compare")
    parser.add_argument("--scale", help="sizes of a grown store: 600,10k,100k,1m")
    parser.add_argument("--questions", type=int, default=200, help="how many for --scale")
    parser.add_argument("--kept", type=Path, help="folder in which grown stores are kept")
    parser.add_argument("--exact", type=Path, nargs="*", help="exact rows; more worlds")
    parser.add_argument("--fit", action="store_true", help="fit the weights of a row's worth")
    options = parser.parse_args(words)
    if options.exact is not None:
        keep("retrieval-exact", run_exact(options.exact, fit=options.fit), options.out)
        return
    conversations = read_locomo(options.locomo) if options.locomo else []
    conversations += read_beam(options.beam) if options.beam else []
    if not conversations:
        parser.error("give --locomo DIR, --beam DIR or --exact")
    figures: Any
    name = "retrieval"
    if options.scale:
        sizes = parse_sizes(options.scale)
        figures = run_scale(conversations, sizes, options.questions, options.kept)
        name = "retrieval-scale"
    else:
        figures = _compared(conversations, options.engines)
    keep(name, figures, options.out)


def _compared(conversations: list[Conversation], engines: Sequence[str]) -> Any:
    runs = []
    for name in engines:
        try:
            runs.append(measure(ENGINES[name], conversations))
        except ImportError as error:
            print(f"{name}: left out, {error.name} is not installed")
    print(tables(runs, conversations))
    print(f"\n{sure_table(runs, conversations)}")
    return [run.raw() for run in runs]


if __name__ == "__main__":
    main()
