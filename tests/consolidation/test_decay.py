"""What nobody needs any more is archived, with the reason, and can be restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
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
    memory.episodic.turns.mark_processed([turn.id for turn in memory.turns.list()])
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    return memory


def texts(memory: Memory) -> list[str]:
    return [fact.text for fact in memory.facts.list()]


def test_a_technical_fact_is_archived_369_days_after_its_last_use(old: Memory) -> None:
    old.dream.decay(apply=True)
    assert texts(old) == ["User prefers dark themes"]


def test_a_preview_archives_nothing_and_names_the_reason(old: Memory) -> None:
    report = old.dream.decay()
    assert [(one.kind, one.why) for one in report.fading] == [
        ("fact", "not recalled, and named in no turn, for 365 days"),
        ("turn", "older than 90 days"),
    ]
    assert STACK in texts(old)


def test_a_recall_counts_as_a_use(old: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-06-01T10:00:00Z")
    old.recall("Which Postgres runs the backend?")
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    old.dream.decay(apply=True)
    assert STACK in texts(old)


@pytest.mark.parametrize("later", [0, 100], ids=["not in the index yet", "in the index"])
def test_a_turn_that_names_it_counts_as_a_use(
    old: Memory, monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-06-01T10:00:00Z")
    old.log("Can you restart postgres for me?", session="s2")
    for number in range(later):
        old.log(f"And note number {number} of the day", session="s2")
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    old.dream.decay(apply=True)
    assert STACK in texts(old)


def test_a_pinned_fact_stays(old: Memory) -> None:
    (fact,) = old.facts.list(categories=["technical"])
    old.facts.pin(fact.id)
    old.dream.decay(apply=True)
    assert STACK in texts(old)


def test_what_was_archived_is_restored(old: Memory) -> None:
    (fact,) = old.facts.list(categories=["technical"])
    old.dream.decay(apply=True)
    old.facts.restore(fact.id)
    assert STACK in texts(old)
    (turn,) = old.turns.list(archived=True)
    old.turns.restore([turn.id])
    assert len(old.turns) == 1


def test_a_run_of_decay_is_taken_back(old: Memory) -> None:
    before = old.facts.list(), old.turns.list()
    report = old.dream.decay(apply=True)
    assert report.run is not None
    old.dream.rollback(report.run)
    assert (old.facts.list(), old.turns.list()) == before


def test_facts_of_a_complete_project_are_archived(memory: Memory) -> None:
    memory.facts.store(
        [{"subject": "Falcon", "attribute": "deadline", "value": "2026-12-01"}], category="project"
    )
    memory.facts.store([{"subject": "Falcon", "attribute": "status", "value": "done"}])
    report = memory.dream.decay(apply=True)
    assert [one.why for one in report.fading] == ["Falcon is done"]


def test_what_is_written_once_a_project_is_complete_stays(memory: Memory) -> None:
    memory.facts.store([{"subject": "Falcon", "attribute": "status", "value": "done"}])
    memory.facts.store(
        [{"subject": "Falcon", "attribute": "archive", "value": "on the old disk"}],
        category="project",
    )
    assert memory.dream.decay().fading == ()


def test_a_turn_that_no_dream_has_read_is_kept(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", BEGUN)
    memory.log("I said this long ago", session="s1")
    monkeypatch.setenv("MEMCTL_NOW", A_YEAR_LATER)
    assert not memory.dream.decay(apply=True).fading


def test_a_clock_that_goes_backwards_archives_nothing(
    old: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2020-01-01T00:00:00Z")
    assert not old.dream.decay(apply=True).fading


def test_a_preview_works_where_nothing_may_be_written(old: Memory, home: Path) -> None:
    with memctl.open(str(old.address), home, readonly=True) as reader:
        assert len(reader.dream.decay().fading) == 2
