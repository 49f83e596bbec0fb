"""What waits for a person: promoted by a second source, approved, declined for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts

DEC_1 = "Falcon's deadline is 1 December"
DEC_8 = "Falcon's deadline is 8 December"


def held(facts: Facts) -> list[str]:
    return [fact.text for fact in facts.list()]


# -- promotion ---------------------------------------------------------------------------


@pytest.mark.parametrize(("parked", "between"), [(DEC_8, DEC_1), (DEC_1, DEC_8)])
def test_a_promoted_fact_ends_what_came_to_hold_while_it_waited(
    parked: str, between: str, facts: Facts
) -> None:
    (waiting,) = facts.store(parked, confidence="low", source="a").ids
    (ended,) = facts.store(between, source="b").ids
    (written,) = facts.store(parked, source="c").written
    assert (written.event, written.id, written.other) == ("PROMOTE", waiting, ended)
    assert held(facts) == [parked]
    assert facts.get(ended).superseded_by == waiting


def test_confidence_alone_promotes_nothing_against_what_holds_by_now(facts: Facts) -> None:
    facts.store(DEC_8, confidence="low", source="a")
    facts.store(DEC_1, source="b")
    assert facts.store(DEC_8, source="a").written[0].event == "SKIP"
    assert held(facts) == [DEC_1]


def test_what_nothing_contradicts_any_more_holds_alone(
    facts: Facts,
) -> None:
    (against,) = facts.store("User prefers dark mode").ids
    (waiting,) = facts.store("User does not prefer dark mode").ids
    facts.forget(against)
    (written,) = facts.store("User does not prefer dark mode").written
    assert (written.event, written.id) == ("SKIP", waiting)
    assert held(facts) == ["User does not prefer dark mode"]


def test_no_second_source_promotes_against_what_is_pinned_meanwhile(facts: Facts) -> None:
    facts.store(DEC_8, confidence="low", source="a")
    facts.pin(facts.store(DEC_1, source="b").ids[0])
    assert facts.store(DEC_8, source="c").written[0].event == "SKIP"
    assert held(facts) == [DEC_1]


@pytest.mark.parametrize(
    ("parked", "again"),
    [
        ("User prefers spaces", "user prefers the spaces."),
        ("Falcon's lead is Maria", "The lead of Falcon is Maria"),
    ],
)
def test_what_waits_is_recognised_in_other_words(parked: str, again: str, facts: Facts) -> None:
    (waiting,) = facts.store(parked, confidence="low", source="a").ids
    assert facts.store(again, confidence="low", source="a").written[0].event == "SKIP"
    assert [fact.id for fact in facts.pending()] == [waiting]
    (written,) = facts.store(again, confidence="low", source="b").written
    assert (written.event, written.id) == ("PROMOTE", waiting)
    assert held(facts) == [parked]


def test_a_promoted_fact_whose_lifetime_ran_out_while_it_waited_is_seen(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    facts.store("The build is red", category="operational", confidence="low", source="a")
    clock("2026-12-20T12:00:00Z")
    facts.store("The build is red", category="operational", confidence="low", source="b")
    assert [fact.expires_at for fact in facts.list()] == ["2026-12-27T12:00:00Z"]


# -- rejection ---------------------------------------------------------------------------


@pytest.mark.parametrize("again", [DEC_8, "The deadline of Falcon is 8 December"])
@pytest.mark.parametrize("source", ["a", "b", None])
def test_what_was_declined_is_not_offered_again(
    again: str, source: str | None, facts: Facts
) -> None:
    facts.store(DEC_1, confidence="high")
    (declined,) = facts.store(DEC_8, source="a").ids
    facts.reject(declined)
    (written,) = facts.store(again, source=source).written
    assert (written.event, written.id) == ("SKIP", declined)
    assert "rejected" in written.why
    assert "restore" in written.why
    assert facts.pending() == []


def test_what_was_declined_is_not_taken_in_unasked_either(facts: Facts) -> None:
    facts.reject(facts.store("Osprey uses Kafka", confidence="low").ids[0])
    assert facts.store("Osprey uses Kafka").written[0].event == "SKIP"
    assert held(facts) == []


def test_high_confidence_offers_again_what_was_declined_with_less(facts: Facts) -> None:
    facts.reject(facts.store("Osprey uses Kafka", confidence="low").ids[0])
    assert facts.store("Osprey uses Kafka", confidence="high").written[0].event == "ADD"


# -- lifetime ----------------------------------------------------------------------------


def test_an_approved_fact_lives_its_categorys_days_from_then_on(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    (waiting,) = facts.store("The build is red", category="operational", confidence="low").ids
    clock("2026-12-20T12:00:00Z")
    assert facts.approve(waiting).expires_at == "2026-12-27T12:00:00Z"
    assert held(facts) == ["The build is red"]
    assert facts.history(waiting)[-1].why == (
        "expires_at: 2026-11-27T12:00:00Z -> 2026-12-27T12:00:00Z"
    )


def test_a_fact_whose_given_date_has_passed_is_not_approved_unseen(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    (waiting,) = facts.store(
        "The trial runs", expires_at="2026-11-21T08:00:00Z", confidence="low"
    ).ids
    clock("2026-12-20T12:00:00Z")
    with pytest.raises(RefusedError, match="2026-11-21T08:00:00Z") as refused:
        facts.approve(waiting)
    assert "update" in refused.value.hint
    facts.update(waiting, expires_at="never")
    facts.approve(waiting)
    assert held(facts) == ["The trial runs"]
