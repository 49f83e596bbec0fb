"""Habits of a store: what was done again and again on screens, or by tools, as drafts of skills."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.procedural.mining import Act, chance_rate, mined
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.skill_rows import skill_name
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from memctl.procedural.mining import Habit
    from memctl.store.store import Store

__all__ = ["habits"]

SQL = statements.load("store/skill")
_PAUSE = timedelta(minutes=10)  # what is done later is another task
_VARIES = frozenset(["type"])  # acts whose detail is a value, not what they are


class _Done(NamedTuple):
    """An act with the row that it is known from."""

    act: Act
    kind: str
    row: sqlite3.Row


def habits(store: Store, *, floor: int, shuffles: int = 20) -> list[SkillDraft]:
    """Return the habits of a store as drafts, the least likely by chance first; reads only.

    Parameters
    ----------
    floor
        The fewest sequences that hold a habit.
    shuffles
        Shuffled logs that tell how many drafts chance brings.
    """
    found = []
    for sequences in (_on_screens(store), _by_tools(store)):
        acts = [[done.act for done in one] for one in sequences]
        made = mined(acts, floor=floor)
        rate = chance_rate(acts, shuffles=shuffles, floor=floor) if made else 0.0
        found += [_draft(one, sequences, rate) for one in made]
    return found


def _on_screens(store: Store) -> list[list[_Done]]:
    done = (_Done(_act(row), "act", row) for row in store.rows(SQL.acts))
    return list(_parted(done, "done_at"))


def _by_tools(store: Store) -> list[list[_Done]]:
    done = (_Done(_call(row), "tool call", row) for row in store.rows(SQL.calls))
    return list(_parted(done, "called_at"))


def _parted(done: Iterable[_Done], at: str) -> Iterator[list[_Done]]:
    """Yield the tasks of each session: a long pause ends one."""
    for _, some in groupby(done, lambda one: str(one.row["session"])):
        task: list[_Done] = []
        for one in some:
            if task and _time(one, at) - _time(task[-1], at) > _PAUSE:
                yield task
                task = []
            task.append(one)
        yield task


def _time(one: _Done, at: str) -> datetime:
    return datetime.fromisoformat(one.row[at])


def _act(row: sqlite3.Row) -> Act:
    detail = row["detail"] or ""
    if row["component_name"]:
        return Act(f"{row['action']}:{row['component_name']}", {})
    if row["action"] in _VARIES:
        return Act(row["action"], {"text": detail})
    return Act(f"{row['action']}:{detail}" if detail else row["action"], {})


def _call(row: sqlite3.Row) -> Act:
    given = json.loads(row["input"])
    plain = given.items() if isinstance(given, dict) else ()
    return Act(row["tool"], {key: str(value) for key, value in plain if _is_plain(value)})


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _draft(habit: Habit, sequences: Sequence[Sequence[_Done]], rate: float) -> SkillDraft:
    number, positions = habit.places[-1]  # as it was done last
    last = [sequences[number][position] for position in positions]
    named = _parameters(habit)
    steps = tuple(_step(at, one, named) for at, one in enumerate(last))
    sources = tuple(
        (sequences[owner][position].kind, int(sequences[owner][position].row["id"]))
        for owner, places in habit.places
        for position in places
    )
    words = " then ".join(name.replace(":", " ").replace("_", " ") for name in habit.names)
    return SkillDraft(
        name=skill_name(
            " ".join(words.split(" then ")[-1:]) + " after " + words.split(" then ")[0]
        ),
        steps=steps,
        description=f"Done {habit.count} times: {words}"[:1_000],
        origin="mined",
        triggers=(words[:200],),
        parameters={name: values[-1] for name, values in named.values()},
        support=habit.count,
        expected=habit.expected,
        p_value=habit.p_value,
        chance_rate=rate,
        sources=sources,
    )


def _parameters(habit: Habit) -> dict[tuple[int, str], tuple[str, tuple[str, ...]]]:
    """Return the name and the values of what varies, by step and key; names differ."""
    keys = [one.key for one in habit.parameters]
    found = {}
    for one in habit.parameters:
        plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in one.key.lower())
        name = plain.strip("_") or "value"
        name = name if name[0].isalpha() else f"v_{name}"
        several = keys.count(one.key) > 1
        found[one.step, one.key] = (f"{name}_{one.step + 1}" if several else name, one.values)
    return found


def _step(
    at: int, done: _Done, named: dict[tuple[int, str], tuple[str, tuple[str, ...]]]
) -> SkillStep:
    row = done.row
    values = {
        key: f"{{{named[at, key][0]}}}" if (at, key) in named else value
        for key, value in done.act.values.items()
    }
    if done.kind == "tool call":
        told = json.dumps(values, ensure_ascii=False) if values else None
        return SkillStep(at + 1, row["tool"], detail=told)
    return SkillStep(
        at + 1,
        row["action"],
        component_id=row["component_id"],
        target=row["component_name"],
        detail=values.get("text", row["detail"] if not row["component_name"] else None),
        from_state=row["from_state"],
        to_state=row["to_state"],
    )
