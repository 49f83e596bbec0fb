"""How long a write waits for another process's."""

from __future__ import annotations

import os

from memctl.base.errors import UsageError

__all__ = ["usual_timeout"]

_BUSY_TIMEOUT_MS = 5000
_LONGEST_TIMEOUT_MS = 86_400_000  # a day; SQLite keeps milliseconds in 31 bits


def usual_timeout() -> int:
    """Return the milliseconds that ``MEMCTL_BUSY_TIMEOUT_MS`` says, or 5000.

    Raises
    ------
    UsageError
        When it says none, or more than a day.
    """
    text = os.environ.get("MEMCTL_BUSY_TIMEOUT_MS")
    if not text:
        return _BUSY_TIMEOUT_MS
    if not (text.isascii() and text.isdecimal() and int(text) <= _LONGEST_TIMEOUT_MS):
        raise UsageError(
            f'MEMCTL_BUSY_TIMEOUT_MS "{text}" is not a number of milliseconds',
            hint=f"it takes 0 to {_LONGEST_TIMEOUT_MS}",
        )
    return int(text)
