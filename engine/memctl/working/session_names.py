"""Names of sessions, as hosts and people write them."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.base.pattern import Pattern
from memctl.guard.door import refuse_secret_names

if TYPE_CHECKING:
    from memctl.base.scope import Scope
    from memctl.store.store import Store

# The session of who names none.
UNNAMED = "default"

# A host's key is a name, too: "agent:main:telegram:123". No path is made of it.
_NAME = Pattern(r"[^\W_][\w.:@+-]{0,119}")
_NO_NAME = Pattern(r"[^\w.:@+-]")
_LONGEST = 120
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


def session_in(store: Store | Scope, session: str | None) -> str:
    """Return the name of a session of a store or scope; for none, its owner's unnamed one.

    Raises
    ------
    UsageError, SecretRefusedError
        As `checked_session`.
    """
    owner = "/".join(store.owner.values())
    if session is not None or not owner.strip("/"):
        return checked_session(session)
    return f"{UNNAMED}@{as_name(owner) or 'somebody'}"[:_LONGEST]


def as_name(text: str) -> str | None:
    """Return any text as the name of a session; ``None`` where no character of it is in one."""
    plain = _NO_NAME.sub("-", text).lstrip("_.:@+-")[:_LONGEST]
    if plain in {text, ""}:
        return plain or None
    # Two texts that differ are two sessions, though a name can hold neither.
    mark = zlib.crc32(text.encode("utf-8", "replace"))
    return f"{plain[: _LONGEST - 9]}-{mark:08x}"


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
