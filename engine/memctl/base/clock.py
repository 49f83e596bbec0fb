"""The one clock: UTC, whole seconds, ``2026-11-20T16:33:04Z``.

All stored times have this one shape, so that comparing them as text is comparing
them as times, in SQLite and in DuckDB. ``MEMCTL_NOW`` stops the clock, for tests
and replays.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import overload

from memctl.base.errors import UsageError

When = str | date | timedelta
"""A time as a caller gives it: ISO-8601 text, a `datetime`, a `date`, or a `timedelta` from now."""


@overload
def as_text(when: When) -> str: ...
@overload
def as_text(when: When | None) -> str | None: ...
def as_text(when: When | None) -> str | None:
    """Return a time as ISO-8601 text: a `date` as its day, a `timedelta` counted from now.

    ``timedelta(days=-7)`` is a week ago, ``timedelta(days=30)`` in thirty days.

    Raises
    ------
    UsageError
        When a `timedelta` leads out of the calendar.
    """
    if isinstance(when, timedelta):
        try:
            when = datetime.fromisoformat(now()) + when
        except OverflowError as error:
            raise UsageError(f"{when} from now is no time", hint="name a nearer one") from error
    return when.isoformat() if isinstance(when, date) else when


def parse_time(when: When, *, what: str = "time") -> str:
    """Return any time as the stored shape; one without a zone is UTC, a bare day its midnight.

    Raises
    ------
    UsageError
        When a text is no ISO-8601 date or time.
    """
    text = as_text(when)
    if not isinstance(text, str):  # of a file that others wrote
        raise UsageError(
            f"{what} cannot be of type {type(text).__name__}", hint='write "2026-11-20T16:33:04Z"'
        )
    try:
        moment = datetime.fromisoformat(text.strip())
        zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return _shape(zoned.astimezone(UTC))
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f'{what} "{text}" is not an ISO-8601 time', hint='write "2026-11-20T16:33:04Z"'
        ) from error


def days_ago(days: int) -> str:
    """Return the time so many days ago, in the stored shape.

    Raises
    ------
    UsageError
        When it is not 1 or more, or leads out of the calendar.
    """
    today = datetime.fromisoformat(now())
    if not 1 <= days <= (today.date() - date.min).days:
        raise UsageError(f'days "{days}" is not allowed', hint="it takes 1 or more")
    return parse_time(today - timedelta(days=days))


def moved(moment: str, **by: float) -> str:
    """Return a stored time so many days, hours or seconds later; earlier for less than 0."""
    return parse_time(datetime.fromisoformat(moment) + timedelta(**by))


def now() -> str:
    """Return the time of the call, or the one that ``MEMCTL_NOW`` fixes."""
    fixed = os.environ.get("MEMCTL_NOW")
    if fixed:
        return parse_time(fixed, what="MEMCTL_NOW")
    return _at_second(int(time.time()))


def told_now() -> str:
    """Return the time of the call as `now` does, in the offset of ``MEMCTL_NOW``."""
    at, fixed = now(), os.environ.get("MEMCTL_NOW")
    moment = datetime.fromisoformat(fixed.strip()) if fixed else None
    return moment.isoformat() if moment is not None and moment.tzinfo else at


@lru_cache(maxsize=1)
def _at_second(seconds: int) -> str:
    # Many calls fall into one second.
    return _shape(datetime.fromtimestamp(seconds, UTC))


def _shape(moment: datetime) -> str:
    # Not strftime: its %Y gives years before 1000 fewer than four digits on some systems.
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
