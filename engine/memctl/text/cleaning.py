"""Text as it is written into a store, out of a message of any shape, and what of a question is kept."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.base.pattern import Pattern
from memctl.guard import door

if TYPE_CHECKING:
    from memctl.store.store import Store

# Full-width letters and digits and half-width kana: SQLite cannot fold them, so they are folded
# here. Full-width signs are no words and stay as they are written.
_WIDTHS = Pattern("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffee]+")
_ALL_WIDTHS = Pattern("[\uff01-\uffee\u3000]+")
# A question is a question; a page is read from its beginning, and kept by less of it.
_MAX_QUESTION = 20_000
_MAX_KEPT = 2_000
# Where a message has its text. Blocks inside of blocks have three or four levels; more is a loop.
_TEXT_KEYS = ("text", "content", "parts")
_MAX_DEPTH = 32


def cleaned(text: str, *, what: str, limit: int = door.MAX_TEXT) -> str:
    """Return `text` as it may be written: guarded, composed (NFC), letters of usual width.

    Raises
    ------
    UnusableInputError
        When it is longer than `limit` characters.
    """
    safe = door.clean(text, what=what, limit=limit)
    return safe if safe.isascii() else _narrow(unicodedata.normalize("NFC", safe), _WIDTHS)


def cleaned_name(name: str | None, *, what: str) -> str | None:
    """Return a name, a thread or another label, `cleaned`; ``None`` where nothing is left."""
    if name is None:
        return None
    narrow = _narrow(cleaned(name, what=what, limit=door.MAX_LABEL), _ALL_WIDTHS)
    return narrow.strip() or None


def cleaned_question(text: str, *, most: int = _MAX_QUESTION) -> str:
    """Return the first `most` characters of a question, `cleaned`, all of usual width."""
    return _narrow(cleaned(text[:most], what="query"), _ALL_WIDTHS)


def _narrow(text: str, widths: Pattern) -> str:
    return widths.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)


def masked_question(store: Store, question: str) -> str:
    """Return the beginning of a question as it may be kept and shown: clean, secrets masked."""
    return door.masked(store, cleaned_question(question, most=_MAX_KEPT))


def words_outside_secrets(words: Iterable[str], text: str, masked: str) -> tuple[str, ...]:
    """Return those of some words of a question that its `masked_question` has, too."""
    if len(text) <= _MAX_KEPT and cleaned_question(text) == masked:
        return tuple(words)
    plain = masked.lower()
    return tuple(word for word in words if word in plain)


def note_on_no_words(query: str) -> str:
    """Return the note of an answer to a question without a word to look for: what to do."""
    wrong = "there is no word to look for" if query.strip() else "the question is empty"
    return f"{wrong}: ask with a word, a name or a date"


def text_of(message: Any) -> str:
    r"""Return the text of a message of any shape.

    It is a string, a number, ``None``, a list of blocks, a mapping or an object that has ``text``,
    ``content`` or ``parts``. A mapping with none of them becomes JSON, so that a tool's arguments stay
    readable.

    Raises
    ------
    UnusableInputError
        When it contains itself, or is an object that holds no text.

    Examples
    --------
    >>> text_of([{"type": "text", "text": "Hello"}, {"content": ["there", 2]}])
    'Hello\\nthere\\n2'
    """
    return _text(message, depth=0)


def _text(message: Any, *, depth: int) -> str:
    if depth > _MAX_DEPTH:
        raise UnusableInputError("the message contains itself", hint="pass its text")
    if isinstance(message, (bytes, bytearray)):
        return bytes(message).decode("utf-8", errors="replace")
    if message is None or isinstance(message, str):
        return message or ""
    if isinstance(message, (bool, int, float)):
        return str(message)
    named = isinstance(message, Mapping)
    for key in _TEXT_KEYS:
        inner = message.get(key) if named else getattr(message, key, None)
        if inner is not None and not callable(inner):
            return _text(inner, depth=depth + 1)
    if named:
        try:
            return json.dumps(message, ensure_ascii=False, default=str)
        except (TypeError, ValueError) as error:
            raise UnusableInputError(
                f"the message cannot be written as text: {error}", hint="pass its text"
            ) from error
    if isinstance(message, Iterable):
        parts = (_text(part, depth=depth + 1) for part in message)
        return "\n".join(part for part in parts if part)
    raise UnusableInputError(
        f'a message of type "{type(message).__name__}" holds no text',
        hint="pass a string, a list of blocks, or an object with text, content or parts",
    )
