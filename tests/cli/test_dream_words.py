"""What the commands of the dream say: in the right number, in lines of 80, and when they are stopped."""

from __future__ import annotations

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

WORDY = (
    "Always answer me in German, please, and never in the dialect of the harbor where I grew up."
)
AT_WORK = "select * from dream_run where report <> '{}'"


@pytest.fixture
def told(home: Path) -> None:
    with memctl.open("agent", home) as memory:
        memory.log(WORDY, session="s1")
        memory.log("I moved to Porto and I work at Initech as a nurse.", session="s1")


def too_long(answer: Answer) -> list[str]:
    return [line for line in answer.out.splitlines() if len(line) > 80]


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


def test_entries_of_knowledge_are_counted_as_people_say_it(run: Run) -> None:
    run("log", "hello")
    assert run("dream", "knowledge").out == "no entries\n"


@pytest.mark.usefixtures("told")
def test_what_a_dream_says_fits_into_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    answer = run("dream", "run")
    assert answer.code == 0
    run("dream", "run", "--apply")
    found = run("dream", "explain", "answer User in German")
    assert found.code == 0, found.error
    assert [*too_long(answer), *too_long(found)] == []


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
