"""Measure what becomes of a fact that changes, and what facts take to store and find.

    python -m benchmarks.facts [--pairs FILE ...]
    python -m benchmarks.facts --speed [--rivals] [--facts 10000]

The first stores pairs of statements, a month of one user and a fortnight of another, and asks their
questions. The second stores facts one by one and in batches, and searches them; ``--rivals`` mem0ai as
well, which the extra ``bench`` brings.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.facts import days, pairs, speed
from benchmarks.running import arguments, keep, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> None:
    """Run, print, keep."""
    parser = arguments(__doc__, "facts")
    parser.add_argument("--pairs", type=Path, nargs="+", default=pairs.OWN, help="files of pairs")
    parser.add_argument("--speed", action="store_true", help="what a fact takes, not what is right")
    parser.add_argument("--rivals", action="store_true", help="mem0ai in the same run")
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=300)
    options = parser.parse_args(words)
    if options.speed:
        engines = [*speed.ENGINES] if options.rivals else ["memctl"]
        keep("facts-speed", speed.run(engines, options.facts, options.questions), options.out)
        return
    lines = [line for file in options.pairs for line in file.read_text("utf-8").splitlines()]
    of_pairs = pairs.measure([json.loads(line) for line in lines if line.strip()])
    print_table("pairs", ("", "of"), of_pairs.items())
    keep("facts", {"pairs": of_pairs, **days.report()}, options.out)


if __name__ == "__main__":
    main()
