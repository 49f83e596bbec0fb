"""A sentence with a name instead of "I" stays English."""

from __future__ import annotations

from memctl.extraction.speakers import with_speaker
from tests.each import each


@each(
    ("said", "told"),
    [
        ("I no longer work at Acme", "User no longer works at Acme"),
        ("I hardly ever eat meat", "User hardly ever eats meat"),
        ("I much prefer tea", "User much prefers tea"),
        ("I'd rather walk", "User would rather walk"),
    ],
)
def test_a_verb_behind_adverbs_agrees_with_the_name(said: str, told: str) -> None:
    assert with_speaker(said) == told


@each(
    ("said", "told"),
    [
        ("Never again will I eat meat", "Never again will User eat meat"),
        ("Should I move, I keep my desk", "Should User move, User keeps their desk"),
        ("What do I do at work", "What does User do at work"),
    ],
)
def test_a_verb_behind_an_auxiliary_stays(said: str, told: str) -> None:
    assert with_speaker(said) == told


@each("said", ["I would rather walk", "I and Bob live here", "I let him go"])
def test_a_word_that_is_no_verb_of_the_present_stays(said: str) -> None:
    assert with_speaker(said) == said.replace("I", "User", 1)


def test_who_is_named_once_is_not_named_again_behind_and() -> None:
    said = "I live in Rome and I work at home and I like tea"
    assert with_speaker(said) == "User lives in Rome and works at home and likes tea"
