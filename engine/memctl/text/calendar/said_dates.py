"""Days that a question or a stored text names, questions for a time, and dates instead of relative days."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern, patterns_in
from memctl.text.calendar.day_readings import read_day_names
from memctl.text.calendar.day_tokens import UNITS, cut_for_days, languages, languages_of
from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memctl.text.calendar.day_readings import DayName, Days

# A day is still a little near to a day within so many after it, and close before it.
_DECAY_DAYS = 10
_BEFORE = 0.3
_BEFORE_DAYS = 3
# At another hour than the part of the day that is named; a day later is further away.
_OTHER_HOUR = 0.95

_SHAPES = patterns_in("memctl.text.calendar", "said_dates.txt")
_WORDS = Pattern(r"\w+")
# A text of fewer characters is read at once.
_SHORT = 200
_YEAR = Pattern(r"(?<!\d)\d{4}(?!\d)")
# Parts of a day, with the hours that they begin and end with.
_HOURS = (
    (Pattern(r"morning|ochtend|\bmatin|\w morgen$", re.IGNORECASE), 4, 12),
    (Pattern(r"afternoon", re.IGNORECASE), 12, 18),
    (Pattern(r"evening|night|abend$|avond$|\bsoir", re.IGNORECASE), 17, 24),
)
# Kinds of `day_tokens` of which a word alone tells a time.
_TIME_KINDS = frozenset({"month", "weekday", "near_day", *UNITS})
_ENGLISH_TIME_KINDS = _TIME_KINDS | {"ago", "since", "which", "past"}


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

    def meets(self, other: DaySpan) -> bool:
        """Return whether both have a day in common."""
        return self.first <= other.last and other.first <= self.last


def asks_when(question: str) -> bool:
    """Return whether a question asks for a time."""
    return _SHAPES["asks when"].search(question) is not None


def find_day_spans(question: str, now: str, years: Sequence[int]) -> tuple[DaySpan, ...]:
    """Return the days that a question names, in the order of the text.

    "Yesterday" is counted from `now`, in ISO 8601; a month or a day without a year is of each of `years`.
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

    "Yesterday" is counted from when it was said, in ISO 8601, and a month or a day without a year is the
    one nearest to that; "Monday" is the one before and the one after.
    """
    said = date.fromisoformat(said_at[:10])

    def distance(days: Days) -> tuple[int, int]:  # and how many days it has
        return max((days[0] - said).days, (said - days[1]).days, 0), (days[1] - days[0]).days

    def nearest(name: DayName) -> Sequence[Days]:
        if name.from_now:
            return name.days(said.year)
        near = range(said.year - 1, said.year + 2)
        readings = zip(*filter(None, map(name.days, near)), strict=False)
        return [min(days, key=distance) for days in readings]

    return tuple(_spans(text, said_at, nearest))


def _spans(
    text: str, now: str, without_year: Callable[[DayName], Sequence[Days]]
) -> Iterator[DaySpan]:
    for at, sentence in _sentences(text):
        languages = languages_of(sentence)
        today = date.fromisoformat(now[:10]) if languages else date.min
        cuts = [cut_for_days(sentence, language) for language in languages]
        names = [name for cut in cuts for name in read_day_names(cut, today)]
        for name in _longest(names) if len(languages) > 1 else names:
            words = sentence[name.start : name.end]
            days = name.days(name.year) if name.year is not None else without_year(name)
            for first, last in dict.fromkeys(days):
                yield DaySpan(first, last, words, at + name.start, at + name.end, name.from_now)


def _sentences(text: str) -> list[tuple[int, str]]:
    if len(text) < _SHORT:
        return [(0, text)]
    ends = [match.span() for match in _SHAPES["ends"].finditer(text)]
    starts = [0, *(after for _, after in ends)]
    stops = [*(before for before, _ in ends), len(text)]
    return [(start, text[start:stop]) for start, stop in zip(starts, stops, strict=True)]


def _longest(names: Iterable[DayName]) -> list[DayName]:
    kept: list[DayName] = []
    for name in sorted(names, key=lambda name: name.start - name.end):
        if all(name.end <= other.start or name.start >= other.end for other in kept):
            kept.append(name)
    return sorted(kept, key=lambda name: name.start)


@lru_cache(maxsize=4096)
def tells_time(text: str) -> bool:
    """Return whether a text has an expression of time."""
    words = _WORDS.findall(text.lower())
    if not _time_words().isdisjoint(words) or _YEAR.search(text):
        return True
    if "this" in words and _SHAPES["part of day"].search(text):
        return True
    return not text.isascii() and _unspaced_time().search(text) is not None


@cache
def _time_words() -> frozenset[str]:
    return frozenset(
        meaning.words[0]
        for name, language in languages().items()
        for meaning in language.meanings()
        if not language.unspaced
        and len(meaning.words) == 1
        and not (meaning.weak or meaning.shared)
        and meaning.kind in (_ENGLISH_TIME_KINDS if name == "en" else _TIME_KINDS)
        and (meaning.kind != "which" or meaning.value)
    )


@cache
def _unspaced_time() -> Pattern:
    words = [
        re.escape(meaning.words[0])
        for language in languages().values()
        for meaning in language.meanings()
        if language.unspaced
        and (meaning.kind in {"weekday", "near_day", "holiday"} or meaning.unit)
    ]
    return Pattern("|".join([r"\d\s*[年月日時点时년월일시]", *words]))


def closeness(moment: str, spans: Sequence[DaySpan]) -> float:
    """Return how near a local time is to the nearest of `spans`: 1 inside, fading to 0 after."""
    day, hour = date.fromisoformat(moment[:10]), int(moment[11:13] or 0)

    def near(span: DaySpan) -> float:
        if span.first <= day <= span.last:
            return 1.0 if hour in range(*span.hours) else _OTHER_HOUR
        if day > span.last:
            return max(0.0, 1 - (day - span.last).days / _DECAY_DAYS)
        return _BEFORE if (span.first - day).days <= _BEFORE_DAYS else 0.0

    return max(map(near, spans), default=0.0)


# -- dates instead of relative days ----------------------------------------------------------

_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}


class Dated(NamedTuple):
    """A text whose days are dates, or why one of them is unknown."""

    text: str
    why_not: str = ""


def with_days(text: str, said_at: str, *, beside: bool = False) -> Dated:
    """Return a text whose days are dates: those that are counted from its own day.

    With `beside` the words stay and the date stands behind them; then "the last 26 months", which move on,
    are no dates, and a day that could be two is left as it is.
    """
    kept = "{0} ({1})" if beside else "{1}"
    text = _SHAPES["in days"].sub(
        lambda match: kept.format(match[0], _in_days(match, said_at)), text
    )
    text = _SHAPES["since clock"].sub(lambda match: f"{match[0]} on {said_at[:10]}", text)
    spans: dict[tuple[int, int], list[DaySpan]] = {}
    for span in days_said(text, said_at):
        dated = (
            _SHAPES["with date"].match(text, span.end) is not None
        )  # "Thursday the 12th" says which
        dated = dated or (beside and _SHAPES["window"].search(span.words) is not None)
        if span.from_now and not dated and not _SHAPES["habit"].search(text[: span.start]):
            spans.setdefault((span.start, span.end), []).append(span)
    for (start, end), days in sorted(spans.items(), reverse=True):
        chosen = days[0] if len(days) == 1 else _by_tense(text, days)
        if beside:
            date_said = _dates(chosen, preposition=True).replace(" and ", " to ") if chosen else ""
            text = text[:end] + (f" ({date_said})" if chosen else "") + text[end:]
            continue
        if chosen is None:
            return Dated(text, f'a day that could be two: "{days[0].words}"')
        before = _SHAPES["the"].sub("", text[:start])
        text = before + _named(chosen, before) + text[end:]
    return Dated(text)


def _in_days(match: re.Match[str], said_at: str) -> str:
    count = match["count"].lower()
    number = int(count) if count.isdigit() else _COUNTS[count]
    weeks = match["unit"].lower() == "week"
    day = date.fromisoformat(said_at[:10]) + timedelta(days=number * (7 if weeks else 1))
    return f"{'around' if weeks else 'on'} {day.isoformat()}"


def _by_tense(text: str, days: list[DaySpan]) -> DaySpan | None:
    """Return which of two days is meant: the one before of what was, the one after of what is due."""
    if _SHAPES["coming"].search(text):
        return days[-1]
    return days[0] if _SHAPES["gone"].search(text) else None


def _named(span: DaySpan, before: str) -> str:
    opening = _SHAPES["opening"].match(span.words)
    kept = opening[0] if opening else ""
    joined = is_unspaced(before[-1:])  # Chinese needs none
    return kept + _dates(
        span, preposition=joined or _SHAPES["before a day"].search(before + kept) is not None
    )


def _dates(span: DaySpan, *, preposition: bool) -> str:
    if span.first == span.last:
        return span.first.isoformat() if preposition else f"on {span.first.isoformat()}"
    middle = span.first + (span.last - span.first) // 2
    if span.words.lower().endswith("ago"):
        return f"around {middle.isoformat()}"
    if span.first.day == 1 and (span.last - span.first).days > 300:  # noqa: PLR2004  (a year)
        return f"{'' if preposition else 'in '}{span.first.year}"
    if span.first.day == 1 and (span.last + timedelta(days=1)).day == 1:
        return f"{'' if preposition else 'in '}{span.first:%Y-%m}"
    return (
        f"{'' if preposition else 'between '}{span.first.isoformat()} and {span.last.isoformat()}"
    )
