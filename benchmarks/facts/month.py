"""A month of one user and one project: how many of its changes plain sentences settle alone.

``python -m benchmarks.facts.month`` stores the statements of ``month.txt`` in their order, each
on a day of its own, and compares what became of the older ones with what the list says.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import memctl
from benchmarks.keeping import keep

LIST = Path(__file__).with_name("month.txt")


class Statement(NamedTuple):
    """A statement, and the name of the one that it takes the place of; empty for none."""

    name: str
    replaced: str
    text: str


def main() -> None:
    """Run, print, keep."""
    statements = read_month()
    with tempfile.TemporaryDirectory() as folder:
        became = become(statements, Path(folder))
    figures = dict(sorted(Counter(became.values()).items()))
    print(f"{sum(bool(one.replaced) for one in statements)} changes: {figures}")
    for one in statements:
        if became[one.name] in {"left to the caller", "wrongly ended", "wrongly waiting"}:
            print(f"  {became[one.name]}: {one.text}")
    keep("facts-month", figures)


def read_month(path: Path = LIST) -> list[Statement]:
    """Return the statements in their order."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            names, _, text = line.partition(" | ")
            name, _, replaced = names.partition(" > ")
            found.append(Statement(name, replaced, text))
    return found


def become(statements: list[Statement], home: Path) -> dict[str, str]:
    """Return the outcome of each statement by its name: settled, waiting, wrongly ended, ..."""
    ids: dict[str, str] = {}
    outcomes = {}
    with memctl.open("agent", home) as memory:
        for one in statements:
            written = memory.facts.store(one.text).written[0]
            ids[one.name] = written.id or ""
            outcomes[one.name] = _outcome(
                written.event, bool(one.replaced), written.other == ids.get(one.replaced)
            )
    return outcomes


def _outcome(event: str, changes: bool, same: bool) -> str:
    if event == "ADD":
        return "left to the caller" if changes else "kept"
    ended = event != "PENDING"
    if changes and same:
        return "settled" if ended else "waiting"
    return "wrongly ended" if ended else "wrongly waiting"


if __name__ == "__main__":
    main()
