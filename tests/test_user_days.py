"""Whatever names a day names the user's: listings, files, views, reports, dreams, facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import UsageError
from memctl_cli import main
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory

# 23:30 of the 24th in Los Angeles, where the clock goes back on 1 November.
LATE, NEXT = "2026-11-25T07:30:00Z", "2026-11-25T08:30:00Z"


@pytest.fixture
def angeles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A memory of somebody in Los Angeles, half an hour past midnight."""
    monkeypatch.setenv("MEMCTL_NOW", NEXT)
    monkeypatch.setenv("MEMCTL_HOME", str(tmp_path / "home"))
    with memctl.open("agent", tmp_path / "home") as memory:
        memory.settings.set("timezone", "America/Los_Angeles")
        yield memory


def test_an_export_is_named_by_the_users_days(angeles: Memory, tmp_path: Path) -> None:
    angeles.remember("Moved to the new office", happened_at=LATE)
    angeles.remember("Halloween", happened_at="2026-11-01T06:00:00Z")
    for layout in ("openclaw", "memoryclaw", "markdown"):
        angeles.export_to(tmp_path / layout, layout)
    names = {file.name for file in tmp_path.rglob("*.md")}
    assert {"2026-11-24.md", "2026-10-31.md", "2026-10.md", "2026-11.md"} <= names
    assert any(name.startswith("2026-11-24_23-30-00") for name in names)


@pytest.mark.parametrize(("layout", "name"), [("jsonl", "out.jsonl"), ("markdown", "out")])
def test_an_export_brings_offsets_back(layout: str, name: str, tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path / "one") as memory:
        memory.log("The boat leaks", logged_at="2026-11-24T23:30:00-08:00")
        memory.export_to(tmp_path / name, layout)
    with memctl.open("agent", tmp_path / "two") as other:
        other.import_from(tmp_path / name)
        (turn,) = other.turns.list()
    assert (turn.logged_at, turn.utc_offset) == (LATE, -480)


def test_a_list_shows_the_users_day(angeles: Memory, capfd: pytest.CaptureFixture[str]) -> None:
    angeles.log("The boat leaks", logged_at=LATE)
    angeles.close()
    with pytest.raises(SystemExit):
        main(["turns", "list"])
    assert "2026-11-24" in capfd.readouterr().out


def test_the_timeline_of_the_palace_has_the_users_days(angeles: Memory) -> None:
    angeles.remember("Moved to the new office", happened_at=LATE)
    assert "- 2026-11-24: Moved" in angeles.dream.palace("timeline")


def test_a_report_counts_by_the_users_day(angeles: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    angeles.log("The boat leaks")
    monkeypatch.setenv("MEMCTL_NOW", LATE)
    angeles.log("The boat floats")
    angeles.recall("boat")
    monkeypatch.setenv("MEMCTL_NOW", NEXT)
    rows = angeles.report("growth").answer("rows_per_day").records()
    assert {row["day"] for row in rows if row["table"] == "log"} == {"2026-11-24", "2026-11-25"}
    asked = angeles.report("recall").answer("latency").records()
    assert [row["day"] for row in asked] == [None, "2026-11-24"]
    assert not angeles.report("growth", since="2026-11-26").answer("rows_per_day").rows


def test_a_turn_without_a_session_belongs_to_the_thread_of_the_users_day(angeles: Memory) -> None:
    turn = angeles.turns.get(angeles.log("The boat leaks", logged_at=LATE))
    assert (turn.session, turn.utc_offset) == ("2026-11-24", -480)


def test_what_is_said_at_night_spaces_a_dream_by_the_users_days(angeles: Memory) -> None:
    for session, at in enumerate((LATE, "2026-11-25T07:45:00Z", NEXT)):
        angeles.log(f"Hello number {session}.", session=f"s{session}", logged_at=at)
        angeles.log("I always prefer tea to coffee.", session=f"s{session}", logged_at=at)
    angeles.dream.run(apply=True)
    days = angeles.store.rows("select distinct day from dream_signal order by day")
    assert [row[0] for row in days] == ["2026-11-24", "2026-11-25"]


@each("said_at", [LATE, "2026-11-24T23:30:00-08:00", "2026-11-24T23:30"])
def test_tomorrow_is_the_day_after_the_users(said_at: str, angeles: Memory) -> None:
    (fact,) = angeles.extract("I have to renew my passport tomorrow.", said_at=said_at).facts
    assert "2026-11-25" in fact.text
    assert fact.said_at == LATE


def test_a_fact_that_lasts_through_a_day_ends_with_the_users(angeles: Memory) -> None:
    angeles.facts.store("The lift is out of order", expires_at="2026-11-25")
    (fact,) = angeles.facts.list()
    assert fact.expires_at == "2026-11-26T08:00:00Z"


def test_the_day_is_computed_by_plain_sqlite_too(angeles: Memory) -> None:
    angeles.remember("Moved to the new office", happened_at=LATE)
    day = angeles.store.value("select date(happened_at, utc_offset || ' minutes') from episode")
    assert day == "2026-11-24"


def test_what_happened_lately_is_of_the_users_yesterday(angeles: Memory) -> None:
    angeles.remember("Moved to the new office", happened_at="2026-11-24T08:00:00Z")  # its midnight
    angeles.remember("Packed", happened_at="2026-11-24T07:59:59Z")
    assert [one.summary for one in angeles.sessions.start("s").episodes] == [
        "Moved to the new office"
    ]


def test_a_zone_that_does_not_exist_is_refused_with_near_names(angeles: Memory) -> None:
    with pytest.raises(UsageError) as refused:
        angeles.settings.set("timezone", "Asia/Tokio")
    assert "Asia/Tokyo" in refused.value.hint
    assert angeles.settings["timezone"] == "America/Los_Angeles"


def test_a_zone_that_does_not_exist_is_refused_where_a_variable_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_TIMEZONE", "Asia/Tokio")
    with memctl.open("agent", tmp_path) as memory, pytest.raises(UsageError) as refused:
        memory.log("The boat leaks")
    assert "Asia/Tokyo" in refused.value.hint


def test_a_page_of_reports_and_a_list_of_stores_show_the_users_clock(
    angeles: Memory, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    angeles.log("The boat leaks")
    angeles.recall("boat")
    angeles.close()
    for arguments in (
        ["report", "growth", "--html", str(tmp_path / "page.html")],
        ["recalls", "list"],
    ):
        with pytest.raises(SystemExit):
            main(arguments)
    assert "made 2026-11-25 00:30<" in (tmp_path / "page.html").read_text().replace(" </", "<")
    assert "2026-11-25T00:30:00-08:00" in capfd.readouterr().out
