"""Type every line of README in a fresh folder, and print what each step of a newcomer takes.

    python -m benchmarks.first_hour [--out DIR]

Nothing is there but README, an empty home and the environment that this runs in. Raw figures go
to ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.first_hour.steps import STEPS, step_lines
from benchmarks.first_hour.typed_lines import README, type_all, wanted_lines
from benchmarks.keeping import FOLDER, keep

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> None:
    """Type the lines, print the newcomer's steps with their seconds, and keep all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_hour")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args(words)
    lines = wanted_lines(README.read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix="memctl-first-hour-") as folder:
        typed = type_all(lines, Path(folder))
    for step, at in zip(STEPS, step_lines(lines), strict=True):
        print(f"{typed[at].seconds:6.1f} s  {step.what:40} {lines[at].text.split('   # ')[0]}")
    whole = sum(one.seconds for one in typed)
    failed = [one.wanted.text for one in typed if one.code]
    print(f"{whole:6.1f} s  all {len(typed)} lines, {len(failed)} failed")
    figures = {
        "steps": [
            {"what": step.what, "line": lines[at].text, "seconds": typed[at].seconds}
            for step, at in zip(STEPS, step_lines(lines), strict=True)
        ],
        "lines": len(typed),
        "failed": failed,
        "seconds": whole,
    }
    print(f"\nraw figures: {keep('first_hour', figures, options.out)}")


if __name__ == "__main__":
    main()
