"""A question that an erased fact answered goes with it, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as opened:
        opened.facts.store("Tea is served at noon")
        yield opened


def asked(memory: Memory) -> list[str]:
    return [row[0] for row in memory.store.rows("select question from recall order by id")]


def erase(memory: Memory, text: str, *questions: str) -> None:
    (gone,) = memory.facts.store(text).ids
    for question in questions:
        memory.recall(question)
    memory.facts.erase(gone)


def test_a_question_with_a_word_of_the_erased_fact_alone_is_erased(
    memory: Memory, tmp_path: Path
) -> None:
    erase(
        memory,
        "User keeps a chinchilla in Xylotown",
        "Who has chinchillas?",
        "xylotown quagga",
        "When is tea served?",
    )
    assert asked(memory) == ["(erased)", "(erased)", "When is tea served?"]
    unknown = [row[0] for row in memory.store.rows("select unknown_words from recall")]
    assert unknown == ["[]", "[]", "[]"]
    content = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()).lower()
    assert b"chinchilla" not in content
    assert b"xylotown" not in content


@pytest.mark.parametrize(
    "other", ["Ann keeps a chinchilla, too", "Bo likes raisins"], ids=["in another fact", "nowhere"]
)
def test_a_question_that_the_fact_answered_goes_wherever_its_words_are(
    memory: Memory, other: str
) -> None:
    memory.facts.store(other)
    erase(memory, "User keeps a chinchilla", "Who has a chinchilla?", "Is there tea?")
    assert asked(memory) == ["(erased)", "Is there tea?"]


def test_words_of_what_the_fact_said_before_are_erased_too(memory: Memory) -> None:
    (gone,) = memory.facts.store("User lives in Zanzibarstreet").ids
    memory.recall("zanzibarstreet")
    memory.facts.update(gone, "User lives in Xylophonelane")
    memory.facts.erase(gone)
    assert asked(memory) == ["(erased)"]


def test_a_question_in_characters_is_erased(memory: Memory) -> None:
    erase(memory, "用户的狗叫小白", "用户的狗", "茶")
    assert asked(memory) == ["(erased)", "茶"]


def test_what_is_only_forgotten_keeps_its_questions(memory: Memory) -> None:
    (gone,) = memory.facts.store("User keeps a chinchilla").ids
    memory.recall("chinchilla")
    memory.facts.forget(gone)
    assert asked(memory) == ["chinchilla"]
