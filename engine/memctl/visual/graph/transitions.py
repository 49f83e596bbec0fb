"""Transitions: what acts lead where, how often they did, and the likeliest way. Needs no image library."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from dataclasses import dataclass, fields
from datetime import timedelta
from operator import itemgetter
from typing import TYPE_CHECKING

from memctl.base.arguments import checked_class
from memctl.base.clock import days_ago, now
from memctl.base.errors import NotFoundError, UsageError
from memctl.guard import door
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.pages import ListPage, read_page
from memctl.store.results import Result
from memctl.visual.graph.components import Components
from memctl.visual.graph.states import States

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from memctl.store.store import Store

SQL = statements.load("store/transition")

_Z = 1.959963984540054  # two-sided 95 % confidence: the 0.975 quantile of the normal distribution
_MAX_ACTION = 40
_MAX_MS = 24 * 60 * 60 * 1000


def wilson_lower_bound(successes: int, trials: int) -> float:
    """Return the lower end of Wilson's 95 % score interval for a proportion, 0 to 1.

    One success in one try says less than nineteen in twenty: .207 against .764.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical
    inference. Journal of the American Statistical Association 22, 209-212.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if successes == 0:
        return 0.0
    share = successes / trials
    square = _Z * _Z
    middle = share + square / (2 * trials)
    spread = _Z * math.sqrt((share * (1 - share) + square / (4 * trials)) / trials)
    return (middle - spread) / (1 + square / trials)


@dataclass(frozen=True, slots=True)
class Transition(Result):
    """An act on one state that led to another.

    ``action`` reads like ``click:Save``: the kind of act, and the component or detail.
    ``id`` is ``None`` for a way that adds up several rows of the store.
    """

    id: int | None
    from_state: str
    action: str
    to_state: str
    component_id: int | None
    status: str
    count: int
    successes: int
    failures: int
    mean_ms: float | None
    last_used_at: str

    @property
    def probability(self) -> float:
        """Lower bound of the chance that the act leads there, 0 to 1."""
        return wilson_lower_bound(self.successes, self.count)


@dataclass(frozen=True, slots=True)
class Step(Result):
    """One act of a path: ``probability`` is Wilson's 95 % lower bound, ``rate`` the share seen.

    Both rest on ``successes`` and ``failures``, the times that it led there and that it did not.

    ``from_name`` and ``to_name`` are the states' names, else their pages; ``None`` where they have
    neither.
    """

    from_state: str
    from_name: str | None
    action: str
    to_state: str
    to_name: str | None
    component_id: int | None
    probability: float
    rate: float
    successes: int
    failures: int
    mean_ms: float | None


@dataclass(frozen=True, slots=True)
class Path(Result):
    """The most likely way: the product of its steps' probabilities, and its expected time."""

    from_state: str
    to_state: str
    probability: float
    expected_ms: float | None
    steps: list[Step]


def likeliest_path(known: Iterable[Transition], start: str, goal: str) -> list[Transition] | None:
    """Return the transitions of the way with the greatest product of probabilities.

    Dijkstra's algorithm over ``-log`` of each one's probability; ties go to the shorter
    expected time, then to fewer steps, then to the names, so the answer is always the same.
    ``None`` when nothing that ever succeeded leads there; ``[]`` when start is goal.
    """
    leaving: dict[str, list[Transition]] = defaultdict(list)
    for one in known:
        if one.successes:
            leaving[one.from_state].append(one)
    # Costs are rounded so that ways of equal probability tie in spite of float order.
    queue: list[tuple[float, float, int, tuple[str, ...]]] = [(0.0, 0.0, 0, (start,))]
    arrived: dict[tuple[str, ...], list[Transition]] = {(start,): []}
    settled: set[str] = set()
    while queue:
        cost, time, steps, names = heapq.heappop(queue)
        here, path = names[-1], arrived.pop(names)
        if here == goal:
            return path
        if here in settled:
            continue
        settled.add(here)
        for one in leaving[here]:
            key = (*names, one.action, str(one.component_id), one.to_state)
            if one.to_state in settled or key in arrived:
                continue
            arrived[key] = [*path, one]
            further = round(cost - math.log(one.probability), 12)
            heapq.heappush(queue, (further, time + (one.mean_ms or 0.0), steps + 1, key))
    return None


@checked_class
class Transitions(StoreCollection[Transition]):
    """The transitions between the states of one store.

    An act is recorded as pending until somebody saw how it ended; pending ones are rows, so
    any process can commit or discard them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._states = States(store)
        self._components = Components(store)

    def list(self, *, state: str | None = None, limit: int | None = None) -> ListPage[Transition]:
        """Return the committed transitions between living states, what was used last first.

        Parameters
        ----------
        state
            Only those from this state or to it.
        limit
            Most transitions; ``None`` for all.

        Raises
        ------
        NotFoundError
            When there is no such living state.
        """
        asked = {"state": None if state is None else self._states.resolve(state)}
        return read_page(self._store, SQL.listed, asked, _transition, limit)

    def pending(
        self, *, days: int | None = None, discarded: bool = False, limit: int | None = None
    ) -> ListPage[Transition]:
        """Return the acts whose outcome nobody has confirmed, the newest first.

        Parameters
        ----------
        days
            Only those that have waited longer than so many days.
        discarded
            Those that were discarded instead.
        limit
            Most acts; ``None`` for all.
        """
        status = "discarded" if discarded else "pending"
        return read_page(self._store, SQL.by_status, _asked(status, days), _transition, limit)

    @door.guarded("transition")
    def record(
        self,
        from_state: str,
        action: str,
        to_state: str,
        *,
        elapsed_ms: float | timedelta | None = None,
        session: str = "",
    ) -> Transition:
        """Note, as pending, that an act on one state led to another, or kept it.

        Parameters
        ----------
        from_state, to_state
            Ids or names of two living states.
        action
            ``click:Save``, ``type:hello``, ``key:ctrl+s``: a kind, and what it acted on. Where
            a living component bears the name behind the colon, or the id in ``click:#7``, the
            act is tied to it and survives its renaming.
        elapsed_ms
            How long it took until the screen was there: milliseconds, or a `timedelta`.
        session
            Whose act it is: habits are mined from the acts of a session, in their order.

        Raises
        ------
        NotFoundError
            When a state is unknown.
        UsageError
            When the action is empty; nothing is written.
        """
        timed = _checked_ms(elapsed_ms)
        with self._store.transaction():
            row = {
                **self._act(from_state, action, to_state),
                "total_ms": timed or 0,
                "timed": int(timed is not None),
                "recorded_at": now(),
            }
            self._store.execute(SQL.add_act, {**row, "session": session})
            return self.get(self._store.insert(SQL.insert_transition, row))

    @door.guarded("transition")
    def take_over(
        self,
        from_state: str,
        action: str,
        to_state: str,
        *,
        component_id: int | None = None,
        successes: int,
        failures: int = 0,
        last_used_at: str,
    ) -> Transition:
        """Take over what another memory counted of an act: of two counts the larger is kept.

        Parameters
        ----------
        from_state, action, to_state
            As `record` has them.
        component_id
            What was acted on, where the name behind the colon is not its name here.
        successes, failures
            How often it led there, and how often it failed to; together at least 1.
        last_used_at
            ISO-8601 text, as the store has it.

        Raises
        ------
        NotFoundError
            When a state is unknown.
        UsageError
            When the action is empty, or nothing was counted.
        """
        if min(successes, failures) < 0 or successes + failures < 1:
            _parsed(action)
            raise UsageError(f'"{action}" was never done', hint="count a success or a failure")
        with self._store.transaction():
            counted = {
                **self._act(from_state, action, to_state, component_id),
                "successes": successes,
                "failures": failures,
                "total_ms": 0,
                "timed": 0,
                "recorded_at": last_used_at,
                "last_used_at": last_used_at,
            }
            known = self._store.value(SQL.raise_committed, counted)
            if known is None:
                known = self._store.insert(SQL.insert_transition, counted)
                self._store.execute(SQL.commit_row, {"id": known, **counted})
            return self.get(known)

    @door.guarded("transition")
    def commit(
        self, ids: Sequence[int] | None = None, *, failed: bool = False
    ) -> Sequence[Transition]:
        """Count pending acts as successful, or as failed.

        Parameters
        ----------
        ids
            Which; all pending ones when ``None``.
        failed
            Count a failure: failures teach, too.

        Raises
        ------
        NotFoundError
            When an id is not pending; then none is committed.
        """
        with self._store.transaction():
            return [self._commit(row, failed=failed) for row in self._waiting(ids)]

    @door.guarded("transition")
    def discard(self, ids: Sequence[int] | None = None, *, days: int | None = None) -> int:
        """Drop pending acts; return how many. They teach nothing; `restore` undoes it.

        Parameters
        ----------
        ids
            Which; all pending ones when ``None``.
        days
            Only those that have waited longer than so many days.

        Raises
        ------
        NotFoundError
            When an id is not pending; then none is discarded.
        """
        return self._move(ids, days, "pending", "discarded")

    @door.guarded("transition")
    def restore(self, ids: Sequence[int] | None = None, *, days: int | None = None) -> int:
        """Let discarded acts be pending again; return how many.

        Parameters
        ----------
        ids
            Which; all discarded ones when ``None``.
        days
            Only those recorded longer than so many days ago.

        Raises
        ------
        NotFoundError
            When an id is not discarded; then none is restored.
        """
        return self._move(ids, days, "discarded", "pending")

    def get(self, transition_id: int) -> Transition:
        """Return one recorded act, pending or committed.

        Raises
        ------
        NotFoundError
            When there is none of this id.
        """
        row = self._store.row(SQL.by_id, {"id": transition_id})
        if row is None:
            raise NotFoundError(
                f'there is no transition "{transition_id}"', hint='see "memctl transitions list"'
            )
        return _transition(row)

    def path(self, from_state: str, to_state: str) -> Path:
        """Return the most likely way from one state to another.

        Raises
        ------
        NotFoundError
            When a state is unknown, or no known way leads there.
        """
        start, goal = self._states.resolve(from_state), self._states.resolve(to_state)
        found = likeliest_path(self.list(), start, goal)
        if found is None:
            raise NotFoundError(
                f'no known way leads from "{from_state}" to "{to_state}"',
                hint="record one: memctl transitions record FROM ACTION TO",
            )
        names = self._states.names_of(
            key for one in found for key in (one.from_state, one.to_state)
        )
        steps = [
            Step(
                one.from_state,
                names[one.from_state],
                one.action,
                one.to_state,
                names[one.to_state],
                one.component_id,
                round(one.probability, 6),
                round(one.successes / one.count, 6),
                one.successes,
                one.failures,
                one.mean_ms,
            )
            for one in found
        ]
        times = [step.mean_ms for step in steps if step.mean_ms is not None]
        expected = round(sum(times), 1) if len(times) == len(steps) else None
        probability = round(math.prod(step.probability for step in steps), 6)
        return Path(start, goal, probability, expected, steps)

    def _members(self) -> Sequence[Transition]:
        return self.list()

    def _act(
        self, from_state: str, action: str, to_state: str, component_id: int | None = None
    ) -> dict[str, object]:
        """Return the columns that identify an act."""
        kind, target = _parsed(action)
        component_id = component_id or self._component(target)
        return {
            "from_state": self._states.resolve(from_state),
            "action": kind,
            "component_id": component_id,
            "detail": None if component_id else target,
            "to_state": self._states.resolve(to_state),
        }

    def _component(self, target: str | None) -> int | None:
        if target is None:
            return None
        # By its name: the 1 of "key:1" is no component's id. Else by what stands on it, where
        # that tells one component: of three "Delete" buttons none is meant.
        by_id = target.startswith("#") and target[1:].isdecimal() and target in self._components
        found = int(target[1:]) if by_id else self._components.named(target)
        if found is not None:
            return None if self._components.get(found).forgotten_at is not None else found
        labelled = self._components.labelled(target)
        return labelled[0] if len(labelled) == 1 else None

    def _waiting(
        self, ids: Sequence[int] | None, *, days: int | None = None, status: str = "pending"
    ) -> Sequence[sqlite3.Row]:
        rows = {row["id"]: row for row in self._store.rows(SQL.by_status, _asked(status, days))}
        if ids is None:
            return sorted(rows.values(), key=itemgetter("id"))
        unknown = [number for number in ids if number not in rows]
        if unknown:
            longer = f" for {days} days or longer" if days else ""
            more = " --discarded" if status == "discarded" else ""
            raise NotFoundError(
                f"transition {unknown[0]} is not {status}{longer}",
                hint=f'see "memctl transitions pending{more}"',
            )
        return [rows[number] for number in dict.fromkeys(ids)]

    def _move(self, ids: Sequence[int] | None, days: int | None, was: str, becomes: str) -> int:
        with self._store.transaction():
            rows = self._waiting(ids, days=days, status=was)
            marks = [{"id": row["id"], "was": was, "status": becomes} for row in rows]
            self._store.execute_many(SQL.set_status, marks)
            return len(rows)

    def _commit(self, row: sqlite3.Row, *, failed: bool) -> Transition:
        counted = {
            **dict(row),
            "successes": int(not failed),
            "failures": int(failed),
            # How long a failure took says nothing about how long the way takes.
            "total_ms": 0 if failed else row["total_ms"],
            "timed": 0 if failed else row["timed"],
            "last_used_at": row["recorded_at"],
        }
        known = self._store.value(SQL.add_to_committed, counted)
        if known is None:
            self._store.execute(SQL.commit_row, counted)
            return self.get(row["id"])
        self._store.execute(SQL.delete_pending, {"id": row["id"]})
        return self.get(known)


_COLUMNS = [field.name for field in fields(Transition) if field.name != "action"]


def _transition(row: sqlite3.Row) -> Transition:
    target = row["component_name"] if row["component_id"] is not None else row["detail"]
    action = row["action"] if target is None else f"{row['action']}:{target}"
    return Transition(action=action, **{name: row[name] for name in _COLUMNS})


def _parsed(action: str) -> tuple[str, str | None]:
    text = door.clean(action, what="action", limit=door.MAX_LABEL).strip()
    kind, colon, target = text.partition(":")
    if not kind.strip() or len(kind) > _MAX_ACTION:
        raise UsageError(
            f'action "{text[:60]}" names no act', hint='write "click:Save" or "key:Enter"'
        )
    return kind.strip(), (target.strip() or None) if colon else None


def _checked_ms(elapsed_ms: float | timedelta | None) -> int | None:
    if elapsed_ms is None:
        return None
    if isinstance(elapsed_ms, timedelta):
        elapsed_ms /= timedelta(milliseconds=1)
    if not 0 <= elapsed_ms <= _MAX_MS:
        raise UsageError(
            f"{elapsed_ms} is no time in milliseconds", hint=f"it takes 0 to {_MAX_MS}, a day"
        )
    return round(elapsed_ms)


def _asked(status: str, days: int | None) -> dict[str, str | None]:
    return {"status": status, "before": None if days is None else days_ago(days)}
