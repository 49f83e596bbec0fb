"""A month and a fortnight of two users: what becomes of a change, and which statement recall gives first.

``python -m benchmarks.facts.days`` stores the statements of a list in their order and asks each change's
question at the end. Of the changes it counts those that ended the older fact (settled) or named it, and the
questions that the newest statement answers first; of the others, those that ended anything. A line of a
list is ``name | text``, or ``name > replaced | text | question``; ``@ TIME`` is the time of the lines
behind it, and without one each has a day of its own.
"""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTS = {name: Path(__file__).with_name(f"{name}.txt") for name in ("month", "fortnight")}
_BEGIN = datetime(2027, 2, 1, 9, tzinfo=UTC)
_SHOWN = 5


class Statement(NamedTuple):
    """A statement, the name of the one that it takes the place of, and what is asked of it."""

    name: str
    replaced: str
    text: str
    question: str
    said_at: str


class Figures(NamedTuple):
    """Counts of one list, and what went wrong in words."""

    changes: int
    settled: int
    settled_or_named: int
    wrongly_ended: int
    current_first: int
    older_above: int
    wrong: list[str]


def read_list(path: Path) -> Iterator[Statement]:
    """Yield the statements in their order."""
    said_at, day = "", _BEGIN
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            said_at = line.removeprefix("@").strip()
        elif not line.startswith("#"):
            names, text, *question = line.split(" | ")
            name, _, replaced = names.partition(" > ")
            yield Statement(name, replaced, text, "".join(question), said_at or day.isoformat())
            day += timedelta(days=1)


def measure(statements: list[Statement], home: Path) -> Figures:
    """Store the statements, ask the questions, and count."""
    ids: dict[str, str] = {}
    settled = named = wrongly = first = above = 0
    wrong = []
    with memctl.open("agent", home) as memory:
        for one in statements:
            os.environ["MEMCTL_NOW"] = one.said_at
            written = memory.facts.store(one.text).written[0]
            ids[one.name] = str(written.id)
            old = ids.get(one.replaced)
            ended = written.event == "SUPERSEDE"
            if old is None:
                wrongly += ended
                wrong += [f"wrongly ended {written.other}: {one.text}"] if ended else []
                continue
            known = {near.id for near in written.related} | {written.other}
            settled += ended and written.other == old
            named += old in known
            wrong += [] if old in known else [f"not seen: {one.text}"]
        replaced = {one.replaced for one in statements}
        for one in statements:
            if not one.question or one.name in replaced:
                continue
            rows = [str(row.id) for row in memory.recall(one.question, limit=_SHOWN, record=False)]
            place = _place(rows, ids[one.name])
            first += place == 0
            older = min(_place(rows, ids[name]) for name in _earlier(one, statements))
            above += older < place
            if place:
                wrong.append(f"at {place}, the older at {older}: {one.question}")
    os.environ.pop("MEMCTL_NOW", None)
    changes = sum(bool(one.replaced) for one in statements)
    return Figures(changes, settled, named, wrongly, first, above, wrong)


def asked(statements: list[Statement]) -> int:
    """Return how many questions are asked: of a statement that was corrected in turn, none."""
    replaced = {one.replaced for one in statements}
    return sum(bool(one.question) and one.name not in replaced for one in statements)


def _place(rows: list[str], wanted: str) -> int:
    return rows.index(wanted) if wanted in rows else len(rows) + 1


def _earlier(one: Statement, statements: list[Statement]) -> Iterator[str]:
    """Yield the names of what a statement takes the place of, the nearest first."""
    by_name = {other.name: other for other in statements}
    while one.replaced:
        one = by_name[one.replaced]
        yield one.name


def report() -> dict[str, dict[str, int]]:
    """Measure and print each list; return the figures."""
    found = {}
    for name, path in LISTS.items():
        statements = [*read_list(path)]
        with tempfile.TemporaryDirectory() as home:
            made = measure(statements, Path(home))
        questions = asked(statements)
        print(
            f"{name}: current first {made.current_first} of {questions}, older above current "
            f"{made.older_above}, settled or named {made.settled_or_named} of {made.changes} "
            f"(settled {made.settled}), wrongly ended {made.wrongly_ended}"
        )
        for line in made.wrong:
            print(f"  {line}")
        found[name] = {k: v for k, v in made._asdict().items() if k != "wrong"} | {
            "questions": questions
        }
    return found
