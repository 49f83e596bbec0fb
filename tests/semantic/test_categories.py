"""Categories set importance, expiry and immutability; they are given, or found by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.categories import KINDS
from memctl.base.errors import (
    AllNoiseError,
    ImmutableFactError,
    MissingParamError,
    MixedBatchError,
    ReadOnlyError,
    UsageError,
)
from memctl.base.home import Address
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store.store import Store
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable


TABLE = {
    "identity": (0.95, None, True),
    "configuration": (0.95, None, False),
    "rule": (0.90, None, False),
    "preference": (0.85, None, False),
    "lesson": (0.85, None, False),
    "decision": (0.80, None, False),
    "technical": (0.80, None, False),
    "relationship": (0.75, None, False),
    "project": (0.75, "2027-02-18T12:00:00Z", False),
    "operational": (0.60, "2026-11-27T12:00:00Z", False),
}


def test_the_table_holds_the_ten_kinds() -> None:
    assert list(KINDS) == list(TABLE)


@pytest.mark.parametrize("category", TABLE)
def test_a_category_sets_importance_expiry_and_immutability(facts: Facts, category: str) -> None:
    (made,) = facts.store("Falcon ships on Mondays", category=category).ids
    fact = facts.get(made)
    assert (fact.importance, fact.expires_at, fact.immutable) == TABLE[category]


def test_what_is_set_between_two_calls_holds_for_the_second(facts: Facts, store: Store) -> None:
    facts.store("Falcon ships on Mondays", category="rule")
    with Store(store.path, store.address) as other:
        Settings(other).set("importance_threshold", "0.95")
        with pytest.raises(AllNoiseError, match=r"below the threshold 0.95"):
            facts.store("Osprey ships on Tuesdays", category="rule")
        Settings(other).unset("importance_threshold")
    assert facts.store("Osprey ships on Tuesdays", category="rule").ids


@each(
    ("text", "category", "importance", "expected"),
    [("A trifle of a fact", "rule", 0, 0), ("Falcon ships on Mondays", None, None, 0.5)],
)
def test_importance_is_what_was_given_and_half_without_a_category(
    facts: Facts, text: str, category: str | None, importance: float | None, expected: float
) -> None:
    (made,) = facts.store(text, category=category, importance=importance).ids
    assert facts.get(made).importance == expected


def test_an_immutable_fact_refuses_an_update(facts: Facts) -> None:
    (made,) = facts.store("User's name is Chris", category="identity").ids
    with pytest.raises(ImmutableFactError, match=made):
        facts.update(made, "User's name is Robin")
    assert facts.get(made).text == "User's name is Chris"


@each("rest", ["project", "operational"])
def test_a_mixed_batch_is_refused_with_what_to_do(facts: Facts, rest: str) -> None:
    batch = [
        {"text": "User's name is Chris", "category": "identity"},
        {"text": "Falcon ships on Mondays", "category": rest},
    ]
    with pytest.raises(MixedBatchError) as refused:
        facts.store(batch)
    assert "one call for each category" in refused.value.hint
    with pytest.raises(MixedBatchError):
        facts.store(["User's name is Chris", batch[1]], category="identity")
    assert facts.list(status="any") == []


def test_an_unknown_category_is_refused_with_the_known_ones(facts: Facts) -> None:
    with pytest.raises(UsageError, match='"hobbies"') as refused:
        facts.store("User paints", category="hobbies")
    assert "preference" in refused.value.hint
    (made,) = facts.store("Falcon is due in May").ids
    with pytest.raises(UsageError, match="there is no category"):
        facts.update(made, category="hobbies")
    with pytest.raises(MissingParamError):
        facts.update(made)


def test_expiry_hides_and_is_reversible(facts: Facts, clock: Callable[[str], None]) -> None:
    (made,) = facts.store("The build is red today", category="operational").ids
    clock("2026-11-27T12:00:00Z")
    assert facts.list() == []
    assert facts.search("build red") == []
    assert facts.get(made).text == "The build is red today"
    assert [fact.id for fact in facts.list(show_expired=True)] == [made]
    facts.restore(made)
    assert [fact.id for fact in facts.list()] == [made]


def test_never_clears_an_expiry_and_spares_a_new_fact_its_categorys(facts: Facts) -> None:
    (made,) = facts.store("The build is red today", category="operational").ids
    assert facts.update(made, expires_at="never").expires_at is None
    (new,) = facts.store("The lift is shut", category="operational", expires_at="never").ids
    assert facts.get(new).expires_at is None


def test_a_pin_spares_from_the_category_but_not_from_a_given_date(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    (kept,) = facts.store("The build is red today", category="operational").ids
    (dated,) = facts.store("The trial runs", expires_at="2026-11-21").ids
    facts.pin(kept)
    facts.pin(dated)
    clock("2027-11-20T12:00:00Z")
    assert [fact.id for fact in facts.list()] == [kept]
    facts.unpin(kept)
    assert facts.list() == []


def test_a_pinned_fact_is_not_replaced_by_itself(facts: Facts) -> None:
    (made,) = facts.store("Falcon's deadline is May 1").ids
    facts.pin(made)
    assert facts.store("Falcon's deadline is May 8").written[0].event == "ADD"
    assert facts.get(made).status == "active"


def test_a_sessions_own_facts_end_with_it(facts_of: Callable[[Scope], Facts]) -> None:
    facts = facts_of(Scope(session="s1"))
    facts.store("The build is red", category="operational", long_term=False)
    kept = facts.store("The trial runs", long_term=False).ids[0]
    facts.pin(kept)
    facts.store("Falcon ships on Mondays")
    assert facts.end_session() == 1
    assert {fact.text for fact in facts.list()} == {"The trial runs", "Falcon ships on Mondays"}
    assert facts.end_session() == 0


def test_ending_no_session_is_refused(facts: Facts) -> None:
    with pytest.raises(UsageError, match="session"):
        facts.end_session()


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
