"""Words are found however they are written; what is a word is taken for no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from memctl.memory import Memory


def test_another_spelling_is_found_before_anything_is_repaired(memory: Memory) -> None:
    memory.log("Impostors are everywhere", session="a")
    memory.log("That is important", session="b")
    found = memory.recall("imposter")
    assert [row.text for row in found] == ["Impostors are everywhere"]
    assert found.corrected == {}
    assert '"imposter" is also written "impostor"' in found[0].explain[0].why


@pytest.mark.parametrize(("asked", "held"), [("cats", "a chat"), ("horse", "the house")])
def test_a_real_word_is_taken_for_no_other(memory: Memory, asked: str, held: str) -> None:
    memory.log(f"This is {held} about things")
    found = memory.recall(asked)
    assert found.corrected == {}
    assert found.unknown == (asked,)


def test_a_misspelling_is_still_repaired(memory: Memory) -> None:
    memory.log("Saffron is dear")
    assert memory.recall("safron").corrected == {"safron": "saffron"}


@pytest.mark.parametrize(
    ("held", "asked"),
    [
        ("Łukasz lives in Łódź", "lukasz lodz"),
        ("smørrebrød with herring", "smorrebrod"),
        ("Die Straße ist groß", "strasse"),
        ("The cœur of the matter", "coeur"),
        ("I\u015f\u0131l is ten", "isil"),
    ],
)
def test_letters_fold_in_texts_and_questions_alike(memory: Memory, held: str, asked: str) -> None:
    memory.log(held)
    memory.facts.store([f"A note: {held}"])
    for question in (asked, held):
        assert {row.kind for row in memory.recall(question)} == {"turn", "fact"}


@pytest.mark.parametrize("sign", ["👍", "🎉", "☕"])
def test_an_emoji_alone_can_be_asked_of_turns_and_facts(memory: Memory, sign: str) -> None:
    memory.log(f"well done{sign}{sign}")
    memory.log("well done")
    memory.facts.store([f"The sign of the team is {sign}"])
    first = memory.recall(sign)[:2]
    assert {(row.kind, sign in row.text) for row in first} == {("turn", True), ("fact", True)}


@pytest.mark.parametrize("word", ["ข้าว", "東京", "서울"])
def test_scripts_without_spaces_are_found_in_turns_and_facts(memory: Memory, word: str) -> None:
    memory.log(f"x{word}y")
    memory.facts.store([f"The place is {word}"])
    assert {row.kind for row in memory.recall(word)} == {"turn", "fact"}


def test_a_question_of_one_long_unknown_word_is_not_echoed_whole(memory: Memory) -> None:
    memory.log("hello")
    found = memory.recall("x" * 10_000)
    assert len(found) == 0
    assert len(found.note) < 200


@pytest.mark.parametrize("question", ["", "   ", "the of and", "?!", "'\"*()"])
def test_a_question_without_a_word_to_look_for_has_an_answer(memory: Memory, question: str) -> None:
    memory.log("hello")
    assert memory.recall(question).note or memory.recall(question)


def test_an_emoji_that_is_found_is_not_told_to_be_unknown(memory: Memory) -> None:
    memory.log("I saw a \U0001f993 today")  # a zebra, newer than SQLite's tables
    found = memory.recall("\U0001f993")
    assert len(found) == 1
    assert found.unknown == ()
    assert memory.recall("\U0001f992").unknown == ("\U0001f992",)
