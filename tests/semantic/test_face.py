"""``memctl.open(...)``: whose facts, set once."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import OutOfScopeError, SubagentBlockedError

if TYPE_CHECKING:
    from pathlib import Path


def test_facts_belong_to_the_open_store(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store("User owns a red bicycle")
    with memctl.open("chromium/united.com", tmp_path) as other:
        assert other.facts.list() == []
    with memctl.open("agent", tmp_path, readonly=True) as memory:
        assert len(memory.facts.list()) == 1


def test_a_scope_is_set_by_whoever_opens(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, user="ann", session="s1") as anns:
        anns.facts.store("User owns a red bicycle", long_term=False)
        with pytest.raises(OutOfScopeError):
            anns.facts.list(user_id="bob")
    with memctl.open("agent", tmp_path, user="ann", session="s2") as later:
        assert later.facts.list() == []


def test_a_subagent_opens_read_only(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as parent:
        parent.facts.store("User owns a red bicycle")
    with memctl.open("agent", tmp_path, subagent=True) as subagent:
        assert subagent.store.readonly
        assert len(subagent.facts.list()) == 1
        with pytest.raises(SubagentBlockedError):
            subagent.facts.store("User owns a car")


def test_facts_load_no_heavy_library() -> None:
    program = (
        "import sys, tempfile, memctl\n"
        "with memctl.open('agent', tempfile.mkdtemp()) as m:\n"
        "    m.facts.store('User owns a red bicycle'); m.facts.search('bicycle')\n"
        "print(sorted(set(sys.modules) & {'cv2', 'numpy', 'mcp', 'pydantic', 'duckdb', 'typer'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_two_processes_that_learn_the_same_keep_it_once(tmp_path: Path) -> None:
    program = (
        "import sys, memctl\n"
        "with memctl.open('agent', sys.argv[1]) as m:\n"
        "    for i in range(25): m.facts.store(f'Part {i} lies in shelf {i}')\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path)]) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    with memctl.open("agent", tmp_path) as memory:
        assert len(memory.facts.list()) == 25
