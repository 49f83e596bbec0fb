"""Dates instead of relative days: the day that is meant by when it was said."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.text.calendar.said_dates import days_said
from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    from memctl.text.calendar.said_dates import DaySpan

__all__ = ["Dated", "with_days"]

_IN_DAYS = Pattern(
    r"\bin (?P<count>\d{1,3}|a|one|two|three|four|five|six|seven) (?P<unit>day|week)s?(?: from now)?\b(?! a | per )",
    re.IGNORECASE,
)
# "Since 13:05" is of that day.
_SINCE_CLOCK = Pattern(r"\bsince \d{1,2}:\d\d\b(?! (?:on|every|each)\b)", re.IGNORECASE)
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_BEFORE_DAY = Pattern(
    r"\b(?:on|by|until|till|since|before|after|from|for|to|between|of|as of|bis|am|ab|seit|vor|nach)\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
# "On a Friday" tells of every one.
_HABIT = Pattern(r"\ba\s+\Z", re.IGNORECASE)
_WITH_DATE = Pattern(r",?\s+(?:the\s+|den\s+|d(?:ía|ia)\s+)?\d", re.IGNORECASE)
_WINDOW = Pattern(r"\d|\b(?:last|past|letzten|últim[oa]s|derniers)\b.*s\Z", re.IGNORECASE)
_THE = Pattern(r"\bthe\s+\Z", re.IGNORECASE)
# A word that the span of days begins with, and that says more than "on" or "in".
_OPENING = Pattern(r"\A(?:since|by|until|till|before|after|from)\s+", re.IGNORECASE)
_COMING = Pattern(
    r"\b(?:will|'ll|going to|due|deadline|until|till|by|next|upcoming|plan\w*|want|meeting|appointment|scheduled|"
    r"takes place|starts|begins|leave|leaves|flight|is on|are on)\b",
    re.IGNORECASE,
)
_GONE = Pattern(r"\b(?:was|were|had|did|went|got|came|\w{3,}ed)\b", re.IGNORECASE)


class Dated(NamedTuple):
    """A text whose days are dates, or why one of them cannot be told."""

    text: str
    why_not: str = ""


def with_days(text: str, said_at: str, *, beside: bool = False) -> Dated:
    """Return a text whose days are dates: those that are counted from when it was said.

    Parameters
    ----------
    text, said_at
        What was said, and when, in ISO 8601.
    beside
        Whether the words stay and the date stands behind them; then "the last 26 months", which move
        on, are no dates, and a day that could be two is left as it is.
    """
    kept = "{0} ({1})" if beside else "{1}"
    text = _IN_DAYS.sub(lambda match: kept.format(match[0], _in_days(match, said_at)), text)
    text = _SINCE_CLOCK.sub(lambda match: f"{match[0]} on {said_at[:10]}", text)
    spans: dict[tuple[int, int], list[DaySpan]] = {}
    for span in days_said(text, said_at):
        told = _WITH_DATE.match(text, span.end) is not None  # "Thursday the 12th" says which
        told = told or (beside and _WINDOW.search(span.words) is not None)
        if span.from_now and not told and not _HABIT.search(text[: span.start]):
            spans.setdefault((span.start, span.end), []).append(span)
    for (start, end), days in sorted(spans.items(), reverse=True):
        chosen = days[0] if len(days) == 1 else _by_tense(text, days)
        if beside:
            date_said = _dates(chosen, preposition=True).replace(" and ", " to ") if chosen else ""
            text = text[:end] + (f" ({date_said})" if chosen else "") + text[end:]
            continue
        if chosen is None:
            return Dated(text, f'a day that could be two: "{days[0].words}"')
        before = _THE.sub("", text[:start])
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
    if _COMING.search(text):
        return days[-1]
    return days[0] if _GONE.search(text) else None


def _named(span: DaySpan, before: str) -> str:
    """Return the date of a span of days, with a preposition where it needs one."""
    opening = _OPENING.match(span.words)
    kept = opening[0] if opening else ""
    joined = is_unspaced(before[-1:])  # Chinese needs none
    return kept + _dates(span, preposition=joined or _BEFORE_DAY.search(before + kept) is not None)


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
