"""A session's facts beside what is known for the long term."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.scope import Scope
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts

ANN = "Falcon's owner is Ann"
BOB = "Falcon's owner is Bob"
PAIRS = [(ANN, BOB), ("My timezone is Europe/Lisbon", "User's time zone is Europe/Berlin")]


@pytest.fixture
def here(facts_of: Callable[[Scope], Facts]) -> Facts:
    """The facts as the session ``s1`` sees them."""
    return facts_of(Scope(session="s1"))


@pytest.fixture
def elsewhere(facts_of: Callable[[Scope], Facts]) -> Facts:
    """The facts as another session sees them."""
    return facts_of(Scope(session="s2"))


def found(facts: Facts, query: str = "who is Falcon's owner") -> list[str]:
    return [hit.fact.text for hit in facts.search(query)]


def owners(facts: Facts) -> list[str | None]:
    return [fact.value for fact in facts.lookup("Falcon", "owner")]


# -- the long term ends what the open session says of it ---------------------------------


@pytest.mark.parametrize(("own", "lasting"), [*PAIRS, (ANN, ANN)])
def test_a_long_term_fact_replaces_what_the_open_session_says_otherwise(
    own: str, lasting: str, here: Facts
) -> None:
    (before,) = here.store(own, long_term=False).ids
    (written,) = here.store(lasting).written
    assert (written.event, written.other) == ("SUPERSEDE", before)
    assert [(fact.text, fact.session_id) for fact in here.list()] == [(lasting, "")]
    assert here.get(before).superseded_by == written.id


@pytest.mark.parametrize(
    "end",
    [
        lambda here: here.end_session(),
        lambda here: here.store(BOB),
        lambda here: here.store(BOB, long_term=False),
    ],
    ids=["the session ends", "stated for the long term", "taken back"],
)
def test_an_override_that_ended_hides_nothing_any_more(
    here: Facts, end: Callable[[Facts], object]
) -> None:
    here.store(BOB)
    here.store(ANN, long_term=False)
    end(here)
    assert (owners(here), found(here)) == (["Bob"], [BOB])


def test_a_long_term_fact_that_waits_ends_nothing_until_it_is_approved(here: Facts) -> None:
    here.store(ANN, long_term=False)
    (waiting,) = here.store(BOB, confidence="low").ids
    assert owners(here) == ["Ann"]
    here.approve(waiting)
    assert owners(here) == ["Bob"]
    assert [fact.text for fact in here.list()] == [BOB]


def test_what_the_session_pinned_or_is_surer_of_stays_its_own(here: Facts) -> None:
    (pinned,) = here.store(ANN, long_term=False).ids
    here.pin(pinned)
    (written,) = here.store(BOB).written
    assert written.event == "ADD"
    assert f"{pinned} overrides it within this session" in written.why
    assert owners(here) == ["Ann"]


def test_another_sessions_facts_are_left_alone(here: Facts, elsewhere: Facts) -> None:
    (theirs,) = elsewhere.store(ANN, long_term=False).ids
    assert here.store(BOB).written[0].event == "ADD"
    assert elsewhere.get(theirs).status == "active"


# -- a session's fact answers alone within it --------------------------------------------


@pytest.mark.parametrize(("own", "lasting"), PAIRS)
def test_a_sessions_fact_about_what_is_known_overrides_it_and_says_so(
    own: str, lasting: str, here: Facts
) -> None:
    (known,) = here.store(lasting).ids
    (written,) = here.store(own, long_term=False).written
    assert (written.event, written.other) == ("ADD", known)
    assert written.why == f"overrides {known} within this session"
    assert here.get(known).status == "active"


def test_an_override_answers_alone_within_its_session(here: Facts, elsewhere: Facts) -> None:
    here.store(BOB)
    assert here.store(BOB, long_term=False).written[0].event == "SKIP"
    here.store(ANN, long_term=False)
    assert found(here) == [ANN]
    assert found(elsewhere) == [BOB]
    assert (owners(here), owners(elsewhere)) == (["Ann"], ["Bob"])
    hits = here.search("Bob")
    assert (list(hits), "this session" in hits.note) == ([], True)
    assert [hit.fact.text for hit in here.search("Bob", scope="long-term")] == [BOB]


def test_both_answer_where_both_may_hold(here: Facts) -> None:
    here.store("Ann's car is red")
    here.store("Ann's car is fast", long_term=False)
    assert sorted(found(here, "Ann's car")) == ["Ann's car is fast", "Ann's car is red"]


def test_a_session_does_not_override_what_is_immutable_unasked(here: Facts) -> None:
    here.store("User's name is Chris", category="identity")
    (waiting,) = here.store("User's name is Robin", long_term=False).ids
    assert [fact.value for fact in here.lookup("User", "name")] == ["Chris"]
    here.approve(waiting)
    assert [fact.value for fact in here.lookup("User", "name")] == ["Robin"]
    assert {fact.text for fact in here.list()} == {"User's name is Chris", "User's name is Robin"}


def test_whoever_has_no_session_open_sees_what_each_says(facts: Facts, here: Facts) -> None:
    here.store(BOB)
    here.store(ANN, long_term=False)
    assert sorted(found(facts)) == [ANN, BOB]


# -- the same in both is told once -------------------------------------------------------


@pytest.fixture
def in_both(facts: Facts, here: Facts) -> Facts:
    """One fact, which the session stored for itself and somebody else for the long term."""
    here.store("User's timezone is Europe/Lisbon", long_term=False)
    facts.store("User's timezone is Europe/Lisbon", category="configuration")
    return here


def test_it_is_told_once_and_as_long_term(in_both: Facts, facts: Facts) -> None:
    for asked in (in_both, facts):
        hits = asked.search("user timezone Lisbon")
        assert [hit.fact.session_id for hit in hits] == [""]
    assert [fact.session_id for fact in in_both.lookup("User", "timezone")] == [""]


@each("asked", [{"scope": "session"}, {"filters": {"importance": {"lt": 0.6}}}])
def test_the_sessions_own_is_found_where_it_alone_is_asked_for(
    in_both: Facts, asked: dict[str, Any]
) -> None:
    hits = in_both.search("user timezone Lisbon", **asked)
    assert [hit.fact.session_id for hit in hits] == ["s1"]


def test_what_it_leaves_out_takes_no_place_of_the_limit(in_both: Facts) -> None:
    in_both.store("User reads the timezone table on Sundays")
    assert len(in_both.search("user timezone Lisbon", limit=2)) == 2


def test_an_override_answers_as_of_the_days_on_which_it_held(
    here: Facts, clock: Callable[[str], None]
) -> None:
    here.store(BOB)
    clock("2026-11-22T12:00:00Z")
    here.store(ANN, long_term=False)
    clock("2026-11-24T12:00:00Z")
    here.store(BOB)
    said = [here.lookup("Falcon", "owner", as_of=f"2026-11-{day}") for day in (21, 23, 25)]
    assert [[fact.value for fact in facts] for facts in said] == [["Bob"], ["Ann"], ["Bob"]]
