"""A slot is the caller's name for what a fact says: the newer of two takes the place of the older."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import UnusableInputError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory


def held(memory: Memory) -> list[str]:
    return [fact.text for fact in memory.facts.slots()]


def test_the_newer_of_a_slot_replaces_the_older_whatever_they_say(memory: Memory) -> None:
    memory.facts.store("The flat in Tarbury is small", about="user.home")
    (written,) = memory.facts.store("Ennisford, since Sunday", about="user.home").written
    assert written.event == "SUPERSEDE"
    assert held(memory) == ["Ennisford, since Sunday"]


def test_a_slot_is_named_in_any_case(memory: Memory) -> None:
    memory.facts.store("Tarbury", about="User.Home")
    memory.facts.store("Ennisford", about="user.home")
    assert held(memory) == ["Ennisford"]


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


def test_a_slot_keeps_what_it_held(memory: Memory, clock: Callable[[str], None]) -> None:
    memory.facts.store("Tarbury", about="home")
    clock("2026-12-01T12:00:00Z")
    memory.facts.store("Ennisford", about="home")
    (old,) = memory.facts.list(status="superseded")
    assert (old.text, old.valid_to) == ("Tarbury", "2026-12-01T12:00:00Z")


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
