"""A session starts with what the last ones left and leaves what the next ones need; its cache keeps values for a while."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError, SecretRefusedError, UsageError
from memctl.working.session_cache import SessionCache
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.working.journal import Journal


def texts(items: object) -> list[str]:
    return [item.text for item in items]  # type: ignore[attr-defined]


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


def test_an_end_writes_one_episode_keeps_open_items_and_makes_facts_of_decisions(
    memory: Memory,
) -> None:
    memory.sessions.start("monday")
    journal = memory.journal.of("monday")
    journal.task("Book the ferry")
    journal.decide("The team deploys with Docker from now on")
    for text in ("Call Ann", "Pay"):
        journal.pending(text)
    journal.done("Pay")
    ended = memory.sessions.end("monday")
    assert (ended.session.ending, texts(ended.open_items)) == ("ended", ["Call Ann"])
    assert ended.session.episode_id is not None
    episode = memory.episodes.get(ended.session.episode_id)
    assert episode.summary.startswith("Book the ferry; decided: The team deploys")
    assert "## Pending Actions" in episode.details
    (promoted,) = ended.promoted
    fact = memory.facts.get(promoted)
    assert (fact.category, fact.source) == ("decision", "session:monday")
    assert texts(journal.get().entries) == ["Call Ann"]


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


def test_a_session_that_was_cut_off_is_closed_by_the_next(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.sessions.start("monday")
    memory.journal.of("monday").task("Book the ferry")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-21T12:00:00Z")
    (closed,) = memory.sessions.start("tuesday").cut_off
    assert (closed.session.id, closed.session.ending) == ("monday", "cut off")
    assert closed.promoted == ()
    memory.log("still here", session="tuesday")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-21T23:59:00Z")
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


@each("name", ["", "../up", "a b", ".hidden", "x" * 121, "a/b"])
def test_a_name_that_is_none_starts_nothing(memory: Memory, name: str) -> None:
    for named in (memory.sessions.start, memory.journal.of):
        with pytest.raises(UsageError, match="no name of a session"):
            named(name)


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


@pytest.fixture
def cache(memory: Memory) -> SessionCache:
    return SessionCache(memory.store, "s1")


def test_a_value_expires_and_leaves_the_file_with_the_next_write(
    cache: SessionCache, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = cache.set("ferry", "nine", seconds=60)
    assert kept.expires_at == "2026-11-20T12:01:00Z"
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:01:00Z")
    assert cache.list() == []
    with pytest.raises(NotFoundError, match="ferry"):
        cache.get("ferry")
    cache.set("train", "ten")
    assert [row["name"] for row in memory.store.rows("select name from cache")] == ["train"]


def test_removing_and_clearing(cache: SessionCache) -> None:
    for name in ("a", "b", "c"):
        cache.set(name, "x")
    assert cache.remove("a").value == "x"
    assert cache.clear() == 2
    with pytest.raises(NotFoundError):
        cache.remove("a")


@pytest.mark.parametrize("seconds", [0, -1, 10**9])
def test_a_time_out_of_range_is_refused(cache: SessionCache, seconds: int) -> None:
    with pytest.raises(UsageError, match="out of range"):
        cache.set("ferry", "nine", seconds=seconds)


def test_a_secret_is_not_kept(cache: SessionCache) -> None:
    with pytest.raises(SecretRefusedError):
        cache.set("login", "password: hunter2secret!")
    assert cache.list() == []


EARLIER = "2026-11-19T12:00:00Z"


def test_entries_and_snapshots_keep_the_order_in_which_they_were_made(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.task("Book the ferry")
    journal.pending("Call Ann")
    journal.snapshot("first")
    monkeypatch.setenv("MEMCTL_NOW", EARLIER)
    journal.task("Book the train")
    journal.done("Call Ann")
    journal.snapshot("second")
    state = journal.get()
    assert state.task is not None
    assert (state.task.text, state.open) == ("Book the train", ())
    assert [one.why for one in journal.snapshots()] == ["second", "first"]
    first = journal.snapshots()[-1].id
    assert [entry.text for entry in journal.restore(first).open] == ["Call Ann"]


def test_a_value_of_the_cache_is_replaced_and_expires_by_the_new_clock(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = SessionCache(memory.store, "s1")
    cache.set("ferry", "nine", seconds=60)
    monkeypatch.setenv("MEMCTL_NOW", EARLIER)
    assert cache.get("ferry").value == "nine"
    cache.set("ferry", "ten", seconds=60)
    assert cache.get("ferry").value == "ten"
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-19T12:01:00Z")
    assert cache.list() == []


def test_a_session_ends_and_the_next_one_starts(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.sessions.start("s1")
    memory.sessions.start("s2")
    monkeypatch.setenv("MEMCTL_NOW", EARLIER)
    assert memory.sessions.end("s1").session.ending == "ended"
    assert memory.sessions.start("s3").cut_off == ()
    assert memory.sessions.get("s2").ending is None
