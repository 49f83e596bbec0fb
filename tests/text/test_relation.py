"""What a new statement does to an older one: the same, more, another in its place, or nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.text.relation import SURE, relation
from tests.each import each

REPLACED = [
    ("The rent is 900 euros", "The rent is 950 euros"),
    ("Standup is at 9:15.", "Standup is at 10:00 since Monday."),
    ("User lives in Porto", "User moved to Lisbon"),
    ("My vet is Greta.", "My vet is Olaf."),
    ("Smoking is allowed in the yard.", "Smoking is not allowed in the yard."),
    ("Orion is hosted on Hetzner", "Orion has been migrated from Hetzner to AWS"),
    ("Ask Lionel about the printers.", "Lionel retired; printers are Beatrix's business now."),
    ("tracking events are kept for 18 months", "tracking events: it's 24 months now"),
    ("The picnic is on Saturday at the weir.", "Change of plan: the picnic is on Sunday."),
    ("Der Eintritt kostet 7 Euro.", "Der Eintritt kostet inzwischen 8,50 Euro."),
    ("Ich mag Oliven.", "Ich mag keine Oliven mehr."),
    ("User is married", "User is divorced"),
    (
        "I've a test coverage of 65% in the parser.",
        "I've improved the test coverage of the parser to 78%.",
    ),
    ("我住在杭州。", "我现在住在成都。"),
    ("办公室可以带宠物。", "办公室不可以带宠物了。"),
]
BOTH_HOLD = [
    ("Milan is allergic to walnuts.", "Milan is allergic to penicillin."),
    ("prod db version: 15.2", "test db version: 16.0"),
    ("Visitors in 2023: 41,000.", "Visitors in 2024: 46,500."),
    ("Room 3 is booked by the choir.", "Room 4 is booked by the yoga class."),
    ("Tim's birthday is on 4 May.", "Tina's birthday is on 9 May."),
    ("The standup is at 9:00", "The standup is at 10:00 on Fridays"),
    ("Elias lives in Marrow Street.", "Elias is at his sister's in Colby this weekend."),
    ("User speaks Danish", "User speaks Turkish"),
    ("Joost works as a nurse", "User and Joost moved to Amersfoort"),
    ("User likes tea", "Ann does not like tea"),
    ("Ann's talk is on 5 May", "Ann's talk is 20 minutes long"),
    ("User was born in 1990", "User was born in Hamburg"),
    ("Orion's budget is 40,000 euros", "Orion now runs on Python 3.12"),
    ("Pauls Fahrrad ist blau.", "Pauls Auto ist grau."),
    ("我会说粤语。", "我会说法语。"),
    ("Falcon's deadline is 1 December", "Falcon's deadline is no longer 5 December"),
]


@each(("old", "new"), REPLACED)
def test_a_newer_value_of_the_same_thing_takes_the_place_of_the_older(old: str, new: str) -> None:
    assert relation(new, old).kind == "replaces"


@each(("old", "new"), BOTH_HOLD)
def test_what_is_said_of_another_thing_leaves_both(old: str, new: str) -> None:
    assert not relation(new, old).changes


@each(
    ("old", "new", "kind"),
    [
        ("Team Otter is the name of the squad.", "The squad is named Team Otter.", "same"),
        ("Linnea is a nurse.", "Linnea is a nurse on the night shift.", "adds"),
        ("The gate was opened in 1931.", "The gate was opened in 1934.", "contradicts"),
    ],
)
def test_a_relation_has_a_name(old: str, new: str, kind: str) -> None:
    assert relation(new, old).kind == kind


def test_a_change_in_so_many_words_is_sure_and_another_value_alone_is_not() -> None:
    old = "Test coverage of the parser is 88 %."
    changed = relation("Test coverage of the parser went from 88 % to 92 %.", old)
    other = relation("Test coverage of the parser is 92 %.", old)
    assert changed.score >= SURE > other.score
    moved = relation("The deadline of Falcon is 8 December", "Falcon's deadline is 1 December")
    assert moved.score >= SURE


@each(
    ("old", "new"),
    [
        ("Alice reports to Bob", "Bob reports to Alice"),
        ("User prefers tabs over spaces", "User prefers spaces over tabs"),
        ("The backend runs on Postgres", "The backend runs on Postgres 16"),
    ],
)
def test_the_same_words_in_another_order_or_with_a_value_more_are_not_the_same(
    old: str, new: str
) -> None:
    assert relation(new, old).kind != "same"


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_has_a_relation(new: str, old: str) -> None:
    found = relation(new, old)
    assert 0 <= found.score <= 1
    assert found.reason


def test_a_text_of_any_length_is_read_at_its_beginning() -> None:
    long = "The rent is 950 euros " + "and more " * 100_000
    assert relation(long, "The rent is 900 euros").reason == "another amount"
