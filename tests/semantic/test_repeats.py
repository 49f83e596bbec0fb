"""A fact that is stated again with more beside its text: what was taken over, and what was left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.semantic.records import Written

TEA = "User drinks green tea in the morning"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as opened:
        yield opened


def again(memory: Memory, text: str = TEA, **given: Any) -> Written:
    (written,) = memory.facts.store(text, **given).written
    return written


def test_tags_are_added_to_those_that_were_there(memory: Memory) -> None:
    memory.facts.store(TEA, metadata={"tags": ["tea"], "team": "home"})
    written = again(memory, metadata={"tags": ["tea", "morning"]})
    assert (written.event, written.updated, written.left) == ("SKIP", ("metadata",), ())
    (fact,) = memory.facts
    assert fact.metadata == {"tags": ["tea", "morning"], "team": "home"}


def test_importance_and_expiry_are_the_new_ones(memory: Memory) -> None:
    memory.facts.store(TEA, importance=0.4)
    written = again(memory, importance=0.9, expires_at="2099-01-01")
    (fact,) = memory.facts
    assert written.updated == ("expires_at", "importance")
    assert (fact.importance, str(fact.expires_at)[:4]) == (0.9, "2099")


def test_never_takes_a_date_of_expiry_away(memory: Memory) -> None:
    memory.facts.store(TEA, expires_at="2099-01-01")
    assert again(memory, expires_at="never").updated == ("expires_at",)
    assert memory.facts.list()[0].expires_at is None


def test_a_category_is_given_once(memory: Memory) -> None:
    memory.facts.store(TEA)
    assert again(memory, category="preference").updated == ("category",)
    written = again(memory, category="project")
    assert (written.updated, written.left) == ((), ("category",))
    assert memory.facts.get(str(written.id)).category == "preference"


def test_another_source_supports_it(memory: Memory) -> None:
    memory.facts.store(TEA, source="ann")
    assert again(memory, source="ben").updated == ("source",)
    assert memory.facts.get(memory.facts.list()[0].id).source == "ann"


def test_a_slot_is_given_once(memory: Memory) -> None:
    memory.facts.store(TEA)
    assert again(memory, about="user.drink").updated == ("about",)
    assert [fact.about for fact in memory.facts.slots()] == ["user.drink"]


def test_what_is_the_same_is_neither_updated_nor_left(memory: Memory) -> None:
    memory.facts.store(TEA, importance=0.4, metadata={"a": 1})
    written = again(memory, importance=0.4, metadata={"a": 1})
    assert (written.updated, written.left) == ((), ())


def test_nothing_of_an_immutable_fact_changes(memory: Memory) -> None:
    text = "User's name is Mele"
    memory.facts.store(text, category="identity")
    written = again(memory, text, metadata={"team": "core"}, importance=0.1)
    assert (written.updated, written.left) == ((), ("importance", "metadata"))


def test_an_import_adds_what_was_missing_and_leaves_the_rest(memory: Memory) -> None:
    memory.facts.store(TEA, importance=0.4, metadata={"team": "home"})
    written = again(
        memory, importance=0.9, metadata={"team": "away", "from": "notes"}, keep_both=True
    )
    (fact,) = memory.facts
    assert (written.updated, written.left) == (("metadata",), ("importance",))
    assert (fact.importance, fact.metadata) == (0.4, {"team": "home", "from": "notes"})


def test_its_history_says_what_changed(memory: Memory) -> None:
    (id_,) = memory.facts.store(TEA, importance=0.4).ids
    again(memory, importance=0.9)
    assert memory.facts.history(id_)[-1].why == "importance: 0.4 -> 0.9"
