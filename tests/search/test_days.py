"""Days in a question are days, and no words any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from memctl.memory import Memory


@pytest.mark.parametrize(
    "when",
    [
        "What did Ann say on 3 May?",
        "What did Ann say on May 3rd?",
        "what did I say on 3.5.2026",
        "What was said on 2026-05-03?",
        "Was hat Ann am 3. Mai gesagt?",
        "5月3日 Ann 说了什么",
    ],
)
def test_what_was_said_on_a_day_is_listed_first(chat: Memory, when: str) -> None:
    chat.log("Version 3.11.2 may be installed in 5 steps", session="noise")
    assert chat.recall(when)[0].happened_at[:10] == "2026-05-03"


@pytest.mark.parametrize(
    ("when", "day"),
    [
        ("yesterday", "2026-11-19"),
        ("on Monday", "2026-11-16"),
        ("last weekend", "2026-11-15"),
        ("gestern", "2026-11-19"),
        ("上周二", "2026-11-10"),
        ("hier", "2026-11-19"),
    ],
)
def test_days_are_counted_from_now(memory: Memory, when: str, day: str) -> None:
    for date in range(8, 21):
        memory.log(f"note number {date}", logged_at=f"2026-11-{date:02}T09:00:00Z", session="n")
    assert memory.recall(f"which note {when}")[0].happened_at[:10] == day


def test_a_day_that_a_text_names_counts_as_the_day_it_was_said(memory: Memory) -> None:
    memory.log("The concert is on 3 May", logged_at="2026-02-01T10:00:00Z", session="a")
    memory.log("The concert was loud", logged_at="2026-03-20T10:00:00Z", session="b")
    first = memory.recall("Which concert is on May 3rd?")[0]
    assert first.text == "The concert is on 3 May"
    assert "date" in {term.term for term in first.explain}


def test_a_row_that_says_just_that_is_found_by_the_words_of_a_date(memory: Memory) -> None:
    memory.log("We met one year ago in a queue", logged_at="2020-01-01T10:00:00Z", session="a")
    memory.log("A queue is a queue", logged_at="2021-01-01T10:00:00Z", session="b")
    assert memory.recall("Who was in a queue one year ago?")[0].text.startswith("We met")


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("gestern", "no row is of gestern (2026-11-19)"),
        ("on 3 May 1999", "no row is of 3 May 1999 (1999-05-03)"),
    ],
)
def test_a_day_that_no_row_is_of_is_told(memory: Memory, question: str, note: str) -> None:
    memory.log("we met at the harbour", logged_at="2024-05-03T10:00:00Z")
    found = memory.recall(question)
    assert (list(found), found.note) == ([], note)
    assert not memory.recall("on 30 February 99999")


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("invoices since June", ["66", "88"]),
        ("invoice in March", ["33"]),
        ("What was invoiced before June", ["33"]),
    ],
)
def test_rows_of_other_days_are_left_out_where_one_is_of_the_day(
    memory: Memory, question: str, numbers: list[str]
) -> None:
    for month in (3, 6, 8):
        memory.facts.store(
            [f"Invoice {month}{month} of the pier"], valid_from=f"2026-{month:02}-20"
        )
    found = memory.recall(question, now="2026-09-21T18:00:00Z")
    assert sorted(row.text.split()[1] for row in found) == numbers


def test_the_name_of_a_season_that_stands_alone_stays_a_word(memory: Memory) -> None:
    memory.facts.store(["The summer tyres are in row F"], valid_from="2026-07-01")
    found = memory.recall("winter tyres", now="2026-09-21T18:00:00Z")
    assert found.unknown == ("winter",)
