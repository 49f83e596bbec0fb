from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from memctl.episodic.episodic import Episodic


def test_an_alias_works_both_ways(memory: Episodic) -> None:
    memory.log("We flew to NYC")
    memory.log("New York was loud")
    memory.aliases.add("NYC", "New York")
    assert {row.id for row in memory.recall("nyc")} >= {1, 2}
    found = memory.recall("How was New York?")
    assert {row.id for row in found} >= {1, 2}
    assert found.aliases == {"New York": "NYC"}


def test_a_row_that_holds_the_word_itself_owes_nothing_to_an_alias(memory: Episodic) -> None:
    memory.log("The NYC office, in New York, opens at nine")
    memory.aliases.add("NYC", "New York")
    found = memory.recall("nyc")
    assert [row.id for row in found] == [1]
    assert found.aliases == {}


def test_an_alias_that_brought_no_row_is_not_told(memory: Episodic) -> None:
    memory.log("We flew to NYC", session="trip")
    memory.log("How was the city?", session="talk")
    memory.aliases.add("New York", "NYC")
    assert memory.recall("the city of New York", thread="trip").aliases == {"New York": "NYC"}
    assert memory.recall("the city of New York", thread="talk").aliases == {}


def test_an_alias_of_an_inflected_word_in_any_column_is_told(memory: Episodic) -> None:
    memory.remember("A week at sea", tags=["automobiles"], participants=["Müller"])
    for term, synonym in (("car", "automobile"), ("miller", "Müller")):
        memory.aliases.add(term, synonym)
    found = memory.recall("whose cars? the miller's?")
    assert found.aliases == {"car": "automobile", "miller": "Müller"}


def test_an_alias_in_a_script_without_spaces_is_told(memory: Episodic) -> None:
    memory.log("明天去魔都")
    memory.aliases.add("Shanghai", "魔都")
    assert memory.recall("Shanghai trip").aliases == {"Shanghai": "魔都"}


def test_aliases_reach_through_each_other(memory: Episodic) -> None:
    memory.log("the automobile is red")
    memory.aliases.add("car", "auto")
    memory.aliases.add("auto", "automobile")
    assert memory.recall("my car")[0].matched == ("car",)


def test_an_alias_loop_ends(memory: Episodic) -> None:
    memory.log("three")
    for term, synonym in (("one", "two"), ("two", "three"), ("three", "one")):
        memory.aliases.add(term, synonym)
    assert memory.recall("one")[0].text == "three"


def test_inflected_words_have_aliases_too(memory: Episodic) -> None:
    memory.log("two automobiles")
    memory.aliases.add("car", "automobile")
    assert memory.recall("cars")[0].text == "two automobiles"


def test_an_alias_in_a_script_without_spaces(memory: Episodic) -> None:
    memory.log("明天去魔都")
    memory.aliases.add("Shanghai", "魔都")
    assert memory.recall("Shanghai trip")[0].text == "明天去魔都"


def test_an_alias_of_itself_or_of_nothing_is_refused(memory: Episodic) -> None:
    with pytest.raises(UsageError, match='"Car" is an alias of itself'):
        memory.aliases.add("Car", "car")
    with pytest.raises(UsageError, match="empty"):
        memory.aliases.add("car", " ")


def test_aliases_are_listed_and_removed(memory: Episodic) -> None:
    memory.aliases.add("a", "b")
    memory.aliases.add("c", "a")
    memory.aliases.add("a", "b")
    assert [(alias.term, alias.synonym) for alias in memory.aliases.list()] == [
        ("a", "b"),
        ("c", "a"),
    ]
    assert memory.aliases.remove("b", "a") == 1
    assert memory.aliases.remove("a") == 1
    with pytest.raises(NotFoundError, match='no alias of "a"'):
        memory.aliases.remove("a")


def test_an_alias_that_is_none_is_named_with_the_near_word(memory: Episodic) -> None:
    memory.aliases.add("boat", "ship")
    with pytest.raises(NotFoundError, match='no alias "shp" of "boat"') as wrong:
        memory.aliases.remove("boat", "shp")
    assert wrong.value.hint == 'did you mean "ship"?'
    with pytest.raises(NotFoundError) as known:  # both are words, but not of each other
        memory.aliases.remove("boat", "boat")
    assert known.value.hint == "memctl alias list"


@pytest.mark.parametrize("question", ["魔都天气", "去魔都", "what about 魔都的天气"])
def test_a_phrase_in_a_script_without_spaces_is_found_inside_of_a_run(
    memory: Episodic, question: str
) -> None:
    memory.log("We went to Shanghai")
    memory.aliases.add("Shanghai", "魔都")
    found = memory.recall(question)
    assert found.aliases == {"魔都": "Shanghai"}
    assert found[0].matched == ("魔都",)
