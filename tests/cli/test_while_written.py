"""A question is answered in its usual time while another process writes the store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.calling import memctl_process

if TYPE_CHECKING:
    from pathlib import Path

# A call that waited for the lock would fail after two minutes.
PATIENT = {"MEMCTL_BUSY_TIMEOUT_MS": "120000"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with memctl.open("agent", tmp_path) as memory:
        memory.log("The ferry leaves at nine")
        memory.facts.store("Ann takes the ferry at nine")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["recall", "When does the ferry leave?"],
        ["--set", "fallback=store", "recall", "When does the ferry leave?"],
        ["memory", "search", "ferry"],
        ["context", "When does the ferry leave?"],
        ["turns", "list"],
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_an_answer_does_not_wait_for_another_writer(home: Path, words: list[str]) -> None:
    with closing(sqlite3.connect(home / "apps" / "agent.db")) as other:
        other.execute("begin immediate")
        answer = memctl_process("--home", home, *words, environment=PATIENT)
    assert answer.code == 0, answer.error
    assert "ferry" in answer.out
    with memctl.open("agent", home) as memory:
        assert not memory.recalls.list()
