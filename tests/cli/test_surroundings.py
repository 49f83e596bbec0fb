"""What surrounds a call: closed and endless pipes, narrow terminals, stores of yesterday."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.each import each
from tests.store.stored import know_a_later_step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

CLOSED = "import os, sys; os.close({}); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"


def with_closed(descriptor: int, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Call the command with one of its three standard files closed."""
    command = [sys.executable, "-c", CLOSED.format(descriptor), "-m", "memctl", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@each(
    ("words", "code"),
    [
        (["log", "-"], 2),
        (["mcp"], 2),
        (["memory", "erase", "f_000000000000"], 3),
    ],
)
def test_a_closed_standard_input_is_one_clear_line(
    words: list[str], code: int, known: Path
) -> None:
    answer = with_closed(0, "--home", known, "--app", "harbor", *words)
    assert answer.returncode == code, answer.stderr
    assert answer.stderr.startswith("memctl: ")
    assert "defect" not in answer.stderr


def test_standard_input_that_does_not_end_is_not_waited_for(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Endless:
        def read(self, most: int) -> str:
            return "x" * most

    monkeypatch.setattr("sys.stdin", Endless())
    answer = run("log", "-")
    assert answer.code == 2
    assert "too large" in answer.error


@pytest.mark.parametrize("columns", ["0", "19"])
@pytest.mark.parametrize("words", [["report", "health"], ["states", "list"], ["--help"]])
def test_every_width_shows_something(
    columns: str, words: list[str], run: Run, known: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert known.is_dir()
    monkeypatch.setenv("COLUMNS", columns)
    answer = run("--app", "harbor", *words)
    assert answer.code == 0
    assert len(answer.out.split()) > 10


@pytest.mark.parametrize("words", [["status"], ["states", "list"], ["memory", "list"], ["doctor"]])
def test_a_store_of_yesterday_is_brought_up_to_date_by_reading_it(
    words: list[str], run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memctl.open("harbor", home) as memory, memory.store.transaction():
        pass
    latest = know_a_later_step(monkeypatch)
    monkeypatch.setenv("MEMCTL_HOME", str(home))
    answer = run("--app", "harbor", *words)
    assert (answer.code, answer.error) == (0, "")
    with memctl.open("harbor", home, readonly=True) as memory:
        assert memory.store.value("pragma user_version") == latest


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server of the Model Context Protocol that has said hello."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    with subprocess.Popen(
        [sys.executable, "-m", "memctl", "--home", str(tmp_path), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        said = ask(process, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
        assert said["result"]["serverInfo"]["version"]
        yield process
        process.kill()


def ask(process: subprocess.Popen[bytes], message: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    answer = {} if process.stdout.closed else json.loads(process.stdout.readline())
    assert isinstance(answer, dict)
    return answer


def test_a_lost_letter_is_one_line_on_standard_error_or_a_key_of_the_answer(
    run: Run,
) -> None:
    answer = run("log", "Zo\udceb owns the dock")
    assert (answer.code, answer.error.count("memctl: a letter was lost")) == (0, 1)
    answer = run("--json", "log", "Zo\udceb owns the pier")
    assert answer.error == ""
    assert answer.envelope["warnings"] == [
        "a letter was lost before it came here: the text has U+FFFD in its place"
    ]


def test_half_a_sign_is_answered_and_kept_as_a_sign_that_says_so(
    server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    assert server.stdin is not None
    server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\nno JSON\n')
    call = {"name": "log", "arguments": {"text": "\ud83d is cut, \ud83d\ude00 is not"}}
    said = ask(server, {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call})
    assert (said["id"], said["result"]["isError"]) == (7, False)
    assert "a letter was lost" in said["result"]["content"][-1]["text"]
    with memctl.open("agent", tmp_path) as memory:
        (turn,) = memory.turns.list()
    assert turn.text == "\ufffd is cut, \U0001f600 is not"


def test_a_server_ends_when_it_is_interrupted_while_it_waits(
    server: subprocess.Popen[bytes],
) -> None:
    server.send_signal(signal.SIGINT)
    assert server.wait(30) == -signal.SIGINT


def test_a_server_whose_host_has_gone_away_ends_without_a_word(
    server: subprocess.Popen[bytes],
) -> None:
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stderr is not None
    server.stdout.close()
    ask(server, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    server.stdin.close()
    assert server.wait(30) == 0
    assert server.stderr.read() == b""


def test_turns_are_not_read_out_of_a_pipe_nor_in_another_encoding(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "turns.jsonl").write_bytes('{"text": "Zoë owns the dock"}\n'.encode("cp1252"))
    for name, why in (("pipe", "named pipe"), ("turns.jsonl", "line 1, byte 13")):
        answer = run("turns", "add", tmp_path / name)
        assert answer.code == 2
        assert why in answer.error
