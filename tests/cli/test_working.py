"""The journal, the cache and sessions in the shell."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


def test_what_is_printed_is_the_journal_in_markdown(run: Run) -> None:
    for words in (
        ("task", "Book the ferry"),
        ("plan", "find the times", "book"),
        ("skill", "book-a-ferry"),
        ("context", "deadline", "Friday"),
        ("observe", "the ferry is full"),
        ("decide", "take the train"),
        ("pending", "Call Ann"),
        ("blocker", "no key"),
        ("done", "book"),
    ):
        assert run("wal", *words).code == 0
    told = run("wal", "get").out
    for said in (
        r"- task \(.*\): Book the ferry",
        r"- \[ \] step \(.*\): find the times",
        r"- \[x\] step \(.*, done .*\): book",
        r"- \*\*deadline\*\* \(.*\): Friday",
        r"- \[ \] to do \(.*\): Call Ann",
        r"- \[ \] blocker \(.*\): no key",
    ):
        assert re.search(said, told), said


def test_a_journal_that_was_cleared_is_restored(run: Run) -> None:
    run("wal", "task", "Book the ferry")
    assert "1 entry" in run("wal", "clear").out
    assert "an empty journal" in run("wal", "init").out
    assert run("wal", "restore").code == 0
    assert "Book the ferry" in run("wal", "get").out


def test_a_path_is_no_snapshot(run: Run) -> None:
    run("wal", "task", "Book the ferry")
    assert run("wal", "restore", "../../etc/passwd").code == 2
    assert run("wal", "restore", "99").code == 4


def test_sessions_hand_on_what_is_open(run: Run) -> None:
    run("--session", "monday", "wal", "pending", "Call Ann")
    assert "still open, pending: Call Ann" in run("session", "end", "monday").out
    assert "Call Ann (session monday)" in run("session", "start", "tuesday").out
    assert [one["id"] for one in run("session", "list", "--going-on", "--json").data] == ["tuesday"]


def test_a_cached_value_is_printed_and_removed(run: Run) -> None:
    run("cache", "set", "ferry", "leaves at nine", "--seconds", "60")
    assert run("cache", "get", "ferry").out == "leaves at nine\n"
    assert "ferry" in run("cache", "list").out
    assert run("cache", "remove", "ferry").code == 0
    assert run("cache", "get", "ferry").code == 4


def test_the_context_says_what_it_left_out(run: Run) -> None:
    run("wal", "task", "Book the ferry " + "and more " * 100)
    run("wal", "pending", "Call Ann")
    answer = run("context", "--max-tokens", "60")
    assert "Call Ann" in answer.out
    assert "left out: Goal: 1 line did not fit within 60 tokens" in answer.out


@each("words", [("wal", "get"), ("cache", "list"), ("session", "list")])
def test_reading_makes_no_store(run: Run, home: Path, words: tuple[str, ...]) -> None:
    assert run(*words).code == 0
    assert not (home / "apps").exists()


def test_the_line_of_active_memory_is_printed_and_its_status_told_in_json(run: Run) -> None:
    run("memory", "store", "The ferry to Bornholm leaves at nine")
    words = ("context", "When does the ferry to Bornholm leave?", "--active", "--mode", "message")
    assert run(*words).out.strip() == "The ferry to Bornholm leaves at nine"
    told = run("--json", *words, "--style", "strict", "--max-chars", "40", "--timeout", "1")
    assert json.loads(told.out)["data"]["status"] == "ok"
    assert run("context", "What colour is the moon?", "--active").out == ""
    assert run("context", "Hello", "--active", "--mode", "all").code == 2
    assert run("context", "Hello", "--active", "--max-tokens", "9").code == 2


def test_a_password_by_its_name_is_refused_and_never_printed(run: Run, home: Path) -> None:
    refused = run("wal", "context", "password", "quartz41")
    assert refused.code == 3
    assert "looks like a secret" in refused.error
    shown = [run("wal", "get"), run("wal", "snapshots"), run("context", "what now?")]
    assert not any("quartz41" in one.out + one.error for one in [refused, *shown])
    assert not any(b"quartz41" in file.read_bytes() for file in home.rglob("*.db*"))
