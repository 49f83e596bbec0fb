"""What may be written: the door that every text passes before it reaches a store."""

from __future__ import annotations

import re

from memctl.errors import UnusableInputError

__all__ = ["MAX_LABEL", "MAX_NAME", "MAX_TEXT", "clean", "secret_rule"]

# Characters, not bytes. A label is what stands on a button; a name is typed in a shell.
MAX_NAME = 80
MAX_LABEL = 1_000
MAX_TEXT = 1_000_000

# C0 without tab and newline, DEL, and C1: invisible, and a terminal obeys some of them.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def clean(text: str, *, what: str, limit: int = MAX_TEXT) -> str:
    """Return `text` without control characters, lone surrogates replaced by U+FFFD.

    Parameters
    ----------
    text
        What somebody wants written.
    what
        What it is, for the message: ``"label"``, ``"summary"``.
    limit
        Longest text, in characters.

    Raises
    ------
    UnusableInputError
        When it is longer than `limit`.
    """
    if len(text) > limit:
        raise UnusableInputError(
            f"{what} has {len(text)} characters", hint=f"at most {limit} are kept"
        )
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", text))


def secret_rule(text: str) -> str | None:
    """Return the name of the rule by which `text` holds a secret, ``None`` if it holds none."""
    from memctl.secret_rules import find_secret

    return find_secret(text)
