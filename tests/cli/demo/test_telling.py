"""The story as it is told: every promise of the demo is kept by what was recorded."""

from __future__ import annotations

import os
import re
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memctl.base.errors import UsageError
from memctl_cli.demo.telling import Scene, Told, tell


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(tmp_path_factory.mktemp("demo"), progress=False)


def scene(told: Told, shot: str, act: str) -> Scene:
    return next(one for one in told.scenes if (one.shot, one.act) == (shot, act))


def test_a_screen_seen_before_is_recognised(told: Told) -> None:
    assert scene(told, "invoices", "recognise").state == "invoices"


def test_a_scrolled_page_is_the_same_page(told: Told) -> None:
    assert scene(told, "customers-scrolled", "recognise").state == "customers"


def test_every_recognised_screen_is_one_that_was_learned(told: Told) -> None:
    learned = {one.state for one in told.scenes if one.act == "learn"}
    assert {one.state for one in told.scenes if one.act == "recognise"} <= learned


def test_a_screen_never_seen_is_not_taken_for_another(told: Told) -> None:
    assert scene(told, "reports", "meet").state is None


def test_a_button_that_moved_is_found_where_it_is_now(told: Told) -> None:
    assert scene(told, "invoices-moved", "moved").note == "New_invoice found at 428,84, by hash"


def test_a_component_that_is_gone_is_forgotten(told: Told) -> None:
    assert scene(told, "dashboard-gone", "gone").note == "forgotten: Import_statement"


def test_the_way_is_planned_over_the_recorded_clicks(told: Told) -> None:
    assert [step.action for step in told.way.steps] == [
        "click:Sign_in",
        "click:Invoices",
        "click:Delete",
    ]


def test_a_failed_walk_lowers_the_chance_of_its_step(told: Told) -> None:
    first, second, third = (step.probability for step in told.way.steps)
    assert second < min(first, third)


def test_the_last_screen_is_drawn_as_a_png(told: Told) -> None:
    assert Path(told.picture).read_bytes().startswith(b"\x89PNG")


def test_the_story_ends_with_a_page_about_everything(told: Told) -> None:
    page = Path(told.page).read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    names = re.findall(r'class="title"[^>]*>([^<]+)</text>', page)
    assert {"login", "dashboard", "invoices", "delete-dialog"} <= set(names)
    assert "Most used path: login → dashboard → invoices → delete-dialog" in page
    plots = set(re.findall(r'id="([\w-]+)-title">(?=[^<]* )', page))
    assert {"survival-all", "growth", "time-per-screen", "latency-1", "drift-1"} <= plots


def test_the_story_is_spread_over_a_fortnight_that_ends_now(told: Told) -> None:
    with sqlite3.connect(told.store) as connection:
        days, first, last = connection.execute(
            "select count(distinct date(observed_at)), min(observed_at), max(observed_at)"
            " from observation"
        ).fetchone()
        asked = connection.execute("select count(*) from recall").fetchone()[0]
    connection.close()
    spread = datetime.fromisoformat(last) - datetime.fromisoformat(first)
    assert days >= 12
    assert timedelta(days=13) < spread < timedelta(days=14)
    assert asked >= 20


def test_the_clock_goes_on_after_the_story(told: Told) -> None:
    assert told.store
    assert "MEMCTL_NOW" not in os.environ


def test_the_sqlite_line_that_is_printed_can_be_asked(told: Told) -> None:
    question = told.sql.split('"')[3]
    with sqlite3.connect(told.store) as connection:
        assert len(connection.execute(question).fetchall()) == 8
    connection.close()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    with pytest.raises(UsageError, match="not an empty folder"):
        tell(tmp_path, progress=False)
