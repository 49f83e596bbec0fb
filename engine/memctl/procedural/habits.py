"""Habits of a store: acts on screens, and calls of tools, that come again and again, as drafts."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.procedural.mining import Act, chance_rate, mined, near_misses
from memctl.procedural.parameters import parameter_name
from memctl.procedural.skill_records import ParameterSpec, SkillDraft, SkillStep
from memctl.procedural.skill_rows import skill_name
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memctl.procedural.mining import Habit, NearHabit
    from memctl.store.store import Store

SQL = statements.load("store/skill")
_PAUSE = timedelta(minutes=10)  # what is done later is another task
_KINDS = {bool: "boolean", int: "number", float: "number"}  # of parameters
_VARIES = frozenset(["type"])  # acts whose detail is a value, not what they are


class _Done(NamedTuple):
    """An act with the row that it is known from, and when it was done."""

    act: Act
    kind: str
    row: sqlite3.Row
    at: datetime


def habits(store: Store, *, floor: int, shuffles: int = 20) -> list[SkillDraft]:
    """Find the habits of a store that at least `floor` tasks share, as drafts; reads only.

    Each is told how many habits the same search finds in `shuffles` shuffled logs.
    """
    result = []
    for tasks in _logs(store):
        acts = [[done.act for done in task] for task in tasks]
        made = mined(acts, floor=floor)
        rate = chance_rate(acts, shuffles=shuffles, floor=floor) if made else 0.0
        result += [_draft(habit, tasks, rate) for habit in made]
    return result


def near_habits(store: Store, *, floor: int) -> list[NearHabit]:
    """Find what comes closest to a habit in a store, each with the gate that it missed."""
    logs = ([[done.act for done in task] for task in tasks] for tasks in _logs(store))
    near = [near_miss for log in logs for near_miss in near_misses(log, floor=floor)]
    return sorted(near, key=lambda habit: (habit.count < floor, habit.p_value))


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
        steps=tuple(_step(number, done, {}, {}) for number, done in enumerate(task)),
        description=f"Done once, {task[-1].row['done_at']}",
        origin="mined",
        triggers=(name.replace("-", " "),),
        sources=tuple((done.kind, int(done.row["id"])) for done in task),
    )


def _logs(store: Store) -> tuple[list[list[_Done]], list[list[_Done]]]:
    """Return the tasks on screens, and those of tools."""
    acts, calls = store.rows(SQL.acts), store.rows(SQL.calls)
    return list(_tasks("act", acts, _act)), list(_tasks("tool call", calls, _call))


def _tasks(
    kind: str, rows: Iterable[sqlite3.Row], read: Callable[[sqlite3.Row], Act]
) -> Iterator[list[_Done]]:
    """Yield the tasks of each session: a long pause ends one."""
    for _, session in groupby(rows, itemgetter("session")):
        task: list[_Done] = []
        for row in session:
            act = _Done(read(row), kind, row, datetime.fromisoformat(row["done_at"]))
            if task and act.at - task[-1].at > _PAUSE:
                yield task
                task = []
            task.append(act)
        yield task


def _act(row: sqlite3.Row) -> Act:
    detail = row["detail"] or ""
    if row["component_name"]:
        return Act(f"{row['action']}:{row['component_name']}", {})
    if row["action"] in _VARIES:
        return Act(row["action"], {"text": detail})
    return Act(f"{row['action']}:{detail}" if detail else row["action"], {})


def _call(row: sqlite3.Row) -> Act:
    texts: dict[str, str] = {}
    _put(json.loads(row["input"]), lambda key, value: texts.setdefault(key, _text(value)))
    return Act(row["tool"], texts)


def _put(value: Any, change: Callable[[str, Any], Any], key: str = "") -> Any:
    """Return the input of a call with each value in it changed, which is known by its path."""
    if isinstance(value, dict):
        return {
            name: _put(inner, change, f"{key}.{name}".strip(".")) for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_put(inner, change, f"{key}.{at}".strip(".")) for at, inner in enumerate(value)]
    return change(key, value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _draft(habit: Habit, tasks: Sequence[Sequence[_Done]], rate: float) -> SkillDraft:
    task, positions = habit.places[-1]  # as it was done last
    last = [tasks[task][at] for at in positions]
    keys = Counter(one.key for one in habit.parameters)
    named: dict[tuple[int, str], str] = {}
    specs: dict[str, ParameterSpec] = {}
    for one in habit.parameters:
        name = parameter_name(one.key)
        several = keys[one.key] > 1
        named[one.step, one.key] = f"{name[:36]}_{one.step + 1}" if several else name
    acts = [name.replace(":", " ").replace("_", " ") for name in habit.names]
    return SkillDraft(
        name=skill_name(f"{acts[-1]} after {acts[0]}"),
        steps=tuple(_step(at, done, named, specs) for at, done in enumerate(last)),
        description=f"Done {habit.count} times: {' then '.join(acts)}"[:1_000],
        origin="mined",
        triggers=(" then ".join(acts)[:200],),
        parameters={
            named[parameter.step, parameter.key]: parameter.values[-1]
            for parameter in habit.parameters
        },
        specs=specs,
        support=habit.count,
        expected=habit.expected,
        p_value=habit.p_value,
        chance_rate=rate,
        sources=tuple(
            (tasks[task][at].kind, int(tasks[task][at].row["id"]))
            for task, ats in habit.places
            for at in ats
        ),
    )


def _step(
    at: int, done: _Done, named: Mapping[tuple[int, str], str], specs: dict[str, ParameterSpec]
) -> SkillStep:
    """Return an act as a step, with the names of what varies; note what those take."""

    def bound(key: str, value: Any) -> Any:
        name = named.get((at, key))
        if name is None:
            return value
        specs[name] = ParameterSpec(_KINDS.get(type(value), "text"))
        return f"{{{name}}}"

    row = done.row
    if done.kind == "tool call":
        given = _put(json.loads(row["input"]), bound)
        detail = json.dumps(given, ensure_ascii=False) if given else None
        return SkillStep(at + 1, row["tool"], detail=detail, tool=row["tool"])
    return SkillStep(
        at + 1,
        row["action"],
        component_id=row["component_id"],
        target=row["component_name"],
        detail=None if row["component_name"] else bound("text", row["detail"]),
        from_state=row["from_state"],
        to_state=row["to_state"],
    )
