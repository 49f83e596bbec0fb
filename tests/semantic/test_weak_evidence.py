"""A repaired word is weaker evidence than a word as it was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.base.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts

STORED = [
    "User has a wife called Eva",
    "User reads a book a week",
    "The house has a red door",
    "User rents a flat",
    "User lives in Lisbon",
    "User prefers dark mode because of migraines",
    "The lab takes 60 requests per minute",
    "The server is called Atlas",
]


@pytest.mark.parametrize(
    "word", ["wifi", "boot", "horse", "flag", "like", "pets", "cable", "loves"]
)
def test_a_real_word_is_not_taken_for_another(facts: Facts, word: str) -> None:
    facts.store(STORED)
    found = facts.search(word)
    assert (list(found), found.corrected) == ([], {})
    assert found.note == f'no fact holds "{word}"'


def test_a_question_with_a_real_word_that_nobody_holds_keeps_its_order(facts: Facts) -> None:
    facts.store(STORED)
    found = facts.search("what theme does the user like?")
    assert found.corrected == {}
    assert {hit.matched for hit in found} == {("user",)}


def test_a_fact_that_a_repair_alone_found_never_has_the_full_score(facts: Facts) -> None:
    facts.store(["Osprey flies in May", "Tea is served at noon"])
    (hit,) = facts.search("ospry")
    assert hit.score == pytest.approx(0.5)
    assert "50% of the question's weight; " in hit.explain[0].why
    assert "50% of its weight" in hit.explain[0].why


def test_a_repaired_word_counts_half_of_what_it_would_as_asked(facts: Facts) -> None:
    facts.store(["Note 1 is about tea", "Osprey flies in May"])
    found = facts.search("ospry tea")
    assert found.corrected == {"ospry": "osprey"}
    assert [hit.matched for hit in found] == [("tea",), ("ospry",)]
    assert found[1].score == pytest.approx(found[0].score / 2, abs=0.001)


def test_a_repair_lifts_a_fact_that_holds_another_word_as_asked(facts: Facts) -> None:
    facts.store(["Falcon's deadline is 1 May", "Heron's deadline is 2 May"])
    assert facts.search("falcn deadline")[0].fact.subject == "Falcon"


def test_others_facts_do_not_push_a_repaired_one_back(
    facts_of: Callable[[Scope], Facts],
) -> None:
    mine = facts_of(Scope(user="ann"))
    mine.store("Osprey flies in May")
    facts_of(Scope(user="bob")).store("Tea is served at noon")
    (hit,) = mine.search("ospry tea")
    assert "others do" not in hit.explain[0].why


def test_a_name_cut_short_is_taken_for_the_one_that_is_longer(facts: Facts) -> None:
    facts.store("User decided to use PostgreSQL because of JSON")
    found = facts.search("why did we pick postgres?")
    assert found.corrected == {"postgres": "postgresql"}
    assert len(found) == 1


def test_a_name_that_may_be_cut_short_of_two_is_taken_for_none(facts: Facts) -> None:
    facts.store(["PostgreSQL is the database", "PostgresPro is another"])
    assert facts.search("postgres").corrected == {}


def test_a_longer_name_of_anothers_is_not_told(facts_of: Callable[[Scope], Facts]) -> None:
    facts_of(Scope(user="bob")).store("PostgresPro is what Bob uses")
    mine = facts_of(Scope(user="ann"))
    mine.store("PostgreSQL is what Ann uses")
    assert mine.search("postgres").corrected == {"postgres": "postgresql"}


WORDS = ["falcon", "heron", "kestrel", "osprey", "harrier", "buzzard"]


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    texts=st.lists(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), min_size=1, max_size=8
    ),
    asked=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    broken=st.sampled_from(WORDS),
)
def test_whatever_is_misspelt_the_terms_of_a_score_add_up_to_it(
    facts: Facts, texts: list[list[str]], asked: list[str], broken: str
) -> None:
    facts.delete_all(confirm=True)
    facts.store([f"Note {i}: {' '.join(words)}" for i, words in enumerate(texts)])
    typo = broken[:2] + broken[3:]
    found = facts.search(" ".join([typo, *(word for word in asked if word != broken)]), limit=50)
    repaired = [set(hit.matched) == {typo} for hit in found]
    assert all(hit.score < 1 for hit, alone in zip(found, repaired, strict=True) if alone)
    for hit in found:
        assert sum(term.value for term in hit.explain) == pytest.approx(hit.score, abs=0.003)
