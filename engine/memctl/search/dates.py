"""Dates that a question names, and expressions of time in questions and texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.search.ranking_constants import DATE_BEFORE, DATE_BEFORE_DAYS, DATE_DECAY_DAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Span", "asks_when", "closeness", "find_spans", "has_time", "may_name_days"]

_MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
]  # fmt: skip
_MONTH_NUMBERS = {
    name: number for number, month in enumerate(_MONTHS, 1) for name in (month, month[:3])
} | {"sept": 9}
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "a": 1, "an": 1, "couple of": 2,
}  # fmt: skip

_MONTH = "(?:" + "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?\b"
_YEAR = r"(?:19|20)\d\d\b"
_DATES = Pattern(
    rf"""
      (?P<iso_year>{_YEAR})-(?P<iso_month>\d\d)(?:-(?P<iso_day>\d\d))?\b
    | \b(?P<day1>{_DAY})(?:\s+of)?\s+(?P<month1>{_MONTH})(?:,?\s*(?P<year1>{_YEAR}))?
    | \b(?P<month2>{_MONTH})\s+(?P<day2>{_DAY})(?:,?\s*(?P<year2>{_YEAR}))?
    | \b(?P<month3>{_MONTH}),?\s+(?:of\s+)?(?P<year3>{_YEAR})
    | \b(?:in|during|since|of|this|last|early|mid|late)[\s-]+(?P<month4>{_MONTH})
        (?:,?\s+(?:of\s+)?(?P<year4>{_YEAR}))?(?!\s+\d{{1,2}}(?!\d))
    | (?P<cjk_year>{_YEAR.removesuffix(chr(92) + "b")})[年년]\s*(?:(?P<cjk_month>\d{{1,2}})[月월]
        \s*(?:(?P<cjk_day>\d{{1,2}})[日일])?)?
    | \b(?P<year5>{_YEAR})
    | \b(?P<relative>yesterday|today|tonight)\b
    | (?P<cjk_relative>昨日|昨天|어제|今日|今天|오늘)
    | \blast\s+(?P<weekday>{"|".join(_WEEKDAYS)})\b
    | \b(?P<which>this|last|past)\s+(?P<period>week|month|year)\b
    | \b(?P<count>\d{{1,3}}|{"|".join(_NUMBERS)})\s+(?P<unit>day|week|month|year)s?\s+ago\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# One of these, a digit or another script stands in every question that names a day.
_DATE_WORDS = frozenset(_MONTH_NUMBERS) | {
    "yesterday", "today", "tonight", "this", "last", "past", "ago",
}  # fmt: skip
_ASKS_WHEN = Pattern(
    r"\bwhen\b|\b(?:what|which)\s+(?:date|day|month|year|time|week|season)\b|\bhow\s+long\b"
    r"|\bhow\s+many\s+(?:days|weeks|months|years)\b"
    r"|いつ|何時|何日|何月|何年|什么时候|什麼時候|几点|哪天|哪年|何时|언제|몇\s?시|며칠",
    re.IGNORECASE,
)
# Words that tell a time, in lower case; "may" and "sun" are more often something else.
_TIME_WORDS = frozenset(
    ["yesterday", "today", "tonight", "tomorrow", "last", "next", "ago", "recently", "since",
     "weekend", "day", "days", "week", "weeks", "month", "months", "year", "years"]
    + [month for month in _MONTHS if month != "may"]
    + _WEEKDAYS
)  # fmt: skip
_WORDS = Pattern(r"[a-z]+|(?<!\d)\d{4}(?!\d)")
_TIME = Pattern(r"\bthis\s+(?:morning|summer|autumn|fall|winter|spring)\b", re.IGNORECASE)
_TIME_UNSPACED = Pattern(
    r"昨日|昨天|今日|今天|明日|明天|先週|来週|上周|下周|去年|来年|明年|어제|오늘|내일|지난|다음"
    r"|\d\s*[年月日時点时년월일시]"
)


@dataclass(frozen=True, slots=True)
class Span:
    """Days that a question names: from `first` up to and including `last`.

    `words` name them; where they are counted from now, they say nothing of the text that is
    looked for.
    """

    first: date
    last: date
    words: str
    from_now: bool


def asks_when(question: str) -> bool:
    """Return whether the question asks for a time."""
    return _ASKS_WHEN.search(question) is not None


def has_time(text: str) -> bool:
    """Return whether the text holds an expression of time."""
    words = _WORDS.findall(text.lower())
    if not _TIME_WORDS.isdisjoint(words) or any(word.isdigit() for word in words):
        return True
    if "this" in words and _TIME.search(text):
        return True
    return not text.isascii() and _TIME_UNSPACED.search(text) is not None


def find_spans(question: str, now: str, years: Sequence[int]) -> tuple[Span, ...]:
    """Return the days that a question names.

    Parameters
    ----------
    question
        The question.
    now
        What "yesterday" is counted from, as stored times are written.
    years
        Years that a month or day without one may be of.

    Notes
    -----
    A date that does not exist (30 February) names nothing.
    """
    if not may_name_days(question):
        return ()
    today = date.fromisoformat(now[:10])
    spans = []
    for match in _DATES.finditer(question):
        parts = {key: value for key, value in match.groupdict().items() if value}
        from_now = not any(_calendar(parts))
        days = _days(parts, today, years)
        spans += [Span(first, last, match[0], from_now) for first, last in days]
    return tuple(dict.fromkeys(spans))


def may_name_days(question: str) -> bool:
    """Return whether a question could name a day: cheaply, and rather yes than no."""
    return (
        not question.isascii()
        or not _DATE_WORDS.isdisjoint(_WORDS.findall(question.lower()))
        or any(map(str.isdigit, question))
    )


def closeness(day: date, spans: Sequence[Span]) -> float:
    """Return how near a day is to the nearest of `spans`: 1 inside, fading to 0 after.

    See DATE_DECAY_DAYS and DATE_BEFORE in constants.
    """
    return max((_closeness(day, span) for span in spans), default=0.0)


def _closeness(day: date, span: Span) -> float:
    if span.first <= day <= span.last:
        return 1.0
    if day > span.last:
        return max(0.0, 1 - (day - span.last).days / DATE_DECAY_DAYS)
    return DATE_BEFORE if (span.first - day).days <= DATE_BEFORE_DAYS else 0.0


def _days(parts: dict[str, str], today: date, years: Sequence[int]) -> Iterator[tuple[date, date]]:
    year, month, day = _calendar(parts)
    if year or month:
        for one in [year] if year else years:
            yield from _span(one, month, day)
    else:
        yield from _relative(parts, today)


def _calendar(parts: dict[str, str]) -> tuple[int | None, int | None, int | None]:
    """Return year, month and day as far as the words name them."""

    def first(prefixes: str) -> str | None:
        return next((v for k, v in parts.items() if k.rstrip("12345") in prefixes.split()), None)

    year, month, day = (
        first("iso_year year cjk_year"),
        first("iso_month month cjk_month"),
        first("iso_day day cjk_day"),
    )
    number = None
    if month:
        number = int(month) if month.isdigit() else _MONTH_NUMBERS[month.lower().rstrip(".")]
    return int(year) if year else None, number, int(re.sub(r"\D", "", day)) if day else None


def _span(year: int, month: int | None, day: int | None) -> Iterator[tuple[date, date]]:
    try:
        first = date(year, month or 1, day or 1)
    except ValueError:
        return  # no such day in that year
    if day:
        yield first, first
    elif month:
        following = date(year + month // 12, month % 12 + 1, 1)
        yield first, following - timedelta(days=1)
    else:
        yield first, date(year, 12, 31)


def _relative(parts: dict[str, str], today: date) -> Iterator[tuple[date, date]]:
    try:
        yield from _counted(parts, today)
    except OverflowError:
        return  # before the first year, or after the last


def _counted(parts: dict[str, str], today: date) -> Iterator[tuple[date, date]]:
    word = (parts.get("relative") or parts.get("cjk_relative") or "").lower()
    if word:
        day = today - timedelta(days=word in {"yesterday", "昨日", "昨天", "어제"})
        yield day, day
    elif "weekday" in parts:
        back = (today.weekday() - _WEEKDAYS.index(parts["weekday"].lower()) - 1) % 7 + 1
        yield today - timedelta(days=back), today - timedelta(days=back)
    elif "period" in parts:
        yield _period(parts["which"].lower(), parts["period"].lower(), today)
    elif "count" in parts:
        yield from _ago(parts["count"].lower(), parts["unit"].lower(), today)


def _period(which: str, period: str, today: date) -> tuple[date, date]:
    if period == "week":
        first = today - timedelta(days=today.weekday())
        first -= timedelta(days=0 if which == "this" else 7)
        return first, first + timedelta(days=6)
    first = today.replace(day=1) if period == "month" else today.replace(month=1, day=1)
    if which == "this":
        return first, today
    last = first - timedelta(days=1)
    return last.replace(day=1) if period == "month" else last.replace(month=1, day=1), last


def _ago(count: str, unit: str, today: date) -> Iterator[tuple[date, date]]:
    number = int(count) if count.isdigit() else _NUMBERS[count]
    days = number * _UNIT_DAYS[unit]
    # "two weeks ago" is not a day: half a unit either way is meant.
    slack = timedelta(days=_UNIT_DAYS[unit] // 2)
    if days < today.toordinal() - 400:
        middle = today - timedelta(days=days)
        yield middle - slack, middle + slack
