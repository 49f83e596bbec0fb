"""Whose facts, set once by whoever opens: scopes, subagents, and two processes at once."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import OutOfScopeError, SubagentBlockedError, UsageError
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store.store import Store
from tests.each import each
from tests.processes import start_python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
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
        (known,) = subagent.facts.list()
        assert subagent.facts.search("bicycle")[0].fact == subagent.facts.get(known.id) == known
        assert len(subagent.facts.history(known.id)) == 1
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


@pytest.fixture
def subagent(facts: Facts, store: Store) -> Iterator[Facts]:
    facts.store("User owns a red bicycle")
    with Store(store.path, store.address, subagent=True) as readonly:
        yield Facts(readonly, Settings(readonly), Scope(subagent=True))


WRITES: dict[str, Callable[[Facts, str], object]] = {
    "store": lambda facts, _: facts.store("User owns a car"),
    "update": lambda facts, known: facts.update(known, "User owns a car"),
    "forget": lambda facts, known: facts.forget(known),
    "erase": lambda facts, known: facts.erase(known),
    "delete_all": lambda facts, _: facts.delete_all(confirm=True),
    "restore": lambda facts, known: facts.restore(known),
    "pin": lambda facts, known: facts.pin(known),
    "approve": lambda facts, known: facts.approve(known),
    "reject": lambda facts, known: facts.reject(known),
}


@each("name", WRITES)
def test_every_mutating_tool_is_blocked(subagent: Facts, name: str) -> None:
    (known,) = subagent.list()
    with pytest.raises(SubagentBlockedError) as refused:
        WRITES[name](subagent, known.id)
    assert (refused.value.code, refused.value.exit_code) == ("subagent_blocked", 3)


def test_sqlite_itself_refuses_behind_it(subagent: Facts) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        subagent._store.connection().execute("delete from fact")


def test_a_subagent_with_a_writable_store_is_refused(store: Store, settings: Settings) -> None:
    with pytest.raises(UsageError, match="read-only"):
        Facts(store, settings, Scope(subagent=True))


STORE = """
import json, sys, time
from pathlib import Path
import memctl

home, own, texts = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
with memctl.open("agent", home) as memory:
    memory.facts.search("warm")
    for number, text in enumerate(texts):
        (home / f"ready-{number}-{own}").touch()
        while len(list(home.glob(f"ready-{number}-*"))) < 2:
            time.sleep(0.0005)
        memory.facts.store(text)
"""

PAIRS = [
    ("The staging server listens on port 8080", "The staging server listens on port 9090"),
    ("The rent is 900 euros", "The rent is 950 euros"),
    ("Ann moved to Lisbon", "Ann moved to Porto"),
    ("The daily standup is at 9:30", "The daily standup is at 10:00"),
    ("Kestrel runs on Python 3.10", "Kestrel runs on Python 3.12"),
    *((f"Part {n} lies in shelf {n}",) * 2 for n in range(10)),
]


def test_what_two_processes_learn_is_kept_once_and_a_change_ends_one_or_makes_a_pair(
    tmp_path: Path,
) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store("The cat sleeps on the sofa")
    sides = [json.dumps(side) for side in zip(*PAIRS, strict=True)]
    running = [start_python(STORE, tmp_path, str(i), side) for i, side in enumerate(sides)]
    for one in running:
        _, error = one.communicate(timeout=60)
        assert one.returncode == 0, error
    with memctl.open("agent", tmp_path) as memory:
        texts = [fact.text for fact in memory.facts.list()]
        pairs = [{pair.newer.text, pair.older.text} for pair in memory.facts.undecided()]
    assert len(texts) == len(held := {*texts})
    changed = [pair for pair in PAIRS if pair[0] != pair[1]]
    assert not [pair for pair in changed if held >= {*pair} and {*pair} not in pairs]
