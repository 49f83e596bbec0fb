"""Dates and times that callers give, in the shape that is stored."""

from __future__ import annotations

from datetime import datetime, timedelta

from memctl.base.clock import When, as_text, parse_time

__all__ = ["end_of", "moment", "moved_with"]

_LAST_SECOND = "T23:59:59Z"
_DAY_CHARACTERS = 10
_SECOND = timedelta(seconds=1)


def moment(value: When | None, *, what: str, last: bool = False) -> str | None:
    """Return a date or time in the stored shape; with `last`, a bare day is its last second."""
    text = as_text(value)
    if text is None:
        return None
    time = parse_time(text, what=what)
    return time[:_DAY_CHARACTERS] + _LAST_SECOND if last and _is_day(text) else time


def end_of(value: str, *, what: str) -> str:
    """Return when something ends that lasts until a time, or through a bare day: its midnight.

    The last day there is ends with its last second.
    """
    last = str(moment(value, what=what, last=True))
    if not _is_day(value):
        return last
    try:
        return _stored(datetime.fromisoformat(last) + _SECOND)
    except OverflowError:
        return last


def moved_with(time: str, start: str, new_start: str) -> str:
    """Return `time` as far after a new start as it was after the old one."""
    if start == new_start:
        return time
    try:
        after = datetime.fromisoformat(time) - datetime.fromisoformat(start)
        return _stored(datetime.fromisoformat(new_start) + after)
    except OverflowError:
        return f"9999-12-31{_LAST_SECOND}"


def _is_day(value: str) -> bool:
    return len(value.strip()) <= _DAY_CHARACTERS


def _stored(time: datetime) -> str:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")
