"""The story as it is told: every promise of the demo is kept by what was recorded."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memctl.base.errors import UsageError
from memctl_cli.commands.demo import show_story
from memctl_cli.demo import bundle
from memctl_cli.demo.talking import answered
from memctl_cli.demo.telling import Told, tell
from memctl_cli.output.console import Console
from tests.cli.calling import memctl_process
from tests.each import each


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    told = tell(tmp_path_factory.mktemp("demo"), progress=False)
    return replace(told, asked=answered(told.asked, told.home))


def asked(told: Told, command: str) -> Any:
    """Return what a command of the demo answers."""
    (data,) = [one.data for one in told.asked if f"--app harbor {command}" in one.command]
    return data


@each(
    ("shot", "act", "state", "note"),
    [
        ("invoices", "recognise", "invoices", ""),
        ("customers-scrolled", "recognise", "customers", ""),
        ("reports", "meet", None, ""),
        ("invoices-moved", "moved", "invoices", "New_invoice is now at 428,84"),
        ("dashboard-gone", "gone", "dashboard", "forgotten: Import_statement"),
    ],
)
def test_a_screen_is_taken_for_what_it_is(
    shot: str, act: str, state: str | None, note: str, told: Told
) -> None:
    one = next(one for one in told.scenes if (one.shot, one.act) == (shot, act))
    assert (one.state, one.note) == (state, note)


def test_the_way_is_planned_over_the_recorded_clicks_and_a_failed_one_lowers_its_chance(
    told: Told,
) -> None:
    assert told.way is not None
    first, second, third = told.way.steps
    assert [one.action for one in told.way.steps] == [
        "click:Sign_in",
        "click:Invoices",
        "click:Delete",
    ]
    assert second.probability < min(first.probability, third.probability)


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
    question = told.next["here"][-1].split('"')[3]
    with sqlite3.connect(told.store) as connection:
        assert len(connection.execute(question).fetchall()) == 8
    connection.close()


def test_what_was_said_is_a_turn_of_its_speaker(told: Told) -> None:
    assert {turn["speaker"] for turn in asked(told, "turns list")} == {"Mara", "Leo"}


def test_a_fact_that_changes_ends_the_older_one_and_says_so(told: Told) -> None:
    added, ended = asked(told, "memory history")
    assert (added["event"], ended["event"]) == ("ADD", "SUPERSEDE")
    assert "Marrow & Co" in ended["old_text"]


def test_a_question_brings_the_newer_fact_with_its_reasons(told: Told) -> None:
    (answer,) = asked(told, "recall")
    assert answer["text"] == "Harbor's company name is Marrow Studio"
    assert {"word:company", "word:name"} <= {term["term"] for term in answer["explain"]}


def test_the_walks_became_a_skill_whose_run_is_foreseen(told: Told) -> None:
    twin = asked(told, "skills run open-the-delete-dialog --dry-run")
    assert [step["words"] for step in twin["steps"]] == [
        "click Sign_in",
        "click Invoices",
        "click Delete",
    ]
    assert 0.5 < twin["probability"] < 1


def test_a_prompt_gets_the_rule_and_the_skill(told: Told) -> None:
    text = asked(told, "context")["text"]
    assert "Nobody deletes an invoice without asking Mara" in text
    assert "open-the-delete-dialog" in text


def test_people_read_the_answers_of_the_same_commands(
    told: Told, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in ("80", "40"):
        monkeypatch.setenv("COLUMNS", width)
        show_story(Console(), told)
    wide, narrow = capsys.readouterr().out.split("Harbor is a small invoicing app.")[1:]
    for one in told.asked:
        assert one.says in wide
        assert f"$ {one.command}" in wide
    assert "dashboard-gone      known" in wide
    assert "dashboard-gone: known" in narrow
    typed = [line for lines in told.next.values() for line in lines]
    drawn = [
        line
        for line in wide.splitlines()
        if not line.startswith(("$ ", "as a page", "the last", "- open", "- ["))
    ]
    assert max(len(line) for line in drawn if line.strip() not in typed) <= 80
    assert len(wide.splitlines()) < 120


def test_a_second_time_is_said_and_writes_nothing(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in Path(told.home).rglob("*.db")}
    again = tell(Path(told.home), progress=False)
    assert again.told_before
    assert (again.home, again.next, again.scenes) == (told.home, told.next, ())
    assert {path: path.stat().st_mtime_ns for path in before} == before
    show_story(Console(), again)
    assert "has the demo already" in capsys.readouterr().out


def test_beside_the_store_stand_screens_with_boxes_a_page_and_a_skill(told: Told) -> None:
    folder = Path(told.home) / "demo"
    for shot in bundle.shots():
        assert (folder / "screens" / f"{shot.name}.png").read_bytes() == shot.png
        boxes = json.loads((folder / "screens" / f"{shot.name}.json").read_text("utf-8"))
        assert boxes == shot.boxes_file()
    assert "Add guest" in (folder / "app" / "index.html").read_text("utf-8")
    assert json.loads((folder / "add-a-guest.json").read_text("utf-8"))["name"] == "add-a-guest"


@pytest.mark.parametrize("taken", ["demo/mine.txt", "apps/harbor.db"])
def test_a_home_with_something_of_those_names_is_left_alone(tmp_path: Path, taken: str) -> None:
    file = tmp_path / taken
    file.parent.mkdir()
    file.write_text("mine")
    with pytest.raises(UsageError, match="not the demo's"):
        tell(tmp_path, progress=False)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [file]


def test_a_file_is_no_home(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match="not a folder"):
        tell(tmp_path / "file", progress=False)


def test_it_is_kept_in_a_home_that_is_asked_for(told: Told) -> None:
    assert memctl_process("demo", "--home", told.home, "--json").data["told_before"]


def test_without_one_it_is_told_among_the_temporary_files_and_in_no_other_home(
    tmp_path: Path,
) -> None:
    own, temporary = tmp_path / "own", tmp_path / "temporary"
    temporary.mkdir()
    environment = {"MEMCTL_HOME": str(own), "TMPDIR": str(temporary)}
    with subprocess.Popen(
        [sys.executable, "-m", "memctl", "demo", "--json"],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
    ) as telling:
        while not list(temporary.glob("*/apps/harbor.db")):
            assert telling.poll() is None
            time.sleep(0.05)
        telling.kill()  # the rest of the story stands in the same home
    assert not own.exists()
