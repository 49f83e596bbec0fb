"""Words are found in any language and spelling; who is asked about, and as what somebody speaks, count beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def texts(memory: Memory, question: str) -> list[str]:
    return [row.text for row in memory.recall(question)]


def test_the_users_own_words_come_before_the_reply_to_them(chat: Memory) -> None:
    assert texts(chat, "What is my kitchen budget?")[0].startswith("The budget for the kitchen")


def test_a_reply_is_found_by_what_it_says(chat: Memory) -> None:
    first = chat.recall("What did you tell me about the old cabinets?")[0]
    assert first.who == ("assistant",)
    assert "reply" in {term.term for term in first.explain}


def test_a_reply_inherits_nothing_from_the_question_before_it(memory: Memory) -> None:
    memory.log("Which saffron should I buy for the paella?", session="s")
    memory.log("Take the Spanish one.", role="assistant", session="s")
    reply = next(
        row for row in memory.recall("saffron paella", min_worth=0) if row.who == ("assistant",)
    )
    assert {term.term for term in reply.explain} <= {"thread"}


def test_what_somebody_said_is_listed_where_nothing_else_is_asked(chat: Memory) -> None:
    said = chat.recall("What did Bo say?")
    assert {row.who for row in said[:2]} == {("Bo",)}
    assert said.names == ("Bo",)


def test_a_standing_wish_is_found_where_help_is_asked_for(memory: Memory) -> None:
    memory.log("Always answer with metric units when I ask about recipes", session="a")
    memory.log("A recipe for bread needs time", role="assistant", session="b")
    first = memory.recall("How do I scale a recipe?")[0]
    assert first.text.startswith("Always answer")
    assert "wish" in {term.term for term in first.explain}


def test_a_row_is_explained_after_its_store_is_closed(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.log("The ferry leaves at noon")
        (row,) = memory.recall("ferry")
    assert round(sum(term.value for term in row.explain), 4) == row.score


@pytest.fixture
def office(memory: Memory) -> Memory:
    memory.facts.store(
        [
            "Frist: Klageerwiderung Osterloh bis 2. Juli 2026.",
            "Herr Sahin spricht Deutsch, der Dolmetscher ist Cem Aydin.",
            "Office rent 2,150 euros, landlord Sörensen GbR.",
            "The plants on the sill die without water.",
            "我们的停船费每年四月交。",
            "帆船课由李伟老师上每周六上午九点。",
        ]
    )
    return memory


@each(
    ("question", "first"),
    [
        ("Wer ist der Vermieter? Sörensen", "Office rent"),
        ("which plants die", "The plants"),
        ("alle Fristen", "Frist"),
        ("Fristen für Osterloh", "Frist"),
        ("welche Fristen", "Frist"),
        ("停船费什么时候交", "我们的停船费"),
        ("帆船课几点上", "帆船课"),
    ],
)
def test_a_question_is_of_its_words_of_content_in_any_language(
    office: Memory, question: str, first: str
) -> None:
    assert texts(office, question)[0].startswith(first)


def test_words_of_grammar_alone_bring_no_row(office: Memory) -> None:
    assert texts(office, "der die das und") == []


def test_german_words_of_grammar_are_not_told_as_missing(office: Memory) -> None:
    assert office.recall("Wie hoch ist die Miete?").unknown == ("hoch", "miete")


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


@each("word", ["ข้าว", "東京", "서울"])
def test_scripts_without_spaces_are_found_in_turns_and_facts(memory: Memory, word: str) -> None:
    memory.log(f"x{word}y")
    memory.facts.store([f"The place is {word}"])
    assert {row.kind for row in memory.recall(word)} == {"turn", "fact"}
    assert memory.recall("\U0001f992").unknown == ("\U0001f992",)


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


@pytest.mark.parametrize("sign", ["👍", "☕", "\U0001f993"])
def test_an_emoji_alone_can_be_asked_of_turns_and_facts(memory: Memory, sign: str) -> None:
    memory.log(f"well done{sign}{sign}")
    memory.log("well done")
    memory.facts.store([f"The sign of the team is {sign}"])
    first = memory.recall(sign)[:2]
    assert {(row.kind, sign in row.text) for row in first} == {("turn", True), ("fact", True)}


def test_a_question_of_one_long_unknown_word_is_not_echoed_whole(memory: Memory) -> None:
    memory.log("hello")
    found = memory.recall("x" * 10_000)
    assert len(found) == 0
    assert len(found.note) < 200


@each("question", ["", "   ", "the of and", "?!", "'\"*()"])
def test_a_question_without_a_word_to_look_for_has_an_answer(memory: Memory, question: str) -> None:
    memory.log("hello")
    assert memory.recall(question).note or memory.recall(question)
