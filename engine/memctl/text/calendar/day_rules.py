"""Rules that read names of days: patterns over the kinds of tokens, and who reads their match.

The first step reads single names ("3 May", "last week"), the second what is counted or reaches
from them ("two days before", "from ... to"). The letters are those of `day_tokens`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

from memctl.text.calendar import day_readings as readings
from memctl.text.calendar.day_names import DayName, RuleMatch
from memctl.text.calendar.day_tokens import DayToken
from memctl.text.calendar.day_vocabulary import LEADS, UNITS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

__all__ = ["read_day_names"]

_Reading: TypeAlias = Callable[[RuleMatch], DayName]
_Rules: TypeAlias = tuple[tuple[str, _Reading], ...]

_DAY, _MON, _COUNT, _UNITS = "[9Oz]", "[Mmu]", "[89N]", f"[{''.join(UNITS)}]"
_YEAR = "f?(?:Y|[PTpQ]y|yp)"
_YEARLY = f"(?:{_MON}|[SsHx]|Of?q)"
_LED = f"(?<=[{LEADS}])"
_DATED = "(?<=[iGWBFV])"
# Patterns by what they read; where two begin at one token, the first counts.
_NAMES: _Rules = (
    (f"W?{_DAY}t{_DAY}f?{_MON}(?:{_YEAR})?|W{_DAY}&{_DAY}f?{_MON}(?:{_YEAR})?", readings.read_day),
    (f"W?{_MON}{_DAY}t{_DAY}(?:{_YEAR})?|W{_MON}{_DAY}&{_DAY}(?:{_YEAR})?", readings.read_day),
    (f"[Dd]?(?:{_DAY}f?{_MON}|{_MON}{_DAY})(?:{_YEAR})?", readings.read_day),
    (f"{_YEAR}[if]?(?:{_MON}{_DAY}|{_DAY}f?{_MON})", readings.read_day),
    (f"[WG]?{_MON}t{_MON}{_YEAR}|W{_MON}[t&]{_MON}(?:{_YEAR})?", readings.read_months),
    (f"{_LED}{_MON}t{_MON}", readings.read_months),
    (f"{_YEARLY}{_YEAR}|{_YEAR}[if]?{_YEARLY}", readings.read_yearly),
    (f"P{_MON}(?!{_DAY})|[TpQ][Mm]|[PTpQ][SsH]|(?:{_MON}|[SsH])p", readings.read_yearly_from_now),
    (f"[MSHx]|{_LED}(?:[mu]|s(?!C))|^[ms](?=[.]*$)", readings.read_yearly),
    ("[PTpQ]wi?[Dd]|wp[Dd]|[Dd]f?[PTpQ]w|[Dd]wp|Q[Dd]", readings.read_weekday_of_week),
    (f"[PTp][Dd]|[Dd]p|(?<![*])D|{_LED}d", readings.read_weekday),
    ("[PTQJ]k", readings.read_unit),
    (f"[PTpJQ]f?{_COUNT}{_UNITS}|{_COUNT}p{_UNITS}|J{_UNITS}", readings.read_stretch),
    (f"(?:{_COUNT}{_UNITS}|z)[An]|(?<![HMDRX])(?:{_COUNT}{_UNITS}|z)v", readings.read_ago),
    (f"[AV]{_COUNT}{_UNITS}|I[89]{_UNITS}", readings.read_ago),
    ("[PTQp][wkhqy]|[wkhqy]p", readings.read_unit),
    ("R", readings.read_near_day),
    (f"[Dd]?X|{_DATED}[eg]|(?<=[egX]t)[eg]|^g(?=[.]*$)", readings.read_figures),
    (f"{_DATED}Y|(?<=I)Y|Y(?=[.]|$|tY)|(?<=Yt)Y", readings.read_year),
    ("Y", readings.read_year_of_some),
)
_COMPOSED: _Rules = (
    (f"{_COUNT}?{_UNITS}[BVF][E@]", readings.read_counted_from),
    (f"[E@](?:[vn](?:{_COUNT}{_UNITS}|z)|(?:{_COUNT}{_UNITS}|z)[vn])", readings.read_counted_from),
    ("@[BVF]E", readings.read_before_or_after),
    ("[WG]?[E@]t[E@]|W[E@]&[E@]", readings.read_from_to),
    ("G[E@]", readings.read_since),
)


def read_day_names(tokens: list[DayToken], today: date) -> list[DayName]:
    """Return the names of days among the tokens of a text."""
    single = _applied(_NAMES, tokens, today)
    composed = _applied(_COMPOSED, single, today)
    return [cast("DayName", token.value) for token in composed if token.kind in "E@"]


def _applied(rules: _Rules, tokens: list[DayToken], today: date) -> list[DayToken]:
    """Return the tokens with one of kind E for those that a rule takes."""
    kinds = "".join(token.kind for token in tokens)
    found: list[DayToken] = []
    at = 0
    for match in _pattern(rules).finditer(kinds):
        read = rules[int(cast("str", match.lastgroup)[1:])][1]
        taken = tokens[match.start() : match.end()]
        found += tokens[at : match.start()]
        found.append(_named(read, taken, today))
        at = match.end()
    return found + tokens[at:]


def _named(read: _Reading, taken: Sequence[DayToken], today: date) -> DayToken:
    name = read(RuleMatch(taken, today))
    if name.from_now:
        name = replace(name, counted_from=lambda day: read(RuleMatch(taken, day)))
    return DayToken("@" if name.from_now else "E", name.start, name.end, name)


@cache
def _pattern(rules: _Rules) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<r{n}>{pattern})" for n, (pattern, _) in enumerate(rules)))
