"""Forgetting by a query takes what says the same, and never what says the opposite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.text.statement import denies
from tests.each import each

if TYPE_CHECKING:
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


@pytest.mark.parametrize(("said", "denied"), OPPOSITES)
@pytest.mark.parametrize("turned", [False, True])
def test_what_says_the_opposite_is_a_candidate_alone(
    facts: Facts, said: str, denied: str, *, turned: bool
) -> None:
    stored, asked = (denied, said) if turned else (said, denied)
    (kept,) = facts.store(stored).ids
    gone = facts.forget(query=asked)
    assert gone.forgotten == ()
    assert [hit.fact.id for hit in gone.candidates] == [kept]
    assert facts.get(kept).status == "active"


@pytest.mark.parametrize("text", [text for pair in OPPOSITES for text in pair])
def test_what_says_the_same_is_forgotten(facts: Facts, text: str) -> None:
    (gone,) = facts.store(text).ids
    assert [fact.id for fact in facts.forget(query=text).forgotten] == [gone]


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


@each("query", ["the", "is", "on the", "?"])
def test_words_of_grammar_mean_no_fact(query: str, facts: Facts) -> None:
    facts.store(["The cat sleeps on the sofa", "Tea is served at noon"])
    gone = facts.forget(query=query)
    assert (gone.forgotten, facts.count()) == ((), 2)


def test_two_that_may_be_meant_are_shown(facts: Facts) -> None:
    facts.store(["User's red bicycle has a bell", "User sold the red bicycle"])
    gone = facts.forget(query="red bicycle")
    assert (gone.forgotten, len(gone.candidates)) == ((), 2)
