"""Habits of a store: acts on screens, and calls of tools, that come again and again, as drafts."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from memctl.procedural.mining import Act, chance_rate, mined, near_misses
from memctl.procedural.parameters import parameter_name
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.skill_rows import skill_name
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memctl.procedural.mining import Habit, NearHabit
    from memctl.store.store import Store

SQL = statements.load("store/skill")
_PAUSE = timedelta(minutes=10)  # what is done later is another task
_VARIES = frozenset(["type"])  # acts whose detail is a value, not what they are


class _Done(NamedTuple):
    """An act with the row that it is known from, and when it was done."""

    act: Act
    kind: str
    row: sqlite3.Row
    at: datetime


def habits(store: Store, *, floor: int, shuffles: int = 20) -> list[SkillDraft]:
    """Find the habits of a store that at least `floor` tasks hold, as drafts; reads only.

    Each is told how many habits the same search finds in `shuffles` shuffled logs.
    """
    found = []
    for tasks in _logs(store):
        acts = [[done.act for done in task] for task in tasks]
        made = mined(acts, floor=floor)
        rate = chance_rate(acts, shuffles=shuffles, floor=floor) if made else 0.0
        found += [_draft(habit, tasks, rate) for habit in made]
    return found


def near_habits(store: Store, *, floor: int) -> list[NearHabit]:
    """Find what comes closest to a habit in a store, each with the gate that it missed."""
    logs = ([[done.act for done in task] for task in tasks] for tasks in _logs(store))
    near = [one for log in logs for one in near_misses(log, floor=floor)]
    return sorted(near, key=lambda one: (one.count < floor, one.p_value))


def last_acts(store: Store, name: str, *, most: int, session: str | None) -> SkillDraft | None:
    """Return the last task on screens as a draft, at most its last `most` acts; ``None`` for none."""
    tasks = [
        task for task in _logs(store)[0] if session is None or task[0].row["session"] == session
    ]
    if not tasks:
        return None
    task = max(tasks, key=lambda one: (one[-1].at, one[-1].row["id"]))[-most:]
    return SkillDraft(
        name=name,
        steps=tuple(_step(number, done, {}) for number, done in enumerate(task)),
        description=f"Done once, {task[-1].row['done_at']}",
        origin="mined",
        triggers=(name.replace("-", " "),),
        sources=tuple((done.kind, int(done.row["id"])) for done in task),
    )


def _logs(store: Store) -> tuple[list[list[_Done]], list[list[_Done]]]:
    """Return the tasks on screens, and those of tools."""
    acts = (_Done(_act(row), "act", row, _time(row["done_at"])) for row in store.rows(SQL.acts))
    calls = (
        _Done(_call(row), "tool call", row, _time(row["called_at"]))
        for row in store.rows(SQL.calls)
    )
    return list(_tasks(acts)), list(_tasks(calls))


def _tasks(done: Iterable[_Done]) -> Iterator[list[_Done]]:
    """Yield the tasks of each session: a long pause ends one."""
    for _, session in groupby(done, lambda one: str(one.row["session"])):
        task: list[_Done] = []
        for one in session:
            if task and one.at - task[-1].at > _PAUSE:
                yield task
                task = []
            task.append(one)
        yield task


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


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
    texts = {key: str(value) for key, value in plain if type(value) in {str, int, float}}
    return Act(row["tool"], texts)


def _draft(habit: Habit, tasks: Sequence[Sequence[_Done]], rate: float) -> SkillDraft:
    task, positions = habit.places[-1]  # as it was done last
    named = _parameters(habit)
    rows = [(tasks[task][at].kind, tasks[task][at].row) for task, ats in habit.places for at in ats]
    acts = [name.replace(":", " ").replace("_", " ") for name in habit.names]
    return SkillDraft(
        name=skill_name(f"{acts[-1]} after {acts[0]}"),
        steps=tuple(_step(n, tasks[task][at], named) for n, at in enumerate(positions)),
        description=f"Done {habit.count} times: {' then '.join(acts)}"[:1_000],
        origin="mined",
        triggers=(" then ".join(acts)[:200],),
        parameters={name: habit.parameters[n].values[-1] for n, name in enumerate(named.values())},
        support=habit.count,
        expected=habit.expected,
        p_value=habit.p_value,
        chance_rate=rate,
        sources=tuple((kind, int(row["id"])) for kind, row in rows),
    )


def _parameters(habit: Habit) -> dict[tuple[int, str], str]:
    """Return a name for each parameter, by its step and key."""
    keys = [one.key for one in habit.parameters]
    found = {}
    for one in habit.parameters:
        name = parameter_name(one.key)
        several = keys.count(one.key) > 1
        found[one.step, one.key] = f"{name[:36]}_{one.step + 1}" if several else name
    return found


def _step(at: int, done: _Done, named: Mapping[tuple[int, str], str]) -> SkillStep:
    row, values = done.row, dict(done.act.values)
    values.update({key: f"{{{named[at, key]}}}" for key in values if (at, key) in named})
    if done.kind == "tool call":
        told = json.dumps(values, ensure_ascii=False) if values else None
        return SkillStep(at + 1, row["tool"], detail=told, tool=row["tool"])
    return SkillStep(
        at + 1,
        row["action"],
        component_id=row["component_id"],
        target=row["component_name"],
        detail=values.get("text", row["detail"] if not row["component_name"] else None),
        from_state=row["from_state"],
        to_state=row["to_state"],
    )
