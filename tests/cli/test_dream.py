"""``memctl dream``, as the shell sees it."""

from __future__ import annotations

import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

AT_WORK = "select * from dream_run where report <> '{}'"
ORDER = "Always answer me in German when I ask about contracts."


@pytest.fixture
def told(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "80")
    run("log", ORDER, "--session", "one")
    run("log", "I moved to Porto with my sister and her two dogs last year.", "--session", "two")
    return run


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "--apply"),
        ("status",),
        ("candidates",),
        ("explain", "Porto"),
        ("decay",),
        ("tidy",),
        ("verify",),
        ("sublimate",),
    ],
)
def test_what_a_dream_prints_reads_at_80_columns(told: Run, words: tuple[str, ...]) -> None:
    answer = told("dream", *words)
    if words[0] in {"candidates", "explain"}:
        told("dream", "run", "--apply")
        answer = told("dream", *words)
    assert answer.code == 0
    assert max(map(len, answer.out.splitlines()), default=0) <= 80


def test_a_run_names_what_became_a_fact(told: Run) -> None:
    shown = told("dream", "run", "--apply").out
    assert "f_" in shown
    assert "a fact" in shown


def test_a_preview_names_what_would_become_one(told: Run) -> None:
    shown = " ".join(told("dream", "run").out.split())
    assert "nothing was written" in shown
    assert "a fact Always answer User in German" in shown


def test_candidates_are_listed_and_one_is_promoted(told: Run) -> None:
    told("dream", "run", "--apply")
    assert "Porto" in told("dream", "candidates").out
    assert "f_" in told("dream", "promote", "2").out
    assert "Porto" in told("dream", "candidates", "--status", "promoted").out


def test_what_is_a_fact_already_is_an_error(told: Run) -> None:
    told("dream", "run", "--apply")
    answer = told("dream", "promote", "1")
    assert answer.code == 2
    assert "already" in answer.error


def test_several_entries_are_no_entrys(run: Run) -> None:
    run("log", ORDER)
    assert "no entries" in run("dream", "knowledge").out


def test_an_entry_that_is_not_there_is_an_error(told: Run) -> None:
    assert told("dream", "knowledge", "99").code == 4


def test_two_homes_with_one_app_have_schedules_of_their_own(run: Run, tmp_path: Path) -> None:
    one, other = (
        run("--home", tmp_path / name, "dream", "install").out.split("memctl-dream-")[1][:20]
        for name in ("a", "b")
    )
    assert one != other


def test_a_schedule_names_its_home_from_anywhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"--home {tmp_path}/beside" in run("--home", "beside", "dream", "install").out


def test_the_diary_and_the_report_are_written_as_files(told: Run, tmp_path: Path) -> None:
    assert told("dream", "run", "--apply", "--out", tmp_path / "notes").code == 0
    diary = (tmp_path / "notes" / "DREAMS.md").read_text("utf-8")
    assert "- promoted: Always answer User in German" in diary
    assert told("dream", "verify", "--out", tmp_path / "notes").code == 0
    (report,) = (tmp_path / "notes" / "verify").iterdir()
    shown = report.read_text("utf-8")
    assert "## Conflicts" in shown
    assert "consistency 10/10: reliable" in shown


def test_a_diary_holds_nothing_that_was_erased(told: Run, tmp_path: Path) -> None:
    told("dream", "run", "--apply")
    told("memory", "erase", "--all", "--yes")
    told("turns", "erase", "1", "2", "--yes")
    told("dream", "run", "--out", tmp_path)
    assert "German" not in (tmp_path / "DREAMS.md").read_text("utf-8")


@pytest.mark.parametrize("command", ["run", "verify"])
def test_a_folder_that_is_none_is_an_error_and_nothing_is_done(
    told: Run, tmp_path: Path, command: str
) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    answer = told("dream", command, "--out", tmp_path / "file")
    assert answer.code != 0
    assert "is no folder" in answer.error


def test_a_diary_of_somebody_else_is_left_alone(told: Run, tmp_path: Path) -> None:
    (tmp_path / "DREAMS.md").write_text("# My dreams", "utf-8")
    answer = told("dream", "run", "--apply", "--out", tmp_path)
    assert answer.code != 0
    assert "was not made by memctl" in answer.error
    assert (tmp_path / "DREAMS.md").read_text("utf-8") == "# My dreams"


def test_tidying_says_what_it_did(told: Run) -> None:
    told("memory", "store", "Ann's demo is tomorrow in the big hall")
    shown = told("dream", "run", "--apply", "--tidy").out
    assert "tidied: rewritten 1" in shown
    assert "said on" in shown


def faded(run: Run, monkeypatch: pytest.MonkeyPatch, *facts: str) -> str:
    monkeypatch.setenv("MEMCTL_NOW", "2025-01-01T10:00:00Z")
    for fact in facts:
        run("memory", "store", fact, "--category", "technical")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-01T10:00:00Z")
    return run("dream", "decay", "--limit", "1").out


def test_rows_that_fade_are_counted_as_people_say_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack = "The backend runs on Postgres 16"
    assert "\n1 row that fades\n" in faded(run, monkeypatch, stack)
    port = "The frontend is served by nginx on port 80"
    assert "\n1 of 2 rows that fade, 1 more: --limit 2\n" in faded(run, monkeypatch, port)


def test_a_run_that_is_interrupted_says_what_goes_on_with_it(run: Run, home: Path) -> None:
    with memctl.open("agent", home) as memory:
        for number in range(300):
            memory.log(f"Always run suite {number} on floor {number}.", session=f"s{number}")
    command = [sys.executable, "-m", "memctl", "--home", str(home), "dream", "run", "--apply"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        with closing(sqlite3.connect(home / "apps" / "agent.db")) as file:
            while process.poll() is None and not file.execute(AT_WORK).fetchall():
                time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    # Python ends itself by the signal where that met a class being made; a shell sees 130 as well.
    assert process.returncode in {130, -signal.SIGINT}
    assert said == ('memctl: stopped; the next "memctl dream run --apply" goes on from here\n')
    again = run("dream", "run", "--apply")
    assert (again.code, again.out.startswith("run 1, ")) == (0, True)


def test_a_printed_suggestion_runs_and_mends_what_was_found(run: Run) -> None:
    run("memory", "store", "Ana's demo is tomorrow in the big hall")
    line = next(
        one for one in run("dream", "verify").out.splitlines() if one.startswith("  memctl")
    )
    assert run(*shlex.split(line)[1:]).code == 0
    assert run("--json", "dream", "verify").data["findings"] == []


def test_what_was_found_keeps_to_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    run("memory", "store", f"Ana's demo is tomorrow in the {'big ' * 30}hall")
    told = run("dream", "verify").out.splitlines()
    assert max(len(line) for line in told if not line.startswith("  memctl")) <= 80


def test_a_store_without_facts_is_not_called_reliable(run: Run) -> None:
    run("log", "Thanks a lot!")
    assert run("dream", "verify").out.splitlines()[-1] == "no facts checked: nothing to check"
    assert run("--json", "dream", "verify").data["verdict"] == "nothing to check"


def test_the_report_says_why_a_fact_needs_a_person(run: Run, tmp_path: Path) -> None:
    run("memory", "store", "用户住在柏林")
    run("memory", "store", "用户搬到了慕尼黑")
    older = next(one["id"] for one in run("--json", "memory", "list").data if "柏林" in one["text"])
    run("dream", "verify", "--out", str(tmp_path))
    (file,) = (tmp_path / "verify").iterdir()
    waits = file.read_text("utf-8").partition("## Needs a person")[2].partition("##")[0]
    assert f"may replace {older}" in waits.replace("\\", "")
