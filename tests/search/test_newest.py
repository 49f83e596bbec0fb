"""The newer of two rows that say the same stands above the older, which is marked as earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.memory import Memory


def test_the_newer_value_stands_above_the_one_that_it_replaced(chat: Memory) -> None:
    rows = {row.text: row for row in chat.recall("What is my kitchen budget?")}
    newer, older = (
        next(row for text, row in rows.items() if amount in text) for amount in ("5,500", "4,000")
    )
    assert newer.score > older.score
    assert older.earlier_than == newer.name
    assert newer.earlier_than is None


def test_the_terms_of_a_raised_row_add_up_to_its_score(chat: Memory) -> None:
    for row in chat.recall("What is my kitchen budget?"):
        assert abs(sum(term.value for term in row.explain) - row.score) < 1e-9


def test_the_earlier_value_is_found_as_of_then(chat: Memory) -> None:
    then = chat.recall("What is my kitchen budget?", as_of="2026-08-15")
    assert "4,000" in then[0].text
    assert then[0].earlier_than is None


def test_a_question_about_the_past_leaves_the_order_to_the_words(chat: Memory) -> None:
    rows = chat.recall("What was my budget for the kitchen before?")
    assert all(row.earlier_than is None for row in rows)


def test_another_speakers_number_replaces_nothing(memory: Memory) -> None:
    memory.log("The rent of the flat is 900", speaker="Ann", logged_at="2026-01-01")
    memory.log("The rent of the flat is 700", speaker="Bo", logged_at="2026-02-01")
    assert all(row.earlier_than is None for row in memory.recall("What is the rent of the flat?"))


def test_the_newer_of_two_like_sentences_stands_above_also_without_a_number(memory: Memory) -> None:
    memory.log("I live in Berlin", speaker="Ann", logged_at="2026-01-01")
    memory.log("I live in Paris now", speaker="Ann", logged_at="2026-06-01")
    newer, older = memory.recall("Where does Ann live now?")
    assert newer.text == "I live in Paris now"
    assert older.earlier_than == newer.name


def test_an_older_row_that_stands_below_is_marked_too(memory: Memory) -> None:
    memory.log("The API quota is 1000 requests per day", logged_at="2026-01-01")
    memory.log("The API quota is 2000 requests per day", logged_at="2026-06-01")
    newer, older = memory.recall("What is the API quota?")
    assert "2000" in newer.text
    assert older.earlier_than == newer.name


def test_other_sentences_of_the_same_word_are_no_update(memory: Memory) -> None:
    memory.log("The violin of my aunt was made in Cremona", logged_at="2026-01-01")
    memory.log("I play the violin every Sunday with friends", logged_at="2026-06-01")
    assert all(row.earlier_than is None for row in memory.recall("Who plays the violin?"))
