"""Which day a moment is of, and which moment a day or a clock time is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.errors import UsageError
from memctl.base.user_zone import ToldTime, UserZone
from tests.each import each

if TYPE_CHECKING:
    from datetime import datetime

ZONES = ("America/Los_Angeles", "Asia/Kolkata", "Asia/Tokyo", "Pacific/Auckland")


@each(
    ("zone", "moment", "local"),
    [
        ("Asia/Kolkata", "2026-11-20T18:29:59Z", "2026-11-20T23:59:59+05:30"),
        ("Asia/Kolkata", "2026-11-20T18:30:00Z", "2026-11-21T00:00:00+05:30"),
        ("Asia/Tokyo", "2026-11-20T15:00:00Z", "2026-11-21T00:00:00+09:00"),
        # The clock goes back at 2 in the night of 1 November, and forward on 8 March.
        ("America/Los_Angeles", "2026-11-01T06:59:59Z", "2026-10-31T23:59:59-07:00"),
        ("America/Los_Angeles", "2026-11-02T07:30:00Z", "2026-11-01T23:30:00-08:00"),
        ("America/Los_Angeles", "2026-03-09T06:30:00Z", "2026-03-08T23:30:00-07:00"),
        # Here it goes forward on 27 September, and back on 5 April.
        ("Pacific/Auckland", "2026-09-26T11:59:59Z", "2026-09-26T23:59:59+12:00"),
        ("Pacific/Auckland", "2026-09-27T11:00:00Z", "2026-09-28T00:00:00+13:00"),
        ("Pacific/Auckland", "2026-04-05T11:59:59Z", "2026-04-05T23:59:59+12:00"),
    ],
)
def test_a_moment_is_shown_as_the_users_clock_did(zone: str, moment: str, local: str) -> None:
    assert UserZone(zone).local(moment) == local


@each(
    ("zone", "day", "begins", "ends"),
    [
        ("America/Los_Angeles", "2026-11-01", "2026-11-01T07:00:00Z", "2026-11-02T07:59:59Z"),
        ("America/Los_Angeles", "2026-03-08", "2026-03-08T08:00:00Z", "2026-03-09T06:59:59Z"),
        ("Pacific/Auckland", "2026-09-27", "2026-09-26T12:00:00Z", "2026-09-27T10:59:59Z"),
        ("Asia/Kolkata", "2026-11-20", "2026-11-19T18:30:00Z", "2026-11-20T18:29:59Z"),
    ],
)
def test_a_day_lasts_from_midnight_to_midnight_of_its_zone(
    zone: str, day: str, begins: str, ends: str
) -> None:
    user = UserZone(zone)
    assert (user.told(day).at, user.told(day, last=True).at) == (begins, ends)


@each(
    ("zone", "text", "told"),
    [
        ("", "2026-11-20T23:30:00-08:00", ToldTime("2026-11-21T07:30:00Z", -480)),
        ("", "2026-11-20T23:30:00Z", ToldTime("2026-11-20T23:30:00Z", None)),
        ("", "2026-11-20T23:30", ToldTime("2026-11-20T23:30:00Z", None)),
        ("Asia/Kolkata", "2026-11-20T23:30", ToldTime("2026-11-20T18:00:00Z", 330)),
        ("Asia/Kolkata", "2026-11-20T23:30:00Z", ToldTime("2026-11-20T23:30:00Z", 330)),
        ("Asia/Kolkata", "2026-11-20T23:30:00-08:00", ToldTime("2026-11-21T07:30:00Z", -480)),
    ],
)
def test_a_time_keeps_the_offset_that_it_is_told_in(zone: str, text: str, told: ToldTime) -> None:
    assert UserZone(zone).told(text) == told


@each(
    ("name", "near"),
    [
        ("Asia/Tokio", "Asia/Tokyo"),
        ("Kolkata", "Asia/Kolkata"),
        ("america/los_angeles", "America/Los_Angeles"),
        ("America", "America/"),
        ("../../etc/passwd", "Asia/Tokyo"),
        ("+09:00", "Asia/Tokyo"),
    ],
)
def test_a_name_of_no_zone_is_refused_with_names_that_are_near(name: str, near: str) -> None:
    with pytest.raises(UsageError, match="no time zone") as refused:
        UserZone(name)
    assert near in refused.value.hint


@given(st.datetimes(), st.sampled_from(ZONES))
def test_the_day_of_any_moment_begins_at_or_before_it(moment: datetime, zone: str) -> None:
    at = moment.isoformat(timespec="seconds") + "Z"
    assert UserZone(zone).begin(at) <= at or at[:4] in {"0001", "9999"}
