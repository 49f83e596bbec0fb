"""A dream that is due runs behind the start of a session, once, and a failure is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.calling import memctl_process
from tests.cli.hooks.hosts import CLAUDE, call, called, prompt

if TYPE_CHECKING:
    from pathlib import Path

START = {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup", "session_id": "s9"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with memctl.open("agent", tmp_path, project="boats") as memory:
        for number in range(20):
            memory.log(f"Note {number}: the boat needs paint", session="s1")
    return tmp_path


def dreams(home: Path, *, wanted: int = 0) -> list[str]:
    """Return how the dreams of a store went, once as many have ended as are wanted."""
    deadline = time.monotonic() + 60
    while True:
        with memctl.open("agent", home) as memory:
            found = [run.status for run in memory.dream.status().runs if run.kind == "dream"]
        if len([one for one in found if one != "running"]) >= wanted or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


def test_a_due_dream_runs_behind_the_start_and_only_once(home: Path) -> None:
    for _ in range(5):  # a busy machine may be too slow for the first
        called(home, "start", START)
        if dreams(home):
            break
    called(home, "start", START)
    assert dreams(home, wanted=1) == ["done"]
    call(home, "start", START)
    with memctl.open("agent", home) as memory:
        assert memory.dream.status().unread_turns == 0
    assert dreams(home) == ["done"]


def test_no_dream_runs_behind_a_prompt_or_where_it_is_switched_off(home: Path) -> None:
    call(home, "prompt", prompt("Go on"))
    memctl_process("--home", home, "config", "set", "dream_auto", "off")
    call(home, "start", START)
    time.sleep(0.5)
    assert dreams(home) == []


def test_the_doctor_tells_of_a_dream_that_failed(home: Path) -> None:
    with memctl.open("agent", home) as memory:
        store = memory.store
        with store.transaction():
            store.connection().execute(
                "insert into dream_run (kind, as_of, profile, status, report, owner, beat_at,"
                " started_at, ended_at) values ('dream', '2026-11-20T12:00:00Z', 'memctl',"
                """ 'failed', '{"error": "the endpoint is gone"}', 'x', '2026-11-20T12:00:00Z',"""
                " '2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z')"
            )
    told = memctl_process("--home", home, "doctor").out
    assert "the last one failed: the endpoint is gone" in " ".join(told.split())
