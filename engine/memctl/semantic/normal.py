"""Forms of a text that are the same when the texts say the same, in any language."""

from __future__ import annotations

import hashlib
import unicodedata
from functools import lru_cache

from memctl.pattern import Pattern

__all__ = ["equal_key", "folded", "former_keys", "name_key", "same_key"]

# Stripped from the ends of words alone: inside a word they carry meaning ("C++", "3.5", "-5").
_LEADING = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb([{<\u300c\u300e\u300a\u3010*_`"
_TRAILING = (
    ".,;:!?\u3002\uff01\uff1f\u3001\u2026" + "\"'\u201d\u2019\u00bb)]}>\u300d\u300f\u300b\u3011*_`"
)
# What Turkish alone writes.
_TURKISH = Pattern("[\u011e\u011f\u0130\u0131\u015e\u015f]")
# As Turkish lowers and raises them.
_SMALL = str.maketrans({"I": "\u0131", "\u0130": "i"})
_LARGE = str.maketrans({"\u0131": "I", "i": "\u0130"})
_ARTICLES = frozenset({"a", "an", "the"})
_TABLE = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u3002\uff0c\u3001\uff01\uff1f\uff1b", " ")
    | {"\u2019": "'", "\u2018": "'"}
)


def equal_key(text: str) -> str:
    """Return `text` without what does not change its meaning.

    Case, width, spacing, articles, kinds of dashes and quotes, and punctuation at the
    ends of words go; the words, their order, numbers, signs and negations stay.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_TABLE))
    plain = text.casefold()
    # Most words have nothing to strip, and asking that is cheaper.
    words = [
        word if word.isalnum() else word.lstrip(_LEADING).rstrip(_TRAILING)
        for word in plain.split()
    ]
    return " ".join([word for word in words if word and word not in _ARTICLES]) or plain.strip()


def same_key(text: str) -> str:
    """Return what texts that say the same share, and others do not: 80 bits of a digest.

    As a text itself it would be in the table twice, and in an index of ever deeper pages. An i
    is one with or without its dot, which only Turkish tells apart and capitals hide.
    """
    key = equal_key(text)
    return _digest(key if key.isascii() else key.replace("i\u0307", "i").replace("\u0131", "i"))


def former_keys(text: str) -> list[str]:
    """Return the keys that an older memctl gave to texts that say the same, where they differ.

    It told a dotless i from one with a dot. Of ways to write the text those are thought of that
    begin with a capital, or are of one kind of letters throughout.
    """
    if text.isascii() or not _TURKISH.search(text):
        return []
    small = text.translate(_SMALL).lower()
    large = small.translate(_LARGE).upper()
    ways = (text, small, large, large[:1] + small[1:])
    return sorted({_digest(equal_key(way)) for way in ways} - {same_key(text)})


def _digest(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=10).hexdigest()


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
