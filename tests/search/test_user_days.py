"""Days in a question are the user's: what was said when, and asked when, by their own clock."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

import pytest

import memctl
from tests.processes import python

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


class Asked(NamedTuple):
    """A question, the clock when it is asked, and what answers: days before, and an hour if one."""

    text: str
    clock: str
    first: int
    last: int
    hour: int | None = None


# A Thursday, and the days after a clock change: an hour more, an hour less, an hour more.
TODAY = {
    "Asia/Kolkata": date(2026, 11, 26),
    "Asia/Tokyo": date(2026, 11, 25),
    "America/Los_Angeles": date(2026, 11, 2),
    "Pacific/Auckland": date(2026, 9, 28),
    "Europe/Berlin": date(2026, 10, 26),
}
QUESTIONS = [
    Asked("What about the boat yesterday?", "00:20", 1, 1),
    Asked("What about the boat today?", "23:45", 0, 0),
    Asked("What did I do on the boat this morning?", "20:00", 0, 0, 8),
    Asked("What was it with the boat last night?", "09:00", 1, 1, 23),
    Asked("What about the boat 3 days ago?", "23:50", 3, 3),
    Asked("What about the boat on {day}?", "00:05", 2, 2),
    Asked("What about the boat on {weekday}?", "23:55", 4, 4),
    Asked("What about the boat last week?", "12:00", 7, 7),
]
HOURS = ("00:10", "08:30", "23:30")


def at(zone: str, day: date, clock: str) -> datetime:
    return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=ZoneInfo(zone))


def sail(memory: Memory, zone: str, now: datetime, *, told: bool) -> None:
    """Log the same words at three hours of each of fifteen days, up to now."""
    for day in (TODAY[zone] - timedelta(days=before) for before in range(15, -1, -1)):
        for clock in HOURS:
            said = at(zone, day, clock)
            if said <= now:
                kept = said if told else said.astimezone(ZoneInfo("UTC"))
                memory.log("Worked on the boat", session="boat", logged_at=kept)


# Every question in two of the zones, which is known by the setting and by the offset told in turn.
@pytest.mark.parametrize(
    ("asked", "zone", "told"),
    [
        (asked, zone, bool((at_question + at_zone) % 2))
        for at_question, asked in enumerate(QUESTIONS)
        for at_zone, zone in enumerate(TODAY)
        if (at_question + at_zone) % 5 in {0, 3}
    ],
)
def test_what_was_said_on_a_day_of_the_users_is_found(
    asked: Asked, zone: str, *, told: bool, tmp_path: Path
) -> None:
    today = TODAY[zone]
    now = at(zone, today, asked.clock)
    days = [today - timedelta(days=before) for before in (asked.first, asked.last)]
    if "last week" in asked.text:
        monday = today - timedelta(days=today.weekday())
        days = [monday - timedelta(days=7), monday - timedelta(days=1)]
    question = asked.text.format(day=days[0], weekday=f"{days[0]:%A}")
    settings = {} if told else {"timezone": zone}
    with memctl.open("agent", tmp_path, settings=settings) as memory:
        sail(memory, zone, now, told=told)
        moment = now if told else now.astimezone(ZoneInfo("UTC"))
        found = memory.recall(question, now=moment, limit=3 if asked.hour is None else 1)
    local = [datetime.fromisoformat(row.happened_at).astimezone(ZoneInfo(zone)) for row in found]
    assert len(local) == (3 if asked.hour is None else 1)
    assert all(days[0] <= one.date() <= days[1] for one in local)
    assert asked.hour is None or local[0].hour == asked.hour
    assert [row.day for row in found] == [str(one.date()) for one in local]


def test_a_setting_wins_over_the_offset_that_is_told(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, settings={"timezone": "Asia/Tokyo"}) as memory:
        memory.log("The boat leaks", logged_at="2026-11-24T20:00:00-08:00")  # the 25th in Tokyo
        (row,) = memory.recall("boat yesterday", now="2026-11-26T09:00:00+09:00")
    assert row.day == "2026-11-25"
    assert "date" in {term.term for term in row.explain}


@pytest.mark.parametrize(
    ("machine", "setting", "day"),
    [
        ("Asia/Tokyo", "", "2026-11-26"),
        ("Asia/Tokyo", "America/Los_Angeles", "2026-11-25"),
        ("UTC", "", "2026-11-25"),
        ("Asia/Kolkata", "", "2026-11-26"),
    ],
)
def test_where_no_setting_says_it_the_zone_is_the_machines(
    machine: str, setting: str, day: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", machine)
    monkeypatch.setenv("MEMCTL_TIMEZONE", setting)
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-25T19:00:00Z")
    script = """
        import sys, memctl
        with memctl.open("agent", sys.argv[1]) as memory:
            memory.log("The boat leaks")
            print(memory.recall("boat today")[0].day)
    """
    assert python(script, tmp_path) == day


def test_of_a_clock_that_jumps_back_each_turn_keeps_the_day_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memctl.open("agent", tmp_path, settings={"timezone": "Pacific/Auckland"}) as memory:
        monkeypatch.setenv("MEMCTL_NOW", "2026-11-26T00:30:00+13:00")
        memory.log("The boat sank", session="s")
        monkeypatch.setenv("MEMCTL_NOW", "2026-11-25T23:50:00+13:00")
        memory.log("The boat floats", session="s")
        assert memory.recall("boat today")[0].text == "The boat floats"


def test_an_offset_that_the_stopped_clock_tells_is_the_users(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-24T23:30:00-08:00")
    memory.log("The boat leaks")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-25T00:30:00-08:00")
    (row,) = memory.recall("boat yesterday")
    assert (row.day, row.thread) == ("2026-11-24", "2026-11-24")


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        ({"since": "2026-11-25"}, ["late", "next"]),
        ({"until": "2026-11-25"}, ["before", "late"]),
        ({"since": date(2026, 11, 25), "until": date(2026, 11, 25)}, ["late"]),
        ({"as_of": "2026-11-24"}, ["before"]),
        ({"since": "2026-11-25T23:00"}, ["late", "next"]),
    ],
)
def test_a_bare_day_and_a_clock_time_are_the_users(
    limits: dict[str, str | date], found: list[str], tmp_path: Path
) -> None:
    with memctl.open("agent", tmp_path, settings={"timezone": "Asia/Kolkata"}) as memory:
        for text, when in (
            ("before", "2026-11-24T23:59"),
            ("late", "2026-11-25T23:30"),
            ("next", "2026-11-26T00:00"),
        ):
            memory.log(f"The boat, {text}", session="s", logged_at=when)
        rows = memory.recall("boat", **limits)  # type: ignore[arg-type]
    assert sorted(row.text.split()[-1] for row in rows) == found
