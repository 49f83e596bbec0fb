"""Whatever comes in, and whatever state the store is in: a hook ends with 0, and tells it once."""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from threading import Event
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl_cli import main
from memctl_cli.hooks.host_calls import read_host_call
from memctl_cli.hooks.run import _within
from tests.cli.hooks.hosts import CLAUDE, CURSOR, called, prompt
from tests.each import each
from tests.processes import as_another_user

if TYPE_CHECKING:
    from pathlib import Path

EVENTS = ("prompt", "reply", "tool", "compact", "start", "end")
PROMPT = prompt("When does the ferry leave?")
FERRY = "Ann takes the ferry at nine"


@pytest.fixture
def home(shared: Path) -> Path:
    with memctl.open("agent", shared) as memory:
        memory.facts.store(FERRY, category="configuration")
    return shared


@each(
    "data",
    [
        b"",
        b"{",
        b"[1, 2]",
        b"null",
        b"\xff\xfe",
        b'{"prompt": "of an unknown host"}',
        b'{"hook_event_name": "Stop"}',
        b'{"session_id": 5, "hook_event_name": "Stop"}',
        b'{"session_id": "s1", "hook_event_name": 5}',
        b'{"session_id": "...", "hook_event_name": "Stop"}',
        b"[" * 100_000,
        b'{"session_id": "s1", "hook_event_name": "Stop", "x": "' + b"y" * 10_000_000 + b'"}',
    ],
)
def test_what_is_no_call_is_told_and_makes_no_store(tmp_path: Path, data: bytes) -> None:
    done = called(tmp_path, "end", data)
    assert done.out == ""
    assert done.error.startswith("memctl hook end: the input ")
    assert done.error.count("\n") == 1
    assert not (tmp_path / "apps").exists()


def test_a_broken_settings_file_of_the_home_is_told(home: Path) -> None:
    (home / "settings.toml").write_text("forget_treshold = 3\n")
    done = called(home, "prompt", prompt("Hi"))
    assert "settings.toml:1" in done.error


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("value", [5, ["x"]], ids=str)
def test_fields_of_wrong_types_are_taken_as_absent(home: Path, event: str, value: object) -> None:
    fields = ("prompt", "last_assistant_message", "tool_name", "tool_input", "tool_response")
    given = {**CLAUDE, "hook_event_name": "Stop", **dict.fromkeys(fields, value)}
    assert called(home, event, given).out == ""
    with memctl.open("agent", home) as memory:
        assert not memory.turns.list()


@each("event", EVENTS)
def test_an_event_that_the_host_did_not_have_before_is_answered(home: Path, event: str) -> None:
    called(home, event, {**CLAUDE, "hook_event_name": "PostDream", "prompt": "Hello"})


def test_a_prompt_of_megabytes_is_met(home: Path) -> None:
    given = {**PROMPT, "prompt": "When does the ferry leave? " + "word " * 300_000}
    assert FERRY in called(home, "prompt", given).out


def test_halves_of_characters_are_kept_as_question_marks(home: Path) -> None:
    data = json.dumps({**PROMPT, "prompt": "Hello \ud83d there \U0001f600"}).encode()
    assert called(home, "prompt", data).error == ""
    with memctl.open("agent", home) as memory:
        assert memory.turns.list()[0].text == "Hello ? there \U0001f600"


@pytest.mark.parametrize("event", EVENTS)
def test_a_store_that_another_process_writes_is_not_waited_for(home: Path, event: str) -> None:
    given = {**PROMPT, "last_assistant_message": "At nine.", "tool_name": "Bash"}
    called(home, "start", given)
    with closing(sqlite3.connect(home / "apps" / "agent.db")) as other:
        other.execute("begin immediate")
        done = called(home, event, given, MEMCTL_BUSY_TIMEOUT_MS="60000")
    assert "another process holds the write lock" in done.error
    assert done.error.count("\n") == 1
    assert (FERRY in done.out) == (event in ("prompt", "start"))


def test_a_damaged_store_is_told_once(home: Path) -> None:
    (home / "apps" / "agent.db").write_bytes(b"no store" * 1000)
    for event in EVENTS:
        done = called(home, event, {**PROMPT, "last_assistant_message": "x", "tool_name": "Bash"})
        assert (done.out, done.error.count("\n")) == ("", 1)


def test_a_full_disk_is_told_and_the_prompt_answered(home: Path) -> None:
    command = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", sys.executable, "-m", "memctl"]
    done = subprocess.run(
        [*command, "--home", str(home), "hook", "prompt"],
        input=json.dumps(PROMPT).encode(),
        capture_output=True,
        check=True,
    )
    assert FERRY in done.stdout.decode()
    assert b"the disk is full" in done.stderr


def test_a_home_that_may_not_be_written_is_told_and_the_prompt_answered(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(session: str = "s1") -> tuple[str, str, object]:
        given = json.dumps({**PROMPT, "session_id": session})
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as error:
            try:
                main(["--home", str(home), "hook", "prompt"])
            except SystemExit as left:
                return out.getvalue(), error.getvalue(), left.code
        raise AssertionError("a command leaves with its exit code")

    call("another")  # reads the modules, which the other user may not
    for path in (home, *home.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    out, error, code = as_another_user(call)
    assert code == 0
    assert FERRY in out
    assert "may not be written" in error


def test_without_a_home_nothing_is_kept_and_nothing_fails() -> None:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("MEMCTL", "XDG"))
    }
    done = subprocess.run(
        [sys.executable, "-m", "memctl", "hook", "prompt"],
        input=json.dumps(PROMPT).encode(),
        capture_output=True,
        check=True,
        env={**kept, "HOME": "/dev/null/nobody"},
    )
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1


def test_a_secret_in_a_prompt_is_told_and_not_kept(home: Path) -> None:
    secret = "my password is hunter2secret!"  # noqa: S105  (made up)
    done = called(home, "prompt", {**PROMPT, "prompt": secret})
    assert "hunter2secret" not in done.error
    assert done.error.count("\n") == 1
    with memctl.open("agent", home) as memory:
        assert not memory.turns.list()
    assert b"hunter2secret" not in (home / "apps" / "agent.db").read_bytes()


def test_a_clock_that_goes_backwards_fails_no_session(home: Path) -> None:
    later, earlier = "2026-11-20T12:00:00Z", "2026-11-19T12:00:00Z"
    called(home, "start", PROMPT, MEMCTL_NOW=later)
    assert called(home, "prompt", PROMPT, MEMCTL_NOW=later).error == ""
    second = {**PROMPT, "prompt": "And the train?"}
    for event in ("prompt", "compact", "start", "end"):
        assert called(home, event, second, MEMCTL_NOW=earlier).error == ""
    with memctl.open("agent", home) as memory:
        assert memory.sessions.get("s1").ending == "ended"
        assert len(memory.turns.list(session="s1")) == 2


def test_a_path_in_a_session_is_a_name_and_leads_nowhere(home: Path) -> None:
    given = {**CURSOR, "conversation_id": "../../etc/passwd", "prompt": "Hello"}
    assert called(home, "prompt", given).error == ""
    with memctl.open("agent", home) as memory:
        (session,) = memory.sessions.list()
    assert re.fullmatch(r"etc-passwd-[0-9a-f]{8}", session.id)


def test_a_hook_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(TimeoutError, match="gave up after"), _within(0.05):
        Event().wait(5)


def test_two_sessions_whose_ids_differ_in_what_no_name_holds_stay_two() -> None:
    ids = ("a/b", "a b", "a-b", "x" * 300, "x" * 301)
    names = {
        read_host_call("prompt", json.dumps({**PROMPT, "session_id": one}).encode()).session
        for one in ids
    }
    assert len(names) == len(ids)


def test_a_session_id_that_looks_like_a_secret_reaches_no_file(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3" * 6
    done = called(tmp_path, "prompt", {**PROMPT, "session_id": secret})
    assert "looks like a secret" in done.error
    assert not any(secret.encode() in file.read_bytes() for file in tmp_path.rglob("*.db*"))
