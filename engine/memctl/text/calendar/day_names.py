"""A name of days in a text, and the tokens that it is read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from memctl.text.calendar.day_vocabulary import UNITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from memctl.text.calendar.calendar_days import Days
    from memctl.text.calendar.day_tokens import DayToken

__all__ = ["DayName", "RuleMatch"]


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
            return [(one, other) for one, other in self.in_year(self.year or year) if one <= other]
        except (ValueError, OverflowError):
            return ()


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """The tokens that a rule takes, and the day that "today" is."""

    tokens: Sequence[DayToken]
    today: date

    def all(self, kinds: str) -> list[DayToken]:
        """Return the tokens of some kinds."""
        return [token for token in self.tokens if token.kind in kinds]

    def numbers(self, kinds: str) -> list[int]:
        """Return the values of the tokens of some kinds."""
        return [cast("int", token.value) for token in self.all(kinds)]

    def unit(self) -> str:
        """Return the unit of time that is named."""
        return next(UNITS[token.kind] for token in self.tokens if token.kind in UNITS)

    def count(self) -> int:
        """Return how many units are named: 1 where no number stands."""
        return next(iter(self.numbers("89NOz")), 1)

    def year(self) -> int | None:
        """Return the year that is named, "last year" counted from today."""
        named = self.numbers("Y")
        if named:
            return named[0]
        which = self.numbers("PTpQ") if self.all("y") else []
        return self.today.year + which[0] if which else None

    def name(self, in_year: Callable[[int], Sequence[Days]], *, from_now: bool = False) -> DayName:
        """Return the name of days that stands at these tokens."""
        year = None if from_now else self.year()
        return DayName(in_year, self.tokens[0].start, self.tokens[-1].end, year, from_now)

    def fixed(self, make: Callable[[], Days]) -> DayName:
        """Return the name of days that are counted from today."""
        return self.name(lambda _: [make()], from_now=True)
