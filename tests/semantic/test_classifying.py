"""Categories of facts that are there: found by words, given by a caller, shown as tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import ImmutableFactError, MissingParamError, ReadOnlyError, UsageError
from memctl.base.home import Address
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable


def stored(facts: Facts, text: str, **how: str) -> str:
    return facts.store(text, category=how.get("category")).ids[0]


def test_a_fact_has_the_tag_of_its_category(facts: Facts) -> None:
    assert facts.get(stored(facts, "User prefers tea", category="preference")).tag == "PREF"
    assert facts.get(stored(facts, "Nobody filed this text")).tag is None


def test_nothing_is_written_until_it_is_applied(facts: Facts) -> None:
    fact = stored(facts, "User prefers tea")
    (found,) = facts.classify().facts
    assert (found.id, found.tag, found.category) == (fact, "PREF", "preference")
    assert (found.words, found.applied) == (("prefers",), False)
    assert facts.get(fact).category is None


def test_a_category_is_given_with_its_importance_and_history_keeps_it(facts: Facts) -> None:
    fact = stored(facts, "User prefers tea")
    made = facts.classify(apply=True)
    assert made.facts[0].applied
    assert (facts.get(fact).category, facts.get(fact).importance) == ("preference", 0.85)
    assert facts.history(fact)[-1].why.startswith("category: none -> preference")
    assert not facts.classify(apply=True).facts


def test_a_guess_neither_ends_nor_locks_a_fact(facts: Facts) -> None:
    fact = stored(facts, "My name is Priya")
    other = stored(facts, "The lift is out of order for now")
    facts.classify(apply=True)
    assert (facts.get(fact).category, facts.get(fact).immutable) == ("identity", False)
    assert (facts.get(other).category, facts.get(other).expires_at) == ("operational", None)


def test_what_somebody_filed_and_what_is_pinned_stays(facts: Facts) -> None:
    filed = stored(facts, "User prefers tea", category="technical")
    pinned = stored(facts, "User prefers coffee in the evening")
    facts.pin(pinned)
    (found,) = facts.classify(apply=True).facts
    assert (found.id, found.why) == (pinned, "it is pinned: left as it is")
    assert facts.get(filed).category == "technical"
    assert facts.get(pinned).category is None


def test_counts_are_by_tag_after_the_call(facts: Facts) -> None:
    stored(facts, "User prefers tea")
    stored(facts, "Then they went there")
    stored(facts, "Falcon is due in May", category="project")
    assert facts.classify().counts["-"] == 2
    counts = facts.classify(apply=True).counts
    assert (counts["PREF"], counts["PROJ"], counts["-"], counts["LESSON"]) == (1, 1, 1, 0)


def test_a_reader_classifies_and_does_not_apply(facts: Facts, store: Store) -> None:
    stored(facts, "User prefers tea")
    with Store(store.path, Address("agent"), readonly=True) as readonly:
        reader = Facts(readonly, Settings(readonly))
        assert reader.classify().facts
        with pytest.raises(ReadOnlyError):
            reader.classify(apply=True)


def test_the_floor_is_checked(facts: Facts) -> None:
    stored(facts, "User prefers tea")
    assert facts.classify(min_confidence=0.9).facts[0].category is None
    with pytest.raises(UsageError):
        facts.classify(min_confidence=7)


def test_another_category_brings_importance_lifetime_and_immutability(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    fact = stored(facts, "Falcon is due in May")
    clock("2026-11-21T12:00:00Z")
    changed = facts.update(fact, category="project")
    assert (changed.category, changed.tag, changed.importance) == ("project", "PROJ", 0.75)
    assert changed.expires_at == "2027-02-19T12:00:00Z"
    changed = facts.update(fact, category="rule")
    assert changed.expires_at is None
    assert facts.update(fact, category="identity").immutable
    with pytest.raises(ImmutableFactError):
        facts.update(fact, category="project")
    assert "category: project -> rule" in facts.history(fact)[-2].why


def test_what_the_caller_says_beside_the_category_wins(facts: Facts) -> None:
    fact = stored(facts, "Falcon is due in May")
    facts.update(fact, expires_at="2027-06-01")
    changed = facts.update(fact, category="project", importance=0.2)
    assert (changed.importance, changed.expires_at) == (0.2, "2027-06-02T00:00:00Z")


def test_a_category_that_is_unknown_is_refused(facts: Facts) -> None:
    fact = stored(facts, "Falcon is due in May")
    with pytest.raises(UsageError, match="there is no category"):
        facts.update(fact, category="hobby")
    with pytest.raises(MissingParamError):
        facts.update(fact)
