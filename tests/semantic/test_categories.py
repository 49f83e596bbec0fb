"""Category sets importance, expiry and immutability, in code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.categories import KINDS
from memctl.base.errors import AllNoiseError, ImmutableFactError, MixedBatchError, UsageError
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts

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


def test_importance_zero_is_zero(facts: Facts) -> None:
    fact = facts.get(facts.store("A trifle of a fact", category="rule", importance=0).ids[0])
    assert fact.importance == 0


def test_a_fact_without_a_category_weighs_half(facts: Facts) -> None:
    assert facts.get(facts.store("Falcon ships on Mondays").ids[0]).importance == 0.5


def test_an_immutable_fact_refuses_an_update(facts: Facts) -> None:
    (made,) = facts.store("User's name is Chris", category="identity").ids
    with pytest.raises(ImmutableFactError, match=made):
        facts.update(made, "User's name is Robin")
    assert facts.get(made).text == "User's name is Chris"


def test_a_mixed_batch_is_refused_with_what_to_do(facts: Facts) -> None:
    batch = [
        {"text": "User's name is Chris", "category": "identity"},
        {"text": "Falcon ships on Mondays", "category": "project"},
    ]
    with pytest.raises(MixedBatchError) as refused:
        facts.store(batch)
    assert "one call for each category" in refused.value.hint
    assert not facts.list()


def test_a_mixed_batch_makes_nothing_immutable(facts: Facts) -> None:
    with pytest.raises(MixedBatchError):
        facts.store(
            ["User's name is Chris", {"text": "The build is red", "category": "operational"}],
            category="identity",
        )
    assert facts.list(status="any") == []


def test_an_unknown_category_is_refused_with_the_known_ones(facts: Facts) -> None:
    with pytest.raises(UsageError, match='"hobbies"') as refused:
        facts.store("User paints", category="hobbies")
    assert "preference" in refused.value.hint


def test_expiry_hides_and_is_reversible(facts: Facts, clock: Callable[[str], None]) -> None:
    (made,) = facts.store("The build is red today", category="operational").ids
    clock("2026-11-27T12:00:00Z")
    assert facts.list() == []
    assert facts.search("build red") == []
    assert facts.get(made).text == "The build is red today"
    assert [fact.id for fact in facts.list(show_expired=True)] == [made]
    facts.restore(made)
    assert [fact.id for fact in facts.list()] == [made]


def test_an_expiry_day_counts_to_its_end(facts: Facts, clock: Callable[[str], None]) -> None:
    facts.store("The trial runs", expires_at="2026-11-21")
    clock("2026-11-21T23:59:58Z")
    assert len(facts.list()) == 1
    clock("2026-11-22T00:00:00Z")
    assert facts.list() == []


def test_never_clears_an_expiry(facts: Facts) -> None:
    (made,) = facts.store("The build is red today", category="operational").ids
    assert facts.update(made, expires_at="never").expires_at is None


def test_never_spares_a_new_fact_its_categorys_expiry(facts: Facts) -> None:
    (made,) = facts.store("The build is red", category="operational", expires_at="never").ids
    assert facts.get(made).expires_at is None


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


def test_stating_an_expired_fact_again_renews_it(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    (made,) = facts.store("The build is red today", category="operational").ids
    clock("2026-12-20T12:00:00Z")
    (written,) = facts.store("The build is red today", category="operational").written
    assert (written.event, written.id) == ("RENEW", made)
    assert facts.get(made).expires_at == "2026-12-27T12:00:00Z"


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
