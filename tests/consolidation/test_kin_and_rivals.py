"""The same in other words speaks for a candidate; what says otherwise, or is known, does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from memctl.memory import Memory

NIGHT = "T09:00:00Z"


@pytest.fixture
def days(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(memory, monkeypatch)


class Days:
    """Days on which something is said or asked, and the nights after them."""

    def __init__(self, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
        self.memory = memory
        self._patch = monkeypatch

    def say(self, day: str, text: str) -> None:
        self._patch.setenv("MEMCTL_NOW", f"{day}T10:00:00Z")
        self.memory.log("Good morning!", session=day)
        self.memory.log(text, session=day)

    def ask(self, day: str, question: str) -> None:
        self._patch.setenv("MEMCTL_NOW", f"{day}T12:00:00Z")
        self.memory.recall(question)

    def dream(self, day: str) -> list[str]:
        self._patch.setenv("MEMCTL_NOW", f"{day}T23:00:00Z")
        self.memory.dream.run(apply=True)
        return [fact.text for fact in self.memory.facts.list()]


def test_two_wordings_of_one_thing_speak_for_each_other(days: Days) -> None:
    days.say("2026-03-02", "My sister is called Xenia and lives abroad.")
    days.dream("2026-03-02")
    days.say("2026-03-09", "I have a sister abroad, her name is Xenia.")
    assert len(days.dream("2026-03-09")) == 1


def test_a_fact_about_somebody_else_does_not_stand_for_the_users(days: Days) -> None:
    days.memory.facts.store("Paul is allergic to peanuts and carries a pen.")
    for day in ("2026-03-02", "2026-03-09", "2026-03-16"):
        days.say(day, "I am allergic to peanuts and carry a pen, since I was born.")
        facts = days.dream(day)
    assert any(text.startswith("User is allergic") for text in facts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I prefer tea over coffee at work.", "I prefer coffee over tea at work."),
        ("My team merges after a review on Friday.", "My team merges without a review on Friday."),
    ],
)
def test_an_opposite_is_no_repetition(days: Days, one: str, other: str) -> None:
    days.say("2026-03-02", one)
    days.say("2026-03-09", other)
    days.dream("2026-03-09")
    shown = days.memory.dream.status().candidates
    assert shown["staged"] + shown.get("promoted", 0) == 2


def test_of_two_wordings_what_was_said_last_is_promoted(days: Days) -> None:
    days.say("2026-03-02", "I own the flat in Porto near the harbor.")
    days.say("2026-03-09", "I own a flat in Porto, it is near the harbor.")
    days.say("2026-03-16", "I sold the flat in Porto near the harbor.")
    facts = days.dream("2026-03-16")
    assert not any("owns" in text for text in facts)


def test_another_value_is_not_the_same_statement(days: Days) -> None:
    days.say("2026-03-02", "I have known Igor the longest, my best friend.")
    days.say("2026-03-09", "I have known Edith the longest, my best friend.")
    days.dream("2026-03-09")
    shown = days.memory.dream.explain("User has known Igor the longest, their best friend.")
    assert len(shown.sources) == 1


def test_another_subject_is_no_kin(days: Days) -> None:
    days.say("2026-03-02", "Duff moved its office to Kiel, I read in the morning paper.")
    days.dream("2026-03-02")
    days.say("2026-03-09", "Initech moved its office to Kiel, I read in the morning paper.")
    assert days.dream("2026-03-09") == []


def test_of_two_values_the_older_one_waits(days: Days) -> None:
    days.say("2026-03-02", "My dentist is called Greta, and I like her a lot.")
    days.dream("2026-03-02")
    days.say("2026-03-20", "My dentist is called Omar, and I like him a lot.")
    days.dream("2026-03-20")
    older = days.memory.dream.explain("User's dentist is called Greta, and User likes her a lot.")
    assert any(gate.name == "newest" and not gate.passed for gate in older.gates)


def test_a_value_that_is_said_again_is_the_newest_again(days: Days) -> None:
    for day, name in (("02", "Greta"), ("12", "Omar"), ("25", "Greta")):
        days.say(f"2026-03-{day}", f"My dentist is called {name}, I like that one a lot.")
        facts = days.dream(f"2026-03-{day}")
    assert len(facts) == 1
    assert "Greta" in facts[0]


def test_a_recall_of_something_else_is_no_interest(days: Days) -> None:
    days.say("2026-03-02", "I met Igor from Contoso at the station, and it was a good talk.")
    for day in ("2026-03-05", "2026-03-08", "2026-03-12"):
        days.ask(day, "I met Vera from Prestige at the station")
        facts = days.dream(day)
    assert facts == []


def test_a_recall_that_means_it_is_interest(days: Days) -> None:
    days.say("2026-03-02", "I met Igor from Contoso at the station, and it was a good talk.")
    for day in ("2026-03-05", "2026-03-08", "2026-03-12"):
        days.ask(day, "Whom did I meet at the station?")
        facts = days.dream(day)
    assert len(facts) == 1


def test_a_greeting_that_opens_each_thread_hides_none(days: Days) -> None:
    for day in ("2026-03-02", "2026-03-06", "2026-03-10"):
        days.say(day, "My sister Xenia lives abroad since 2019 and I visit her.")
        facts = days.dream(day)
    assert len(facts) == 1


def test_who_opens_threads_with_the_same_words_months_apart_is_no_schedule(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for month in (1, 4, 7):
        monkeypatch.setenv("MEMCTL_NOW", f"2026-{month:02}-05T10:00:00Z")
        memory.log("I send a card to my sister Xenia each spring.", session=f"s{month}")
        memory.dream.run(apply=True)
    assert len(memory.facts.list()) == 1


def test_a_habit_on_a_weekday_is_no_date(days: Days) -> None:
    days.say("2026-03-02", "Our review meeting is on a Friday, I like that.")
    days.dream("2026-03-02")
    assert "on a Friday" in days.memory.dream.explain("review meeting Friday").text
