"""Gates of time and amount: whether a dream is due."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.counting import counted
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.config.settings import Settings
    from memctl.consolidation.running.runs import Runs
    from memctl.store.store import Store

__all__ = ["is_due", "unread_turns"]

SQL = statements.load("store/candidate")

_SLACK = 1 / 24  # of the hours: one of a day's


def unread_turns(store: Store) -> int:
    """Return how many turns no dream has read, but those of threads that are to wait."""
    rows = store.rows(SQL.unread_sessions, {"now": clock.now()}) if store.exists else []
    return sum(row["turns"] for row in rows)


def is_due(store: Store, settings: Settings, runs: Runs) -> tuple[bool, str]:
    """Return whether a run is due, and the gate that says so, cheap ones first.

    A night's timer is never quite on time: of the hours since the last run a 24th may be missing.
    """
    if not store.exists:
        return False, "there is no store yet"
    hours = settings.number("dream_due_hours")
    last = next((run for run in runs.list() if (run.kind, run.status) == ("dream", "done")), None)
    if last is not None:
        passed = datetime.fromisoformat(clock.now()) - datetime.fromisoformat(last.as_of)
        if timedelta(0) <= passed < timedelta(hours=hours) * (1 - _SLACK):
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
