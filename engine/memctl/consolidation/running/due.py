"""Gates of time and amount: whether a dream is due."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.counting import counted
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.consolidation.running.runs import Runs
    from memctl.store.store import Store

__all__ = ["is_due", "unread_sessions", "unread_turns", "wait_after"]

SQL = statements.load("store/candidate")
_GIVEN = 23 / 24  # of the hours between two runs


_MOST_DOUBLED = 8  # times: eleven days


def wait_after(failures: int) -> timedelta:
    """Return how long a thread waits that could not be read: an hour, twice as long after each failure."""
    return timedelta(hours=2 ** min(failures, _MOST_DOUBLED))


def unread_sessions(store: Store, now: str) -> Sequence[sqlite3.Row]:
    """Return the threads with turns to read and how many, the oldest first, but those that are to wait."""
    latest = clock.parse_time(datetime.fromisoformat(now) + wait_after(_MOST_DOUBLED))
    return store.rows(SQL.unread_sessions, {"now": now, "latest": latest})


def unread_turns(store: Store) -> int:
    """Return how many turns no dream has read, but those of threads that are to wait."""
    rows = unread_sessions(store, clock.now()) if store.exists else []
    return sum(row["turns"] for row in rows)


def is_due(store: Store, settings: Settings, runs: Runs) -> tuple[bool, str]:
    """Return whether a run is due, and the gate that says so, cheap ones first.

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
    turns, most = unread_turns(store), settings.integer("dream_due_turns")
    unread = counted(turns, "turn is not read", "turns are not read")
    if turns >= most:
        return True, f"{unread}, {counted(most, 'is', 'are')} enough"
    if turns:
        for name, sql, *what in (
            ("facts", SQL.fact_count, "fact holds", "facts hold"),
            ("notes", SQL.note_days, "day of notes is kept", "days of notes are kept"),
        ):
            count, many = int(store.value(sql)), settings.integer(f"dream_due_{name}")
            if count >= many:
                return True, f"{counted(count, *what)}, {many:,} are many"
    return False, f"{unread}, {counted(most, 'is', 'are')} wanted"
