"""Names of days, read from the tokens of a text: rules over kinds of tokens, and what each makes of them.

The first rules read single names ("3 May", "last week"), the second what is counted or reaches from
them ("two days before", "from ... to").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

from memctl.text.calendar.day_tokens import UNITS, DayToken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.text.calendar.day_tokens import FigureDate

# The first and the last day.
Days: TypeAlias = tuple[date, date]

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_WINTER = 4
_DECEMBER = 12
_FRIDAY = 4
_UNIT_DAYS = {"day": 1, "week": 7, "weekend": 7, "month": 30, "quarter": 91, "year": 365}

# Kinds of tokens that rules name together.
_GROUPS = {
    "any_day": ("figure", "ordinal", "counted_day"),
    "any_month": ("month", "capital_month", "small_month"),
    "any_weekday": ("weekday", "short_weekday"),
    "any_season": ("season", "weak_season"),
    "any_count": ("figure", "figures", "number"),
    "count_or_day": ("figure", "figures", "number", "ordinal", "counted_day"),
    "any_unit": tuple(UNITS),
    "unit_but_days": ("weeks", "weekends", "months", "quarters", "years"),
    "days_named": ("holiday", "month", "weekday", "near_day", "date"),
    "any_date": ("date", "doubtful_date", "pointed_date"),
    "any_which": ("which", "this", "which_behind", "which_week"),
    "any_before": ("before", "ago_or_before", "time_ago", "ago"),
    "border": ("before", "ago_or_before", "after"),
    "lead_word": ("lead", "within", "of", "since", "between", "before", "after", "ago_or_before"),
    "date_lead": ("lead", "since", "between", "before", "after", "ago_or_before"),
    "each_year": ("month", "capital_month", "small_month", "season", "weak_season", "holiday", "quarter_number"),
    "any_name": ("name", "name_from_now"),
}  # fmt: skip


def whole_month(year: int, number: int) -> Days:
    """Return the days of a month; one below 1 or above 12 is of another year."""
    first = date(year + (number - 1) // 12, (number - 1) % 12 + 1, 1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def year_days(year: int) -> Days:
    """Return the days of a year."""
    return date(year, 1, 1), date(year, 12, 31)


def quarter(year: int, number: int) -> Days:
    """Return the days of a quarter, 1 to 4 in its year."""
    return whole_month(year, 3 * number - 2)[0], whole_month(year, 3 * number)[1]


def season(year: int, number: int) -> tuple[Days, ...]:
    """Return the days of a season of the northern half, from spring = 1.

    A winter is of two years: its months of both are returned.
    """
    if number == _WINTER:
        return (
            (date(year, 1, 1), whole_month(year, 2)[1]),
            (date(year, _DECEMBER, 1), whole_month(year + 1, 2)[1]),
        )
    return ((whole_month(year, 3 * number)[0], whole_month(year, 3 * number + 2)[1]),)


def week_of(day: date) -> Days:
    """Return the week of a day, Monday to Sunday."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def holiday(year: int, rule: str) -> Days:
    """Return the day of a holiday: ``12-25``, ``Easter-2`` or ``4 Thu 11``, the 4th Thursday."""
    if rule.startswith("Easter"):
        from dateutil.easter import easter

        day: date = easter(year) + timedelta(days=int(rule.removeprefix("Easter") or 0))
    elif " " in rule:
        nth, weekday, number = rule.split()
        first = date(year, int(number), 1)
        ahead = (_WEEKDAYS.index(weekday) - first.weekday()) % 7
        day = first + timedelta(days=ahead + 7 * (int(nth) - 1))
    else:
        number, nth = rule.split("-")
        day = date(year, int(number), int(nth))
    return day, day


def unit_around(day: date, unit: str, steps: int) -> Days:
    """Return the day, week, weekend, month, quarter or year that is `steps` from a day's own."""
    if unit == "year":
        return year_days(day.year + steps)
    if unit == "quarter":
        number = (day.month - 1) // 3 + steps
        return quarter(day.year + number // 4, number % 4 + 1)
    if unit == "month":
        return whole_month(day.year, day.month + steps)
    if unit == "day":
        return shifted((day, day), steps)
    monday, sunday = shifted(week_of(day), 7 * steps)
    return (sunday - timedelta(days=1) if unit == "weekend" else monday), sunday


def shifted(days: Days, by: int) -> Days:
    """Return a stretch moved by a number of days."""
    return days[0] + timedelta(days=by), days[1] + timedelta(days=by)


@dataclass(frozen=True, slots=True)
class DayName:
    """Days that a text names: the same in each year, or of the one year that it names.

    `in_year` raises ValueError or OverflowError where the calendar has no such days. A name that
    is counted from now can be `counted_from` another day.
    """

    in_year: Callable[[int], Sequence[Days]]
    start: int
    end: int
    year: int | None = None
    from_now: bool = False
    counted_from: Callable[[date], DayName] | None = None

    def days(self, year: int) -> Sequence[Days]:
        """Return the days in the name's own year, or else in `year`; none that do not exist."""
        try:
            return [
                (first, other) for first, other in self.in_year(self.year or year) if first <= other
            ]
        except (ValueError, OverflowError):
            return ()


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """The tokens that a rule takes, and the day that "today" is."""

    tokens: Sequence[DayToken]
    today: date

    def all(self, *kinds: str) -> list[DayToken]:
        """Return the tokens of some kinds, or of a group of kinds."""
        wanted = {kind for name in kinds for kind in _GROUPS.get(name, (name,))}
        return [token for token in self.tokens if token.kind in wanted]

    def numbers(self, *kinds: str) -> list[int]:
        """Return the values of such tokens."""
        return [cast("int", token.value) for token in self.all(*kinds)]

    def unit(self) -> str:
        """Return the unit of time that is named."""
        return next(UNITS[token.kind] for token in self.tokens if token.kind in UNITS)

    def count(self) -> int:
        """Return how many units are named: 1 without a number."""
        return next(iter(self.numbers("count_or_day")), 1)

    def year(self) -> int | None:
        """Return the year that is named, "last year" counted from today."""
        named = self.numbers("year")
        if named:
            return named[0]
        which = self.numbers("any_which") if self.all("years") else []
        return self.today.year + which[0] if which else None

    def name(self, in_year: Callable[[int], Sequence[Days]], *, from_now: bool = False) -> DayName:
        """Return the name of days that these tokens make."""
        year = None if from_now else self.year()
        return DayName(in_year, self.tokens[0].start, self.tokens[-1].end, year, from_now)

    def fixed(self, make: Callable[[], Days]) -> DayName:
        """Return the name of days that are counted from today."""
        return self.name(lambda _: [make()], from_now=True)


def read_day(match: RuleMatch) -> DayName:
    """Read "3 May" and "3 to 9 May 2024"."""
    (month,), (first, *others) = match.numbers("any_month"), match.numbers("any_day")
    last = others[-1] if others else first
    return match.name(lambda year: [(date(year, month, first), date(year, month, last))])


def read_months(match: RuleMatch) -> DayName:
    """Read "March to May": a month before the first is of the next year."""
    first, last = match.numbers("any_month")
    later = last if last >= first else last + 12
    back = last < first and match.year() is not None  # December to February 2024
    return match.name(
        lambda year: [(whole_month(year - back, first)[0], whole_month(year - back, later)[1])]
    )


def _each_year(match: RuleMatch) -> Callable[[int], Sequence[Days]]:
    token = match.all("each_year", "ordinal")[0]
    number = cast("int", token.value)
    if token.kind in _GROUPS["any_season"]:
        return lambda year: season(year, number)
    if token.kind == "holiday":
        return lambda year: [holiday(year, str(token.value))]
    made = whole_month if token.kind in _GROUPS["any_month"] else quarter
    return lambda year: [made(year, number)]


def read_yearly(match: RuleMatch) -> DayName:
    """Read a year, or a month, season, quarter or holiday, which every year has."""
    return match.name(
        _each_year(match) if match.all("each_year", "ordinal") else lambda year: [year_days(year)]
    )


def read_yearly_from_now(match: RuleMatch) -> DayName:
    """Read "last May": the latest that has ended; "next": the first that has not begun."""
    which, today, in_year = match.numbers("any_which")[0], match.today, _each_year(match)

    def nearest() -> Days:
        years = range(max(today.year - 2, date.min.year), min(today.year + 2, date.max.year))
        result = [days for year in years for days in in_year(year)]
        if which < 0:
            return max(days for days in result if days[1] < today)
        if which > 0:
            return min(days for days in result if days[0] > today)
        return in_year(today.year)[-1]

    return match.fixed(nearest)


def read_weekday_of_week(match: RuleMatch) -> DayName:
    """Read "Tuesday of last week"."""
    steps, weekday = match.numbers("any_which")[0], match.numbers("any_weekday")[0]

    def one() -> Days:
        monday = shifted(week_of(match.today), 7 * steps)[0]
        return shifted((monday, monday), weekday)

    return match.fixed(one)


def read_weekday(match: RuleMatch) -> DayName:
    """Read "Monday" as the last up to today or the next, "last Monday" before it, "next Monday" after it."""
    (weekday,), today = match.numbers("any_weekday"), match.today
    which = next(iter(match.numbers("which", "this", "which_behind")), None)
    if which == 0:
        return read_weekday_of_week(match)
    if which == 1:
        ahead = (weekday - today.weekday() - 1) % 7 + 1
    elif which == -1:
        ahead = -((today.weekday() - weekday - 1) % 7 + 1)
    else:
        back = (today.weekday() - weekday) % 7
        return match.name(
            lambda _: [shifted((today, today), by) for by in (-back, 7 - back)], from_now=True
        )
    return match.fixed(lambda: shifted((today, today), ahead))


def read_stretch(match: RuleMatch) -> DayName:
    """Read "the last 10 days", up to today, and "the next 10 days"."""
    days = timedelta(days=match.count() * _UNIT_DAYS[match.unit()])
    if max(match.numbers("any_which"), default=-1) > 0:
        return match.fixed(lambda: (match.today, match.today + days))
    return match.fixed(lambda: (match.today - days, match.today))


def read_unit(match: RuleMatch) -> DayName:
    """Read "last week", "this year", "yesterday"."""
    steps = next(iter(match.numbers("any_which", "near_day")), -1)
    unit = "day" if match.all("near_day") else match.unit()
    return match.fixed(lambda: unit_around(match.today, unit, steps))


def read_ago(match: RuleMatch) -> DayName:
    """Read "two weeks ago": half a unit around it is meant."""
    unit = "day" if match.all("counted_day") else match.unit()
    days, slack = match.count() * _UNIT_DAYS[unit], timedelta(days=_UNIT_DAYS[unit] // 2)

    def around() -> Days:
        middle = match.today + timedelta(days=days if match.all("from_now", "within") else -days)
        return middle - slack, middle + slack

    return match.fixed(around)


def read_figures(match: RuleMatch) -> DayName:
    """Read a date in figures, in both orders where they are doubtful."""
    figures = cast("FigureDate", match.all("any_date")[0].value)

    def in_year(year: int) -> Sequence[Days]:
        return [
            (date(year, month, day), date(year, month, day)) if day else whole_month(year, month)
            for month, day in figures.places
        ]

    return replace(match.name(in_year), year=figures.year)


def read_year_of_some(match: RuleMatch) -> DayName:
    """Read "the 2023 trip", where 2023 is one of the years asked for: 2000 words are no year."""
    (named,) = match.numbers("year")
    name = match.name(lambda year: [year_days(year)] if year == named else [])
    return replace(name, year=None)


def read_counted_from(match: RuleMatch) -> DayName:
    """Read "two days before Christmas", "the week after Easter"."""
    other = cast("DayName", match.all("any_name")[0].value)
    unit = "day" if match.all("counted_day") else match.unit()
    before = bool(match.all("any_before"))
    counted, size = bool(match.all("count_or_day")), _UNIT_DAYS[unit]
    by, slack = match.count() * size, timedelta(days=size // 2)

    def one(days: Days) -> Days:
        near = days[0] if before else days[1]
        if counted:
            middle = near + timedelta(days=-by if before else by)
            return middle - slack, middle + slack
        if unit == "weekend":
            return unit_around(near, unit, -1 if before else int(near.weekday() > _FRIDAY))
        first = near + timedelta(days=-size if before else 1)
        return first, first + timedelta(days=size - 1)

    return _made_of(match, other, lambda year: [one(days) for days in other.in_year(year)])


def read_before_or_after(match: RuleMatch) -> DayName:
    """Read "the Sunday before 25 October": counted from that day instead of today."""
    name = cast("DayName", match.all("name_from_now")[0].value)
    other = cast("DayName", match.all("name")[0].value)
    counted_from = cast("Callable[[date], DayName]", name.counted_from)
    place = -1 if match.all("after") else 0

    def in_year(year: int) -> Sequence[Days]:
        return [counted_from(first).in_year(year)[place] for first, _ in other.in_year(year)]

    return _made_of(match, other, in_year)


def read_from_to(match: RuleMatch) -> DayName:
    """Read two names as a stretch: "28 April to 3 May 2024"."""
    begin, other = (cast("DayName", token.value) for token in match.all("any_name"))

    def in_year(year: int) -> Sequence[Days]:
        begins = begin.in_year(begin.year or year)
        ends = [days[1] for days in other.in_year(other.year or year)]
        if not (begins and ends):  # a year by itself is in no other
            return []
        first = begins[0][0]
        if first > ends[-1] and begin.year is None:
            first = begin.in_year(year - 1)[0][0]
        return [(first, min((end for end in ends if end >= first), default=ends[-1]))]

    return _made_of(match, other, in_year)


def read_since(match: RuleMatch) -> DayName:
    """Read "since March", up to today."""
    (token,) = match.all("any_name")
    other = cast("DayName", token.value)
    in_year = other.in_year
    return _made_of(match, other, lambda year: [(first, match.today) for first, _ in in_year(year)])


def _made_of(match: RuleMatch, other: DayName, in_year: Callable[[int], Sequence[Days]]) -> DayName:
    span = match.tokens[0].start, match.tokens[-1].end
    return DayName(in_year, *span, other.year, other.from_now)


_Reading: TypeAlias = Callable[[RuleMatch], DayName]
_Rules: TypeAlias = tuple[tuple[str, _Reading], ...]

_YEAR = "(?:of? (?:year|any_which years|years which_behind))"
_YEARLY = "(?:any_month|any_season|holiday|quarter_number|ordinal of? quarters)"
_COUNTED = "(?:any_count any_unit|counted_day)"
_LED = "(?<=lead_word)"
_DATED = "(?<=date_lead)"
# Regular expressions over kinds of tokens, by what they read; where two begin at one token, the first counts.
_NAMES: _Rules = (
    (f"between? any_day to any_day of? any_month {_YEAR}?", read_day),
    (f"between any_day and any_day of? any_month {_YEAR}?", read_day),
    (f"between? any_month any_day to any_day {_YEAR}?", read_day),
    (f"between any_month any_day and any_day {_YEAR}?", read_day),
    (f"any_weekday? (?:any_day of? any_month|any_month any_day) {_YEAR}?", read_day),
    (f"{_YEAR} (?:lead|of)? (?:any_month any_day|any_day of? any_month)", read_day),
    (f"(?:between|since)? any_month to any_month {_YEAR}", read_months),
    (f"between any_month (?:to|and) any_month {_YEAR}?|{_LED} any_month to any_month", read_months),
    (f"{_YEARLY} {_YEAR}|{_YEAR} (?:lead|of)? {_YEARLY}", read_yearly),
    ("which any_month (?!any_day)", read_yearly_from_now),
    ("(?:this|which_behind|which_week) (?:month|capital_month)", read_yearly_from_now),
    ("any_which (?:any_season|holiday)", read_yearly_from_now),
    ("(?:any_month|any_season|holiday) which_behind", read_yearly_from_now),
    ("month|season|holiday|quarter_number", read_yearly),
    (f"{_LED} (?:capital_month|small_month|weak_season (?!capital))", read_yearly),
    ("^(?:capital_month|weak_season) (?=mark*$)", read_yearly),
    ("any_which weeks lead? any_weekday|weeks which_behind any_weekday", read_weekday_of_week),
    ("any_weekday of? any_which weeks|any_weekday weeks which_behind", read_weekday_of_week),
    ("which_week any_weekday", read_weekday_of_week),
    ("(?:which|this|which_behind) any_weekday|any_weekday which_behind", read_weekday),
    (f"(?<!every) weekday|{_LED} short_weekday", read_weekday),
    ("(?:which|this|which_week|past) weekends", read_unit),
    ("(?:any_which|past) of? any_count any_unit", read_stretch),
    ("any_count which_behind any_unit|past any_unit", read_stretch),
    (f"{_COUNTED} (?:ago|from_now)|(?<!days_named) {_COUNTED} time_ago", read_ago),
    ("(?:ago|ago_or_before) any_count any_unit|within (?:figure|figures) any_unit", read_ago),
    ("any_which unit_but_days|unit_but_days which_behind", read_unit),
    ("near_day", read_unit),
    (f"any_weekday? date|{_DATED} (?:doubtful_date|pointed_date)", read_figures),
    ("(?<=any_date to) (?:doubtful_date|pointed_date)|^pointed_date (?=mark*$)", read_figures),
    (f"{_DATED} year|(?<=within) year|year (?=mark|$|to year)|(?<=year to) year", read_yearly),
    ("year", read_year_of_some),
)
_COMPOSED: _Rules = (
    ("any_count? any_unit border any_name", read_counted_from),
    (f"any_name (?:time_ago|from_now) {_COUNTED}", read_counted_from),
    (f"any_name {_COUNTED} (?:time_ago|from_now)", read_counted_from),
    ("name_from_now border name", read_before_or_after),
    ("(?:between|since)? any_name to any_name|between any_name and any_name", read_from_to),
    ("since any_name", read_since),
)
# In a pattern each kind of token is one character.
_CODES: dict[str, str] = {}
_KIND = re.compile("[a-z_]+")


def read_day_names(tokens: list[DayToken], today: date) -> list[DayName]:
    """Return the names of days among the tokens of a text."""
    single = _applied(_NAMES, tokens, today)
    composed = _applied(_COMPOSED, single, today)
    return [cast("DayName", token.value) for token in composed if token.kind in _GROUPS["any_name"]]


def _applied(rules: _Rules, tokens: list[DayToken], today: date) -> list[DayToken]:
    """Return the tokens with one of a name for those that a rule takes."""
    kinds = "".join([_code(token.kind) for token in tokens])
    result: list[DayToken] = []
    at = 0
    for match in _pattern(rules).finditer(kinds):
        read = rules[int(cast("str", match.lastgroup)[1:])][1]
        taken = tokens[match.start() : match.end()]
        result += tokens[at : match.start()]
        result.append(_named(read, taken, today))
        at = match.end()
    return result + tokens[at:]


def _named(read: _Reading, taken: Sequence[DayToken], today: date) -> DayToken:
    name = read(RuleMatch(taken, today))
    if name.from_now:
        name = replace(name, counted_from=lambda day: read(RuleMatch(taken, day)))
    return DayToken("name_from_now" if name.from_now else "name", name.start, name.end, name)


@cache
def _pattern(rules: _Rules) -> re.Pattern[str]:
    spelt = (_KIND.sub(_coded, pattern).replace(" ", "") for pattern, _ in rules)
    return re.compile("|".join(f"(?P<r{n}>{pattern})" for n, pattern in enumerate(spelt)))


def _coded(match: re.Match[str]) -> str:
    kinds = _GROUPS.get(match[0])
    return _code(match[0]) if kinds is None else f"[{''.join(map(_code, kinds))}]"


def _code(kind: str) -> str:
    return _CODES.setdefault(kind, chr(0xE000 + len(_CODES)))
