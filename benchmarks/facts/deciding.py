"""Changes that sentences cannot settle, decided by the caller on what memctl names as related.

``python -m benchmarks.facts.deciding`` stores a week and a month of statements. Where an older
fact that a statement changes is named with it, the caller says that it is replaced; where it is
not named, nothing is said. What holds at the end is compared with what should.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import memctl
from benchmarks.facts.month import Statement, read_month
from benchmarks.keeping import keep

WEEK = Path(__file__).parents[2] / "tests" / "data" / "week_of_facts.txt"


@dataclass
class Decided:
    """Counts of one list.

    Parameters
    ----------
    settled
        Changes that needed no caller.
    named
        Changes whose older fact was named, or settled.
    right
        Changes after which the older fact has ended and the newer holds.
    wrongly_ended
        Facts that ended and should hold.
    named_beside
        Facts that were named with statements that change nothing, for each of them.
    """

    changes: int = 0
    settled: int = 0
    named: int = 0
    right: int = 0
    wrongly_ended: int = 0
    named_beside: float = 0.0


def main() -> None:
    """Run, print, keep."""
    figures = {"week": decide(read_week()), "month": decide(read_month())}
    for name, one in figures.items():
        print(f"{name}: {one}")
    keep("facts-deciding", {name: asdict(one) for name, one in figures.items()})


def read_week() -> list[Statement]:
    """Return the statements of the week, in their order."""
    lines = (one for one in WEEK.read_text("utf-8").splitlines() if not one.startswith("#"))
    parts = ([part.strip() for part in line.split("|")] for line in lines)
    return [Statement(name, "" if old == "-" else old, text) for name, old, text in parts]


def decide(statements: list[Statement]) -> Decided:
    """Store statements, decide of what is named, and count."""
    found = Decided()
    ids: dict[str, str] = {}
    beside = 0
    with tempfile.TemporaryDirectory() as home, memctl.open("agent", home) as memory:
        for one in statements:
            written = memory.facts.store(one.text).written[0]
            ids[one.name] = str(written.id)
            named = {near.id for near in written.related}
            old = ids.get(one.replaced)
            if old is None:
                beside += len(named)
                continue
            found.changes += 1
            found.settled += written.event == "SUPERSEDE" and written.other == old
            found.named += old in named | {written.other}
            if old in named:
                memory.facts.store(one.text, replaces=old)
            elif written.event == "PENDING" and written.other == old:
                memory.facts.approve(ids[one.name])
        held = {fact.id for fact in memory.facts.list()}
    replaced = {one.replaced for one in statements if one.replaced}
    right = [one for one in statements if one.replaced and ids[one.name] in held]
    found.right = sum(ids[one.replaced] not in held for one in right)
    found.wrongly_ended = sum(
        ids[one.name] not in held for one in statements if one.name not in replaced
    )
    found.named_beside = round(beside / (len(statements) - found.changes), 2)
    return found


if __name__ == "__main__":
    main()
