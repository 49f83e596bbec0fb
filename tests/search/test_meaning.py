"""Meaning beside words: when its model is loaded, when vectors are made, and what bad input does."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import memctl
from memctl.search.vectors import sentence_model as sentences
from memctl.search.vectors.embed import BackgroundVectors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory

_SETTINGS = {"fallback": "model", "fallback_model": "two-topics"}
_DOGS = ("dog", "canine", "puppy")


class Topics:
    """A model of sentences with two topics, dogs and all else."""

    dims = 2

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.loads = 0
        self.ready = threading.Event()
        self.ready.set()

    def encode(self, texts: list[str], **_: Any) -> Any:
        self.texts += texts
        dogs = [any(word in text.lower() for word in _DOGS) for text in texts]
        return np.array([[1.0, 0.1] if dog else [0.05, 1.0] for dog in dogs])[:, : self.dims]

    def load(self, name: str, download: bool) -> Topics:
        self.loads += 1
        assert self.ready.wait(30)
        sentences._loaded.add((name, download))
        return self


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Topics:
    made = Topics()
    monkeypatch.setattr(sentences, "_load", made.load)
    monkeypatch.setattr(sentences, "_loaded", set())
    return made


@pytest.fixture
def kennel(tmp_path: Path, model: Topics) -> Iterator[Memory]:
    assert model.loads == 0
    with memctl.open("agent", tmp_path, settings=_SETTINGS) as memory:
        for text in ("My canine is ill and needs medicine", "The printer is out of paper"):
            memory.log(text, session=text)
        yield memory


def _vectors(memory: Memory) -> int:
    return int(memory.store.value("select count(*) from embedding"))


def _until(count: int, memory: Memory) -> bool:
    ends = time.monotonic() + 30
    while _vectors(memory) != count and time.monotonic() < ends:
        time.sleep(0.02)
    return _vectors(memory) == count


def test_what_was_meant_is_found_and_explained(kennel: Memory) -> None:
    found = kennel.recall("dog", min_worth=0)
    assert found[0].text.startswith("My canine")
    assert [term.why for term in found[0].explain if term.term == "meaning"] == [
        "meaning 1.00 x 0.3"
    ]
    told = kennel.why_not("dog", found[0].name)
    assert (told.place, told.score) == (1, found[0].score)


def test_neither_a_prompt_nor_a_rehearsed_dream_loads_a_model(
    kennel: Memory, model: Topics
) -> None:
    kennel.context("Is the printer out of paper?")
    kennel.dream.run()
    assert (model.loads, _vectors(kennel)) == (0, 0)


def test_a_dream_makes_the_vectors_of_what_is_new(kennel: Memory) -> None:
    kennel.dream.run(apply=True)
    assert _vectors(kennel) == 2


def test_a_dream_goes_on_without_a_model_that_is_not_there(tmp_path: Path) -> None:
    settings = {"fallback": "model", "fallback_model": str(tmp_path / "none")}
    with memctl.open("agent", tmp_path, settings=settings) as memory:
        memory.log("I moved to Rho")
        assert memory.dream.run(apply=True).applied
        assert _vectors(memory) == 0


def test_a_long_process_makes_vectors_while_nobody_asks(kennel: Memory, model: Topics) -> None:
    background = BackgroundVectors(kennel.store, kennel.settings)
    background.start()
    assert _until(2, kennel)
    kennel.log("The puppy sleeps")
    background.called()
    assert _until(3, kennel)
    model.texts.clear()
    kennel.recall("dog")
    assert model.texts == ["dog"]
    background.stop()


def test_nobody_waits_for_a_model_that_is_being_loaded(kennel: Memory, model: Topics) -> None:
    model.ready.clear()
    background = BackgroundVectors(kennel.store, kennel.settings)
    background.start()
    found = kennel.recall("printer")
    assert found[0].text == "The printer is out of paper"
    assert found.waiting == "the model of sentences is not loaded yet"
    model.ready.set()
    background.stop()


def test_without_a_model_there_is_nothing_to_do_in_the_background(memory: Memory) -> None:
    memory.log("The printer is out of paper")
    background = BackgroundVectors(memory.store, memory.settings)
    background.start()
    background.called()
    background.stop()
    assert _vectors(memory) == 0


def test_the_cost_of_a_cold_model_is_told_once(kennel: Memory) -> None:
    notes = []
    for _ in range(2):
        sentences._loaded.clear()  # as another command finds it
        notes.append(kennel.recall("dog").waiting)
    assert notes[0].startswith("loading the model of sentences took 0.0 s")
    assert "memctl mcp" in notes[0]
    assert notes[1] == ""


def test_a_model_of_another_dimension_is_not_compared(
    kennel: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    kennel.recall("dog")
    other = Topics()
    other.dims = 1
    monkeypatch.setattr(sentences, "_load", other.load)
    found = kennel.recall("printer")
    assert found[0].text == "The printer is out of paper"
    assert "memctl reembed" in found.waiting
    assert kennel.reembed().dims == 1


def test_vectors_of_another_model_are_not_compared(kennel: Memory) -> None:
    kennel.recall("dog")
    with kennel.store.transaction():
        kennel.store.execute("update embedding_model set fingerprint = 'AACAPwAAAAA=', name = 'x'")
    found = kennel.recall("printer")
    assert found[0].text == "The printer is out of paper"
    assert 'are of "x"' in found.waiting
    background = BackgroundVectors(kennel.store, kennel.settings)
    background.start()  # makes none of another model beside them
    kennel.log("The puppy sleeps")
    background.stop()
    assert _vectors(kennel) == 2


@pytest.mark.parametrize("question", ["\U0001f98a", "the of and", "go", "?", " "])
def test_a_question_without_a_word_that_tells_gets_no_row(kennel: Memory, question: str) -> None:
    kennel.dream.run(apply=True)
    found = kennel.recall(question)
    assert (len(found), bool(found.note)) == (0, True)


def test_a_question_of_ten_thousand_characters_is_answered(kennel: Memory) -> None:
    found = kennel.recall("Where is the printer? " + "hm " * 3_400)
    assert found[0].text == "The printer is out of paper"
