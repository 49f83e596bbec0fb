"""Readings of tokens as days: what each rule of `day_rules` makes of its match."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, cast

from memctl.text.calendar import calendar_days as calendar
from memctl.text.calendar.day_names import DayName

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.text.calendar.calendar_days import Days
    from memctl.text.calendar.day_names import RuleMatch
    from memctl.text.calendar.day_tokens import FigureDate

__all__ = [
    "read_ago",
    "read_before_or_after",
    "read_counted_from",
    "read_day",
    "read_figures",
    "read_from_to",
    "read_months",
    "read_near_day",
    "read_since",
    "read_stretch",
    "read_unit",
    "read_weekday",
    "read_weekday_of_week",
    "read_year",
    "read_year_of_some",
    "read_yearly",
    "read_yearly_from_now",
]

_UNIT_DAYS = {"day": 1, "week": 7, "weekend": 7, "month": 30, "quarter": 91, "year": 365}
_FRIDAY = 4


def read_day(match: RuleMatch) -> DayName:
    """Read "3 May" and "3 to 9 May 2024"."""
    (month,), (one, *others) = match.numbers("Mmu"), match.numbers("9Oz")
    last = others[-1] if others else one
    return match.name(lambda year: [calendar.month_days(year, month, one, last)])


def read_months(match: RuleMatch) -> DayName:
    """Read "March to May": a month before the first is of the next year."""
    first, last = match.numbers("Mmu")
    later = last if last >= first else last + 12
    back = last < first and match.year() is not None  # December to February 2024
    return match.name(
        lambda year: [
            (calendar.month(year - back, first)[0], calendar.month(year - back, later)[1])
        ]
    )


def read_yearly(match: RuleMatch) -> DayName:
    """Read a month, season, quarter or holiday, which every year has."""
    return match.name(_each_year(match))


def _each_year(match: RuleMatch) -> Callable[[int], Sequence[Days]]:
    token = match.all("MmuSsHxO")[0]
    number = cast("int", token.value)
    if token.kind in "Mmu":
        return lambda year: [calendar.month(year, number)]
    if token.kind in "Ss":
        return lambda year: calendar.season(year, number)
    if token.kind == "H":
        return lambda year: [calendar.holiday(year, str(token.value))]
    return lambda year: [calendar.quarter(year, number)]


def read_yearly_from_now(match: RuleMatch) -> DayName:
    """Read "last May": the latest that has ended; "next": the first that has not begun."""
    which, today, in_year = match.numbers("PTpQ")[0], match.today, _each_year(match)

    def nearest() -> Days:
        years = range(max(today.year - 2, date.min.year), min(today.year + 2, date.max.year))
        found = [days for year in years for days in in_year(year)]
        if which < 0:
            return max(days for days in found if days[1] < today)
        if which > 0:
            return min(days for days in found if days[0] > today)
        return in_year(today.year)[-1]

    return match.fixed(nearest)


def read_weekday_of_week(match: RuleMatch) -> DayName:
    """Read "Tuesday of last week"."""
    steps, weekday = match.numbers("PTpQ")[0], match.numbers("Dd")[0]

    def one() -> Days:
        monday = calendar.shifted(calendar.week_of(match.today), 7 * steps)[0]
        return calendar.shifted((monday, monday), weekday)

    return match.fixed(one)


def read_weekday(match: RuleMatch) -> DayName:
    """Read "Monday" as the last up to today or the next, "last Monday" before it, "next Monday" after it."""
    (weekday,), today = match.numbers("Dd"), match.today
    which = next(iter(match.numbers("PTp")), None)
    if which == 0:
        return read_weekday_of_week(match)
    if which == 1:
        ahead = (weekday - today.weekday() - 1) % 7 + 1
    elif which == -1:
        ahead = -((today.weekday() - weekday - 1) % 7 + 1)
    else:
        back = (today.weekday() - weekday) % 7
        return match.name(
            lambda _: [calendar.shifted((today, today), by) for by in (-back, 7 - back)],
            from_now=True,
        )
    return match.fixed(lambda: calendar.shifted((today, today), ahead))


def read_stretch(match: RuleMatch) -> DayName:
    """Read "the last 10 days", up to today, and "the next 10 days"."""
    days = timedelta(days=match.count() * _UNIT_DAYS[match.unit()])
    if max(match.numbers("PTpQ"), default=-1) > 0:
        return match.fixed(lambda: (match.today, match.today + days))
    return match.fixed(lambda: (match.today - days, match.today))


def read_unit(match: RuleMatch) -> DayName:
    """Read "last week", "this year"."""
    steps = next(iter(match.numbers("PTpQ")), -1)
    return match.fixed(lambda: calendar.unit_around(match.today, match.unit(), steps))


def read_ago(match: RuleMatch) -> DayName:
    """Read "two weeks ago": half a unit around it is meant."""
    unit = "day" if match.all("z") else match.unit()
    days, slack = match.count() * _UNIT_DAYS[unit], timedelta(days=_UNIT_DAYS[unit] // 2)

    def around() -> Days:
        middle = match.today + timedelta(days=days if match.all("nI") else -days)
        return middle - slack, middle + slack

    return match.fixed(around)


def read_near_day(match: RuleMatch) -> DayName:
    """Read "yesterday"."""
    (steps,) = match.numbers("R")
    return match.fixed(lambda: calendar.shifted((match.today, match.today), steps))


def read_figures(match: RuleMatch) -> DayName:
    """Read a date in figures, in both orders where they are doubtful."""
    figures = cast("FigureDate", match.all("Xeg")[0].value)

    def in_year(year: int) -> Sequence[Days]:
        return [
            calendar.day(year, month, day) if day else calendar.month(year, month)
            for month, day in figures.places
        ]

    return replace(match.name(in_year), year=figures.year)


def read_year(match: RuleMatch) -> DayName:
    """Read a year."""
    return match.name(lambda year: [calendar.year_days(year)])


def read_year_of_some(match: RuleMatch) -> DayName:
    """Read "the 2023 trip", where 2023 is one of the years asked for: 2000 words are no year."""
    (named,) = match.numbers("Y")
    name = match.name(lambda year: [calendar.year_days(year)] if year == named else [])
    return replace(name, year=None)


def read_counted_from(match: RuleMatch) -> DayName:
    """Read "two days before Christmas", "the week after Easter"."""
    other = cast("DayName", match.all("E@")[0].value)
    unit = "day" if match.all("z") else match.unit()
    before = bool(match.all("BVvA"))
    counted, size = bool(match.all("89NOz")), _UNIT_DAYS[unit]
    by, slack = match.count() * size, timedelta(days=size // 2)

    def one(days: Days) -> Days:
        near = days[0] if before else days[1]
        if counted:
            middle = near + timedelta(days=-by if before else by)
            return middle - slack, middle + slack
        if unit == "weekend":
            return calendar.unit_around(near, unit, -1 if before else int(near.weekday() > _FRIDAY))
        first = near + timedelta(days=-size if before else 1)
        return first, first + timedelta(days=size - 1)

    return _made_of(match, other, lambda year: [one(days) for days in other.in_year(year)])


def read_before_or_after(match: RuleMatch) -> DayName:
    """Read "the Sunday before 25 October": counted from that day instead of today."""
    name = cast("DayName", match.all("@")[0].value)
    other = cast("DayName", match.all("E")[0].value)
    counted_from = cast("Callable[[date], DayName]", name.counted_from)
    place = -1 if match.all("F") else 0

    def in_year(year: int) -> Sequence[Days]:
        return [counted_from(first).in_year(year)[place] for first, _ in other.in_year(year)]

    return _made_of(match, other, in_year)


def read_from_to(match: RuleMatch) -> DayName:
    """Read two names as a stretch: "28 April to 3 May 2024"."""
    one, other = (cast("DayName", token.value) for token in match.all("E@"))

    def in_year(year: int) -> Sequence[Days]:
        begins = one.in_year(one.year or year)
        ends = [days[1] for days in other.in_year(other.year or year)]
        if not (begins and ends):  # a year by itself is in no other
            return []
        first = begins[0][0]
        if first > ends[-1] and one.year is None:
            first = one.in_year(year - 1)[0][0]
        return [(first, min((end for end in ends if end >= first), default=ends[-1]))]

    return _made_of(match, other, in_year)


def read_since(match: RuleMatch) -> DayName:
    """Read "since March", up to today."""
    (token,) = match.all("E@")
    other = cast("DayName", token.value)
    in_year = other.in_year
    return _made_of(match, other, lambda year: [(first, match.today) for first, _ in in_year(year)])


def _made_of(match: RuleMatch, other: DayName, in_year: Callable[[int], Sequence[Days]]) -> DayName:
    span = match.tokens[0].start, match.tokens[-1].end
    return DayName(in_year, *span, other.year, other.from_now)
