"""What a language model proposes: its shape is checked, and its facts pass the same rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.categories import KINDS
from memctl.base.errors import UnusableInputError
from memctl.extraction.extractor import prompt
from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory

SAID = "I prefer tea over coffee. My boss Maria moves to Berlin tomorrow."
TEA = {"text": "User prefers tea over coffee.", "category": "preference", "confidence": 0.9}
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def refused(m: Memory, text: str, category: str = "preference") -> str:
    found = m.extract(SAID, ask=lambda *_: {"facts": [{"text": text, "category": category}]})
    assert not found.facts
    return found.skipped[-1].why


def test_a_grounded_fact_is_kept_with_its_source(m: Memory) -> None:
    (fact,) = m.extract(SAID, ask=lambda *_: [TEA]).facts
    assert (fact.text, fact.category, fact.confidence) == (TEA["text"], "preference", 0.9)
    assert fact.source.name == "characters 0-25"


def test_the_model_is_shown_what_may_be_kept_alone(m: Memory) -> None:
    shown = []

    def ask(system: str, user: str) -> list[Any]:
        shown.append((system, user))
        return []

    m.extract(f"I like figs a lot.\nMy key is {SECRET}.\nOff the record: I am ill.", ask=ask)
    ((system, user),) = shown
    assert system == prompt()
    assert "figs" in user
    assert SECRET not in user
    assert "ill" not in user.split()


def test_where_nothing_may_be_kept_nobody_is_asked(m: Memory) -> None:
    def ask(system: str, user: str) -> list[Any]:
        raise AssertionError(system + user)

    assert not m.extract("What is this?", ask=ask).facts


@each(
    ("text", "why"),
    [
        ("User collects stamps of Portugal.", "do not stand in the text"),
        ("User might prefer tea over coffee.", "a guess"),
        ("Does User prefer tea over coffee?", "a question"),
        ("She prefers tea over coffee.", "nothing says"),
        (f"User prefers tea over coffee {SECRET}.", "secret"),
    ],
)
def test_a_proposal_passes_the_same_rules(m: Memory, text: str, why: str) -> None:
    assert why in refused(m, text)


@each(
    "answer",
    [
        "User prefers tea",
        None,
        {"fact": [TEA]},
        [TEA] * 11,
        ["User prefers tea"],
        [{**TEA, "category": "hobby"}],
        [{**TEA, "category": None}],
        [{**TEA, "text": ""}],
        [{**TEA, "text": 5}],
        [{**TEA, "confidence": 2}],
        [{**TEA, "confidence": True}],
        [{**TEA, "confidence": float("nan")}],
        [{**TEA, "immutable": True}],
        [{"text": "User prefers tea."}],
    ],
)
def test_an_answer_of_another_shape_is_refused_whole(m: Memory, answer: object) -> None:
    with pytest.raises(UnusableInputError, match="the model's answer"):
        m.extract(SAID, ask=lambda *_: answer, store=True)
    assert not m.store.exists


def test_a_fact_that_is_not_sure_waits_for_a_person(m: Memory) -> None:
    m.extract(SAID, ask=lambda *_: [{**TEA, "confidence": 0.2}], store=True)
    assert len(m.facts.pending()) == 1


def test_the_prompt_names_every_category_and_the_shape() -> None:
    told = prompt()
    assert all(f"- {category}:" in told for category in KINDS)
    assert '{"facts": [{"text"' in told
