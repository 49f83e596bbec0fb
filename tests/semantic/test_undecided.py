"""A correction is seen from the moment it is stored: the newer stands above the older, undecided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.memory import Memory

NEXT_DAY, LATER = "2026-11-21T12:00:00Z", "2026-11-25T12:00:00Z"


def found(memory: Memory, question: str) -> list[str]:
    return [row.text for row in memory.recall(question, record=False)]


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("The rent is 900 euros", "The rent is 950 euros", "How much is the rent?"),
        ("User works at Acme", "User works at Globex", "Where does the user work?"),
        ("User lives in Porto", "User moved to Lisbon", "Where does the user live?"),
        ("User is vegetarian", "User is not vegetarian", "Is the user vegetarian?"),
    ],
)
def test_recall_and_context_give_the_newer_first_and_both_are_listed(
    old: str, new: str, question: str, memory: Memory, clock: Callable[[str], None]
) -> None:
    memory.facts.store(old)
    clock(NEXT_DAY)
    memory.facts.store(new)
    assert found(memory, question) == [new, old]
    assert new in memory.context(question).text
    (pair,) = memory.facts.undecided()
    assert (pair.newer.text, pair.older.text) == (new, old)


def test_the_older_is_marked_as_earlier(memory: Memory, clock: Callable[[str], None]) -> None:
    memory.facts.store("The rent is 900 euros")
    clock(NEXT_DAY)
    (new,) = memory.facts.store("The rent is 950 euros").ids
    rows = list(memory.recall("How much is the rent?", record=False))
    assert [row.earlier_than for row in rows] == [None, new]


def test_a_correction_answers_to_the_words_of_what_it_corrects(
    memory: Memory, clock: Callable[[str], None]
) -> None:
    memory.facts.store("Launch is planned for 12 May.")
    clock(NEXT_DAY)
    memory.facts.store("We slipped again; customers get their hands on it on 2 June.")
    assert found(memory, "When is the launch?")[0].endswith("2 June.")


def test_a_correction_of_a_correction_stands_first(
    memory: Memory, clock: Callable[[str], None]
) -> None:
    memory.facts.store("The rent is 900 euros")
    clock(NEXT_DAY)
    memory.facts.store("The rent is 950 euros")
    clock(LATER)
    memory.facts.store("The rent is 990 euros")
    assert found(memory, "How much is the rent?")[0] == "The rent is 990 euros"


def test_a_correction_told_late_about_an_earlier_day_replaces_nothing_newer(
    memory: Memory, clock: Callable[[str], None]
) -> None:
    memory.facts.store("The rent is 950 euros", valid_from="2026-10-01")
    clock(NEXT_DAY)
    memory.facts.store("The rent is now 900 euros", valid_from="2026-02-01")
    assert found(memory, "How much is the rent?")[0] == "The rent is 950 euros"


def test_a_batch_that_contradicts_itself_gives_its_last_word_first(memory: Memory) -> None:
    memory.facts.store(["The rent is 900 euros", "The rent is 950 euros"])
    assert found(memory, "How much is the rent?")[0] == "The rent is 950 euros"
    assert len(memory.facts.undecided()) == 1


def test_two_projects_have_a_port_each(memory: Memory) -> None:
    memory.facts.store("The staging server listens on 7410", agent_id="one")
    memory.facts.store("The staging server listens on 7430 now", agent_id="two")
    assert memory.facts.count() == 2
    assert memory.facts.undecided() == []


def test_whoever_decides_ends_the_older(memory: Memory, clock: Callable[[str], None]) -> None:
    memory.facts.store("The rent is 900 euros")
    clock(NEXT_DAY)
    (new,) = memory.facts.store("The rent is 950 euros").ids
    memory.facts.approve(new)
    assert [fact.text for fact in memory.facts.list()] == ["The rent is 950 euros"]
