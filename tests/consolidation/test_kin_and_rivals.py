"""What speaks for a candidate and what does not: the same in other words, rivals, recalls, orders; shown by explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, RefusedError, UsageError

if TYPE_CHECKING:
    from memctl.memory import Memory


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


@pytest.mark.parametrize(
    ("question", "promoted"),
    [("Whom did I meet at the station?", 1), ("I met Vera from Prestige at the station", 0)],
)
def test_a_recall_that_means_it_is_interest(days: Days, question: str, promoted: int) -> None:
    days.say("2026-03-02", "I met Igor from Contoso at the station, and it was a good talk.")
    for day in ("2026-03-05", "2026-03-08", "2026-03-12"):
        days.ask(day, question)
        facts = days.dream(day)
    assert len(facts) == promoted


def test_a_value_that_is_said_again_is_the_newest_again(days: Days) -> None:
    for day, name in (("02", "Greta"), ("12", "Omar"), ("25", "Greta")):
        days.say(f"2026-03-{day}", f"My dentist is called {name}, I like that one a lot.")
        facts = days.dream(f"2026-03-{day}")
    assert len(facts) == 1
    assert "Greta" in facts[0]


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


ORDER = "Always answer me in German when I ask about contracts."
KEPT = "Always answer User in German when User asks about contracts."


def say(memory: Memory, monkeypatch: pytest.MonkeyPatch, day: str, *texts: str) -> None:
    monkeypatch.setenv("MEMCTL_NOW", f"{day}T10:00:00Z")
    for text in texts:
        memory.log(text, session=f"talk {day}")


@pytest.fixture
def told(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    say(
        memory,
        monkeypatch,
        "2026-03-02",
        ORDER,
        "I moved to Porto with my sister and her two dogs last year.",
    )
    return memory


def number_of(memory: Memory, words: str, status: str = "staged") -> int:
    found = memory.dream.candidates(status=status)  # type: ignore[arg-type]
    return next(one.id for one in found if words in one.text)


def test_a_run_and_its_preview_name_what_is_promoted(told: Memory) -> None:
    (shown,) = told.dream.run().phases["deep"]["promotions"]
    assert (shown["text"], shown["fact"]) == (KEPT, None)
    (one,) = told.dream.run(apply=True).phases["deep"]["promotions"]
    assert told.facts.get(one["fact"]).text == KEPT
    (waits,) = told.dream.candidates()
    assert ("moved to Porto" in waits.text, bool(waits.stopped_by)) == (True, True)
    assert [found.text for found in told.dream.candidates(status="promoted")] == [KEPT]


def test_what_finds_no_room_in_a_run_is_counted_and_told_so(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(told, monkeypatch, "2026-03-02", "Never plan a meeting of mine on a Friday.")
    told.settings.set("dream_profile", "memctl limit=1")
    told.dream.run(phase="light", apply=True)
    assert told.dream.run().phases["deep"]["waiting"] == 1
    assert "at most 1 in a run" in told.dream.explain(number_of(told, "Friday")).why


def test_an_unknown_status_is_refused(told: Memory) -> None:
    with pytest.raises(UsageError, match="no status"):
        told.dream.candidates(status="gone")  # type: ignore[arg-type]


def test_what_a_person_promotes_is_told_with_its_fact(told: Memory) -> None:
    told.dream.run(apply=True)
    (one,) = told.dream.promote(number_of(told, "Porto")).phases["deep"]["promotions"]
    assert "Porto" in told.facts.get(one["fact"]).text


def test_what_is_a_fact_already_is_not_promoted_again(told: Memory) -> None:
    told.dream.run(apply=True)
    before = len(told.dream.runs())
    with pytest.raises(UsageError, match="already"):
        told.dream.promote(number_of(told, "German", "promoted"))
    assert len(told.dream.runs()) == before


def test_what_cannot_become_a_fact_says_why(told: Memory) -> None:
    told.dream.run(apply=True)
    candidate = number_of(told, "Porto")
    told.settings.set("max_fact", 50)
    with pytest.raises(RefusedError, match="became no fact"):
        told.dream.promote(candidate)
    shown = told.dream.explain(candidate)
    assert (shown.status, bool(shown.why)) == ("dropped", True)
    assert all(gate.passed for gate in shown.gates if gate.name == "stands alone")


def test_an_explanation_of_a_near_one_says_that_it_is_another(told: Memory) -> None:
    told.dream.run(apply=True)
    assert told.dream.explain(ORDER).exact
    for near in ("moved to Porto", "I never moved to Porto"):
        assert not told.dream.explain(near).exact
    with pytest.raises(NotFoundError):
        told.dream.explain("I moved to Graz with my sister")


def test_an_explanation_tells_what_was_said_otherwise_since(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day, name in (("02", "Greta"), ("12", "Omar")):
        say(told, monkeypatch, f"2026-03-{day}", f"My dentist is called {name}, I like that one.")
        told.dream.run(apply=True)
    shown = told.dream.explain("User's dentist is called Greta, User likes that one.")
    assert shown.stopped_by == "newest"
    assert "Omar" in shown.nearest


def test_an_explanation_with_other_numbers_judges_by_them(told: Memory) -> None:
    told.dream.run(apply=True)
    shown = told.dream.explain("moved to Porto", profile="memctl min_signals=7")
    assert "signals: 1 of 7, 6 more wanted" in shown.nearest


def test_of_two_orders_that_deny_each_other_the_later_one_holds(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(memory, monkeypatch, "2026-03-02", "Always answer me in German about contracts.")
    say(memory, monkeypatch, "2026-03-03", "Never answer me in German about contracts.")
    memory.dream.run(apply=True)
    assert [fact.text[:5] for fact in memory.facts.list()] == ["Never"]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Ab jetzt bitte alle Antworten auf Deutsch schreiben.", True),
        ("从现在起请总是用中文回答我的问题。", True),
        ("Never say never, haha, what a day that was.", False),
        ("Always the same old song, lol.", False),
    ],
)
def test_an_order_in_any_language_is_promoted_at_once_and_a_joke_is_none(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, text: str, order: bool
) -> None:
    say(memory, monkeypatch, "2026-03-02", text)
    memory.dream.run(apply=True)
    assert bool(memory.facts.list()) is order
