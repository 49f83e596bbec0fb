"""Dates and times that callers give, and facts that exclude one another in the order of time.

Each fact holds from its ``valid_from`` until the next one begins, so that at any moment at most
one answers: the one that began last. What becomes known late takes its place in between.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.user_zone import is_bare_day

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.base.user_zone import UserZone

__all__ = ["end_of", "is_late", "moved_with", "place_at", "stored"]

_LAST_SECOND = "T23:59:59Z"
_SECOND = timedelta(seconds=1)


def end_of(value: str, zone: UserZone, *, what: str) -> str:
    """Return when something ends that lasts until a time, or through a bare day: its midnight.

    The last day there is ends with its last second.
    """
    last = zone.told(value, what=what, last=True).at
    if not is_bare_day(value):
        return last
    try:
        return stored(datetime.fromisoformat(last) + _SECOND)
    except OverflowError:
        return last


def moved_with(time: str, start: str, new_start: str) -> str:
    """Return `time` as far after a new start as it was after the old one."""
    if start == new_start:
        return time
    try:
        after = datetime.fromisoformat(time) - datetime.fromisoformat(start)
        return stored(datetime.fromisoformat(new_start) + after)
    except OverflowError:
        return f"9999-12-31{_LAST_SECOND}"


def stored(time: datetime) -> str:
    """Return a time in the stored shape."""
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


class RowsAround(NamedTuple):
    """Rows around a moment: those that hold then, and the one that begins next."""

    current: list[sqlite3.Row]
    following: sqlite3.Row | None


def is_late(rows: Iterable[sqlite3.Row], moment: str) -> bool:
    """Return whether one of some rows begins to hold only after a moment."""
    return any(row["valid_from"] > moment for row in rows)


def place_at(rows: Iterable[sqlite3.Row], moment: str) -> RowsAround:
    """Return the rows around `moment`, the latest to begin first.

    A row that ended when it began holds at no moment.
    """
    held = [row for row in rows if row["valid_to"] is None or row["valid_to"] > row["valid_from"]]
    begun = [row for row in held if row["valid_from"] <= moment]
    current = [row for row in begun if row["valid_to"] is None or row["valid_to"] > moment]
    later = [row for row in held if row["valid_from"] > moment]
    return RowsAround(
        sorted(current, key=_order, reverse=True),
        min(later, key=lambda row: (row["valid_from"], -row["number"])) if later else None,
    )


def _order(row: sqlite3.Row) -> tuple[str, int]:
    return (row["valid_from"], row["number"])
