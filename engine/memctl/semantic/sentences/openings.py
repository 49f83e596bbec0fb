"""The date that a fact may open with: "As of 2026-11-20, ...".

The guide asks for it where something can change. It says since when the rest holds, and is
no part of what is said: two facts that differ in it alone are equal.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memctl.base.clock import parse_time
from memctl.base.errors import UsageError
from memctl.base.pattern import Pattern

__all__ = ["Opened", "read_opening", "without_opening"]


class Opened(NamedTuple):
    """What a text says, and since when; ``since`` is ``None`` where it opens with no date."""

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


def read_opening(text: str) -> Opened:
    """Return the date that `text` opens with, in the stored shape, and the rest of it.

    What has the form of a date and is none (``2026-02-30``) is no opening.
    """
    found = _OPENING.match(text) if text[:1] in _FIRST and "-" in text[:_LONGEST] else None
    if not found:
        return Opened(None, text)
    day = next(day for day in found.groups() if day)
    try:
        since = parse_time(day.upper(), what="date")
    except UsageError:
        return Opened(None, text)
    return Opened(since, text[found.end() :])


def without_opening(text: str) -> str:
    """Return `text` without the date that it opens with."""
    return read_opening(text).said if text[:1] in _FIRST else text
