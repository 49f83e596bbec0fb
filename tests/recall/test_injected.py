"""What was put into a session's prompts is known, and which of it was of use."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.recall.recalls import forget_told, mark_used, record_injected, told_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path, session="s1") as opened:
        opened.log("The ferry to Bornholm leaves at nine from gate B17", session="s0")
        opened.log("When does the boat leave?", session="s1")
        yield opened


def used(memory: Memory) -> dict[str, bool]:
    found = memory.store.rows("select name, used_at from injected_row order by name")
    return {row["name"]: row["used_at"] is not None for row in found}


def test_a_session_knows_what_it_was_told_until_a_compaction(memory: Memory) -> None:
    assert told_in(memory.store, "s1") == set()
    assert record_injected(memory.store, "s1", "prompt", ["turn:1", "f_1", "turn:1"], 120)
    assert told_in(memory.store, "s1") == {"turn:1", "f_1"}
    assert told_in(memory.store, "s2") == set()
    forget_told(memory.store, "s1")
    assert told_in(memory.store, "s1") == set()


@pytest.mark.usefixtures("memory")
def test_what_is_known_holds_in_every_project_of_the_session(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, project="harbour") as here:
        record_injected(here.store, "s1", "prompt", ["turn:1"], 20)
    with memctl.open("agent", tmp_path, project="lighthouse") as there:
        assert told_in(there.store, "s1") == {"turn:1"}
    with memctl.open("agent", tmp_path, user="bob") as bobs:
        assert told_in(bobs.store, "s1") == set()


def test_a_reply_uses_a_row_where_it_says_what_the_prompt_did_not(memory: Memory) -> None:
    record_injected(memory.store, "s1", "prompt", ["turn:1"], 20)
    assert mark_used(memory.store, "s1", "The boat leaves when you are ready.") == 0
    assert mark_used(memory.store, "s1", "At nine, from gate B17: be early.") == 1
    assert mark_used(memory.store, "s1", "At nine, from gate B17: be early.") == 0
    assert used(memory) == {"turn:1": True}


def test_feedback_marks_a_row_where_it_was_put_into_a_prompt_last(memory: Memory) -> None:
    memory.facts.store("Ann takes the ferry at nine")
    (fact,) = memory.facts.list()
    record_injected(memory.store, "s1", "prompt", [fact.id, "turn:1"], 40)
    found = memory.recall("Which ferry does Ann take?")
    assert found.id is not None
    memory.feedback(found.id, used=[fact.id])
    assert used(memory) == {fact.id: True, "turn:1": False}


def test_an_erased_row_is_no_longer_told(memory: Memory) -> None:
    memory.facts.store("Ann takes the ferry at nine")
    (fact,) = memory.facts.list()
    record_injected(memory.store, "s1", "prompt", [fact.id, "turn:1"], 40)
    memory.facts.erase(fact.id)
    memory.turns.erase([1])
    assert told_in(memory.store, "s1") == set()


def test_nothing_is_recorded_while_another_process_writes(memory: Memory) -> None:
    with closing(sqlite3.connect(memory.store.path)) as other:
        other.execute("begin immediate")
        assert not record_injected(memory.store, "s1", "prompt", ["turn:1"], 20)
        other.rollback()
    assert record_injected(memory.store, "s1", "prompt", ["turn:1"], 20)
