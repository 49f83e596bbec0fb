"""The user's zone: the day of a moment, and the moment of a day or a clock time.

Moments are kept in UTC; days are the user's. Everything that asks "which day is it?" asks here.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import NamedTuple

from memctl.base import clock
from memctl.base.clock import When
from memctl.base.errors import UsageError
from memctl.base.near_words import near_words

_DAY = len("2026-11-20")
_KEPT = len("2026-11-20T09:30:00Z")
_MINUTE = timedelta(minutes=1)


class ToldTime(NamedTuple):
    """A time as somebody gave it."""

    at: str  # as it is kept, in UTC
    offset: int | None  # minutes that its clock is ahead of UTC, where that is known


@dataclass(frozen=True, slots=True)
class UserZone:
    """The zone whose days are the user's; raises UsageError where there is none of its name."""

    # Of the IANA database; empty for the zone of this machine. Where that is UTC, as on servers, it
    # is not its user's: then each moment is of the day in the offset that came with it.
    name: str = ""
    asked_in: int = 0  # minutes: the offset of moments that came without one, of whoever asks

    def __post_init__(self) -> None:
        if wrong := unknown_zone(self.name):
            raise UsageError(f'there is no time zone "{self.name}"', hint=f"it takes {wrong}")

    @property
    def known(self) -> bool:
        """Whether a setting or this machine has the user's zone."""
        return bool(self.name) or _machine_has_zone()

    def local(self, moment: str, offset: int | None = None) -> str:
        """Return a moment as the user's clock shows it: its first ten characters are its day.

        `offset` is the one that came with it, in minutes, where that is known.
        """
        minutes = self.asked_in if offset is None else offset
        if (
            len(moment) == _KEPT
            and moment[_DAY] + moment[-1] == "TZ"
            and not (minutes or self.known)
        ):
            return moment  # as it is kept: in UTC
        try:
            at = datetime.fromisoformat(moment)
            at = at if at.tzinfo else at.replace(tzinfo=UTC)
            return _text(at.astimezone(self._zone(offset)))
        except (ValueError, OverflowError):  # typed by hand, or the first or last day that there is
            return moment

    def day(self, moment: str, offset: int | None = None) -> str:
        """Return the user's day of a moment, ``2026-11-20``; see `local`."""
        return self.local(moment, offset)[:_DAY]

    def now(self) -> str:
        """Return this moment as the user's clock shows it."""
        told = clock.told_now()
        return self.asking(told).local(told)

    def today(self) -> date:
        """Return the day that it is for the user."""
        return date.fromisoformat(self.now()[:_DAY])

    def begin(self, moment: str) -> str:
        """Return when the user's day of a moment began, as it is kept."""
        return self.told(self.day(moment)).at

    def asking(self, now: When) -> UserZone:
        """Return this zone for a question that is asked at a moment, in the offset of that."""
        return self if self.known else replace(self, asked_in=self.told(now).offset or 0)

    def told(self, when: When, *, what: str = "time", last: bool = False) -> ToldTime:
        """Read a time; without an offset it is one of the user's clock.

        A bare day is its first moment, or its `last` second. Raises UsageError, with the name
        `what`, when it is no time.
        """
        text = clock.as_text(when)
        at = clock.parse_time(text, what=what)  # refuses what is no time
        moment = datetime.fromisoformat(text.strip())
        try:
            if moment.tzinfo is None:
                if last and is_bare_day(text):
                    moment = moment.replace(hour=23, minute=59, second=59)
                zone = self._zone(None)
                moment = moment.replace(tzinfo=zone) if zone else moment.astimezone()
                at = _text(moment.astimezone(UTC))
            offset = _offset_of(moment)
            if not offset and self.known:
                offset = _offset_of(moment.astimezone(self._zone(None))) or 0
        except (ValueError, OverflowError):
            offset = None
        return ToldTime(at, offset)

    def _zone(self, offset: int | None) -> tzinfo | None:
        """Return the zone of a moment; ``None`` is this machine's, as `datetime` has it."""
        if self.name:
            from zoneinfo import ZoneInfo

            return ZoneInfo(self.name)
        if _machine_has_zone():
            return None
        return timezone(timedelta(minutes=self.asked_in if offset is None else offset))


def is_bare_day(text: str) -> bool:
    """Return whether a time is a day without an hour."""
    return len(text.strip()) <= _DAY


def unknown_zone(name: str) -> str:
    """Return the hint for a name that is no time zone; empty where it is one, or empty."""
    if not name:
        return ""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        known = sorted(available_timezones())
        if not known:
            return "a name of the IANA database, which this machine lacks: install tzdata"
        cities = {zone.rpartition("/")[2]: zone for zone in known}
        near = [*near_words(name, known), *(cities[one] for one in near_words(name, cities))]
        return f"a name of the IANA database: {', '.join(dict.fromkeys(near or ['Asia/Tokyo']))}"
    return ""


def _machine_has_zone() -> bool:
    """Return whether this machine is set to another zone than UTC."""
    return bool(time.timezone or time.daylight)


def _offset_of(moment: datetime) -> int | None:
    """Return the minutes that a moment's clock is ahead of UTC; ``None`` for UTC itself."""
    offset = moment.utcoffset()
    return offset // _MINUTE if offset else None


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
