from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, UnusableInputError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory


def test_an_alias_works_both_ways(memory: Memory) -> None:
    assert not memory.aliases.exist
    memory.log("We flew to NYC", session="trip")
    memory.log("New York was loud")
    memory.log("How was the city?", session="talk")
    memory.aliases.add("NYC", "New York")
    assert {row.id for row in memory.recall("nyc")} >= {1, 2}
    found = memory.recall("How was New York?")
    assert {row.id for row in found} >= {1, 2}
    assert found.aliases == {"New York": "NYC"}
    # One that brought no row is not named.
    assert memory.recall("the city of New York", thread="talk").aliases == {}


@each(
    ("term", "synonym", "question"),
    [
        ("car", "automobile", "whose cars?"),
        ("miller", "Müller", "is it the miller's?"),
        ("Shanghai", "魔都", "Shanghai trip"),
        *(
            ("苏州", "garden town", asked)
            for asked in ("苏州天气", "去苏州", "what about 苏州的天气")
        ),
    ],
)
def test_an_alias_of_an_inflected_word_or_a_part_of_a_run_is_found_in_any_column(
    memory: Memory, term: str, synonym: str, question: str
) -> None:
    if memory.log("明天去魔都") == 1:
        memory.remember("A week at sea", tags=["automobiles"], participants=["Müller"])
        memory.log("We went to the garden town")
    memory.aliases.add(term, synonym)
    assert memory.recall(question).aliases == {term: synonym}


def test_a_row_that_holds_the_word_itself_owes_nothing_to_an_alias(memory: Memory) -> None:
    memory.log("The NYC office, in New York, opens at nine")
    memory.aliases.add("NYC", "New York")
    found = memory.recall("nyc")
    assert [row.id for row in found] == [1]
    assert found.aliases == {}
    memory.log("tea at noon", speaker="Élodie")
    assert [row.text for row in memory.recall("tea", participants=["ÉLODIE"])] == ["tea at noon"]


def test_aliases_reach_through_each_other_and_a_loop_ends(memory: Memory) -> None:
    memory.log("the gull is fast")
    for term, synonym in (("kestrel", "tern"), ("tern", "gull"), ("gull", "kestrel")):
        memory.aliases.add(term, synonym)
    assert memory.recall("my kestrel")[0].matched == ("kestrel",)
    assert memory.aliases.spellings("tern") == {"kestrel", "tern", "gull"}


@each(
    ("term", "told"),
    [
        ("car", '"Car" is an alias of itself'),
        (" ", "an alias is empty"),
        ("?!", "has no word"),
        ("the", '"the" is in every other question'),
        ("what if", "in every other question"),
        ("long " * 2_000, "alias has 10000 characters"),
    ],
)
def test_an_alias_that_cannot_be_meant_is_refused_and_nothing_is_lost(
    memory: Memory, term: str, told: str
) -> None:
    memory.aliases.add("boat", "ship")
    for one, other in (("Car", term), (term, "Car")):
        with pytest.raises((UsageError, UnusableInputError), match=re.compile(told, re.IGNORECASE)):
            memory.aliases.add(one, other)
    assert [alias.pair for alias in memory.aliases.list()] == [("boat", "ship")]


def test_aliases_are_listed_and_removed(memory: Memory) -> None:
    memory.aliases.add("auto", "car")
    memory.aliases.add("motor", "auto")
    memory.aliases.add("auto", "car")
    assert [alias.pair for alias in memory.aliases.list()] == [("auto", "car"), ("motor", "auto")]
    assert memory.aliases.remove("car", "auto") == 1
    assert memory.aliases.remove("auto") == 1
    with pytest.raises(NotFoundError, match='no alias of "auto"'):
        memory.aliases.remove("auto")
    memory.aliases.add("boat", "ship")
    with pytest.raises(NotFoundError, match='no alias "shp" of "boat"') as wrong:
        memory.aliases.remove("boat", "shp")
    assert wrong.value.hint == 'did you mean "ship"?'


@pytest.fixture
def office(memory: Memory) -> Memory:
    """What Priya says, under two names, and a word about her."""
    for text, speaker in (
        ("I moved the handover to noon", "Priya"),
        ("The handover takes an hour", "P. Raman"),
        ("The handover was short", "Bo"),
    ):
        memory.log(text, speaker=speaker)
    memory.remember("The handover was rehearsed", participants=["Priya"])
    memory.aliases.add("the boss", "Priya")
    memory.aliases.add("Priya", "P. Raman")
    return memory


@each("name", ["Priya", "the boss", "Boss", "p. raman"])
def test_participants_are_asked_for_by_any_of_their_names(office: Memory, name: str) -> None:
    found = office.recall("handover", participants=[name])
    assert {row.text for row in found} == {
        "I moved the handover to noon",
        "The handover takes an hour",
        "The handover was rehearsed",
    }
    assert office.aliases.entities(limit=0).left == 1


@each("name", ["Priya", "my boss", "P. Raman"])
def test_a_person_is_named_by_any_of_his_names(office: Memory, name: str) -> None:
    found = office.recall(f"What did {name} say about the handover?", limit=9)
    gains = {row.who: "participant" in {term.term for term in row.explain} for row in found}
    assert gains == {("Priya",): True, ("P. Raman",): True, ("Bo",): False}
    assert len(found.names) == 1


def test_an_alias_names_nobody_who_has_its_first_word_alone(memory: Memory) -> None:
    memory.log("The report is late", speaker="Brugmann Klaus")
    memory.aliases.add("BF", "Brugmann Ferries")
    assert memory.recall("When does BF get its report?").names == ()
