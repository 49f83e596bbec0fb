"""Forgetting by a query, and the questions that go with what is erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import UsageError
from memctl.text.statement import denies
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.semantic.facts import Facts


OPPOSITES = [
    ("User drinks coffee", "User does not drink coffee"),
    ("User drinks coffee", "User doesn\u2019t drink coffee"),
    ("User likes oysters", "User hates oysters"),
    ("Deploy on Fridays", "Never deploy on Fridays"),
    ("User works at Acme", "User no longer works at Acme"),
    ("User eats meat", "User hardly ever eats meat"),
    ("User lives in Rome", "User used to live in Rome"),
    ("User trusts Ana", "User distrusts Ana"),
    ("Nutzer trinkt Kaffee", "Nutzer trinkt keinen Kaffee"),
    ("Usuario bebe café", "Usuario no bebe café"),
    ("用户喝咖啡", "用户不喝咖啡"),
    ("ユーザーはコーヒーを飲む", "ユーザーはコーヒーを飲まない"),
]


def test_all_duplicates_or_one_fact_not_both(facts: Facts) -> None:
    with pytest.raises(UsageError, match="duplicates"):
        facts.forget(query="coffee", duplicates=True)


@each(("stored", "asked"), [*OPPOSITES, *((denied, said) for said, denied in OPPOSITES)])
def test_what_says_the_opposite_is_a_candidate_alone(facts: Facts, stored: str, asked: str) -> None:
    (kept,) = facts.store(stored).ids
    gone = facts.forget(query=asked)
    assert gone.forgotten == ()
    assert [hit.fact.id for hit in gone.candidates] == [kept]
    assert facts.get(kept).status == "active"
    facts.erase(kept)


@each("text", [text for pair in OPPOSITES for text in pair])
def test_what_says_the_same_is_forgotten(facts: Facts, text: str) -> None:
    (gone,) = facts.store(text).ids
    assert [fact.id for fact in facts.forget(query=text).forgotten] == [gone]
    facts.erase(gone)


@each(
    "text",
    [
        "User notes everything",
        "The knot is tight",
        "User is used to noise",
        "用户非常喜欢茶",
        "Noah is a nonfiction fan",
    ],
)
def test_a_word_that_only_begins_so_denies_nothing(text: str) -> None:
    assert not denies(text)


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
    ("other", "text", "question", "unrelated"),
    [
        ("Ann keeps a chinchilla, too", "User keeps a chinchilla", "chinchilla?", "Is there tea?"),
        ("Bo likes raisins", "User keeps a chinchilla", "chinchilla?", "Is there tea?"),
        ("Bo likes raisins", "用户的狗叫小白", "用户的狗", "茶"),
    ],
)
def test_a_question_that_the_fact_answered_goes_wherever_its_words_are(
    memory: Memory, other: str, text: str, question: str, unrelated: str
) -> None:
    memory.facts.store(other)
    erase(memory, text, question, unrelated)
    assert asked(memory) == ["(erased)", unrelated]


def test_a_question_stays_while_its_fact_is_only_changed_or_forgotten(memory: Memory) -> None:
    (gone,) = memory.facts.store("User lives in Zanzibarstreet").ids
    memory.recall("zanzibarstreet")
    memory.facts.update(gone, "User lives in Xylophonelane")
    memory.facts.forget(gone)
    assert asked(memory) == ["zanzibarstreet"]
    memory.facts.erase(gone)
    assert asked(memory) == ["(erased)"]
