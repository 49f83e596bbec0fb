"""Why a candidate is promoted or not: what is shown of it, listed, and promoted by a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, RefusedError, UsageError

if TYPE_CHECKING:
    from memctl.memory import Memory

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


def test_a_preview_names_what_it_would_promote(told: Memory) -> None:
    (one,) = told.dream.run().phases["deep"]["promotions"]
    assert (one["text"], one["fact"]) == (KEPT, None)


def test_a_run_names_the_fact_that_a_candidate_became(told: Memory) -> None:
    (one,) = told.dream.run(apply=True).phases["deep"]["promotions"]
    assert told.facts.get(one["fact"]).text == KEPT


def test_what_finds_no_room_in_a_run_is_counted_and_told_so(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(told, monkeypatch, "2026-03-02", "Never plan a meeting of mine on a Friday.")
    told.settings.set("dream_profile", "memctl limit=1")
    told.dream.run(phase="light", apply=True)
    assert told.dream.run().phases["deep"]["waiting"] == 1
    assert "at most 1 in a run" in told.dream.explain(number_of(told, "Friday")).why


def test_candidates_are_listed_with_what_stops_them(told: Memory) -> None:
    told.dream.run(apply=True)
    (one,) = told.dream.candidates()
    assert "moved to Porto" in one.text
    assert one.stopped_by
    assert [found.text for found in told.dream.candidates(status="promoted")] == [KEPT]


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
    assert not told.dream.explain("moved to Porto").exact
    assert told.dream.explain(ORDER).exact


def test_the_opposite_is_shown_as_another_one(told: Memory) -> None:
    told.dream.run(apply=True)
    assert not told.dream.explain("I never moved to Porto").exact


def test_what_tells_of_somewhere_else_is_no_explanation(told: Memory) -> None:
    told.dream.run(apply=True)
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
    "text", ["Never say never, haha, what a day that was.", "Always the same old song, lol."]
)
def test_a_joke_is_no_standing_order(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    say(memory, monkeypatch, "2026-03-02", text)
    memory.dream.run(apply=True)
    assert memory.facts.list() == []


@pytest.mark.parametrize(
    "text",
    ["Ab jetzt bitte alle Antworten auf Deutsch schreiben.", "从现在起请总是用中文回答我的问题。"],
)
def test_an_order_in_another_language_is_promoted_at_once(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    say(memory, monkeypatch, "2026-03-02", text)
    memory.dream.run(apply=True)
    assert len(memory.facts.list()) == 1
