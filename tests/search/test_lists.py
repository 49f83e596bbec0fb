"""A question that asks for all of something is answered with all of it, in order where it asks so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory

NOW = "2026-09-21T18:00:00Z"


def texts(memory: Memory, question: str) -> list[str]:
    return [row.text for row in memory.recall(question, now=NOW)]


def log(memory: Memory, said: dict[str, str], session: str = "s") -> None:
    for at, text in said.items():
        moment = at if "T" in at else f"{at}T10:00:00Z"
        memory.log(text, speaker="Ann", session=session, logged_at=moment)


@pytest.fixture
def club(memory: Memory) -> Memory:
    """A year of a club: seven invoices and what was said between them."""
    for month in range(2, 9):
        text = f"Invoice number {month * 11}: printing, paid on {month} {MONTHS[month]} 2026"
        memory.facts.store([text], valid_from=f"2026-{month:02}-20")
    memory.facts.store(
        ["Termin: Zahnarzt am 5. März", "Termin: Notar am 9. April"], valid_from="2026-01-20"
    )
    log(
        memory,
        {
            "2026-03-14": "The concert in Tolk was full",
            "2026-04-18": "The concert in Kiel had an encore",
            "2026-06-20": "The concert at the lighthouse was windy",
            "2026-09-05T09:00:00Z": "We hung the posters",
            "2026-09-05T15:30:00Z": "Then it rained",
        },
    )
    return memory


MONTHS = ["?", "January", "February", "March", "April", "May", "June", "July", "August"]


def test_a_limit_stays_the_most_and_the_answer_says_how_many_more_there_are(club: Memory) -> None:
    whole = club.recall("List all invoices", now=NOW)
    assert (len(whole), whole.more, whole.note) == (7, 0, "")
    found = club.recall("List all invoices", 3, now=NOW)
    assert len(found) == 3
    assert found.more == 4
    assert found.note == "4 more rows belong to it: raise the limit"


def test_a_budget_that_is_too_small_says_how_many_more_there_are(club: Memory) -> None:
    found = club.recall("List all invoices", max_tokens=40, now=NOW)
    assert 0 < len(found) < 7
    assert len(found) + found.more == 7
    assert found.note.endswith("raise the max_tokens")


@each(
    ("question", "months"),
    [
        ("All invoices of May", [5]),
        ("Which invoices were paid since June?", [6, 7, 8]),
        ("Show all invoices before April", [2, 3]),
        ("List the invoices until July", [2, 3, 4, 5, 6, 7]),
    ],
)
def test_a_list_of_some_days_has_the_rows_of_these_alone(
    club: Memory, question: str, months: list[int]
) -> None:
    found = texts(club, question)
    assert sorted(found) == sorted(text for text in found if text.startswith("Invoice"))
    assert {text.split()[-2] for text in found} == {MONTHS[month] for month in months}


@each(
    "question",
    [
        "List all concerts in chronological order",
        "In which order were the concerts?",
        "Timeline of the concerts",
    ],
)
def test_rows_come_in_the_order_of_time_where_it_is_asked_for(club: Memory, question: str) -> None:
    places = ["Tolk", "Kiel", "lighthouse"]
    found = texts(club, question)
    assert [next(place for place in places if place in text) for text in found] == places


def test_the_newest_few_are_counted_by_the_day_that_a_fact_tells(club: Memory) -> None:
    found = texts(club, "the last three invoices")
    assert [text.split()[-2] for text in found] == ["August", "July", "June"]


def test_what_is_yet_to_come_is_not_the_last_of_its_kind(club: Memory) -> None:
    club.facts.store(["Concert on 28 November 2026 in the cathedral"], valid_from="2026-09-01")
    found = texts(club, "What were the last two concerts?")
    assert sorted(text.split()[2] for text in found) == ["at", "in"]


@each(
    "question", ["Summarise what we did on 5 September", "Was haben wir am 5. September gemacht?"]
)
def test_what_was_done_on_a_day_is_all_of_that_day_in_order(club: Memory, question: str) -> None:
    assert texts(club, question) == ["We hung the posters", "Then it rained"]


def test_how_many_times_brings_every_time(memory: Memory) -> None:
    for month in range(1, 8):
        log(
            memory,
            {f"2026-0{month}-03": f"The rehearsal was cancelled: reason {month}"},
            f"{month}",
        )
    assert len(texts(memory, "How many times was the rehearsal cancelled?")) == 7


def test_a_thread_that_opens_with_a_thing_belongs_to_all_that_was_said_about_it(
    memory: Memory,
) -> None:
    talk = ["The organ is mute again", "What does he want?", "4,200 euros", "After Easter, then"]
    for minute, text in enumerate(talk):
        log(memory, {f"2026-02-03T16:0{minute}:00Z": text}, "organ")
    log(memory, {"2026-02-05": "The coffee is cold"}, "organ")
    assert sorted(texts(memory, "Everything that was said about the organ")) == sorted(talk)
    assert texts(memory, "organ") == talk[:1]


def test_a_row_that_holds_no_word_comes_only_with_one_said_at_that_time(memory: Memory) -> None:
    log(memory, {"2026-07-08": "The heating needed a repair", "2026-08-01": "We cleared the loft"})
    assert texts(memory, "List all repairs") == ["The heating needed a repair"]


def test_all_that_somebody_said_is_nothing_that_others_said_of_them(memory: Memory) -> None:
    log(memory, {"2026-09-01": "The grinder broke"}, "a")
    memory.log("Ann has the key", speaker="Bo", session="b", logged_at="2026-09-02T10:00:00Z")
    log(memory, {"2026-09-03": "Boat is reserved"}, "c")
    assert texts(memory, "List all that Ann said") == ["The grinder broke", "Boat is reserved"]


def test_a_season_that_nothing_leads_in_is_a_word(memory: Memory) -> None:
    log(memory, {"2026-05-01": "The winter tyres are in the cellar"})
    assert texts(memory, "List all winter tyres") == ["The winter tyres are in the cellar"]


def test_a_question_for_one_thing_keeps_its_usual_number(memory: Memory) -> None:
    for n in range(9):
        log(memory, {f"2026-01-0{n + 1}": f"saffron {n}"}, f"s{n}")
    assert len(texts(memory, "saffron")) == 5
    assert memory.recall("saffron", now=NOW).more == 0


def test_a_list_that_names_several_things_has_a_row_of_each(memory: Memory) -> None:
    rules = ["Passwords have 16 letters", "Customer data stays in the house", "Boats are blue"]
    memory.facts.store(rules)
    assert set(texts(memory, "List our rules on passwords and customer data")) == set(rules[:2])


def test_who_asks_for_what_she_brought_up_gets_no_reply(memory: Memory) -> None:
    memory.log("I want a login page", role="user", session="a")
    memory.log("A login page needs a form", role="assistant", session="a")
    memory.log("Now the login page has tests", role="user", session="a")
    found = memory.recall("In which order did I say things of the login page? I mentioned them all")
    assert [row.text[:3] for row in found] == ["I w", "Now"]


def test_a_list_is_of_its_days_alone_in_german_too(club: Memory) -> None:
    assert texts(club, "All invoices before 2026") == []
    assert texts(club, "Alle Termine im März") == ["Termin: Zahnarzt am 5. März"]


def test_the_last_things_of_a_person_need_no_word(club: Memory) -> None:
    assert texts(club, "the last two things that Ann did") == [
        "Then it rained",
        "We hung the posters",
    ]
