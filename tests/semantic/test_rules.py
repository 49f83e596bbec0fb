"""Known, changed, contradicted, waiting or new: what becomes of a fact that is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import RefusedError
from memctl.text.properties import property_of
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts


DEC_1 = "Falcon's deadline is 1 December 2026"
DEC_8 = "Falcon's deadline is 8 December 2026"


def events(facts: Facts, *texts: str, **options: str) -> list[str]:
    return [facts.store(text, **options).written[0].event for text in texts]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "event"),
    [
        ("User prefers dark mode", "user prefers  dark mode.", "SKIP"),
        ("用户喜欢绿茶。", "用户喜欢绿茶", "SKIP"),
        ("Müller mag Kaffee", "MÜLLER MAG KAFFEE!", "SKIP"),
        ("ユーザーはABCが好き", "ユーザーはＡＢＣが好き", "SKIP"),
        ("The user works in Berlin", "User works in Berlin", "SKIP"),
        ("It’s 5–10 people", "It's 5-10 people", "SKIP"),
        ("Falcon's lead is Maria", "The lead of Falcon is Maria", "SKIP"),
        ("User codes in C++", "User codes in C#", "ADD"),
        ("Offset is -5", "Offset is 5", "ADD"),
        ("Alice reports to Bob", "Bob reports to Alice", "ADD"),
        ("User does not eat meat", "User does eat meat", "ADD"),
        ("User flies to Berlin", "User flies from Berlin", "ADD"),
        ("Version 1.5 is out", "Version 15 is out", "ADD"),
        (DEC_1, "Osprey's deadline is 1 March 2027", "ADD"),
    ],
)
def test_only_what_says_the_same_is_known(facts: Facts, one: str, other: str, event: str) -> None:
    assert events(facts, one, other) == ["ADD", event]


def test_a_changed_fact_supersedes_the_old_which_keeps_its_validity(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    old = facts.store(DEC_1, category="project").ids[0]
    clock("2026-11-25T09:00:00Z")
    (written,) = facts.store(DEC_8, category="project").written
    assert (written.event, written.other) == ("SUPERSEDE", old)
    assert [fact.text for fact in facts.list()] == [DEC_8]
    before = facts.get(old)
    assert before.status == "superseded"
    assert before.valid_to == "2026-11-25T09:00:00Z"
    assert before.superseded_by == written.id


def test_a_value_that_comes_back_supersedes_again(facts: Facts) -> None:
    assert events(facts, DEC_1, DEC_8, DEC_1) == ["ADD", "SUPERSEDE", "SUPERSEDE"]
    assert [fact.text for fact in facts.list()] == [DEC_1]


def test_a_fuller_text_replaces_the_shorter_one_that_says_the_same(facts: Facts) -> None:
    facts.store("User chose SQLite for the cache", category="decision")
    (written,) = facts.store(
        "User chose SQLite for the cache because it needs no server", category="decision"
    ).written
    assert written.event == "SUPERSEDE"
    assert "because" in facts.list()[0].text


def test_a_property_given_outright_is_superseded_whatever_the_words(facts: Facts) -> None:
    first = {"text": "We ship Falcon on Monday", "subject": "Falcon", "attribute": "ship day"}
    second = {"text": "Falcon goes out Friday", "subject": "falcon", "attribute": "Ship day"}
    facts.store([first | {"value": "Monday"}])
    (written,) = facts.store([second | {"value": "Friday"}]).written
    assert written.event == "SUPERSEDE"


def test_a_contradiction_of_an_immutable_fact_holds_beside_it_undecided(facts: Facts) -> None:
    known = facts.store("User's name is Chris", category="identity").ids[0]
    (written,) = facts.store("User's name is Robin", category="identity").written
    assert (written.event, written.other) == ("ADD", known)
    found = facts.search("What is the user's name?")
    assert [hit.fact.text for hit in found] == ["User's name is Robin", "User's name is Chris"]
    assert [pair.newer.text for pair in facts.undecided()] == ["User's name is Robin"]


def test_a_less_sure_statement_does_not_replace_a_surer_one(facts: Facts) -> None:
    facts.store(DEC_1, confidence="high")
    assert facts.store(DEC_8, confidence="medium").written[0].event == "ADD"
    assert [(pair.newer.text, pair.older.text) for pair in facts.undecided()] == [(DEC_8, DEC_1)]


def test_a_second_independent_source_promotes(facts: Facts) -> None:
    facts.store("Osprey uses Kafka", confidence="low", source="log:1")
    assert (list(facts.search("Osprey Kafka")), len(facts.pending())) == ([], 1)
    again = facts.store("Osprey uses Kafka", confidence="low", source="log:1").written[0]
    assert again.event == "SKIP"
    assert facts.store("Osprey uses Kafka", confidence="low", source="mail:7").written[0].event == (
        "PROMOTE"
    )
    assert [fact.text for fact in facts.list()] == ["Osprey uses Kafka"]


def test_a_second_source_promotes_what_was_less_sure_and_supersedes(facts: Facts) -> None:
    facts.store(DEC_1, confidence="high", source="user")
    facts.store(DEC_8, confidence="medium", source="log:1")
    assert facts.store(DEC_8, source="mail:2").written[0].event == "PROMOTE"
    assert [fact.text for fact in facts.list()] == [DEC_8]


def test_no_number_of_sources_overrules_an_immutable_fact(facts: Facts) -> None:
    facts.store("User's name is Chris", category="identity")
    for source in ("a", "b", "c"):
        facts.store("User's name is Robin", category="identity", source=source)
    assert [fact.status for fact in facts.list()] == ["active", "active"]
    assert len(facts.undecided()) == 1


@each(
    ("text", "subject", "attribute", "value"),
    [
        ("Falcon's deadline is 2026-12-01", "Falcon", "deadline", "2026-12-01"),
        ("The deadline of Falcon is May 1.", "Falcon", "deadline", "May 1"),
        ("用户的时区是上海", "用户", "时区", "上海"),
        ("山田の誕生日は5月1日です", "山田", "誕生日", "5月1日"),
        ("Die Frist von Falke ist Mai", "Falke", "Frist", "Mai"),
        ("- John: john@example.com", "John", "email", "john@example.com"),
        ("Falcon's deadline was moved to 8 December", "Falcon", "deadline", "8 December"),
    ],
)
def test_a_plain_statement_is_read(text: str, subject: str, attribute: str, value: str) -> None:
    statement = property_of(text)
    assert statement is not None
    assert (statement.subject, statement.attribute, statement.value) == (subject, attribute, value)


@each(
    "text",
    [
        "User is a vegetarian",
        "User prefers short answers",
        "User's sister is Anna",
        "It's a nice day for fishing",
        "User decided to use Postgres",
        "x" * 2000 + "'s deadline is May",
    ],
)
def test_what_one_may_have_several_of_stays_free_text(text: str) -> None:
    assert property_of(text) is None


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


def test_what_nothing_contradicts_any_more_holds_alone(facts: Facts) -> None:
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


@pytest.mark.parametrize(
    ("again", "source"),
    [(DEC_8, "a"), ("The deadline of Falcon is 8 December 2026", "b"), (DEC_8, None)],
)
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


def test_what_was_declined_is_offered_again_with_high_confidence_alone(facts: Facts) -> None:
    facts.reject(facts.store("Osprey uses Kafka", confidence="low").ids[0])
    assert facts.store("Osprey uses Kafka").written[0].event == "SKIP"
    assert held(facts) == []
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
