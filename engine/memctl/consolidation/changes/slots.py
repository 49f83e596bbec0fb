"""Slots: the values that a statement gives to something, with the words behind each.

A value is a date, a time of day, an amount of money, a percentage, a measure or a count. A version
("2.3.1"), a year alone and a score ("4/5") are none. The words are English.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.text.content_words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Slot", "Word", "slots_of", "weights_of", "words_of"]

# Measured on BEAM's development half: the weight of a word up to so many characters from the value.
_WEIGHTS = ((30, 1.0), (60, 0.7), (110, 0.4), (200, 0.1))
_UNIT_WORDS = 3  # behind a count
_BEFORE = 60  # characters that a count takes its unit from, where none follows
_YEARS = range(1990, 2036)
_LETTERS = 6  # of a word; the forms of one word mostly share them

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*\.?"
_YEAR = r"(?:,?\s+(?:19|20)\d\d)?"
_VALUE = Pattern(
    r"(?<![\w./:,$-])(?:"
    rf"(?P<date>\d{{4}}-\d\d-\d\d|{_MONTH}\s+{_DAY}{_YEAR}|{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR})"
    r"|(?P<clock>\d{1,2}:\d\d(?:\s?[ap]\.?m\b)?|\d{1,2}\s?[ap]\.?m\b)"
    rf"|(?P<money>[$\u20ac\u00a3]\s?{_NUMBER}k?|{_NUMBER}\s?(?:dollars|euros|pounds|usd|eur)\b)"
    rf"|(?P<percent>{_NUMBER}\s?(?:%|per\s?cent\b))"
    rf"|(?P<measure>{_NUMBER}\s?(?:ms|milliseconds?|[kmg]b)\b)"
    rf"|(?P<count>{_NUMBER}))"
    r"(?!\w|[./:,]\d|-\d)",
    re.IGNORECASE | re.ASCII,
)
_ISO = Pattern(r"\d{4}-(\d\d)-(\d\d)")
_DAY_OF_MONTH = Pattern(r"(?<!\d)\d{1,2}(?!\d)")
_WORD = Pattern(r"[^\W\d_]{2,}")
_END_OF_UNIT = Pattern(r"[.,;:!?()\n\d]")
_OF_A_NAME = Pattern(r"[^\s.!?]\s+[A-Z]\w*\s$")  # "on Node 18"
_FROM = Pattern(r"\bfrom\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_TO = Pattern(r"\s+(?:\w+\s+){0,3}to\s+(?:\w+\s+){0,2}", re.IGNORECASE)


_start = attrgetter("start")


class Word(NamedTuple):
    """One content word of a text: its first six letters, folded, and its place in the characters."""

    head: str
    start: int
    end: int


class Slot(NamedTuple):
    """One value of a text.

    Parameters
    ----------
    kind
        ``date``, ``clock``, ``money``, ``percent``, ``measure`` or ``count``.
    value, shown
        The value in one form for all spellings, and as it is written.
    unit
        What is counted, or what follows an amount of money or a percentage: at most 3 words.
    start, end
        Its place in the characters of the text.
    before
        The value that this one replaced: X of "from X to Y"; empty elsewhere.
    past
        Whether it is that X.
    """

    kind: str
    value: str
    shown: str
    unit: frozenset[str]
    start: int
    end: int
    before: str = ""
    past: bool = False


def words_of(text: str) -> list[Word]:
    """Return the content words of a text in their order; numbers are none."""
    return [
        Word(word[:_LETTERS], *match.span())
        for match in _WORD.finditer(text)
        for word in content_words(match[0])
    ]


def weights_of(words: Sequence[Word], slot: Slot) -> dict[str, float]:
    """Return the words around a slot of a text with their weights, from .1 (far) to 1 (beside it)."""
    reach = _WEIGHTS[-1][0]
    first = bisect_left(words, slot.start - reach, key=_start)
    last = bisect_right(words, slot.end + reach, key=_start)
    found: dict[str, float] = {}
    for head, start, end in words[first:last]:
        distance = max(slot.start - end, start - slot.end)
        weight = next((weight for most, weight in _WEIGHTS if distance <= most), 0.0)
        if weight > found.get(head, 0.0):
            found[head] = weight
    return found


def slots_of(text: str, words: Iterable[Word]) -> list[Slot]:
    """Return the values of a text, whose content words are `words`, in their order."""
    found: list[Slot] = []
    for match in _VALUE.finditer(text):
        kind, (start, end) = str(match.lastgroup), match.span()
        value = _normal(kind, match[0])
        counts = kind == "count"
        if counts and (_is_year(value) or _OF_A_NAME.search(text, max(0, start - _BEFORE), start)):
            continue
        unit = _unit(text, words, start, end, counts=counts)
        slot = Slot(kind, value, match[0], unit, start, end)
        if found and found[-1].kind == kind and _went(text, found[-1], slot):
            found[-1], slot = found[-1]._replace(past=True), slot._replace(before=found[-1].value)
        found.append(slot)
    return found


def _went(text: str, one: Slot, other: Slot) -> bool:
    """Return whether it went from one value to the other."""
    return bool(
        _TO.fullmatch(text, one.end, other.start)
        and _FROM.search(text, max(0, one.start - _BEFORE), one.start)
    )


def _is_year(value: str) -> bool:
    return len(value) == len("2026") and value.isdecimal() and int(value) in _YEARS


def _normal(kind: str, shown: str) -> str:
    plain = shown.lower().replace(",", "")
    if kind != "date":
        sign = kind in ("clock", "measure")  # "9 am" is not "9 pm"; "9 $" is "9 dollars"
        return re.sub(r"[\s]" if sign else r"[^\d.k]", "", plain)
    if iso := _ISO.fullmatch(plain):
        return f"{int(iso[1])}-{int(iso[2])}"
    month = next(number for number, name in enumerate(_MONTHS, 1) if name in plain)
    return f"{month}-{int(_DAY_OF_MONTH.findall(plain)[0])}"


def _unit(
    text: str, words: Iterable[Word], start: int, end: int, *, counts: bool
) -> frozenset[str]:
    """Return the words behind a value up to the next sign, or else those before a count."""
    stop = _END_OF_UNIT.search(text, end)
    until = stop.start() if stop else len(text)
    behind = [word.head for word in words if end <= word.start < until][:_UNIT_WORDS]
    before = [w.head for w in words if start - _BEFORE <= w.start < start] if counts else []
    return frozenset(behind or before)
