"""A turn that a hook could not write waits beside the store, and is taken in once."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.calling import memctl_process
from tests.cli.hooks.hosts import CLAUDE, called, prompt
from tests.processes import start_python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

THEN, NOW = "2026-11-20T23:30:00+05:30", "2026-11-21T12:00:00Z"

# Takes in what waits, and is killed before it adds a turn, or before it empties the spool.
KILLED = """
import os, signal, sys
from pathlib import Path
import memctl
from memctl.upkeep import spool

setattr(spool, sys.argv[2], lambda *_: os.kill(os.getpid(), signal.SIGKILL))
with memctl.open("agent", Path(sys.argv[1])) as memory:
    spool.take_in(memory.store)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store("Ann takes the ferry at nine")
    return tmp_path


@pytest.fixture
def store(home: Path) -> Path:
    return home / "apps" / "agent.db"


@pytest.fixture
def spool(store: Path) -> Path:
    return store.with_name("agent.db-spool")


@pytest.fixture
def lock(store: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("begin immediate")
        yield other


def turns(home: Path) -> list[str]:
    with memctl.open("agent", home) as memory:
        return [turn.text for turn in reversed(memory.turns.list())]


def test_a_prompt_under_a_lock_waits_and_is_taken_in_as_it_was(
    home: Path, spool: Path, lock: sqlite3.Connection
) -> None:
    first = called(home, "prompt", prompt("Paint the boat", cwd="/code/boat"), MEMCTL_NOW=THEN)
    reply = {**CLAUDE, "hook_event_name": "Stop", "last_assistant_message": "It is painted."}
    called(home, "reply", reply, MEMCTL_NOW=THEN)
    assert "the turn waits beside the store" in first.error
    assert spool.stat().st_mode & 0o777 == 0o600
    lock.execute("rollback")
    later = {**prompt("And the mast"), "session_id": "s2"}
    assert called(home, "prompt", later, MEMCTL_NOW=NOW).error == ""
    assert not spool.exists()
    with memctl.open("agent", home) as memory:
        third, second, one = memory.turns.list()
    assert (one.text, one.session, one.project) == ("Paint the boat", "s1", "code/boat")
    assert (one.logged_at, one.utc_offset) == ("2026-11-20T18:00:00Z", 330)
    assert (second.role, third.text) == ("assistant", "And the mast")


def test_prompts_of_several_processes_wait_and_none_is_lost(
    home: Path, lock: sqlite3.Connection
) -> None:
    command = [sys.executable, "-m", "memctl", "--home", str(home), "hook", "prompt"]
    started = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(4)]
    for number, process in enumerate(started):
        assert process.stdin is not None
        process.stdin.write(json.dumps(prompt(f"Question {number}")).encode())
        process.stdin.close()
    assert [process.wait(60) for process in started] == [0, 0, 0, 0]
    assert turns(home) == []
    lock.execute("rollback")
    called(home, "end", {**CLAUDE, "hook_event_name": "SessionEnd"})
    assert sorted(turns(home)) == [f"Question {number}" for number in range(4)]


@pytest.mark.parametrize("place", ["_add", "_leave"])
def test_a_turn_is_taken_in_once_where_the_taker_is_killed(
    home: Path, spool: Path, lock: sqlite3.Connection, place: str
) -> None:
    called(home, "prompt", prompt("Paint the boat"))
    lock.execute("rollback")
    with start_python(KILLED, home, place) as killed:
        assert killed.wait(60) == -signal.SIGKILL
    assert spool.exists()
    assert turns(home) == (["Paint the boat"] if place == "_leave" else [])
    called(home, "end", {**CLAUDE, "hook_event_name": "SessionEnd"})
    assert turns(home) == ["Paint the boat"]
    assert not spool.exists()


def test_a_damaged_line_is_set_aside_and_told(
    home: Path, spool: Path, lock: sqlite3.Connection
) -> None:
    called(home, "prompt", prompt("Paint the boat"))
    spool.write_bytes(spool.read_bytes() + b'{"text": "Paint the m')
    called(home, "prompt", prompt("Paint the oars"))
    lock.execute("rollback")
    done = called(home, "end", {**CLAUDE, "hook_event_name": "SessionEnd"})
    assert "1 damaged line" in done.error
    assert turns(home) == ["Paint the boat", "Paint the oars"]
    assert spool.with_name("agent.db-spool-damaged").read_bytes() == b'{"text": "Paint the m\n'
    assert "1 line of turns that cannot be read" in memctl_process("--home", home, "doctor").out


def test_the_doctor_tells_of_turns_that_wait_and_takes_them_in(
    home: Path, spool: Path, lock: sqlite3.Connection
) -> None:
    called(home, "prompt", prompt("Paint the boat"))
    lock.execute("rollback")
    assert "1 turn of hooks" in memctl_process("--home", home, "doctor").out
    assert turns(home) == []
    assert "spool" not in memctl_process("--home", home, "doctor", "--fix").out
    assert turns(home) == ["Paint the boat"]
    assert not spool.exists()


def test_what_looks_like_a_secret_never_waits(
    home: Path, spool: Path, lock: sqlite3.Connection
) -> None:
    called(home, "prompt", prompt("my password is hunter2secret!"))
    assert not spool.exists()
    lock.execute("rollback")
    assert turns(home) == []


def test_what_looks_like_a_secret_does_not_wait_beside_a_store_that_cannot_be_opened(
    home: Path, store: Path, spool: Path
) -> None:
    store.write_bytes(store.read_bytes()[:50_000])
    assert "is not kept" in called(home, "prompt", prompt("my password is hunter2secret!")).error
    assert not spool.exists()
    called(home, "prompt", prompt("Paint the boat"))
    assert "Paint the boat" in spool.read_text("utf-8")


def test_an_erasure_takes_what_waits(home: Path, store: Path, lock: sqlite3.Connection) -> None:
    called(home, "prompt", prompt("Paint the zanzibar boat"))
    lock.execute("rollback")
    with memctl.open("agent", home) as memory:
        done = memory.erase(query="zanzibar", confirm=True)
    assert done.items == ("turn:1",)
    assert done.proof is not None
    assert done.proof.proven
    assert not any(b"zanzibar" in file.read_bytes() for file in store.parent.glob("agent.db*"))
