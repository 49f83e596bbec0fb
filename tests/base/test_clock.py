"""One clock, one shape of time: text that sorts as it happened."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.clock import now, parse_time
from memctl.base.errors import UsageError
from tests.each import each

SHAPE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


def test_now_is_this_moment_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    before = datetime.now(UTC).replace(microsecond=0)
    shown = now()
    assert SHAPE.fullmatch(shown)
    assert before <= datetime.fromisoformat(shown) <= datetime.now(UTC)


def test_memctl_now_stops_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T17:33:04+01:00")
    assert now() == "2026-11-20T16:33:04Z"


def test_a_bad_memctl_now_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "yesterday")
    with pytest.raises(UsageError, match='MEMCTL_NOW "yesterday" is not an ISO-8601 time'):
        now()


@each(
    ("text", "stored"),
    [
        ("2026-11-20", "2026-11-20T00:00:00Z"),
        ("2026-11-20 16:33", "2026-11-20T16:33:00Z"),
        ("2026-11-20T16:33:04.999999Z", "2026-11-20T16:33:04Z"),
        ("2026-11-20T16:33:04+05:30", "2026-11-20T11:03:04Z"),
        (" 2026-11-20T16:33:04Z ", "2026-11-20T16:33:04Z"),
        ("0999-01-02", "0999-01-02T00:00:00Z"),
    ],
)
def test_any_iso_time_is_read_as_the_stored_shape(text: str, stored: str) -> None:
    assert parse_time(text) == stored


@each(
    "text",
    [
        "",
        "now",
        "2026-13-01",
        "2026-02-30",
        "20:15",
        "1763656384",
        "0001-01-01T00:00+23:00",
        "9999-12-31T23:59-01:00",
        "2026-11-20T16:33:04Zz",
        "�",
    ],
)
def test_what_is_no_time_is_refused_by_name(text: str) -> None:
    with pytest.raises(UsageError, match="happened_at"):
        parse_time(text, what="happened_at")


zones = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001 - the zone is drawn apart
    max_value=datetime(9998, 1, 1),  # noqa: DTZ001 - likewise
    timezones=zones,
)


@given(st.lists(moments, min_size=2, max_size=5))
def test_times_sort_as_text_as_they_sort_in_time(drawn: list[datetime]) -> None:
    stored = [parse_time(moment.isoformat()) for moment in drawn]
    assert all(SHAPE.fullmatch(text) for text in stored)
    whole = [moment.astimezone(UTC).replace(microsecond=0) for moment in drawn]
    assert [datetime.fromisoformat(text) for text in stored] == whole
    assert [datetime.fromisoformat(text) for text in sorted(stored)] == sorted(whole)
