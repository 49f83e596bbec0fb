"""The keyword classifier: whole words, scored, with a floor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.categories import KINDS
from memctl.base.errors import UsageError
from memctl.text.classifier import classify
from tests.each import each


@each(
    ("text", "tag", "category"),
    [
        ("User prefers tea.", "PREF", "preference"),
        ("My name is Priya.", "PREF", "identity"),
        ("Never deploy on a Friday.", "PREF", "rule"),
        ("The staging server listens on port 8443.", "TECH", "configuration"),
        ("The billing service is written in Go.", "TECH", "technical"),
        ("Lesson learned: test the restore.", "LESSON", "lesson"),
        ("We decided to go with Postgres.", "PROJ", "decision"),
        ("The project's deadline is in March.", "PROJ", "project"),
        ("Maria is my manager.", "PEOPLE", "relationship"),
        ("The build is red right now.", "TEMP", "operational"),
        ("Ich mag lieber Tee.", "PREF", "preference"),
        ("Decidimos aplazar la feria.", "PROJ", "decision"),
        ("Je m'appelle Camille.", "PREF", "identity"),
        ("王丽是我的同事。", "PEOPLE", "relationship"),
        ("私は電車よりバスのほうが好きです。", "PREF", "preference"),
    ],
)
def test_words_speak_for_a_category(text: str, tag: str, category: str) -> None:
    found = classify(text)
    assert (found.tag, found.category) == (tag, category)
    assert found.words
    assert found.confidence >= 0.3


@each(
    "text",
    [
        "Then they went there, and that was the other theme.",
        "He, she and they: her hero, his shepherd.",
        "Capricious rapids reapply slowly.",  # no API
        "The marketplace was a bossy place.",  # no boss
    ],
)
def test_no_part_of_a_word_and_no_pronoun_counts(text: str) -> None:
    found = classify(text)
    assert (found.category, found.why) == (None, "no word speaks for a category")


def test_a_stem_takes_its_endings() -> None:
    assert classify("Two microservices.").category == "technical"


def test_below_the_floor_it_is_not_sure_and_says_why() -> None:
    found = classify("The server likes Docker and tea.", min_confidence=0.9)
    assert (found.category, found.tag) == (None, None)
    assert "is below 0.9" in found.why
    assert 0 < found.confidence < 0.9


def test_two_that_are_alike_are_no_answer() -> None:
    assert classify("decided, prefers").why == "as much speaks for preference as for decision"


@each("least", [-0.1, 1.1])
def test_the_floor_is_between_0_and_1(least: float) -> None:
    with pytest.raises(UsageError, match="out of range"):
        classify("tea", min_confidence=least)


@given(st.text())
def test_every_text_has_one_answer(text: str) -> None:
    found = classify(text)
    assert found == classify(text)
    assert 0 <= found.confidence <= 1
    assert found.category is None or found.category in KINDS
    assert bool(found.why) == (found.category is None)
