"""A question is answered in its usual time while another process writes the store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.processes import start_python

if TYPE_CHECKING:
    from pathlib import Path

# A call that waited for the lock would end only after ten minutes.
PATIENCE = "600000"
COMMAND = "import sys; from memctl_cli.program import main; main(sys.argv[1:])"


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
def test_an_answer_does_not_wait_for_another_writer(
    home: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", PATIENCE)
    with closing(sqlite3.connect(home / "apps" / "agent.db")) as other:
        other.execute("begin immediate")
        process = start_python(COMMAND, "--home", home, *words)
        out, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    assert "ferry" in out
    with memctl.open("agent", home) as memory:
        assert not memory.recalls.list()
