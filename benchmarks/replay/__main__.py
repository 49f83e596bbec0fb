"""The answers of this checkout, held against those of another.

``python -m benchmarks.replay --against COMMIT_OR_DIR`` makes every recorded call (``calls/``, in
the shape that `benchmarks.replay.recorded` describes) with both checkouts, each in an
environment and homes of its own, and compares standard output, standard error and exit code.
``expected.toml`` names the changes that are intended. It exits with 1 when another change is
left, or when an intended one did not happen.
"""

from __future__ import annotations

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.replay.checkouts import HERE, Side, checked_out
from benchmarks.replay.comparing import changed_lines, difference, masked
from benchmarks.replay.recorded import Call, Expected, expected_in, groups_in
from benchmarks.running import arguments, keep

if TYPE_CHECKING:
    import argparse

_OWN = Path(__file__).parent
_CORES = 2
_FATES = ("equal", "expected", "changed")


@dataclass(frozen=True)
class Replayed:
    """One call that was made on both sides; `diff` is empty where the answers are equal."""

    group: str
    call: Call
    diff: str
    expected: Expected | None

    @property
    def fate(self) -> str:
        """The column of the table that counts it."""
        return "equal" if not self.diff else "expected" if self.expected else "changed"


def main() -> None:
    """Replay the calls, print the table, keep the differences."""
    given = _arguments()
    groups = groups_in(given.calls)
    groups = {name: groups[name] for name in given.group or groups}
    expected = expected_in(given.expected)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="replay-") as folder:
        replayed = _replayed(groups, expected, given.against, Path(folder))
    seconds = round(time.monotonic() - began, 1)
    counts = _counts(replayed)
    _show(counts)
    for one in replayed:
        if one.diff:
            print(f"[{one.group}] {one.call}")
            print(f"    expected: {one.expected.reason}" if one.expected else "    CHANGED")
        if one.diff and given.show:
            print(one.diff)
    used = {one.expected for one in replayed}
    unused = [one for one in expected if one not in used and not given.group]
    for change in unused:
        print(f"expected, but not seen: {change.call} ({change.reason})")
    figures = {
        "against": Path(given.against).name,
        "seconds": seconds,
        "groups": counts,
        "differences": [
            {
                "group": one.group,
                "call": str(one.call),
                "reason": one.expected and one.expected.reason,
                "diff": one.diff,
            }
            for one in replayed
            if one.diff
        ],
    }
    print(f"{len(replayed)} calls on each side in {seconds} s")
    keep("replay", figures, given.out)
    sys.exit(bool(unused) or any(one.fate == "changed" for one in replayed))


def _arguments() -> argparse.Namespace:
    parser = arguments(__doc__, "replay")
    parser.add_argument("--against", required=True, help="a commit, or a folder with a checkout")
    parser.add_argument("--show", action="store_true", help="print how each call differs")
    parser.add_argument("--group", action="append", help="only this group; may be given again")
    parser.add_argument("--calls", type=Path, default=_OWN / "calls", help="folder of the calls")
    parser.add_argument("--expected", type=Path, default=_OWN / "expected.toml")
    return parser.parse_args()


def _replayed(
    groups: dict[str, list[Call]], expected: list[Expected], against: str, folder: Path
) -> list[Replayed]:
    """Return every call with its difference; the groups are played side by side."""
    with checked_out(against, folder / "other") as other, ThreadPoolExecutor(_CORES) as pool:
        old, new = pool.map(Side, (other, HERE), (folder / "old", folder / "new"))

        def play(name: str) -> list[Replayed]:
            place, calls = folder / name.replace(" ", "-"), groups[name]
            before = old.answers([(one.kind, one.old) for one in calls], place)
            after = new.answers([(one.kind, one.new) for one in calls], place)
            found = []
            for call, *both in zip(calls, before, after, strict=True):
                diff = difference(*(masked(answer, str(place)) for answer in both))
                said, lines = f"[{name}] {call}", changed_lines(diff)
                reason = next((one for one in expected if diff and one.allows(said, lines)), None)
                found.append(Replayed(name, call, diff, reason))
            return found

        return [one for made in pool.map(play, groups) for one in made]


def _counts(replayed: list[Replayed]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for one in replayed:
        counts.setdefault(one.group, dict.fromkeys(_FATES, 0))[one.fate] += 1
    return counts


def _show(counts: dict[str, dict[str, int]]) -> None:
    table = Table("group", "calls", *_FATES)
    whole = {fate: sum(row[fate] for row in counts.values()) for fate in _FATES}
    for name, row in [*counts.items(), ("all", whole)]:
        table.add_row(name, str(sum(row.values())), *map(str, row.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
