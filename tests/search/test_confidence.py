"""Every answer says how sure it is, and why; one that is not sure enough comes without rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UsageError
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
