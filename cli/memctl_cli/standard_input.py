"""Reads texts from standard input, which may be closed, endless, or a person's."""

from __future__ import annotations

import sys

from memctl.base.errors import UnusableInputError

# Characters; more than any call keeps. A pipe may never end.
_MOST = 16_000_000


def read_text(hint: str) -> str:
    """Return what is sent to standard input.

    Raises
    ------
    UnusableInputError
        When it is closed or does not end; `hint` says what to send.
    """
    if sys.stdin is None:
        raise UnusableInputError("standard input is closed", hint=hint)
    text = sys.stdin.read(_MOST + 1)
    if len(text) > _MOST:
        raise UnusableInputError(
            f"standard input is too large: over {_MOST:,} characters", hint=hint
        )
    return text


def has_a_person() -> bool:
    """Return whether somebody is there to answer a question."""
    return sys.stdin is not None and sys.stdin.isatty()
