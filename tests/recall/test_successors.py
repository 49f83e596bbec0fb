"""A question in the words of a fact that was replaced is answered by the one that replaced it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as opened:
        yield opened


def moved(memory: Memory) -> None:
    memory.facts.store("User lives in Lyon")
    memory.facts.store("User likes espresso")
    memory.facts.store("User moved from Lyon to Berlin")


def test_a_word_that_only_the_ended_fact_holds_finds_the_newer(memory: Memory) -> None:
    moved(memory)
    found = memory.recall("Where does the user live?")
    assert found[0].text == "User moved from Lyon to Berlin"
    assert found.unknown == ()


def test_of_one_owner_alone_too(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, user="ann") as memory:
        moved(memory)
        assert memory.recall("Where does the user live?")[0].text.endswith("Berlin")


def test_alone_it_is_told_as_held_no_more(memory: Memory) -> None:
    moved(memory)
    found = memory.recall("live")
    assert (len(found), found.withheld) == (0, True)


def test_as_of_the_earlier_day_the_earlier_fact_answers(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2027-01-05T10:00:00Z")
    memory.facts.store("User lives in Lyon")
    monkeypatch.setenv("MEMCTL_NOW", "2027-01-09T10:00:00Z")
    memory.facts.store("User moved from Lyon to Berlin")
    hits = memory.facts.search("Where does the user live?", as_of="2027-01-06")
    assert [hit.fact.text for hit in hits] == ["User lives in Lyon"]
