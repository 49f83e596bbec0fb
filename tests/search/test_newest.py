"""The newer of two rows that say the same stands above the older, which is marked as earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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
    for row in rows.values():
        assert abs(sum(term.value for term in row.explain) - row.score) < 1e-9


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("I live in Berlin", "I live in Paris now", "Where does Ann live now?"),
        ("The API quota is 1000 a day", "The API quota is 2000 a day", "What is the API quota?"),
    ],
)
def test_the_newer_of_two_like_sentences_stands_above_and_the_older_is_marked(
    memory: Memory, older: str, newer: str, question: str
) -> None:
    memory.log(older, speaker="Ann", logged_at="2026-01-01")
    memory.log(newer, speaker="Ann", logged_at="2026-06-01")
    above, below = memory.recall(question)
    assert (above.text, below.earlier_than) == (newer, above.name)


@pytest.mark.parametrize(
    ("ann", "speaker", "other", "question"),
    [
        ("The rent is 900", "Bo", "The rent is 700", "What is the rent?"),
        (
            "The violin of my aunt was made in Cremona",
            "Ann",
            "I play the violin every Sunday with friends",
            "Who plays the violin?",
        ),
        ("My budget is 4,000", "Ann", "My budget is 5,500 now", "What was my budget before?"),
    ],
    ids=["another speaker", "another sentence", "a question about the past"],
)
def test_what_is_no_update_marks_nothing(
    memory: Memory, ann: str, speaker: str, other: str, question: str
) -> None:
    memory.log(ann, speaker="Ann", logged_at="2026-01-01")
    memory.log(other, speaker=speaker, logged_at="2026-02-01")
    assert {row.earlier_than for row in memory.recall(question)} == {None}


def test_the_earlier_value_is_found_as_of_then(chat: Memory) -> None:
    then = chat.recall("What is my kitchen budget?", as_of="2026-08-15")
    assert "4,000" in then[0].text
    assert then[0].earlier_than is None
