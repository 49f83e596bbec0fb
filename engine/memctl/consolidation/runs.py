"""Runs of the dream: when one is due, one at a time, resumed where it was killed, and taken back.

What a run writes bears its number (``dream_row``): changes of facts, episodes, turns, entries. Taking
it back undoes each by its kind, and leaves what somebody has changed since.
"""

from __future__ import annotations

import json
import os
import platform
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.counting import counted
from memctl.base.errors import BusyError, NotFoundError, UsageError
from memctl.base.scope import Scope
from memctl.base.whole_file import process_lives
from memctl.config.settings import Settings
from memctl.guard import door
from memctl.semantic.fact_rows import record_change
from memctl.semantic.facts import Facts
from memctl.store import statements
from memctl.store.pages import ListPage, read_page
from memctl.store.results import Result

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memctl.store.store import Store

SQL = statements.load("store/dream_runs")
CANDIDATES = statements.load("store/candidate")
FACTS = statements.load("store/fact")
RETENTION = statements.load("store/episodic_retention")

_MANY_FACTS, _MANY_NOTES = 200, 50  # facts, or days of notes, with which any turn makes it due
_GIVEN = 23 / 24  # of the hours between two runs
_MOST_DOUBLED = 8  # times: eleven days
# A process that shows no sign of life for so long is taken for dead, though its number lives.
_STALE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class DreamRun(Result):
    """One run, as stored.

    Parameters
    ----------
    id
        Its number.
    kind
        ``dream``, ``decay``, ``promotion`` or ``sublimation``.
    as_of
        The moment that it judges by, in ISO 8601.
    profile
        Whose formula and thresholds.
    status
        ``running``, ``done``, ``failed`` or ``rolled back``.
    report
        Counts, gates and nearest candidates.
    diary
        One line for people.
    """

    id: int
    kind: str
    as_of: str
    profile: str
    status: str
    report: dict[str, Any]
    diary: str
    started_at: str
    ended_at: str | None
    rolled_back_at: str | None


@dataclass(frozen=True, slots=True)
class RolledBack(Result):
    """What a rollback took back.

    Parameters
    ----------
    runs
        The numbers of the runs, the newest first.
    left
        Facts that somebody has changed since, and those that they replaced: left as they are.
    """

    runs: tuple[int, ...]
    left: tuple[str, ...]


@dataclass(slots=True)
class Work:
    """A run at work: its steps are transactions, each of which is recorded and can be taken back.

    Parameters
    ----------
    id, as_of
        The run's number and the moment that it judges by.
    resumed
        Whether an earlier process began it.
    report, diary
        What the run is to say when it ends; both are kept, so they hold counts and no text of anybody's.
    shown
        What is said of texts beside, by phase; it is not kept: what somebody erases would stay in it.
    """

    store: Store
    id: int
    as_of: str
    profile: str
    resumed: bool
    report: dict[str, Any] = field(default_factory=dict)
    diary: str = ""
    shown: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def day(self) -> str:
        """The user's day of the moment that it judges by."""
        return self.store.zone.day(self.as_of)

    def add(self, phase: str, **counts: int) -> None:
        """Add counts to a phase of the report; belongs inside a step."""
        told = self.report.setdefault(phase, {})
        for name, count in counts.items():
            told[name] = told.get(name, 0) + count

    def wrote(self, relation: str, rows: Iterable[int]) -> None:
        """Note rows that the run wrote, by their numbers; belongs inside a step."""
        noted = [{"run": self.id, "relation": relation, "row": row} for row in rows]
        self.store.execute_many(SQL.note_row, noted)

    @contextmanager
    def step(self) -> Iterator[None]:
        """Make one transaction of the run, and note the facts that it changes and its new episodes.

        The report is kept with it: a run that is killed goes on counting where it was.
        """
        with self.store.transaction():
            marks = dict(self.store.row(SQL.last_rows) or {})
            yield
            self.store.execute(SQL.note_new_rows, {"run": self.id, **marks})
            report = json.dumps(self.report, ensure_ascii=False)
            beat = {"id": self.id, "owner": _me(), "beat": clock.now(), "report": report}
            self.store.execute(SQL.note, beat)


@checked_class
class Runs:
    """The runs of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @door.guarded("dream")
    @contextmanager
    def work(self, kind: str, *, profile: str = "") -> Iterator[Work]:
        """Begin a run, or go on with the one that was killed at the same; close it at the end.

        Raises
        ------
        BusyError
            When another process is at work on one.
        """
        work = self._begun(kind, profile)
        try:
            yield work
        except Exception as error:
            # What the steps before it did, stands; the next run goes on from there.
            work.report.setdefault("error", str(error)[:200])
            self._close(work, "failed")
            raise
        else:
            self._close(work, "done")

    def get(self, run: int) -> DreamRun:
        """Return one run. Raises NotFoundError when there is none of this number."""
        row = self._store.row(SQL.run, {"id": run}) if self._store.exists else None
        if row is None:
            raise NotFoundError(f"there is no run {run}", hint="memctl dream status lists the runs")
        return _run(row)

    def list(self, limit: int | None = None) -> ListPage[DreamRun]:
        """Return the runs, the newest first; all where there is no `limit`."""
        if not self._store.exists:
            return ListPage()
        return read_page(self._store, SQL.runs, {}, _run, limit)

    def to_roll_back(self, run: int) -> Sequence[int]:
        """Return the runs that a rollback takes back: those that changed the same facts later, and itself."""
        found = self.get(run)
        if found.status == "rolled back":
            raise UsageError(f"run {run} was taken back already")
        chosen = {run}
        waiting = [run]
        while waiting:
            for (later,) in self._store.rows(SQL.built_on, {"run": waiting.pop()}):
                if later not in chosen:
                    chosen.add(later)
                    waiting.append(later)
        return sorted(chosen, reverse=True)

    @door.guarded("dream")
    def rollback(self, run: int) -> RolledBack:
        """Take back what a run concluded, and later runs that changed the same facts.

        See `Dream.rollback`. Raises NotFoundError or UsageError as that does.
        """
        with self._store.transaction():
            chosen = self.to_roll_back(run)
            asked = {"runs": json.dumps(chosen)}
            why = f"run {', '.join(map(str, chosen))} was taken back"
            left = _undo_facts(self._store, asked, why)
            written = self._store.rows(SQL.rows_of, asked)
            undone = {**asked, **_NO_ROWS, **{row["relation"]: row["numbers"] for row in written}}
            undone |= {
                "ids": undone["episode"],
                "why": why,
                "now": clock.now(),
                "left": json.dumps(left),
            }
            for sql in _UNDO:
                self._store.execute(sql, undone)
            return RolledBack(tuple(chosen), tuple(f"fact {fact}" for fact in left))

    # -- by the way ----------------------------------------------------------------------

    def _begun(self, kind: str, profile: str) -> Work:
        with self._store.transaction():
            going = self._store.row(SQL.going)
            if going is not None:
                _refuse_living(going)
                self._store.execute(
                    SQL.take, {"id": going["id"], "owner": _me(), "beat": clock.now()}
                )
                if going["kind"] == kind:
                    begun = {name: going[name] for name in ("id", "as_of", "profile")}
                    report = json.loads(going["report"])
                    return Work(self._store, **begun, resumed=True, report=report)
                self._store.execute(SQL.finish, _ending(going["id"], "failed", {}, ""))
            given = {"kind": kind, "profile": profile, "now": clock.now()}
            run = self._store.insert(SQL.begin, {**given, "owner": _me(), "beat": clock.now()})
            return Work(self._store, run, given["now"], profile, resumed=False)

    def _close(self, work: Work, status: str) -> None:
        with self._store.transaction():
            ending = _ending(work.id, status, work.report, work.diary)
            self._store.execute(SQL.finish, ending)


def _ending(run: int, status: str, report: dict[str, Any], diary: str) -> dict[str, Any]:
    text = json.dumps(report, ensure_ascii=False)
    now = clock.now()
    return {"id": run, "status": status, "report": text, "diary": diary, "now": now, "beat": now}


def _me() -> str:
    return f"{platform.node()} {os.getpid()}"


def _refuse_living(going: sqlite3.Row) -> None:
    """Refuse to work beside a living process; one that died, or hangs, is followed.

    So is one whose last sign of life lies in the future: the clock went back since.
    """
    host, _, pid = going["owner"].rpartition(" ")
    if not pid:
        return
    silent = datetime.fromisoformat(clock.now()) - datetime.fromisoformat(going["beat_at"])
    here = host == platform.node()
    if (here and not process_lives(int(pid))) or int(pid) == os.getpid() or abs(silent) > _STALE:
        return
    raise BusyError(
        f"run {going['id']} is at work in process {pid} on {host}, since {going['started_at']}",
        hint="wait until it has finished",
    )


def _run(row: sqlite3.Row) -> DreamRun:
    kept = {name: row[name] for name in DreamRun.__dataclass_fields__}
    return DreamRun(**{**kept, "report": json.loads(row["report"])})


# -- taking back ---------------------------------------------------------------------------

_NO_ROWS = dict.fromkeys(["episode", "archived", "dropped", "read", "recall", "knowledge"], "[]")
# In their order: candidates before the promotions that say which, all before the record of it.
_UNDO = (
    RETENTION.archive_episodes,
    SQL.unarchive_turns,
    RETENTION.restore_with_turns,
    SQL.set_candidates_back,
    SQL.forget_support,
    SQL.forget_promotions,
    SQL.part_merged,
    SQL.forget_turn_signals,
    SQL.forget_turn_sources,
    SQL.part_turns,
    SQL.read_turns_again,
    SQL.read_recalls_again,
    SQL.forget_entries,
    SQL.bring_entries_back,
    SQL.forget_rows,
    SQL.roll_back,
)


def facts_of(store: Store, owner: Mapping[str, str]) -> Facts:
    """Return the facts of one owner."""
    scope = Scope(owner["user_id"], owner["agent_id"], project=owner["project"])
    return Facts(store, Settings(store, dict(store.flags)), scope)


def _undo_facts(store: Store, asked: Mapping[str, str], why: str) -> Sequence[str]:
    """Undo the changes of facts, the last first; return the facts that are left as they are."""
    left = dict.fromkeys(row["fact_id"] for row in store.rows(SQL.changed_since, asked))
    lines = store.rows(SQL.changes_of_facts, asked)
    for line in lines:
        if line["superseded_by"] in left and line["event"] == "SUPERSEDE":
            left[line["fact_id"]] = None
    # What a fact replaced holds again before the fact goes.
    for line in sorted(lines, key=lambda line: line["event"] in {"ADD", "PENDING"}):
        if line["fact_id"] not in left:
            _undo_fact(store, line, why)
    return list(left)


def _undo_fact(store: Store, line: sqlite3.Row, why: str) -> None:
    """Undo one change of a fact by its kind; a mere restatement stays."""
    fact, now = line["fact_id"], clock.now()
    if line["event"] == "UPDATE" and line["old_text"] != line["new_text"]:
        facts_of(store, dict(line)).update(fact, line["old_text"])
        return
    sql = {
        "ADD": SQL.forget_fact,
        "PENDING": SQL.forget_fact,
        "SUPERSEDE": SQL.reopen_fact,
        "DELETE": SQL.reopen_fact,
        "ARCHIVE": SQL.unarchive_fact,
        "DOUBT": FACTS.settle_doubt,
    }.get(line["event"])
    if sql is not None and store.execute(sql, {"id": fact, "why": why, "now": now}):
        event, new = ("DELETE", None) if sql is SQL.forget_fact else ("RESTORE", line["text"])
        record_change(store, fact, event, line["text"], new, why, "dream", now)


# -- gates of time and amount ----------------------------------------------------------------


def wait_after(failures: int) -> int:
    """Return the hours that a thread waits which could not be read: twice as many after each failure."""
    return int(2 ** min(failures, _MOST_DOUBLED))


def unread_sessions(store: Store, now: str) -> Sequence[sqlite3.Row]:
    """Return the threads with turns to read and how many, the oldest first, but those that are to wait."""
    latest = clock.moved(now, hours=wait_after(_MOST_DOUBLED))
    return store.rows(CANDIDATES.unread_sessions, {"now": now, "latest": latest})


def unread_turns(store: Store) -> int:
    """Return how many turns no dream has read, but those of threads that are to wait."""
    rows = unread_sessions(store, clock.now()) if store.exists else []
    return sum(row["turns"] for row in rows)


def is_due(store: Store, settings: Settings, runs: Runs) -> tuple[bool, str]:
    """Return whether a run is due, and the gate that decided, cheap ones first.

    A 24th of the hours is given: a schedule that is a second early, or an hour of summer time, does
    not cost a night.
    """
    if not store.exists:
        return False, "there is no store yet"
    hours = settings.number("dream_due_hours")
    last = next((run for run in runs.list(20) if (run.kind, run.status) == ("dream", "done")), None)
    if last is not None:
        passed = datetime.fromisoformat(clock.now()) - datetime.fromisoformat(last.as_of)
        if timedelta(0) <= passed < timedelta(hours=hours * _GIVEN):
            ago = passed.total_seconds() / 3600
            return False, f"the last run was {ago:.1f} h ago, {hours:g} are wanted"
    threads = unread_sessions(store, clock.now())
    turns, facts = sum(row["turns"] for row in threads), int(store.value(CANDIDATES.fact_count))
    notes = int(store.value(CANDIDATES.note_days))
    if turns:
        for many, count, *what in (
            (_MANY_FACTS, facts, "fact holds", "facts hold"),
            (_MANY_NOTES, notes, "day of notes is kept", "days of notes are kept"),
        ):
            if count >= many:
                return True, f"{counted(count, *what)}, {many:,} are many"
    result = []
    for name, count, *what in (
        ("turns", turns, "turn is not read", "turns are not read"),
        ("sessions", len(threads), "session is not read", "sessions are not read"),
        ("memories", facts, "fact holds", "facts hold"),
    ):
        least = settings.integer(f"dream_due_{name}")
        if count < least:
            return False, f"{counted(count, *what)}, {counted(least, 'is', 'are')} wanted"
        if least:
            result.append(f"{counted(count, *what)}, {counted(least, 'is', 'are')} enough")
    return True, "; ".join(result)
