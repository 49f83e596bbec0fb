"""Stretches of days in the calendar: months, weeks, seasons, holidays."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TypeAlias

__all__ = [
    "Days",
    "day",
    "holiday",
    "month",
    "month_days",
    "quarter",
    "season",
    "shifted",
    "unit_around",
    "week_of",
    "year_days",
]

# The first and the last day.
Days: TypeAlias = tuple[date, date]

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
WINTER = 4
DECEMBER = 12


def day(year: int, month_number: int, day_number: int) -> Days:
    """Return a day as a stretch of one; ValueError where the calendar has none."""
    one = date(year, month_number, day_number)
    return one, one


def month(year: int, number: int) -> Days:
    """Return the days of a month; one below 1 or above 12 is of another year."""
    first = date(year + (number - 1) // 12, (number - 1) % 12 + 1, 1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def month_days(year: int, number: int, first: int, last: int) -> Days:
    """Return the days of a month from one to another."""
    return date(year, number, first), date(year, number, last)


def year_days(year: int) -> Days:
    """Return the days of a year."""
    return date(year, 1, 1), date(year, 12, 31)


def quarter(year: int, number: int) -> Days:
    """Return the days of a quarter, 1 to 4 in its year."""
    return month(year, 3 * number - 2)[0], month(year, 3 * number)[1]


def season(year: int, number: int) -> tuple[Days, ...]:
    """Return the days of a season of the northern half, from spring = 1.

    A winter is of two years: its months of both are returned.
    """
    if number == WINTER:
        return (
            (date(year, 1, 1), month(year, 2)[1]),
            (date(year, DECEMBER, 1), month(year + 1, 2)[1]),
        )
    return ((month(year, 3 * number)[0], month(year, 3 * number + 2)[1]),)


def week_of(one: date) -> Days:
    """Return the week of a day, Monday to Sunday."""
    monday = one - timedelta(days=one.weekday())
    return monday, monday + timedelta(days=6)


def holiday(year: int, rule: str) -> Days:
    """Return the day of a holiday: ``12-25``, ``Easter-2`` or ``4 Thu 11``, the 4th Thursday."""
    if rule.startswith("Easter"):
        from dateutil.easter import easter

        one: date = easter(year) + timedelta(days=int(rule.removeprefix("Easter") or 0))
    elif " " in rule:
        nth, weekday, number = rule.split()
        first = date(year, int(number), 1)
        ahead = (WEEKDAYS.index(weekday) - first.weekday()) % 7
        one = first + timedelta(days=ahead + 7 * (int(nth) - 1))
    else:
        number, nth = rule.split("-")
        one = date(year, int(number), int(nth))
    return one, one


def unit_around(one: date, unit: str, steps: int) -> Days:
    """Return the day, week, weekend, month, quarter or year that is `steps` from a day's own."""
    if unit == "year":
        return year_days(one.year + steps)
    if unit == "quarter":
        number = (one.month - 1) // 3 + steps
        return quarter(one.year + number // 4, number % 4 + 1)
    if unit == "month":
        return month(one.year, one.month + steps)
    if unit == "day":
        return shifted((one, one), steps)
    monday, sunday = shifted(week_of(one), 7 * steps)
    return (sunday - timedelta(days=1) if unit == "weekend" else monday), sunday


def shifted(days: Days, by: int) -> Days:
    """Return a stretch moved by a number of days."""
    return days[0] + timedelta(days=by), days[1] + timedelta(days=by)
