"""Dates and times that callers give, in the shape that is stored."""

from __future__ import annotations

from memctl.clock import parse_time
from memctl.errors import UsageError

__all__ = ["moment"]

_LAST_SECOND = "T23:59:59Z"
_DAY_CHARACTERS = 10


def moment(value: str | None, *, what: str, last: bool = False) -> str | None:
    """Return a date or time in the stored shape; with `last`, a bare day is its last second."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise UsageError(f"{what} is a date such as 2026-11-20")
    time = parse_time(value, what=what)
    bare = len(value.strip()) <= _DAY_CHARACTERS
    return time[:_DAY_CHARACTERS] + _LAST_SECOND if last and bare else time
