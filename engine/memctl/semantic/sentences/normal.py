"""Forms of a text that are the same when the texts say the same, in any language."""

from __future__ import annotations

import hashlib
import unicodedata
from functools import lru_cache

__all__ = ["equal_key", "folded", "name_key", "same_key"]

# Stripped from the ends of words alone: inside a word they carry meaning ("C++", "3.5", "-5").
_LEADING = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb([{<\u300c\u300e\u300a\u3010*_`"
_TRAILING = (
    ".,;:!?\u3002\uff01\uff1f\u3001\u2026" + "\"'\u201d\u2019\u00bb)]}>\u300d\u300f\u300b\u3011*_`"
)
_ARTICLES = frozenset({"a", "an", "the"})
_TABLE = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u3002\uff0c\u3001\uff01\uff1f\uff1b", " ")
    | {"\u2019": "'", "\u2018": "'"}
)


def equal_key(text: str) -> str:
    """Return `text` without what does not change its meaning.

    Case, width, spacing, articles, kinds of dashes and quotes, and punctuation at the
    ends of words go; the words, their order, numbers, signs and negations stay. An i is one
    with or without its dot, which only Turkish tells apart and capitals hide.
    """
    if text.isascii():
        plain = text.casefold()
    else:
        plain = unicodedata.normalize("NFKC", text.translate(_TABLE)).casefold()
        plain = plain.replace("i\u0307", "i").replace("\u0131", "i")
    # Most words have nothing to strip, and asking that is cheaper.
    words = [
        word if word.isalnum() else word.lstrip(_LEADING).rstrip(_TRAILING)
        for word in plain.split()
    ]
    return " ".join([word for word in words if word and word not in _ARTICLES]) or plain.strip()


def same_key(text: str) -> str:
    """Return what texts that say the same share, and others do not: 80 bits of a digest.

    As a text itself it would be in the table twice, and in an index of ever deeper pages.
    """
    return hashlib.blake2b(equal_key(text).encode(), digest_size=10).hexdigest()


@lru_cache(maxsize=1024)
def name_key(name: str | None) -> str | None:
    """Return the form under which a subject or attribute is looked up; ``None`` for none.

    The latest are kept: a store's facts are about the same things and properties again and again.
    """
    return equal_key(name) if name and name.strip() else None


def folded(text: str) -> str | None:
    """Return `text` in compatibility form for the index, or ``None`` where it is that already."""
    if text.isascii():
        return None
    plain = unicodedata.normalize("NFKC", text)
    return plain if plain != text else None
