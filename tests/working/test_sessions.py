"""A session starts with what the last ones left, and leaves what the next ones need."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError, SecretRefusedError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def texts(items: object) -> list[str]:
    return [item.text for item in items]  # type: ignore[attr-defined]


def at(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setenv("MEMCTL_NOW", time)


def test_a_start_shows_what_all_sessions_left_open(memory: Memory) -> None:
    memory.sessions.start("monday")
    memory.journal.of("monday").pending("Call Ann")
    memory.journal.of("monday").blocker("no key")
    memory.sessions.end("monday")
    started = memory.sessions.start("tuesday")
    assert texts(started.open_items) == ["no key", "Call Ann"]
    assert started.journal.entries == ()


def test_a_start_shows_the_last_ten_turns_and_the_episodes_of_two_days(memory: Memory) -> None:
    for n in range(12):
        memory.log(f"turn {n}", session="monday")
    memory.remember("The ferry was full", happened_at="2026-11-19T20:00:00Z")
    memory.remember("The train was late", happened_at="2026-11-18T20:00:00Z")
    started = memory.sessions.start("tuesday")
    assert texts(started.turns) == [f"turn {n}" for n in range(2, 12)]
    assert [episode.summary for episode in started.episodes] == ["The ferry was full"]


def test_an_end_writes_one_episode_of_what_was_done(memory: Memory) -> None:
    memory.sessions.start("monday")
    journal = memory.journal.of("monday")
    journal.task("Book the ferry")
    journal.decide("We take the train to Bornholm")
    journal.pending("Call Ann")
    ended = memory.sessions.end("monday")
    assert ended.session.episode_id is not None
    episode = memory.episodes.get(ended.session.episode_id)
    assert episode.summary.startswith("Book the ferry; decided: We take the train")
    assert "## Pending Actions" in episode.details
    assert ended.session.ending == "ended"


def test_decisions_become_facts_with_their_source(memory: Memory) -> None:
    memory.sessions.start("monday")
    memory.journal.of("monday").decide("The team deploys with Docker from now on")
    (promoted,) = memory.sessions.end("monday").promoted
    fact = memory.facts.get(promoted)
    assert fact.category == "decision"
    assert fact.source == "session:monday"


def test_an_end_takes_its_passing_facts_along_and_no_others(memory: Memory) -> None:
    memory.sessions.start("monday")
    with memctl.open("agent", memory.store.path.parents[1], session="monday") as inside:
        inside.facts.store(
            "The build is running on port 8080", category="operational", long_term=False
        )
    kept = memory.facts.store("Ann prefers the window seat", category="preference").ids
    ended = memory.sessions.end("monday")
    assert len(ended.ended_facts) == 1
    assert [fact.id for fact in memory.facts.list()] == list(kept)


def test_an_end_names_the_facts_that_fade_next(memory: Memory) -> None:
    memory.sessions.start("monday")
    memory.facts.store("The ferry to Bornholm runs every day", category="technical")
    soon = memory.facts.store("The ferry is closed for repairs", expires_at="2099-01-01").ids
    assert memory.sessions.end("monday").fading == ()
    memory.facts.update(soon[0], expires_at=timedelta(days=3))
    memory.sessions.start("tuesday")
    assert memory.sessions.end("tuesday").fading == soon


def test_what_passes_is_over_with_its_session_and_open_items_stay(memory: Memory) -> None:
    memory.sessions.start("monday")
    journal = memory.journal.of("monday")
    journal.task("Book the ferry")
    journal.pending("Call Ann")
    journal.pending("Pay")
    journal.done("Pay")
    assert texts(memory.sessions.end("monday").open_items) == ["Call Ann"]
    assert texts(journal.get().entries) == ["Call Ann"]


def test_a_session_that_was_cut_off_is_closed_by_the_next(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.sessions.start("monday")
    memory.journal.of("monday").task("Book the ferry")
    at(monkeypatch, "2026-11-21T12:00:00Z")
    (closed,) = memory.sessions.start("tuesday").cut_off
    assert (closed.session.id, closed.session.ending) == ("monday", "cut off")
    assert closed.promoted == ()
    memory.log("still here", session="tuesday")
    at(monkeypatch, "2026-11-21T23:59:00Z")
    assert memory.sessions.start("wednesday").cut_off == ()


def test_a_session_that_is_not_there_cannot_end(memory: Memory) -> None:
    with pytest.raises(NotFoundError):
        memory.sessions.end("monday")
    memory.sessions.start("monday")
    memory.sessions.end("monday")
    with pytest.raises(NotFoundError, match="has ended"):
        memory.sessions.end("monday")
    assert memory.sessions.start("monday").session.ended_at is None
    assert [one.id for one in memory.sessions.list(going_on=True)] == ["monday"]


def test_a_secret_in_the_summary_ends_nothing(memory: Memory) -> None:
    memory.sessions.start("monday")
    with pytest.raises(SecretRefusedError):
        memory.sessions.end("monday", summary="the password: hunter2secret!")
    assert memory.sessions.get("monday").ended_at is None


@each("name", ["", "../x", "a b"])
def test_a_name_that_is_none_starts_nothing(memory: Memory, name: str) -> None:
    with pytest.raises(UsageError):
        memory.sessions.start(name)


def test_a_decision_holds_from_when_it_was_made(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-23T10:00:00Z")
    with memctl.open("agent", home, session="s1") as memory:
        memory.journal.decide("Falcon's deadline is 9 December")
        monkeypatch.setenv("MEMCTL_NOW", "2026-11-23T11:00:00Z")
        memory.facts.store("Falcon's deadline is 10 December")
        monkeypatch.setenv("MEMCTL_NOW", "2026-11-23T12:00:00Z")
        memory.sessions.end("s1")
        assert "Falcon's deadline is 10 December" in [fact.text for fact in memory.facts.list()]
