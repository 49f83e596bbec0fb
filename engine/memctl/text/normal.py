"""Forms of texts that are equal when the texts mean the same, and the date that a text opens with.

The guide asks for "As of 2026-11-20, ..." where something can change. The date says since when the
rest holds, and is no part of what is said: two facts that differ in it alone are equal.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from memctl.base.clock import parse_time
from memctl.base.errors import UsageError
from memctl.base.pattern import Pattern
from memctl.text.splitting import UMLAUTS, fold_letters

# Stripped from the ends of words alone: inside a word they carry meaning ("C++", "3.5", "-5").
_LEADING = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb([{<\u300c\u300e\u300a\u3010*_`"
_TRAILING = (
    ".,;:!?\u3002\uff01\uff1f\u3001\u2026" + "\"'\u201d\u2019\u00bb)]}>\u300d\u300f\u300b\u3011*_`"
)
ARTICLES = frozenset({"a", "an", "the"})
_TABLE = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u3002\uff0c\u3001\uff01\uff1f\uff1b", " ")
    | {"\u2019": "'", "\u2018": "'"}
)


def equal_key(text: str) -> str:
    """Return `text` without what does not change its meaning.

    Case, width, spacing, articles, kinds of dashes and quotes, and punctuation at the
    ends of words go, and what people write or leave out: the dot of a Turkish i, accents of
    Greek, vowel signs of Hebrew and Arabic; the words, their order, numbers, signs and negations
    stay.
    """
    if text.isascii():
        plain = text.casefold()
    else:
        plain = unicodedata.normalize("NFKC", text.translate(_TABLE)).casefold()
        plain = fold_letters(plain.replace("i\u0307", "i").translate(UMLAUTS))
    # Most words have nothing to strip, and asking that is cheaper.
    words = [
        word if word.isalnum() else word.lstrip(_LEADING).rstrip(_TRAILING)
        for word in plain.split()
    ]
    return " ".join([word for word in words if word and word not in ARTICLES]) or plain.strip()


def same_key(text: str) -> str:
    """Return a digest of 80 bits that texts of the same meaning share, and others do not.

    As a text itself it would be in the table twice, and in an index of ever deeper pages.
    """
    return hashlib.blake2b(equal_key(text).encode(), digest_size=10).hexdigest()


@lru_cache(maxsize=1024)
def name_key(name: str | None) -> str | None:
    """Return the form under which a subject or attribute is looked up; ``None`` for none."""
    return equal_key(name) if name and name.strip() else None


def folded(text: str) -> str | None:
    """Return `text` in compatibility form for the index, or ``None`` where it is that already."""
    if text.isascii():
        return None
    plain = unicodedata.normalize("NFKC", text)
    return plain if plain != text else None


class DatedText(NamedTuple):
    """A text without the date that it opens with; ``since`` is ``None`` where there is none."""

    since: str | None
    said: str


_DAY = r"(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?)"
# "From 2026-11-01 to ..." tells of a while, and its end is part of what is said.
_NO_END = r"(?!(?:to|until|till|through|and|bis|hasta|al|au|jusqu)\b|[-\u2013到至]|\Z)"
_OPENING = Pattern(
    rf"(?:as\s+of|as\s+at|since|from|starting|ab|seit|stand|desde|a\s+partir\s+de|depuis|"
    rf"à\s+partir\s+du)\s+{_DAY}(?:\s*[,:]\s*|\s+){_NO_END}"
    rf"|(?:截至|自从?|从)\s*{_DAY}\s*(?:起|开始)?\s*[,:\uff0c\uff1a]?\s*{_NO_END}"
    rf"|{_DAY}\s*(?:現在|時点で|から)は?\s*[,\u3001\uff0c]?\s*(?!\d){_NO_END}",
    re.IGNORECASE,
)
# What such a text begins with: most others are told from it by this alone.
_FIRST = frozenset("aAsSfFdDàÀ截自从0123456789")
# A date stands so early.
_LONGEST = 40


def read_opening(text: str) -> DatedText:
    """Return the date that `text` opens with, in the stored shape, and the rest of it.

    What has the form of a date and is none (``2026-02-30``) is no opening.
    """
    match = _OPENING.match(text) if text[:1] in _FIRST and "-" in text[:_LONGEST] else None
    if not match:
        return DatedText(None, text)
    day = next(day for day in match.groups() if day)
    try:
        since = parse_time(day.upper(), what="date")
    except UsageError:
        return DatedText(None, text)
    return DatedText(since, text[match.end() :])


def without_opening(text: str) -> str:
    """Return `text` without the date that it opens with."""
    return read_opening(text).said if text[:1] in _FIRST else text


# Why something is so is no part of what is so.
_REASON = Pattern(
    r"[\s,;(\u2014\uff0c\u3001](?:(?:because|since|as it|as they|weil|da es|da sie|porque|ya que)\b|"
    r"(?:parce qu|puisqu)(?:e\b|')|\u56e0\u4e3a|\u306a\u305c\u306a\u3089)"
)


def without_reason(text: str) -> str:
    """Return `text` without the reason that it gives at its end."""
    match = _REASON.search(text)
    return text[: match.start()].rstrip(" \t\n,;(\u2014\uff0c\u3001") if match else text
