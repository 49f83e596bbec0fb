"""Known, changed, contradicted or new: what becomes of a fact that is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from memctl.text.normal import equal_key
from memctl.text.properties import property_of
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts

DEC_1 = "Falcon's deadline is 1 December 2026"
DEC_8 = "Falcon's deadline is 8 December 2026"


def events(facts: Facts, *texts: str, **options: str) -> list[str]:
    return [facts.store(text, **options).written[0].event for text in texts]  # type: ignore[arg-type]


def test_an_equal_fact_is_not_added_twice(facts: Facts) -> None:
    assert events(facts, "User prefers dark mode", "user prefers  dark mode.") == ["ADD", "SKIP"]
    assert len(facts.list()) == 1


@each(
    ("one", "other"),
    [
        ("用户喜欢绿茶。", "用户喜欢绿茶"),
        ("Müller mag Kaffee", "MÜLLER MAG KAFFEE!"),
        ("ユーザーはABCが好き", "ユーザーはＡＢＣが好き"),
        ("The user works in Berlin", "User works in Berlin"),
        ("It’s 5–10 people", "It's 5-10 people"),
    ],
)
def test_texts_that_say_the_same_are_equal_in_any_language(one: str, other: str) -> None:
    assert equal_key(one) == equal_key(other)


@each(
    ("one", "other"),
    [
        ("User codes in C++", "User codes in C#"),
        ("Offset is -5", "Offset is 5"),
        ("Alice reports to Bob", "Bob reports to Alice"),
        ("User does not eat meat", "User does eat meat"),
        ("User flies to Berlin", "User flies from Berlin"),
        ("Version 1.5 is out", "Version 15 is out"),
    ],
)
def test_texts_that_say_something_else_are_not_equal(one: str, other: str) -> None:
    assert equal_key(one) != equal_key(other)


@given(st.text(min_size=1, max_size=80))
def test_the_key_of_a_key_is_itself(text: str) -> None:
    assert equal_key(equal_key(text)) == equal_key(text) or not equal_key(text)


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


def test_the_same_value_in_other_words_is_known(facts: Facts) -> None:
    assert events(facts, "Falcon's lead is Maria", "The lead of Falcon is Maria") == ["ADD", "SKIP"]


def test_a_fuller_text_replaces_the_shorter_one_that_says_the_same(facts: Facts) -> None:
    facts.store("User chose SQLite for the cache", category="decision")
    (written,) = facts.store(
        "User chose SQLite for the cache because it needs no server", category="decision"
    ).written
    assert written.event == "SUPERSEDE"
    assert "because" in facts.list()[0].text


def test_what_is_said_of_one_project_never_replaces_anothers(facts: Facts) -> None:
    assert events(facts, DEC_1, "Osprey's deadline is 1 March 2027") == ["ADD", "ADD"]


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


def test_two_values_in_one_batch_contradict_each_other(facts: Facts) -> None:
    stored = facts.store([DEC_1, DEC_8])
    assert [one.event for one in stored.written] == ["ADD", "ADD"]
    assert [(pair.newer.text, pair.older.text) for pair in facts.undecided()] == [(DEC_8, DEC_1)]


def test_a_less_sure_statement_does_not_replace_a_surer_one(facts: Facts) -> None:
    facts.store(DEC_1, confidence="high")
    assert facts.store(DEC_8, confidence="medium").written[0].event == "ADD"
    assert [(pair.newer.text, pair.older.text) for pair in facts.undecided()] == [(DEC_8, DEC_1)]


def test_low_confidence_waits_and_is_not_found(facts: Facts) -> None:
    facts.store("Osprey uses Kafka", confidence="low")
    assert facts.search("Osprey Kafka") == []
    assert len(facts.pending()) == 1


def test_a_second_independent_source_promotes(facts: Facts) -> None:
    facts.store("Osprey uses Kafka", confidence="low", source="log:1")
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


def test_approving_supersedes_what_was_contradicted(facts: Facts) -> None:
    known = facts.store("User's name is Chris", category="identity").ids[0]
    waiting = facts.store("User's name is Robin", category="identity").ids[0]
    facts.approve(waiting)
    assert [fact.text for fact in facts.list()] == ["User's name is Robin"]
    assert facts.get(known).status == "superseded"


def test_a_rejected_fact_is_not_asked_again(facts: Facts) -> None:
    waiting = facts.store("Osprey uses Kafka", confidence="low").ids[0]
    facts.reject(waiting, why="it never did")
    (again,) = facts.store("Osprey uses Kafka", confidence="low").written
    assert again.event == "SKIP"
    assert "rejected" in again.why
    assert facts.pending() == []


def test_what_held_earlier_does_not_replace_what_holds(facts: Facts) -> None:
    facts.store(DEC_8)
    facts.store(DEC_1, valid_from="2026-10-01")
    assert [fact.text for fact in facts.list()] == [DEC_8]
    assert [fact.text for fact in facts.lookup("Falcon", "deadline", as_of="2026-10-15")] == [DEC_1]


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
