"""One way of writing the same character, so that it is found however it was typed."""

from __future__ import annotations

import unicodedata

from memctl.base.pattern import Pattern
from memctl.guard import door

__all__ = ["cleaned", "cleaned_question"]

# Full-width letters and half-width kana: SQLite cannot fold them, so they are folded here.
_WIDTHS = Pattern("[\uff01-\uffee\u3000]+")
# A question is a question; a page is read from its beginning.
_MAX_QUESTION = 20_000


def cleaned(text: str, *, what: str, limit: int = door.MAX_TEXT) -> str:
    """Return `text` as it may be written: guarded, composed (NFC), of usual width.

    Raises
    ------
    UnusableInputError
        When it is longer than `limit` characters.
    """
    safe = door.clean(text, what=what, limit=limit)
    if safe.isascii():
        return safe
    composed = unicodedata.normalize("NFC", safe)
    return _WIDTHS.sub(lambda run: unicodedata.normalize("NFKC", run[0]), composed)


def cleaned_question(text: str, *, most: int = _MAX_QUESTION) -> str:
    """Return the first `most` characters of a question, `cleaned`."""
    return cleaned(text[:most], what="query")
