"""A question in German or Chinese is of its words of content, as one in English is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from memctl.memory import Memory


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


def texts(memory: Memory, question: str) -> list[str]:
    return [row.text for row in memory.recall(question)]


def test_german_words_of_grammar_bring_no_row(office: Memory) -> None:
    assert texts(office, "der die das und") == []


def test_a_row_that_shares_words_of_grammar_is_not_above_the_one_that_is_asked_for(
    office: Memory,
) -> None:
    (found,) = texts(office, "Wer ist der Vermieter? Sörensen")
    assert "Sörensen" in found


def test_german_words_of_grammar_are_not_told_as_missing(office: Memory) -> None:
    assert office.recall("Wie hoch ist die Miete?").unknown == ("hoch", "miete")


def test_a_word_that_is_grammar_in_german_alone_is_looked_for_in_english(office: Memory) -> None:
    assert texts(office, "which plants die") == ["The plants on the sill die without water."]


@pytest.mark.parametrize("question", ["alle Fristen", "Fristen für Osterloh", "welche Fristen"])
def test_a_german_plural_finds_its_singular(office: Memory, question: str) -> None:
    assert texts(office, question)[0].startswith("Frist")


def test_a_chinese_word_of_questions_makes_no_pair_with_what_is_beside_it(office: Memory) -> None:
    assert texts(office, "停船费什么时候交")[0].startswith("我们的停船费")


def test_a_chinese_hour_is_the_time_that_is_asked_for(office: Memory) -> None:
    assert texts(office, "帆船课几点上")[0].startswith("帆船课")
