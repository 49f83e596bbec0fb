"""Measure consolidation: which turns are worth keeping, and what a killed dream leaves.

python -m benchmarks.consolidation --part kept --locomo DIR
python -m benchmarks.consolidation --part kills [--kills 40]
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.consolidation.kept import kept_turns
from benchmarks.consolidation.kills import killed, rolled_back
from benchmarks.running import arguments, keep, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> None:
    """Measure the part that was asked for, print it and keep the raw figures."""
    parser = arguments(__doc__, "consolidation")
    parser.add_argument("--part", choices=["kept", "kills"], required=True)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--locomo", type=Path, help="folder of LoCoMo conversations")
    options = parser.parse_args(words)
    if options.part == "kills":
        keep("consolidation-kills", _kills(options.kills), options.out)
        return
    if not options.locomo:
        parser.error("give --locomo DIR")
    figures = kept_turns(options.locomo)
    heads = ("", "P", "R", "F1", "evidence")
    print_table("turns", heads, [(name, *one.values()) for name, one in figures.items()])
    keep("consolidation-kept", figures, options.out)


def _kills(kills: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="memctl-kills-") as folder:
        seen = [killed(Path(folder), seed) for seed in range(kills)]
        wrong = [left for seed in range(kills) if (left := rolled_back(Path(folder), seed))]
    figures: dict[str, list[Any]] = {
        "inside": [one.inside for one in seen if one.inside],
        "different": [one.different for one in seen if one.different],
        "second run wrote": [one.again for one in seen if one.again],
        "rollback wrong": wrong,
    }
    rows = ((name, len(some)) for name, some in figures.items())
    print_table(f"{kills} kills", ("", "dreams"), rows)
    return figures


if __name__ == "__main__":
    main()
