"""Try the promises of memctl where they may break; exit 1 when one is broken.

    python -m benchmarks.trust NAME [--seed 1] [--jobs 2] [--seconds 300] [--only TRIAL]

A trial is a file of this folder: its heading is its help, `options` adds its own options, and `run` tries
and returns a `Verdict`. Each trial has a number that the seed and it alone decide; `--only` repeats one.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.running import arguments, keep, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.trust.verdict import Verdict

TRIALS: tuple[str, ...] = (
    "damage",
    "kills",
    "power",
    "fuzz",
    "offline",
    "inputs",
)  # files of this folder
_SHOWN = 20


def main(words: Sequence[str] | None = None) -> int:
    """Run what was asked for, print its counts and what broke; return the exit code."""
    parser = arguments(__doc__, "trust")
    commands = parser.add_subparsers(dest="name", metavar="NAME", required=True)
    for name in TRIALS:
        module: Any = import_module(f"benchmarks.trust.{name}")
        command = commands.add_parser(name, help=module.__doc__.partition("\n")[0])
        command.add_argument("--seed", type=int, default=1, help="decides every trial")
        command.add_argument("--jobs", type=int, default=2, help="processes at once")
        command.add_argument("--seconds", type=float, help="stop after that long")
        command.add_argument("--only", type=int, help="repeat the trial of that number")
        module.options(command)
        command.set_defaults(run=module.run)
    options = parser.parse_args(words)
    verdict: Verdict = options.run(options)
    print_table(verdict.title, verdict.heads, verdict.rows, verdict.caption)
    for number, broken in verdict.broken[:_SHOWN]:
        print(f"broken: {broken}\n  again: --seed {options.seed} --only {number}")
    print(f"{len(verdict.broken)} broken promises")
    if options.only is None:
        keep(f"trust-{options.name}", verdict._asdict(), options.out)
    return 1 if verdict.broken else 0


if __name__ == "__main__":
    sys.exit(main())
