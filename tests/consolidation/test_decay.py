"""What nobody needs any more is archived, with the reason, and can be restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory

BEGUN, A_YEAR_LATER = "2025-11-20T10:00:00Z", "2026-11-24T10:00:00Z"
STACK = "The backend runs on Postgres 16"


@pytest.fixture
def old(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setenv("MEMCTL_NOW", BEGUN)
    memory.facts.store(STACK, category="technical")
    memory.facts.store("User prefers dark themes", category="preference")
    memory.log("I said this long ago", session="s1")
    memory.turns.mark_processed([turn.id for turn in memory.turns.list()])
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    return memory


def texts(memory: Memory) -> list[str]:
    return [fact.text for fact in memory.facts.list()]


def test_a_preview_archives_nothing_and_names_the_reason(old: Memory) -> None:
    report = old.dream.decay()
    assert [(one.kind, one.why) for one in report.fading] == [
        ("fact", "not used for 365 days"),
        ("turn", "older than 90 days"),
    ]
    assert STACK in texts(old)


@pytest.mark.parametrize(
    "serve",
    [
        lambda memory: memory.facts.search("Which Postgres?"),
        lambda memory: memory.facts.get(memory.facts.list(categories=["technical"])[0].id),
        lambda memory: memory.context("Which Postgres runs the backend?"),
        lambda memory: memory.active("Which Postgres runs the backend?"),
        lambda memory: memory.context("Which Postgres runs the backend?", occasion="prompt"),
    ],
)
def test_whatever_serves_a_fact_counts_as_a_use(
    old: Memory, monkeypatch: pytest.MonkeyPatch, serve: Callable[[Memory], object]
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-06-01T10:00:00Z")
    serve(old)
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    assert STACK not in [one.text for one in old.dream.decay().fading]
    monkeypatch.setenv("MEMCTL_NOW", "2027-06-02T10:00:00Z")
    (fact,) = (one for one in old.dream.decay().fading if one.text == STACK)
    assert fact.last_at == "2026-06-01T10:00:00Z"


def test_a_fact_that_is_served_often_is_noted_once_a_day(
    old: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    old.facts.search("Which Postgres?")
    before = old.store.path.with_name(old.store.path.name + "-wal").read_bytes()
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-24T12:00:00Z")
    old.facts.search("Which Postgres?")
    assert old.store.path.with_name(old.store.path.name + "-wal").read_bytes() == before


def test_listing_and_comparing_facts_is_no_use(
    old: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-06-01T10:00:00Z")
    old.facts.list()
    old.facts.triage(STACK)
    old.extract(STACK)
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    assert next(one.text for one in old.dream.decay().fading) == STACK


def test_a_fact_is_served_where_nothing_may_be_written(old: Memory, home: Path) -> None:
    with memctl.open(str(old.address), home, readonly=True) as reader:
        assert reader.facts.search("Which Postgres?")
        assert len(reader.dream.decay().fading) == 2


def test_a_promoted_fact_that_was_served_is_taken_back_with_its_run(memory: Memory) -> None:
    memory.facts.store(STACK)
    memory.log("Always deploy the backend from the branch release, never from main.", session="s1")
    run = memory.dream.run(apply=True).run
    memory.facts.search("Which branch is deployed?")
    assert run is not None
    memory.dream.rollback(run)
    assert texts(memory) == [STACK]


def test_what_was_archived_is_restored(old: Memory) -> None:
    (fact,) = old.facts.list(categories=["technical"])
    old.dream.decay(apply=True)
    old.facts.restore(fact.id)
    assert STACK in texts(old)
    (turn,) = old.turns.list(archived=True)
    old.turns.restore([turn.id])
    assert len(old.turns) == 1


def test_a_run_of_decay_is_taken_back(old: Memory) -> None:
    before = {fact.id for fact in old.facts.list()}, old.turns.list()
    report = old.dream.decay(apply=True)
    assert report.run is not None
    old.dream.rollback(report.run)
    assert ({fact.id for fact in old.facts.list()}, old.turns.list()) == before


DEADLINE = {"subject": "Falcon", "attribute": "deadline", "value": "2026-12-01"}
DONE = {"subject": "Falcon", "attribute": "status", "value": "done"}


def test_facts_of_a_complete_project_are_archived(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", BEGUN)
    memory.facts.store([DEADLINE], category="project")
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    memory.facts.store([DONE])
    report = memory.dream.decay(apply=True)
    assert [(one.why, one.last_at) for one in report.fading] == [("Falcon is done", BEGUN)]


@pytest.mark.parametrize(
    ("owner", "done_by", "ends"),
    [
        ("", "", "2099-01-01"),  # one day
        ("", "", BEGUN),  # stored as late as its end
        ("ann", "bob", A_YEAR_LATER),
    ],
)
def test_facts_of_a_project_that_is_not_complete_stay(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, owner: str, done_by: str, ends: str
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", BEGUN)
    memory.facts.store([DEADLINE], category="project", user_id=owner)
    memory.facts.store([DONE], valid_from=ends, user_id=done_by)
    assert not memory.dream.decay().fading


def test_what_is_stored_or_changed_after_the_end_of_a_project_stays(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", BEGUN)
    memory.facts.store([DEADLINE], category="project")
    memory.facts.store([DONE], valid_from="2025-12-01")
    monkeypatch.setenv("MEMCTL_NOW", "2025-12-24T10:00:00Z")
    memory.facts.store("Falcon's owner is Ann", category="project", valid_from="2025-01-01")
    (fact,) = memory.facts.lookup("Falcon", "deadline")
    memory.facts.update(fact.id, importance=0.9)
    assert not memory.dream.decay().fading


def test_what_is_pinned_and_a_turn_that_no_dream_has_read_stay(
    old: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fact,) = old.facts.list(categories=["technical"])
    old.facts.pin(fact.id)
    monkeypatch.setenv("MEMCTL_NOW", BEGUN)
    old.log("I said this long ago, too", session="s2")
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    assert [one.kind for one in old.dream.decay(apply=True).fading] == ["turn"]
    assert [turn.session for turn in old.turns.list()] == ["s2"]
    assert STACK in texts(old)


def test_a_clock_that_goes_backwards_archives_nothing(
    old: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2020-01-01T00:00:00Z")
    assert not old.dream.decay(apply=True).fading
