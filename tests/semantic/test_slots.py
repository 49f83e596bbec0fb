"""A slot is the caller's name for what a fact says; a fact stated again takes over what is beside its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import UnusableInputError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.semantic.records import Written


def held(memory: Memory) -> list[str]:
    return [fact.text for fact in memory.facts.slots()]


def test_the_newer_of_a_slot_replaces_the_older_whatever_they_say(
    memory: Memory, clock: Callable[[str], None]
) -> None:
    memory.facts.store("The flat in Tarbury is small", about="User.Home")
    clock("2026-12-01T12:00:00Z")
    (written,) = memory.facts.store("Ennisford, since Sunday", about="user.home").written
    assert written.event == "SUPERSEDE"
    assert held(memory) == ["Ennisford, since Sunday"]
    (old,) = memory.facts.list(status="superseded")
    assert (old.text[-5:], old.valid_to) == ("small", "2026-12-01T12:00:00Z")


def test_the_same_said_again_is_no_second_fact(memory: Memory) -> None:
    memory.facts.store("The user lives in Tarbury")
    again = [memory.facts.store("The user lives in Tarbury", about="user.home") for _ in range(2)]
    assert [one.written[0].event for one in again] == ["SKIP", "SKIP"]
    assert held(memory) == ["The user lives in Tarbury"]


def test_what_is_told_late_of_an_earlier_day_replaces_nothing_newer(memory: Memory) -> None:
    memory.facts.store("Ennisford", about="user.home", valid_from="2026-03-01")
    memory.facts.store("Tarbury", about="user.home", valid_from="2025-01-01")
    assert held(memory) == ["Ennisford"]
    found = memory.facts.search("Tarbury", as_of="2025-06-01")
    assert [hit.fact.text for hit in found] == ["Tarbury"]


def test_two_users_have_a_slot_each(memory: Memory) -> None:
    memory.facts.store("Tarbury", about="home", user_id="ann")
    memory.facts.store("Colby", about="home", user_id="ben")
    assert held(memory) == ["Tarbury", "Colby"]


@each("about", ["", "  ", "x" * 10_000])
def test_a_name_that_is_none_is_refused(about: str, memory: Memory) -> None:
    with pytest.raises((UsageError, UnusableInputError), match="about"):
        memory.facts.store("Tarbury", about=about)
    assert memory.facts.count() == 0


def test_a_slot_holds_one_fact_of_a_batch(memory: Memory) -> None:
    with pytest.raises(UsageError, match="about one slot"):
        memory.facts.store(["Tarbury", "Ennisford"], about="home")


def test_slots_come_back_with_what_was_exported(memory: Memory, tmp_path: Path) -> None:
    memory.facts.store("Tarbury", about="home")
    memory.export_to(tmp_path / "out.jsonl", "jsonl")
    with memctl.open("other", tmp_path / "home") as other:
        other.import_from(tmp_path / "out.jsonl")
        assert held(other) == ["Tarbury"]


TEA = "User drinks green tea in the morning"


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
    assert "importance: 0.4 -> 0.9" in memory.facts.history(fact.id)[-1].why
    assert (fact.importance, str(fact.expires_at)[:4]) == (0.9, "2099")


@pytest.mark.parametrize(
    ("first", "second", "updated"),
    [
        ({"source": "ann"}, {"source": "ben"}, ("source",)),
        ({}, {"about": "user.drink"}, ("about",)),
        ({"expires_at": "2099-01-01"}, {"expires_at": "never"}, ("expires_at",)),
        ({"importance": 0.4, "metadata": {"a": 1}}, {"importance": 0.4, "metadata": {"a": 1}}, ()),
    ],
)
def test_what_is_new_beside_the_text_is_taken_over(
    memory: Memory, first: dict[str, Any], second: dict[str, Any], updated: tuple[str, ...]
) -> None:
    memory.facts.store(TEA, **first)
    written = again(memory, **second)
    assert (written.updated, written.left) == (updated, ())
    (fact,) = memory.facts.list()
    expected = (first.get("source", ""), second.get("about"), None)
    assert (fact.source, fact.about, fact.expires_at) == expected


def test_a_category_is_given_once(memory: Memory) -> None:
    memory.facts.store(TEA)
    assert again(memory, category="preference").updated == ("category",)
    written = again(memory, category="project")
    assert (written.updated, written.left) == ((), ("category",))
    assert memory.facts.get(str(written.id)).category == "preference"


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
