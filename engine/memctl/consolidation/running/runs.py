"""Runs of the dream: one at a time, resumed where one was killed, each with what it changed."""

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
from memctl.base.errors import BusyError, NotFoundError, UsageError
from memctl.consolidation.running.run_changes import drop_recorder, record_changes, take_back
from memctl.guard import door
from memctl.store import statements
from memctl.store.pages import ListPage, read_page

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from memctl.store.store import Store

__all__ = ["DreamRun", "RolledBack", "Runs", "Work"]

SQL = statements.load("store/dream_runs")

# A process that shows no sign of life for so long is taken for dead, though its number lives.
_STALE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class DreamRun:
    """One run, as the store holds it.

    Parameters
    ----------
    id
        Its number.
    kind
        ``dream``, ``decay`` or ``sublimation``.
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
class RolledBack:
    """What a rollback took back.

    Parameters
    ----------
    runs
        The numbers of the runs, the newest first.
    left
        What somebody has changed since, and what belongs to it: left as it is.
    """

    runs: tuple[int, ...]
    left: tuple[str, ...]


@dataclass(slots=True)
class Work:
    """A run at work: its steps are transactions, each of which is recorded and can be taken back.

    Parameters
    ----------
    store
        The open store.
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

    @contextmanager
    def step(self) -> Iterator[None]:
        """Make one transaction of the run: whatever is written inside is recorded as its own.

        The report is kept with it: a run that is killed goes on counting where it was.
        """
        with self.store.transaction():
            record_changes(self.store, self.id)
            yield
            told = json.dumps(self.report, ensure_ascii=False)
            beat = {"id": self.id, "owner": _me(), "beat": clock.now(), "report": told}
            self.store.execute(SQL.note, beat)


@checked_class
class Runs:
    """The runs of one store.

    Parameters
    ----------
    store
        The open store.
    """

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
        finally:  # made by the first step: to make them costs more than most steps
            drop_recorder(self._store)

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
        """Return the runs that a rollback takes back: the later ones that built on it, and itself."""
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
    def rollback(self, run: int, *, keep_changed: bool = False) -> RolledBack:
        """Put every row back that a run changed, and those of the runs that built on it.

        Parameters
        ----------
        run
            Its number.
        keep_changed
            Leave what somebody has changed since as it is, and take the rest back.

        Returns
        -------
        RolledBack
            The runs that were taken back, and what was left.

        Raises
        ------
        NotFoundError, UsageError
            When there is no such run, or it was taken back already.
        UnusableInputError
            When somebody has changed one of the rows since, and they are not to be kept; nothing
            is changed.
        """
        with self._store.transaction():
            chosen = self.to_roll_back(run)
            left = take_back(self._store, chosen, keep_changed=keep_changed)
            for number in chosen:
                self._store.execute(SQL.forget_changes, {"run": number})
                self._store.execute(SQL.roll_back, {"id": number, "now": clock.now()})
            return RolledBack(tuple(chosen), tuple(left))

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
                    return Work(
                        self._store,
                        going["id"],
                        going["as_of"],
                        going["profile"],
                        resumed=True,
                        report=json.loads(going["report"]),
                    )
                self._store.execute(SQL.finish, _ending(going["id"], "failed", {}, ""))
            given = {"kind": kind, "profile": profile, "now": clock.now()}
            run = self._store.insert(SQL.begin, {**given, "owner": _me(), "beat": clock.now()})
            return Work(self._store, run, given["now"], profile, resumed=False)

    def _close(self, work: Work, status: str) -> None:
        with self._store.transaction():
            ending = _ending(work.id, status, work.report, work.diary)
            self._store.execute(SQL.finish, ending)


def _ending(run: int, status: str, report: dict[str, Any], diary: str) -> dict[str, Any]:
    told = json.dumps(report, ensure_ascii=False)
    now = clock.now()
    return {"id": run, "status": status, "report": told, "diary": diary, "now": now, "beat": now}


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
    if (here and not _lives(int(pid))) or int(pid) == os.getpid() or abs(silent) > _STALE:
        return
    raise BusyError(
        f"run {going['id']} is at work in process {pid} on {host}, since {going['started_at']}",
        hint="wait until it has finished",
    )


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _run(row: sqlite3.Row) -> DreamRun:
    kept = {name: row[name] for name in DreamRun.__dataclass_fields__}
    return DreamRun(**{**kept, "report": json.loads(row["report"])})
