"""What an answer says of itself: how sure it is, what it has room for, and where a row lost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import NotFoundError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory


def test_the_reasons_add_up_to_the_confidence(chat: Memory) -> None:
    found = chat.recall("What is my kitchen budget?")
    odds = sum(term.value for term in found.reasons)
    assert found.confidence == pytest.approx(1 / (1 + math.exp(-odds)), abs=1e-3)


def test_what_is_asked_in_its_own_words_is_surer_than_a_word_by_chance(chat: Memory) -> None:
    sure = chat.recall("Where is the tent of Bo behind the lighthouse?").confidence
    unsure = chat.recall("Which giraffe did the dentist behind the museum paint?").confidence
    assert sure > unsure


def test_an_empty_answer_is_sure_of_nothing(chat: Memory) -> None:
    assert chat.recall("xylophone").confidence == 0


def test_an_answer_below_the_confidence_asked_for_is_empty_and_says_why(chat: Memory) -> None:
    found = chat.recall(
        "Which giraffe did the dentist paint behind it?", min_confidence=0.99, min_worth=0
    )
    assert len(found) == 0
    assert found.note.startswith("not sure enough: the confidence is 0.")


@each("least", [-0.1, 1.5])
def test_a_confidence_beyond_0_and_1_is_refused(chat: Memory, least: float) -> None:
    with pytest.raises(UsageError, match="min_confidence"):
        chat.recall("budget", min_confidence=least)


def test_a_fact_about_the_one_who_is_asked_about_is_no_sign_of_another(memory: Memory) -> None:
    memory.facts.store(text="Ann's timezone is Europe/Madrid", category="preference")
    before = memory.recall("which timezone has Ann?").confidence
    memory.log("Let us move the launch to 3 March.", speaker="Ann")  # now Ann is a speaker
    after = memory.recall("which timezone has Ann?").confidence
    assert (before > 0.4, after > 0.4) == (True, True)


FILLER = "Boats lie in the harbour and wait for the wind. "


def reply(about: str) -> str:
    return FILLER * 30 + about + " " + FILLER * 30


def test_a_long_row_gives_the_passage_that_holds_the_question(memory: Memory) -> None:
    memory.log(reply("Saffron belongs into the paella."), role="assistant")
    (row,) = memory.recall("saffron paella", max_tokens=200)
    assert "Saffron belongs into the paella." in row.text
    assert not row.whole
    assert row.tokens <= 200
    (whole,) = memory.recall("saffron paella")
    assert (whole.whole, len(whole.text) > 2000) == (True, True)


def test_a_budget_is_not_cut_by_the_default_limit(memory: Memory) -> None:
    for n in range(12):
        memory.log(f"saffron {n}", session=f"s{n}")
    assert len(memory.recall("saffron")) == 5
    assert len(memory.recall("saffron", max_tokens=2000)) == 12
    assert len(memory.recall("saffron", 3, max_tokens=2000)) == 3


def test_a_budget_holds(memory: Memory) -> None:
    for n in range(8):
        memory.log(reply(f"Saffron number {n} is dear."), role="assistant", session=f"s{n}")
    for budget in (0, 30, 100, 250, 1000):
        rows = memory.recall("saffron", max_tokens=budget)
        assert sum(row.tokens for row in rows) <= budget


def test_what_room_is_left_goes_to_further_passages(memory: Memory) -> None:
    memory.log(FILLER * 20 + "Saffron one. " + FILLER * 40 + "Saffron two. " + FILLER * 20)
    (short,) = memory.recall("saffron", max_tokens=100)
    (longer,) = memory.recall("saffron", max_tokens=600)
    assert short.text.count("Saffron") == 1
    assert longer.text.count("Saffron") == 2


def test_a_budget_too_small_says_what_the_shortest_row_takes(memory: Memory) -> None:
    memory.log("saffron and rice")
    assert "takes" in memory.recall("saffron", max_tokens=1).note


def test_a_row_without_a_word_lacks_them_all(memory: Memory) -> None:
    memory.log("The harbour is quiet", session="a")
    memory.log("Saffron for the paella", session="b")
    place = memory.why_not("saffron paella", "turn:1")
    assert place.place is None
    assert set(place.lacking) == {"saffron", "paella"}
    assert place.why.startswith("it holds no word of the question")


def test_a_row_further_behind_tells_its_place_and_its_terms(memory: Memory) -> None:
    for n in range(8):
        memory.log("Saffron for the paella " + "and more " * n, session=f"s{n}")
    place = memory.why_not("saffron paella", "turn:8", limit=2)
    assert place.place is not None
    assert place.place > 2
    assert place.score < place.last_score
    assert abs(sum(term.value for term in place.explain) - place.score) < 1e-9


def test_an_archived_row_says_so(memory: Memory) -> None:
    memory.log("Saffron for the paella")
    memory.log("Saffron again")
    memory.turns.archive([1])
    assert "archived" in memory.why_not("saffron", "turn:1").why


@each(
    ("asked", "why"),
    [
        ({"since": "2026-06-01"}, "filter"),
        ({"max_tokens": 25}, "no room"),
        ({"min_confidence": 1.0}, "not sure enough"),
    ],
)
def test_what_was_asked_for_beside_the_words_is_named_as_the_reason(
    memory: Memory, asked: dict[str, Any], why: str
) -> None:
    memory.log("saffron " * 40, logged_at="2026-01-01")
    memory.log("saffron and rice", logged_at="2026-07-01")
    assert why in memory.why_not("saffron", "turn:1", **asked).why


def test_a_fact_that_ended_says_so(memory: Memory) -> None:
    memory.facts.store(["Falcon's deadline is 1 December"])
    old = memory.facts.list()[0].id
    memory.facts.forget(old)
    assert "does not hold now" in memory.why_not("deadline of Falcon", old).why


@each(
    ("row", "error"),
    [("turn:99", NotFoundError), ("what", UsageError), (f"turn:{'9' * 30}", UsageError)],
)
def test_what_is_no_row_is_refused(memory: Memory, row: str, error: type[Exception]) -> None:
    memory.log("Saffron")
    with pytest.raises(error):
        memory.why_not("saffron", row)


def test_a_row_that_has_another_name_for_what_is_asked_holds_the_word(memory: Memory) -> None:
    memory.log("Halloran Pharma delivers tomorrow")
    memory.aliases.add("drug people", "Halloran Pharma")
    place = memory.why_not("When do the drug people deliver?", "turn:1")
    assert (set(place.matched), place.lacking) == ({"drug", "people", "deliver"}, ())
