"""Since when and until when a fact holds: late news, news of tomorrow, and what expired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts
    from memctl.store.store import Store

OWNERS = {name: f"Falcon's owner is {name}" for name in ("Ann", "Bob", "Cid")}
DAYS = [f"{year}-{month:02}-10" for year in (2026, 2027) for month in range(1, 13)]


def texts(facts: Facts, query: str, as_of: str | None = None) -> list[str]:
    return [hit.fact.text for hit in facts.search(query, as_of=as_of)]


def empty(store: Store) -> None:
    with store.transaction():
        store.execute("delete from fact")


# -- one at a time ---------------------------------------------------------------------------


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    told=st.lists(st.tuples(st.sampled_from(DAYS), st.sampled_from(list(OWNERS))), max_size=7),
    opened=st.booleans(),
)
def test_at_any_moment_the_value_that_began_last_answers_alone(
    told: list[tuple[str, str]], opened: bool, facts: Facts, store: Store
) -> None:
    empty(store)
    for day, name in told:
        if opened:
            facts.store(f"As of {day}, {OWNERS[name]}")
        else:
            facts.store(OWNERS[name], valid_from=day)
    for month in (day[:7] for day in DAYS):
        # Of two of one day the later told counts: `max` keeps the first of equals.
        begun = [one for one in reversed(told) if one[0] <= f"{month}-15"]
        wanted = [max(begun, key=lambda one: one[0])[1]] if begun else []
        found = facts.lookup("Falcon", "owner", as_of=f"{month}-15")
        assert [fact.value for fact in found] == wanted


def test_late_news_takes_its_place_between_what_was_known(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    for day, name in (("2026-01-10", "Ann"), ("2026-03-10", "Bob")):
        clock(f"{day}T12:00:00Z")
        facts.store(OWNERS[name])
    clock("2026-06-10T12:00:00Z")
    (written,) = facts.store(OWNERS["Cid"], valid_from="2026-02-01").written
    assert (written.event, written.why) == ("ADD", "held until 2026-03-10")
    for day, name in (("2026-01-20", "Ann"), ("2026-02-20", "Cid"), ("2026-03-20", "Bob")):
        assert [fact.value for fact in facts.lookup("Falcon", "owner", as_of=day)] == [name]
    assert [fact.value for fact in facts.lookup("Falcon", "owner")] == ["Bob"]


# -- the date that a fact opens with -----------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "event"),
    [
        ("the standup is at 9:00", "the standup is at 10:00", "SUPERSEDE"),
        ("user prefers dark mode", "user does not prefer dark mode", "SUPERSEDE"),
        ("user uses npm", "user switched from npm to pnpm", "SUPERSEDE"),
        ("Falcon's owner is Ann", "Falcon's owner is Bob", "SUPERSEDE"),
        ("user likes tea", "user likes coffee", "ADD"),
        ("user likes tea", "user likes tea", "RENEW"),
        ("Tea is served at noon", "Tea is served at noon.", "RENEW"),
        ("Falcon's owner is Ann", "the owner of Falcon is Ann", "RENEW"),
    ],
)
def test_facts_that_open_with_a_date_are_compared_by_what_they_say(
    facts: Facts, first: str, second: str, event: str
) -> None:
    facts.store(f"As of 2026-11-01, {first}")
    (written,) = facts.store(f"As of 2026-11-18, {second}").written
    assert written.event == event
    assert len(facts.list()) == (2 if event == "ADD" else 1)


@each(
    "text",
    [
        "As of 2026-11-01, Falcon's owner is Ann",
        "Stand 2026-11-01: Die Frist von Falke ist Mai",
        "Desde 2026-11-01, el plazo de Falcon es mayo",
        "À partir du 2026-11-01, la ville de Falcon est Lyon",
        "截至2026-11-01，用户的时区是上海",
        "2026-11-01現在、山田の誕生日は5月1日です",
        "As of 2026-11-01, tea is served at noon",
    ],
)
def test_a_fact_holds_since_the_date_that_it_opens_with(facts: Facts, text: str) -> None:
    (made,) = facts.store(text).ids
    assert (facts.get(made).text, facts.get(made).valid_from) == (text, "2026-11-01T00:00:00Z")


@each(
    ("text", "options", "begins", "ends"),
    [
        ("As of 2026-11-01, tea is hot", {"valid_from": "2026-10-01"}, "2026-10-01T00:00:00Z", None),
        ("As of 2027-02-01, the build is red", {"category": "operational"}, "2027-02-01T00:00:00Z", "2027-02-08T00:00:00Z"),
        ("The trial runs", {"expires_at": "9999-12-31"}, "2026-11-20T12:00:00Z", "9999-12-31T23:59:59Z"),
        ("Tea is served at noon", {"expires_at": ""}, "2026-11-20T12:00:00Z", None),
    ],
)  # fmt: skip
def test_a_given_date_wins_over_the_opening_and_a_lifetime_begins_with_the_fact(
    facts: Facts, text: str, options: dict[str, Any], begins: str, ends: str | None
) -> None:
    fact = facts.get(facts.store(text, **options).ids[0])
    assert (fact.valid_from, fact.expires_at) == (begins, ends)


@each(
    "text",
    [
        "As of 2026-02-30, tea is served",
        "From 2026-11-01 to 2026-11-05 the office is closed",
        "2026-11-01 is the day of the launch",
    ],
)
def test_what_is_no_opening_date_says_nothing_of_when_a_fact_holds(facts: Facts, text: str) -> None:
    (made,) = facts.store(text).ids
    assert facts.get(made).valid_from == "2026-11-20T12:00:00Z"


def test_older_news_does_not_replace_newer(facts: Facts) -> None:
    facts.store("As of 2026-11-18, Falcon's owner is Ann")
    (written,) = facts.store("As of 2026-10-01, Falcon's owner is Bob").written
    assert (written.event, written.why) == ("ADD", "held until 2026-11-18")
    assert [fact.value for fact in facts.lookup("Falcon", "owner")] == ["Ann"]


def test_the_later_date_of_an_equal_fact_stands_in_its_text(facts: Facts) -> None:
    (made,) = facts.store("As of 2026-11-01, tea is served at noon").ids
    facts.store("As of 2026-11-18, tea is served at noon")
    (kept,) = facts.list()
    assert (kept.id, kept.text) == (made, "As of 2026-11-18, tea is served at noon")
    assert kept.valid_from == "2026-11-01T00:00:00Z"
    assert facts.history(made)[-1].old_text == "As of 2026-11-01, tea is served at noon"
    assert facts.store("As of 2026-11-10, tea is served at noon").written[0].event == "SKIP"
    assert facts.store("Tea is served at noon").written[0].event == "SKIP"
    assert facts.triage("As of 2026-11-19, tea is served at noon").failed == ("novelty",)


def test_an_equal_fact_of_an_earlier_date_held_since_then(facts: Facts) -> None:
    facts.store("As of 2026-11-18, tea is served at noon")
    assert facts.store("As of 2026-11-01, tea is served at noon").written[0].event == "RENEW"
    assert texts(facts, "tea", as_of="2026-11-05") == ["As of 2026-11-18, tea is served at noon"]


def test_an_immutable_fact_keeps_its_text_and_date(facts: Facts) -> None:
    facts.store("As of 2026-11-01, user's name is Chris", category="identity")
    again = facts.store("As of 2026-11-18, user's name is Chris", category="identity")
    assert again.written[0].event == "SKIP"
    assert [fact.text for fact in facts.list()] == ["As of 2026-11-01, user's name is Chris"]


# -- news of tomorrow ----------------------------------------------------------------------------


def test_what_holds_from_a_later_day_on_replaces_nothing_until_then(
    facts: Facts, store: Store, clock: Callable[[str], None]
) -> None:
    facts.store(OWNERS["Ann"])
    (written,) = facts.store(OWNERS["Bob"], valid_from="2027-02-01").written
    assert (written.event, written.why) == ("SUPERSEDE", "changed; holds from 2027-02-01")
    for day, name in (("2026-11-21", "Ann"), ("2027-01-31", "Ann"), ("2027-02-01", "Bob")):
        clock(f"{day}T12:00:00Z")
        answer = [OWNERS[name]]
        assert texts(facts, "Falcon owner") == texts(facts, "owner", as_of=day) == answer
        assert [fact.text for fact in facts.lookup("Falcon", "owner")] == answer
        assert [fact.text for fact in facts.list()] == answer
        assert facts.count() == 1
    assert store.value("select count(*) from fact_current") == 1


def test_standing_facts_are_those_that_hold_today(facts: Facts) -> None:
    facts.store("As of 2027-02-01, answer in French", category="rule")
    facts.store("Answer in German", category="rule")
    assert [hit.fact.text for hit in facts.standing(["rule"], limit=5)] == ["Answer in German"]


def test_what_is_still_to_come_can_be_listed(facts: Facts) -> None:
    facts.store(OWNERS["Ann"])
    facts.store(OWNERS["Bob"], valid_from="2027-02-01")
    assert [fact.text for fact in facts.list(status="coming")] == [OWNERS["Bob"]]
    assert facts.list(status="superseded") == []
    assert facts.count(status="any") == 2
    facts.delete_all(confirm=True)
    assert facts.list(status="coming") == []


@pytest.mark.parametrize("erase", [False, True])
def test_what_does_not_come_ends_nothing(
    facts: Facts, clock: Callable[[str], None], erase: bool
) -> None:
    facts.store(OWNERS["Ann"])
    (coming,) = facts.store(OWNERS["Bob"], valid_from="2027-02-01").ids
    (facts.erase if erase else facts.forget)(coming)
    clock("2027-03-01T12:00:00Z")
    assert [fact.text for fact in facts.list()] == [OWNERS["Ann"]]


def test_what_a_clock_that_is_ahead_wrote_holds_all_the_same(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    facts.store(OWNERS["Ann"])
    clock("2026-11-20T12:05:00Z")
    facts.store(OWNERS["Bob"])
    clock("2026-11-20T12:01:00Z")
    assert texts(facts, "owner") == [OWNERS["Bob"]]
    assert facts.store(OWNERS["Bob"]).written[0].event == "SKIP"
    facts.store(OWNERS["Cid"])
    assert texts(facts, "owner") == [OWNERS["Cid"]]


# -- what expired --------------------------------------------------------------------------------


def test_stating_an_expired_fact_again_leaves_the_gap_in_which_it_did_not_hold(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    facts.store("The build is red", category="operational")
    clock("2026-12-20T12:00:00Z")
    assert facts.store("The build is red", category="operational").written[0].event == "RENEW"
    held = {day: len(texts(facts, "build", as_of=day)) for day in ("2026-11-22", "2026-12-21")}
    assert held == {"2026-11-22": 1, "2026-12-21": 1}
    assert texts(facts, "build", as_of="2026-12-10") == []
    assert len(facts.list()) == 1


def test_an_expired_fact_stated_in_other_words_holds_again(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    facts.store("Falcon's lead is Maria", expires_at="2026-11-25")
    clock("2026-12-20T12:00:00Z")
    (written,) = facts.store("The lead of Falcon is Maria").written
    assert written.event == "RENEW"
    assert texts(facts, "Falcon lead") == ["Falcon's lead is Maria"]


def test_what_has_expired_already_is_said_to_be_hidden_and_replaces_nothing(facts: Facts) -> None:
    facts.store(OWNERS["Ann"])
    (written,) = facts.store(OWNERS["Bob"], expires_at="2026-11-01").written
    assert written.event == "ADD"
    assert written.why == "hidden from the start: expired since 2026-11-02"
    assert texts(facts, "owner") == [OWNERS["Ann"]]


def test_an_expired_fact_that_ends_in_the_past_again_stays_hidden(facts: Facts) -> None:
    facts.store("Milk is served", expires_at="2026-11-01")
    (written,) = facts.store("Milk is served", expires_at="2026-11-05").written
    assert (written.event, written.why) == ("SKIP", "known already, and stays hidden")


def test_an_expiry_day_counts_to_its_last_second(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    facts.store("The trial runs", expires_at="2026-11-21")
    clock("2026-11-21T23:59:59Z")
    assert texts(facts, "trial") == texts(facts, "trial", as_of="2026-11-21") == ["The trial runs"]
    clock("2026-11-22T00:00:00Z")
    assert texts(facts, "trial") == []


@pytest.mark.parametrize(
    "text", ["The deadline is on 30 February", "As of 2026-02-30, the rent is 900 euros"]
)
def test_a_day_that_is_none_waits_and_is_not_recalled(text: str, facts: Facts) -> None:
    (written,) = facts.store(text).written
    assert (written.event, "no day of the calendar" in written.why) == ("PENDING", True)
