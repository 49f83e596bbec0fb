"""Names of sessions, as hosts and people write them."""

from __future__ import annotations

from memctl.base.errors import UsageError
from memctl.base.pattern import Pattern
from memctl.guard.door import refuse_secret_names

__all__ = ["UNNAMED", "checked_channel", "checked_session"]

# The session of who names none.
UNNAMED = "default"

# A host's key is a name, too: "agent:main:telegram:123". No path is made of it.
_NAME = Pattern(r"[^\W_][\w.:@+-]{0,119}")
_ALLOWED = "1 to 120 letters, digits and . _ - : @ +, a letter or digit first"


def checked_session(session: str | None) -> str:
    """Return the name of a session; `UNNAMED` for none.

    Raises
    ------
    UsageError
        When it is empty, too long, or has a character that no name has.
    SecretRefusedError
        When it looks like a secret.
    """
    return _checked(session, "session") if session is not None else UNNAMED


def checked_channel(channel: str | None) -> str:
    """Return the name of a channel; ``""`` for none.

    Raises
    ------
    UsageError
        As `checked_session`.
    """
    return _checked(channel, "channel") if channel else ""


def _checked(name: str, what: str) -> str:
    if _NAME.fullmatch(name):
        refuse_secret_names(**{what: name})
        return name
    raise UsageError(f'"{name:.40}" is no name of a {what}', hint=f"it has {_ALLOWED}")
