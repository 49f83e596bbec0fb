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


def texts(memory: Memory) -> list[str]:
    return [one.text for one in memory.facts.list()]


def test_a_run_merges_rewrites_and_expires_each_with_its_reason(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-01-01T10:00:00Z")
    memory.facts.store("The build server is down", category="operational")
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-01T10:00:00Z")
    memory.facts.store(
        [
            "The backend runs on Postgres in Frankfurt",
            "The backend runs on Postgres 16 in Frankfurt",
            "Ann's demo is tomorrow in the big hall",
        ]
    )
    report = memory.dream.run(apply=True, tidy=True)
    tidied = report.phases["tidy"]
    assert {name: tidied[name] for name in ("merged", "rewritten", "expired")} == {
        "merged": 1,
        "rewritten": 1,
        "expired": 1,
    }
    assert all(one["why"] for one in tidied["changes"])
    assert set(texts(memory)) == {
        "The backend runs on Postgres 16 in Frankfurt",
        "Ann's demo is on 2026-03-02 in the big hall",
    }


def test_what_was_tidied_comes_back_with_the_run(memory: Memory) -> None:
    memory.facts.store(
        [
            "The backend runs on Postgres in Frankfurt",
            "The backend runs on Postgres 16 in Frankfurt",
            "Ann's demo is tomorrow in the big hall",
        ]
    )
    before = set(texts(memory))
    run = memory.dream.run(apply=True, tidy=True).run
    assert run is not None
    assert set(texts(memory)) != before
    assert memory.dream.rollback(run).left == ()
    assert set(texts(memory)) == before


def test_a_second_run_tidies_nothing(memory: Memory) -> None:
    memory.facts.store("Ann's demo is tomorrow in the big hall")
    memory.dream.run(apply=True, tidy=True)
    assert memory.dream.run(apply=True, tidy=True).run is None


def test_a_preview_of_tidying_writes_nothing(memory: Memory) -> None:
    memory.facts.store("Ann's demo is tomorrow in the big hall")
    before = texts(memory)
    assert memory.dream.run(tidy=True).phases["tidy"]["rewritten"] == 1
    assert texts(memory) == before


def test_what_is_pinned_is_not_tidied(memory: Memory) -> None:
    (fact,) = memory.facts.store("Ann's demo is tomorrow in the big hall").written
    memory.facts.pin(str(fact.id))
    assert memory.dream.run(apply=True, tidy=True).run is None
