"""Slots: the values that a statement gives to something, and the words that say to what.

A value is a date, a time of day, an amount of money, a percentage, a measure or a count. A version
("2.3.1"), a year alone and a score ("4/5") are none. The words are English.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.extraction.cutting import sentences_of
from memctl.text.content_words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Slot", "Word", "prose_of", "slots_of", "words_of"]

# Measured on BEAM's development half: the weight of a word up to so many characters from the value.
_WEIGHTS = ((30, 1.0), (60, 0.7), (110, 0.4))
_FAR = 0.2
_UNIT_WORDS = 3  # behind a count
_BEFORE = 60  # characters that a count takes its unit from, where none follows
_YEARS = range(1990, 2036)

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
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
    re.IGNORECASE,
)
_DAY_OF_YEAR = re.compile(r"(?:\d{4}-)?(\d\d)-(\d\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORD = Pattern(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_END_OF_UNIT = Pattern(r"[.,;:!?()\n\d]")
_OF_A_NAME = Pattern(r"[^\s.!?]\s+[A-Z]\w*\s$")  # "on Node 18"
_FROM = Pattern(r"\bfrom\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_TO = Pattern(r"\s+(?:\w+\s+){0,3}to\s+(?:\w+\s+){0,2}", re.IGNORECASE)


class Word(NamedTuple):
    """One content word of a text, folded, with the place of its first character."""

    text: str
    start: int


class Slot(NamedTuple):
    """One value of a statement.

    Parameters
    ----------
    kind
        ``date``, ``clock``, ``money``, ``percent``, ``measure`` or ``count``.
    value, shown
        The value in one form for all spellings, and as it is written.
    unit
        What is counted, or the words behind the value: at most 3.
    weights
        Each content word of the text, with its weight from .2 to 1 by its distance.
    start, end
        Its place in the characters of the text.
    before
        The value that this one replaced, of "from X to Y"; empty elsewhere.
    past
        Whether it is that X.
    """

    kind: str
    value: str
    shown: str
    unit: tuple[str, ...]
    weights: Mapping[str, float]
    start: int
    end: int
    before: str = ""
    past: bool = False


def prose_of(text: str) -> str:
    """Return a text without code, fences and headings."""
    return "\n".join(sentence.text for sentence in sentences_of(text)[0])


def words_of(text: str) -> list[Word]:
    """Return the content words of a text in their order; numbers are none."""
    return [
        Word(word, match.start())
        for match in _WORD.finditer(text)
        for word in content_words(match[0])
        if len(word) > 1
    ]


def slots_of(text: str) -> list[Slot]:
    """Return the values of a text in their order."""
    words = words_of(text)
    found: list[Slot] = []
    for match in _VALUE.finditer(text):
        kind, shown = str(match.lastgroup), match[0]
        value = _normal(kind, shown)
        start, end = match.span()
        if kind == "count" and (
            (value.isdecimal() and int(value) in _YEARS) or _OF_A_NAME.search(text[:start][-40:])
        ):
            continue
        unit = _unit(text, words, start, end)
        slot = Slot(kind, value, shown, unit, _weights(words, start, end), start, end)
        last = found[-1] if found else None
        if (
            last
            and last.kind == kind
            and _FROM.search(text[: last.start])
            and _TO.fullmatch(text[last.end : start])
        ):
            found[-1] = last._replace(past=True)
            slot = slot._replace(before=last.value)
        found.append(slot)
    return found


def _normal(kind: str, shown: str) -> str:
    plain = shown.lower().replace(",", "")
    if kind == "date":
        numbered = _DAY_OF_YEAR.fullmatch(plain)
        if numbered:
            return f"{int(numbered[1])}-{int(numbered[2])}"
        month = next(n for n, name in enumerate(_MONTHS, 1) if name in plain)
        day = re.search(r"(?<!\d)\d{1,2}(?!\d)", plain)
        return f"{month}-{int(day[0]) if day else 0}"
    number = re.search(r"[\d.:]+", plain)
    rest = re.sub(r"[\d.:\s]", "", plain)
    return f"{number[0] if number else ''}{rest if kind in ('clock', 'measure') else ''}"


def _unit(text: str, words: Iterable[Word], start: int, end: int) -> tuple[str, ...]:
    stop = _END_OF_UNIT.search(text, end)
    until = stop.start() if stop else len(text)
    behind = [word.text for word in words if end <= word.start < until][:_UNIT_WORDS]
    before = (word.text for word in words if start - _BEFORE <= word.start < start)
    return tuple(behind or before)


def _weights(words: Iterable[Word], start: int, end: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for word in words:
        distance = start - word.start - len(word.text) if word.start < start else word.start - end
        weight = next((weight for most, weight in _WEIGHTS if distance <= most), _FAR)
        found[word.text] = max(weight, found.get(word.text, 0.0))
    return found
