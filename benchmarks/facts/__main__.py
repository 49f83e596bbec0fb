"""What is true now: pairs of statements, a month, a fortnight, and what a statement takes to store.

``python -m benchmarks.facts`` prints the figures of `pairs` and `days`, and the microseconds of processor
time that `relation` and `store` take here and at another commit (``--against``, the one before by
default), turn by turn in one run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.facts import days, pairs
from benchmarks.keeping import keep
from benchmarks.replay.checkouts import HERE, Side, checked_out

if TYPE_CHECKING:
    from collections.abc import Mapping

_TURNS = 3
_TOOK = """
import json
from benchmarks.facts.pairs import OWN, took
print(json.dumps(took([json.loads(line) for line in OWN.read_text("utf-8").splitlines()])))
"""


def main() -> None:
    """Run, print, keep."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--against", default="HEAD~1", help="a commit, or a folder")
    against = parser.parse_args().against
    own = [json.loads(line) for line in pairs.OWN.read_text("utf-8").splitlines()]
    of_pairs = pairs.measure(own)
    print(f"{len(own)} pairs: " + ", ".join(f"{what} {hits}" for what, hits in of_pairs.items()))
    of_days = days.report()
    times = _times(against)
    for name, here in times["here"].items():
        print(f"{name}: {here} microseconds, {times[against].get(name)} at {against}")
    keep("facts", {"pairs": of_pairs, **of_days, "microseconds": times})


def _times(against: str) -> Mapping[str, Mapping[str, int]]:
    """Return the least microseconds of some turns, here and at a commit."""
    with (
        tempfile.TemporaryDirectory() as folder,
        checked_out(against, Path(folder) / "checkout") as other,
    ):
        sides = {
            name: (checkout, Side(checkout, Path(folder) / f"env-{number}"))
            for number, (name, checkout) in enumerate({"here": HERE, against: other}.items())
        }
        turns = [{name: _took(*side) for name, side in sides.items()} for _ in range(_TURNS)]
    return {
        name: {what: min(turn[name][what] for turn in turns) for what in turns[0][name]}
        for name in sides
    }


def _took(checkout: Path, side: Side) -> dict[str, int]:
    done = subprocess.run(  # noqa: S603  (this project's own code, at a commit)
        [side.python, "-c", _TOOK], cwd=checkout, capture_output=True, text=True, check=True
    )
    figures: dict[str, int] = json.loads(done.stdout)
    return figures


if __name__ == "__main__":
    main()
