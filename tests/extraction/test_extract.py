"""Extraction without a model: what is kept of a text, how it is written, and what is skipped why."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def texts(m: Memory, text: str) -> list[str]:
    return [one.text for one in m.extract(text).facts]


def whys(m: Memory, text: str) -> str:
    found = m.extract(text)
    assert not found.facts
    return "; ".join(one.why for one in found.skipped)


def test_a_fact_has_its_category_its_place_and_the_reason(m: Memory) -> None:
    text = "Hello there. I prefer tea over coffee."
    (fact,) = m.extract(text).facts
    assert (fact.text, fact.tag) == ("User prefers tea over coffee.", "PREF")
    assert text[fact.source.start : fact.source.end] == fact.said
    assert fact.source.name == "characters 13-38"
    assert "prefer" in fact.why
    assert 0.5 <= fact.confidence <= 1


def test_the_best_come_first_and_there_are_ten_at_most(m: Memory) -> None:
    found = m.extract(
        "\n".join(f"I prefer tea of house {house} over coffee." for house in range(12))
    )
    assert len(found.facts) == 10
    assert [one.confidence for one in found.facts] == sorted(
        (one.confidence for one in found.facts), reverse=True
    )
    assert [one.why for one in found.skipped] == ["10 others are worth more"] * 2


def test_what_the_store_knows_is_a_duplicate(m: Memory) -> None:
    m.facts.store("User prefers tea over coffee.", category="preference")
    assert "known already as f_" in whys(m, "I prefer tea over coffee.")


def test_what_is_said_twice_is_kept_once(m: Memory) -> None:
    found = m.extract("I prefer tea over coffee. As I said: I prefer tea over coffee!")
    assert len(found.facts) == 1
    assert [one.why for one in found.skipped] == ["said twice"]


def test_a_value_that_changed_is_no_duplicate(m: Memory) -> None:
    m.facts.store("Kestrel's budget is 180,000 euros.", category="project")
    assert texts(m, "Kestrel's budget is 150,000 euros.") == ["Kestrel's budget is 150,000 euros."]


@each(
    ("text", "why"),
    [
        ("Do I prefer tea over coffee?", "a question"),
        ("I might prefer tea over coffee from now on.", "a guess"),
        ("I think my manager lives in Berlin.", "a guess"),
        ("Maybe I prefer tea in the morning.", "a guess"),
        ("User is currently looking at page 3 of the report.", "the state of a screen"),
        ("I clicked the big blue button on my dashboard.", "the state of a screen"),
        ("Open the report that I wrote for my boss.", "a command"),
        ("Please fix the bug in my parser today.", "a command"),
        ("Could you book my flight to Rome, I love Rome.", "a question"),
        ("I'd be happy to help with my new project!", "assistant"),
        ("Let me know if I should change my plan.", "assistant"),
        ("My friend Tom is pregnant and my boss knows it.", "private data"),
        ("Maria's salary is 50,000 euros a year.", "private data"),
        ("I fixed a bug in function parse_dates yesterday.", "the code or git"),
        ("I moved my settings to engine/memctl/config.py today.", "the code or git"),
        ("My fix is in commit 3f9a2bc of today.", "the code or git"),
        ("We all went home rather late.", "too little"),
        (f"My GitHub token is {SECRET}.", "looks like a secret"),
        ("She prefers tea over coffee.", 'nothing says what "She" means'),
        ("You prefer tea over coffee.", "speaks to somebody"),
    ],
)
def test_what_passes_is_skipped_with_the_reason(m: Memory, text: str, why: str) -> None:
    assert why in whys(m, text)
    assert not any(SECRET in skipped.text for skipped in m.extract(text).skipped)


@each(
    "code",
    [
        "```python\nmy_name = 'I prefer tea over coffee'\n```",
        "    I prefer = tea over coffee",
        "I prefer tea over coffee;",
        "my_tea = {",
    ],
)
def test_code_is_left_out(m: Memory, code: str) -> None:
    assert whys(m, f"\n{code}\n") == "code"


@each(
    "text",
    [
        "I prefer tea over coffee. Please don't remember this.",
        "I prefer tea over coffee.\nDon't save that to memory.",
        "Off the record: I prefer tea over coffee.",
        "Don't remember the following:\nI prefer tea over coffee.",
    ],
)
def test_what_is_not_to_be_remembered_goes_with_the_request(m: Memory, text: str) -> None:
    assert "was not to be remembered" in whys(m, text)


def test_a_request_to_forget_means_its_own_paragraph_alone(m: Memory) -> None:
    text = "I prefer tea over coffee.\n\nMy name is Priya.\n\nOff the record: my boss is ill."
    assert len(m.extract(text).facts) == 2


def test_recalled_memory_is_never_extracted(m: Memory) -> None:
    m.facts.store("User prefers tea over coffee.", category="preference")
    block = m.context("Which tea?").text
    assert whys(m, block) == "recalled memory"


def test_a_standing_order_is_a_rule_and_may_name_a_file(m: Memory) -> None:
    (fact,) = m.extract("Always run the tests in tests/test_house.py before you commit.").facts
    assert (fact.category, fact.confidence) == ("rule", 1.0)


@each(
    ("said", "kept"),
    [
        (
            "I'm a nurse and I've lived in Graz since 2019.",
            "User is a nurse and has lived in Graz since 2019.",
        ),
        ("I don't like sugar in my coffee.", "User doesn't like sugar in their coffee."),
        (
            "I fly to Rome for my sister's wedding.",
            "User flies to Rome for their sister's wedding.",
        ),
        ("My daughter Nora is allergic to nuts.", "User's daughter Nora is allergic to nuts."),
        (
            "My sister Ana moved to Oslo because she found a new job.",
            "User's sister Ana moved to Oslo because she found a new job.",
        ),
        (
            "I'd rather read a summary than watch a video.",
            "User would rather read a summary than watch a video.",
        ),
    ],
)
def test_the_speaker_is_named(m: Memory, said: str, kept: str) -> None:
    assert texts(m, said) == [kept]
    (fact,) = m.extract("I prefer tea over coffee.", speaker="Ann").facts
    assert fact.text == "Ann prefers tea over coffee."


@each(
    ("said", "kept"),
    [
        ("I meet my boss Ana tomorrow at ten.", "on 2026-11-24"),
        ("My new job starts next Monday at noon.", "on 2026-11-30"),
        ("I moved to my new flat yesterday.", "on 2026-11-22"),
        ("My project is due in three days from now.", "on 2026-11-26"),
        ("I started my new job last month in Graz.", "in 2026-10"),
        ("I have to finish my project by tomorrow.", "by 2026-11-24"),
        ("I have worked at Acme since last year.", "since 2025"),
        ("My birthday was the day before yesterday.", "was on 2026-11-21"),
    ],
)
def test_a_relative_date_becomes_the_day(m: Memory, said: str, kept: str) -> None:
    (text,) = texts(m, said)
    assert kept in text


def test_a_date_is_counted_from_when_it_was_said(m: Memory) -> None:
    (fact,) = m.extract("I meet my boss Ana tomorrow.", said_at="2025-03-01").facts
    assert "2025-03-02" in fact.text
    (written,) = m.extract("I meet my boss Ana tomorrow.", said_at="2025-03-01", store=True).written
    assert m.facts.get(str(written.id)).valid_from == "2025-03-01T00:00:00Z"


@each(
    "text",
    [
        "We hired Maria. She prefers tea over coffee in the office.",
        "I work at Contoso. She prefers tea over coffee in the office.",
        "Maria met Ana. She prefers tea over coffee in the office.",
        "Thanks, Maria! She prefers tea over coffee in the office.",
        "We met Maria there. It takes courage to love my new job in Berlin.",
    ],
)
def test_a_pronoun_of_another_sentence_is_refused(m: Memory, text: str) -> None:
    found = m.extract(text)
    assert any("nothing says what" in one.why for one in found.skipped)
    assert not any("tea" in one.text or "courage" in one.text for one in found.facts)


def test_the_turns_of_an_assistant_are_skipped(m: Memory) -> None:
    found = m.extract("User: I prefer tea over coffee.\nAssistant: I prefer coffee over milk.")
    assert [one.text for one in found.facts] == ["User prefers tea over coffee."]
    assert [one.why for one in found.skipped] == ["said by the assistant"]


def test_the_log_is_read_turn_by_turn(m: Memory) -> None:
    turn = m.log("I moved to Vienna yesterday with my daughter.", speaker="Ann", session="one")
    m.log("I prefer coffee over milk.", role="assistant", session="one")
    m.log("I prefer tea over coffee.", session="two")
    (fact,) = m.extract(thread="one").facts
    assert fact.text == "Ann moved to Vienna on 2026-11-22 with their daughter."
    assert fact.source.name == f"turn:{turn}"
    assert len(m.extract().facts) == 2
    (written,) = m.extract(thread="one", store=True).written
    assert m.facts.get(str(written.id)).source == f"turn:{turn}"


def test_facts_are_stored_in_one_transaction(m: Memory) -> None:
    m.extract("I prefer tea over coffee.\nWe decided to use Postgres for my new shop.", store=True)
    with sqlite3.connect(m.store.path) as connection:
        found = connection.execute("select category from fact order by category").fetchall()
    assert found == [("decision",), ("preference",)]


def test_a_text_and_a_thread_exclude_each_other(m: Memory) -> None:
    with pytest.raises(UsageError):
        m.extract("I prefer tea.", thread="one")


@each("text", ["", "\n\n", "?!", "🙂" * 100, "a" * 10_000, "\ud800 I"])
def test_any_text_has_an_answer(m: Memory, text: str) -> None:
    assert not m.extract(text).facts


def test_what_is_too_long_for_one_fact_is_skipped_and_a_text_has_a_limit(m: Memory) -> None:
    assert whys(m, "I prefer " + "tea and " * 10_000) == "too long for one fact"
    with pytest.raises(UnusableInputError):
        m.extract("tea " * 100_000)


def test_a_turn_that_withdraws_the_one_before_keeps_it_out(m: Memory) -> None:
    for text in ("I am allergic to peanuts and carry a pen.", "Don't remember that."):
        m.log(text, session="s1")
    found = m.extract(thread="s1")
    assert not found.facts
    assert "was not to be remembered" in {one.why for one in found.skipped}
