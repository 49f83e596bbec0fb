"""Changes: which earlier statement a new one replaces, brings up to date or contradicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.consolidation.changes.denials import denied_in
from memctl.consolidation.changes.earlier import Earlier, EarlierStatement
from memctl.consolidation.changes.slots import Slot, slots_of, words_of

OTHERS = (
    "I asked Bob about the old bridge over the harbor.",
    "My sister paints 3 walls of her kitchen each weekend.",
    "We have rehearsed the second act of the play with the choir.",
)


def told(*texts: str) -> Earlier:
    earlier = Earlier()
    for number, text in enumerate((*texts, *OTHERS)):
        earlier.add(EarlierStatement(number, text))
    return earlier


def slots(text: str) -> list[Slot]:
    return slots_of(text, words_of(text))


def values(text: str) -> list[tuple[str, str]]:
    return [(slot.kind, slot.value) for slot in slots(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("due on April 5, 2024", "date", "4-5"),
        ("due on the 5th of April", "date", "4-5"),
        ("due on 2024-04-05", "date", "4-5"),
        ("we meet at 4:30 PM", "clock", "4:30pm"),
        ("it costs $1,200", "money", "1200"),
        ("it costs 1200 dollars", "money", "1200"),
        ("coverage is 92 %", "percent", "92"),
        ("it answers in 250ms", "measure", "250ms"),
        ("there are 1,200 calls a day", "count", "1200"),
    ],
)
def test_a_value_has_one_form_for_all_its_spellings(text: str, kind: str, value: str) -> None:
    assert values(text) == [(kind, value)]


@pytest.mark.parametrize("text", ["Flask 2.3.1", "since 2021", "4/5 right", "on Node 18", "v2.5"])
def test_versions_years_and_scores_are_no_values(text: str) -> None:
    assert values(text) == []


def test_a_count_counts_what_follows_it_or_else_what_stands_before() -> None:
    assert slots("10 new cards, in blue")[0].unit == {"new", "cards"}
    assert slots("the commits reached 165")[0].unit == {"commit", "reache"}


def test_what_something_went_from_is_past() -> None:
    before, after = slots("It went from 12% to 1%.")
    assert (before.past, after.past, after.before) == (True, False, "12")


def test_a_new_value_brings_the_statement_up_to_date_that_said_another() -> None:
    earlier = told("My landlord wants $1,200 rent a month.")
    (change,) = earlier.changes("My landlord has recently raised the rent to $1,350.")
    assert (change.old, change.kind) == (0, "update")
    assert change.score >= 3
    assert change.words == "says $1,350 where this said $1,200: rent, landlord"


def test_a_value_that_is_named_as_the_old_one_is_replaced_for_sure() -> None:
    earlier = told("Test coverage of the parser is 88 %.")
    (change,) = earlier.changes("Test coverage of the parser went from 88% to 92%.")
    assert (change.old, change.kind) == (0, "replaced")


def test_counts_of_different_things_replace_nothing() -> None:
    earlier = told("I have read 12 chapters of the novel.")
    assert earlier.changes("I have now met 15 readers of the novel.") == []


def test_a_value_that_was_said_already_changes_nothing() -> None:
    now = "I have now drafted 15 chapters of the novel."
    earlier = told("I have drafted 12 chapters of the novel.", now)
    assert earlier.changes(now) == []


def test_a_statement_that_repeats_the_old_value_speaks_less_for_a_change() -> None:
    old, now = "The parser test coverage is 88 %.", "My parser test coverage has reached 92 %"
    (changed,) = told(old).changes(f"{now}.")
    beside = told(old).changes(f"{now}, beside 88 % elsewhere.")
    assert all(one.score < changed.score for one in beside)


def test_without_a_word_of_change_another_value_is_another_thing() -> None:
    earlier = told("The blue chair costs $40.")
    assert earlier.changes("The red chair costs $60.") == []


def test_never_contradicts_a_deed_that_was_told() -> None:
    earlier = told("I have deployed the shop with Docker on the old server.")
    (change,) = earlier.changes("I've never deployed anything with Docker, so where do I start?")
    assert (change.old, change.kind) == (0, "contradiction")
    assert change.words.startswith('says "never" of what this tells: ')


def test_a_deed_after_never_is_an_update() -> None:
    earlier = told("I've never deployed anything with Docker.")
    (change,) = earlier.changes("I have deployed the shop with Docker.")
    assert (change.old, change.kind) == (0, "update")


def test_never_said_again_contradicts_no_never() -> None:
    text = "I've never deployed anything with Docker."
    assert told(text).changes(text) == []


def test_a_denial_ends_at_the_next_pause() -> None:
    assert denied_in("I have never sailed alone but I row, and we never dive.") == [
        " sailed alone ",
        " dive",
    ]


def test_code_says_nothing() -> None:
    earlier = told("My landlord wants $1,200 rent a month.")
    fenced = "```\nMy landlord has recently raised the rent to $1,350.\n```"
    assert earlier.changes(fenced) == []


def test_the_first_statement_may_have_any_id() -> None:
    earlier = Earlier()
    earlier.add(EarlierStatement(0, "I have deployed the shop with Docker on the old server."))
    assert [one.old for one in earlier.changes("I've never deployed with Docker.")] == [0]


def test_at_most_as_many_are_named_as_were_asked_for() -> None:
    earlier = told(*(f"My landlord wants $1,{n}00 rent a month." for n in range(1, 6)))
    text = "My landlord has now raised it: he wants $1,950 rent a month."
    assert [len(earlier.changes(text, most=most)) for most in (0, 1, 3)] == [0, 1, 3]


PIECES = st.sampled_from(
    [
        "I've never",
        "from 3%",
        "to 5%",
        "now",
        "my rent",
        "$40",
        "May 5",
        "2 pm",
        "boats",
        ",",
        ".",
        "0",
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map(" ".join) | st.text(max_size=80)


@given(st.lists(TEXTS, max_size=8), TEXTS)
def test_any_text_can_be_asked_about_and_asking_changes_nothing(said: list[str], new: str) -> None:
    earlier = Earlier()
    for number, text in enumerate(said):
        earlier.add(EarlierStatement(number, text))
    first = earlier.changes(new)
    assert all(one.score >= 0 for one in first)
    assert {one.old for one in first} <= set(range(len(said)))
    assert earlier.changes(new) == first
