"""Plain sentences that contradict each other, and the many more that do not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.packaged import text_in
from memctl.semantic.sentences.claim import Claim, contradicts, ends, read_claim
from tests.semantic.sentences.claim_pairs import EVENTS, MEASURED, became, pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts

PEOPLE = st.sampled_from(["User", "I", "Ann", "Ben Lee", "The billing service"])
VERBS = st.sampled_from(["likes", "uses", "drinks", "owns", "speaks"])
THINGS = st.sampled_from(["tea", "Polish", "npm", "a red bicycle", "Kafka", "jazz in the morning"])


@pytest.mark.parametrize("relation", EVENTS)
def test_what_a_second_fact_is_to_the_first_decides_what_becomes_of_it(
    relation: str, facts: Facts
) -> None:
    wrong = []
    for number, pair in enumerate(pairs()):
        if pair.relation == relation:
            facts.store(pair.first, user_id=f"user {number}", related=0)
            stored = facts.store(pair.second, user_id=f"user {number}", related=0)
            event = became(stored.written[0])
            wrong += [] if event in EVENTS[relation] else [(pair, event)]
    assert wrong == []


def test_the_list_holds_enough_of_each_relation() -> None:
    counts = Counter(pair.relation for pair in pairs())
    assert sum(counts.values()) >= 80
    assert min(counts.values()) >= 10


def test_sentences_that_nobody_had_in_mind_replace_nothing_that_may_hold(facts: Facts) -> None:
    for number, pair in enumerate(pairs(MEASURED)):
        if pair.relation == "compatible":
            facts.store(pair.first, user_id=f"user {number}")
            written = facts.store(pair.second, user_id=f"user {number}").written
            assert written[0].event in {"ADD", "PENDING"}


def claim(text: str) -> Claim:
    found = read_claim(text)
    assert found is not None
    return found


@given(who=PEOPLE, verb=VERBS, one=THINGS, other=THINGS)
def test_of_what_one_may_have_several_only_a_denial_contradicts(
    who: str, verb: str, one: str, other: str
) -> None:
    said, again = claim(f"{who} {verb} {one}"), claim(f"{who} {verb} {other}")
    denied = claim(f"{who} does not {verb.rstrip('s')} {other}")
    assert not contradicts(said, again)
    assert contradicts(said, denied) is (one == other)
    assert contradicts(denied, said) is contradicts(said, denied)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_compared_in_both_directions_alike(one: str, other: str) -> None:
    first, second = read_claim(f"User likes {one}"), read_claim(f"User dislikes {other}")
    if first and second:
        assert contradicts(first, second) is contradicts(second, first)
        assert not contradicts(first, first)


@pytest.mark.parametrize(
    "text",
    [
        "User likes tea and coffee",
        "User likes tea, coffee and milk",
        "User likes tea if it is cold",
        "User likes neither tea nor coffee",
        "He likes tea",
        "User likes tea. Ann does not",
        "User used to like tea",
        "User would like tea",
        "User likes " + "very " * 60 + "hot tea",
    ],
)
def test_what_is_more_than_one_plain_claim_stays_free_text(text: str) -> None:
    assert read_claim(text) is None


def test_what_is_undecided_names_the_fact_that_it_contradicts(facts: Facts) -> None:
    known = facts.store("User prefers dark mode").ids[0]
    (written,) = facts.store("User does not prefer dark mode").written
    assert (written.event, written.other) == ("ADD", known)
    assert known in written.why
    assert [pair.older.text for pair in facts.undecided()] == ["User prefers dark mode"]


def test_what_says_itself_that_it_changed_replaces_and_the_old_keeps_its_validity(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    old = facts.store("User uses npm").ids[0]
    clock("2026-11-25T09:00:00Z")
    assert facts.store("User switched from npm to pnpm").written[0].event == "SUPERSEDE"
    assert [fact.text for fact in facts.list()] == ["User switched from npm to pnpm"]
    assert facts.get(old).valid_to == "2026-11-25T09:00:00Z"
    assert facts.search("npm", as_of="2026-11-24")[0].fact.id == old


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The standup is at 9:00", "The standup is now at 10:00"),
        ("The standup is at 9:00", "The standup was moved to 10:00"),
        ("The standup is at 9:00", "The standup moved to 10:00"),
        ("The retro is on Monday", "The retro was postponed from Monday to Tuesday"),
        ("The retro is on Monday", "The retro is no longer on Monday"),
        ("Das Standup ist um 9 Uhr", "Das Standup ist jetzt um 10 Uhr"),
        ("User is single", "User is now married"),
        ("User can swim", "User can no longer swim"),
    ],
)
def test_a_datum_or_state_that_says_that_it_changed_replaces(
    before: str, after: str, facts: Facts
) -> None:
    facts.store(before)
    assert facts.store(after).written[0].event == "SUPERSEDE"
    assert [fact.text for fact in facts.list()] == [after]


def test_moving_ends_where_one_lived_and_no_other_thing() -> None:
    moved = claim("User moved from Berlin to Munich")
    assert ends(moved, claim("User lives in Berlin"))
    assert not ends(moved, claim("User lives in Hamburg"))
    assert not ends(moved, claim("User does not live in Berlin"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("User no longer likes tea", "User likes tea again"),
        ("I no longer live in Berlin", "I live in Berlin once again"),
        ("User no longer uses npm", "User again uses npm"),
        ("Ich mag Tee nicht mehr", "Ich mag wieder Tee"),
    ],
)
def test_what_is_so_again_replaces_that_it_was_over(before: str, after: str, facts: Facts) -> None:
    facts.store(before)
    assert facts.store(after).written[0].event == "SUPERSEDE"
    assert [fact.text for fact in facts.list()] == [after]


@pytest.mark.parametrize(
    ("switched", "after", "event"),
    [
        ("User switched from npm to pnpm", "User uses npm", "UNDECIDED"),
        ("User switched from npm to pnpm", "User uses npm again", "SUPERSEDE"),
        ("User switched from npm to pnpm", "User switched from pnpm to npm", "SUPERSEDE"),
        ("User switched from npm to pnpm", "User no longer uses npm", "ADD"),
        ("User switched from npm to pnpm", "User uses pnpm", "ADD"),
        ("User switched from npm to pnpm", "User uses yarn", "ADD"),
        ("User moved from Berlin to Munich", "User lives in Berlin", "UNDECIDED"),
        ("User moved from Berlin to Munich", "User now lives in Berlin", "SUPERSEDE"),
        ("User moved from Berlin to Munich", "User lives in Munich", "ADD"),
        ("User moved from Berlin to Munich", "Ann lives in Berlin", "ADD"),
    ],
)
def test_what_was_switched_from_is_not_so_any_more(
    switched: str, after: str, event: str, facts: Facts
) -> None:
    facts.store(switched)
    assert facts.triage(after).passed
    (written,) = facts.store(after, related=0).written
    assert became(written) == event


def test_approving_a_contradiction_of_free_texts_replaces_the_one(facts: Facts) -> None:
    known = facts.store("User likes tea").ids[0]
    waiting = facts.store("User hates tea").written[0].id
    assert waiting is not None
    facts.approve(waiting)
    assert [fact.text for fact in facts.list()] == ["User hates tea"]
    assert facts.get(known).superseded_by == waiting


def test_a_second_source_decides_between_free_texts(facts: Facts) -> None:
    facts.store("User likes tea", source="user")
    facts.store("User hates tea", source="log:1")
    assert facts.store("User hates tea", source="mail:2").written[0].event == "PROMOTE"
    assert [fact.text for fact in facts.list()] == ["User hates tea"]


def test_what_was_forgotten_or_is_of_a_session_contradicts_nothing(
    facts_of: Callable[..., Facts],
) -> None:
    from memctl.base.scope import Scope

    facts = facts_of(Scope(session="s1"))
    facts.forget(facts.store("User likes tea").ids[0])
    assert facts.store("User does not like tea").written[0].event == "ADD"
    assert facts.store("User likes tea", long_term=False).written[0].event == "ADD"


def test_one_users_claim_is_no_contradiction_of_anothers(facts: Facts) -> None:
    facts.store("I like tea", user_id="ann")
    assert facts.store("I hate tea", user_id="ben").written[0].event == "ADD"


def test_what_held_before_is_filed_as_such(facts: Facts) -> None:
    facts.store("User does not like tea")
    facts.store("User likes tea", valid_from="2020-01-01")
    assert [fact.text for fact in facts.list()] == ["User does not like tea"]
    assert facts.search("tea", as_of="2021-01-01")[0].fact.text == "User likes tea"


@pytest.mark.parametrize("second", ["User lives in Munich", "User now lives in Munich"])
def test_two_homes_stay_until_one_says_that_the_other_ended(second: str, facts: Facts) -> None:
    facts.store("User lives in Germany")
    assert facts.store(second).written[0].event == "ADD"
    assert facts.store("User moved from Munich to Graz").written[0].event == "SUPERSEDE"
    assert {fact.text for fact in facts.list()} == {
        "User lives in Germany",
        "User moved from Munich to Graz",
    }


def test_a_claim_typed_by_hand_is_known_to_the_next_write(facts: Facts) -> None:
    facts.store("User likes milk")
    with facts._store.transaction():
        facts._store.execute("update fact set text = 'User likes tea'")
    assert facts.store("User does not like tea").written[0].other is not None


def test_a_claim_that_an_older_memctl_read_is_read_anew_after_the_migration(facts: Facts) -> None:
    facts.store("User lives in Berlin")
    with facts._store.transaction():
        facts._store.execute("update fact set claim_key = 'user live'")
        facts._store.execute(text_in("memctl.schema", "0014_claims.sql"))
    assert facts.store("User no longer lives in Berlin").written[0].event == "SUPERSEDE"


@pytest.mark.parametrize(
    ("text", "passed", "why"),
    [
        ("I like tea", False, "says the same as"),
        ("User likes tea because it is calm", True, "says more than"),
        ("User no longer likes tea", True, "changes"),
        ("User does not like tea", True, "changes"),
        ("User likes coffee", True, "not known"),
    ],
)
def test_triage_says_what_a_sentence_is_to_what_is_known(
    facts: Facts, text: str, passed: bool, why: str
) -> None:
    facts.store("User likes tea")
    (gate,) = (one for one in facts.triage(text).gates if one.gate == "novelty")
    assert (gate.passed, why in gate.why) == (passed, True)
