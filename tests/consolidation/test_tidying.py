"""Facts that are there are tidied by proposals, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from memctl.memory import Memory


def test_the_fullest_of_near_duplicates_is_kept(memory: Memory) -> None:
    shorter = "The backend runs on Postgres in Frankfurt"
    memory.facts.store([shorter, "The backend runs on Postgres 16 in Frankfurt"])
    assert [one.text for one in memory.dream.tidy() if one.phase == "merge"] == [shorter]


def test_a_denial_is_not_merged(memory: Memory) -> None:
    memory.facts.store(["User never eats fresh fish", "User eats fresh fish"])
    assert not [one for one in memory.dream.tidy() if one.phase == "merge"]


def test_what_has_expired_is_proposed_and_stays(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-01-01T10:00:00Z")
    memory.facts.store("The build server is down", category="operational")
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-01T10:00:00Z")
    before = memory.facts.list(show_expired=True)
    assert [one.phase for one in memory.dream.tidy()] == ["expire"]
    assert memory.facts.list(show_expired=True) == before
