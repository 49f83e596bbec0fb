"""Days that a question or a stored text names, and questions for a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.text.calendar.day_languages import languages_of
from memctl.text.calendar.day_rules import read_day_names
from memctl.text.calendar.day_tokens import cut_for_days
from memctl.text.calendar.day_vocabulary import languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memctl.text.calendar.calendar_days import Days
    from memctl.text.calendar.day_names import DayName

__all__ = [
    "DaySpan",
    "asks_when",
    "closeness",
    "days_said",
    "find_day_spans",
    "tells_time",
]

# A day is still a little near to a day within so many after it, and close before it.
DECAY_DAYS = 10
BEFORE = 0.3
BEFORE_DAYS = 3
# At another hour than the part of the day that is named; a day later is further away.
OTHER_HOUR = 0.95

_ASKS_WHEN = Pattern(
    r"\bwhen\b|\b(?:what|which)\s+(?:date|day|month|year|time|week|season)\b|\bhow\s+long\b"
    r"|\bhow\s+many\s+(?:days|weeks|months|years)\b"
    r"|\b(?:wann|wie\s+lange|welche[nms]?\s+(?:tag|datum|monat|jahr)|wanneer|quand|combien\s+de\s+temps"
    r"|quel\s+jour|cuándo|cuanto\s+tiempo|qué\s+día|quando|che\s+giorno|kiedy|när|когда)\b"
    r"|いつ|何時|何日|何月|何年|什么时候|什麼時候|几点|哪天|哪年|何时|언제|몇\s?시|며칠",
    re.IGNORECASE,
)
_WORDS = Pattern(r"\w+")
# Ends of lines and sentences: no date goes on behind them ("Sept. 5" is none).
_ENDS = Pattern(r"\n|(?<=[a-z]{4}[.!?]) (?=[A-Z])")
# A text of fewer characters is read at once.
_SHORT = 200
_YEAR = Pattern(r"(?<!\d)\d{4}(?!\d)")
_PART_OF_DAY = Pattern(r"\bthis\s+(?:morning|summer|autumn|fall|winter|spring)\b", re.IGNORECASE)
# Parts of a day, with the hours that they begin and end with.
_HOURS = (
    (Pattern(r"morning|ochtend|\bmatin|\w morgen$", re.IGNORECASE), 4, 12),
    (Pattern(r"afternoon", re.IGNORECASE), 12, 18),
    (Pattern(r"evening|night|abend$|avond$|\bsoir", re.IGNORECASE), 17, 24),
)
# Kinds of `day_tokens` of which a word alone tells a time.
_TIME_KINDS = {"": frozenset("MDRawkhqy"), "en": frozenset("MDRawkhqyAGPJ")}


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Days that a text names, `first` and `last` included.

    `words` stand at ``text[start:end]``. Days counted `from_now` ("yesterday") are no date of
    the calendar: their words say nothing of the text that is looked for.
    """

    first: date
    last: date
    words: str
    start: int
    end: int
    from_now: bool

    @property
    def hours(self) -> tuple[int, int]:
        """The hours of a day that are meant: 4 to 12 of "this morning", all of "today"."""
        named = (hours for part, *hours in _HOURS if part.search(self.words))
        return next(((first, after) for first, after in named), (0, 24))


def asks_when(question: str) -> bool:
    """Return whether a question asks for a time."""
    return _ASKS_WHEN.search(question) is not None


def find_day_spans(question: str, now: str, years: Sequence[int]) -> tuple[DaySpan, ...]:
    """Return the days that a question names, in the order of the text.

    Parameters
    ----------
    question
        Any text.
    now
        The moment that "yesterday" is counted from, in ISO 8601.
    years
        Years that a month or a day without one may be of: a span for each.

    Notes
    -----
    Both readings of 5/3/2024 are returned. A date that does not exist (30 February) names nothing.
    """

    def each_year(name: DayName) -> Sequence[Days]:
        if name.from_now:
            return name.days(date.min.year)[:1]
        return [days for year in years for days in name.days(year)]

    return tuple(_spans(question, now, each_year))


@lru_cache(maxsize=4096)
def days_said(text: str, said_at: str) -> tuple[DaySpan, ...]:
    """Return the days that a stored text names, as `find_day_spans` does for a question.

    Parameters
    ----------
    text
        Any text.
    said_at
        The moment it was said, in ISO 8601: "yesterday" is counted from it, and a month or a
        day without a year is the one nearest to it. "Monday" is the one before and the one after.
    """
    said = date.fromisoformat(said_at[:10])

    def nearest(name: DayName) -> Sequence[Days]:
        if name.from_now:
            return name.days(said.year)
        near = range(said.year - 1, said.year + 2)
        readings = zip(*filter(None, map(name.days, near)), strict=False)
        return [min(days, key=lambda days: _distance(said, days)) for days in readings]

    return tuple(_spans(text, said_at, nearest))


def _spans(
    text: str, now: str, without_year: Callable[[DayName], Sequence[Days]]
) -> Iterator[DaySpan]:
    for at, sentence in _sentences(text):
        told = languages_of(sentence)
        today = date.fromisoformat(now[:10]) if told else date.min
        cuts = [cut_for_days(sentence, language) for language in told]
        names = [name for cut in cuts for name in read_day_names(cut, today)]
        for name in _longest(names) if len(told) > 1 else names:
            words = sentence[name.start : name.end]
            days = name.days(name.year) if name.year is not None else without_year(name)
            for first, last in dict.fromkeys(days):
                yield DaySpan(first, last, words, at + name.start, at + name.end, name.from_now)


def _sentences(text: str) -> list[tuple[int, str]]:
    """Return the sentences of a text with their places; a short text is one."""
    if len(text) < _SHORT:
        return [(0, text)]
    ends = [match.span() for match in _ENDS.finditer(text)]
    starts = [0, *(after for _, after in ends)]
    stops = [*(before for before, _ in ends), len(text)]
    return [(start, text[start:stop]) for start, stop in zip(starts, stops, strict=True)]


def _distance(one: date, days: Days) -> tuple[int, int]:
    """Return how many days lie between, and how many the stretch has."""
    return max((days[0] - one).days, (one - days[1]).days, 0), (days[1] - days[0]).days


def _longest(names: Iterable[DayName]) -> list[DayName]:
    """Return the names in the order of the text; of those that overlap, the longest."""
    kept: list[DayName] = []
    for name in sorted(names, key=lambda name: name.start - name.end):
        if all(name.end <= other.start or name.start >= other.end for other in kept):
            kept.append(name)
    return sorted(kept, key=lambda name: name.start)


@lru_cache(maxsize=4096)
def tells_time(text: str) -> bool:
    """Return whether a text holds an expression of time."""
    words = _WORDS.findall(text.lower())
    if not _time_words().isdisjoint(words) or _YEAR.search(text):
        return True
    if "this" in words and _PART_OF_DAY.search(text):
        return True
    return not text.isascii() and _unspaced_time().search(text) is not None


@cache
def _time_words() -> frozenset[str]:
    """Return the words that tell a time, each alone."""
    return frozenset(
        meaning.words[0]
        for name, language in languages().items()
        for meaning in language.meanings()
        if not language.unspaced
        and len(meaning.words) == 1
        and not (meaning.weak or meaning.shared)
        and meaning.kind in _TIME_KINDS.get(name, _TIME_KINDS[""])
        and (meaning.kind != "P" or meaning.value)
    )


@cache
def _unspaced_time() -> Pattern:
    """Return the words of scripts without spaces that tell a time."""
    words = [
        re.escape(meaning.words[0])
        for language in languages().values()
        for meaning in language.meanings()
        if language.unspaced and (meaning.kind in "DRH" or meaning.unit)
    ]
    return Pattern("|".join([r"\d\s*[年月日時点时년월일시]", *words]))


def closeness(moment: str, spans: Sequence[DaySpan]) -> float:
    """Return how near a local time is to the nearest of `spans`: 1 inside, fading to 0 after.

    See `DECAY_DAYS`, `BEFORE` and `OTHER_HOUR`.
    """
    day, hour = date.fromisoformat(moment[:10]), int(moment[11:13] or 0)
    return max((_closeness(day, hour, span) for span in spans), default=0.0)


def _closeness(day: date, hour: int, span: DaySpan) -> float:
    if span.first <= day <= span.last:
        return 1.0 if hour in range(*span.hours) else OTHER_HOUR
    if day > span.last:
        return max(0.0, 1 - (day - span.last).days / DECAY_DAYS)
    return BEFORE if (span.first - day).days <= BEFORE_DAYS else 0.0
