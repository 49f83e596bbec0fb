"""Facts and turns that a later one changes: tidied, linked, and doubted, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from memctl.memory import Memory


def test_a_denial_is_not_merged(memory: Memory) -> None:
    memory.facts.store(["User never eats fresh fish", "User eats fresh fish"])
    assert not [one for one in memory.dream.tidy() if one.phase == "merge"]


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
    before = memory.facts.list(show_expired=True)
    assert memory.dream.run(tidy=True).phases["tidy"]["rewritten"] == 1
    assert {one.phase for one in memory.dream.tidy()} >= {"merge", "expire"}
    assert memory.facts.list(show_expired=True) == before  # these were previews
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


def test_what_is_pinned_is_not_tidied(memory: Memory) -> None:
    (fact,) = memory.facts.store("Ann's demo is tomorrow in the big hall").written
    memory.facts.pin(str(fact.id))
    assert memory.dream.run(apply=True, tidy=True).run is None


EARLIER = "I've reached a test coverage of 65% for my API integration module."
LATER = "I've now improved the test coverage of my API integration module to 78%."


@pytest.fixture
def told(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    for day, text in (("02", EARLIER), ("20", LATER)):
        monkeypatch.setenv("MEMCTL_NOW", f"2026-03-{day}T10:00:00Z")
        memory.log("Good morning!", session=day)
        memory.log(text, session=day)
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-21T03:00:00Z")
    return memory


def test_another_value_of_the_same_thing_links_the_turns_until_the_run_is_taken_back(
    told: Memory,
) -> None:
    run = told.dream.run(apply=True).run
    (pair,) = told.dream.verify().turns
    assert (pair.turn, pair.earlier, pair.kind) == (4, 2, "update")
    assert "to 78%" in pair.what
    rows = {row.id: row for row in told.recall("What is the test coverage of the module?")}
    assert rows[2].doubt.startswith("is earlier than turn 4, which says")
    assert not rows[4].doubt
    shown = told.dream.explain("User has reached a test coverage of 65%")
    assert any(gate.name == "newest" and not gate.passed for gate in shown.gates)
    told.dream.rollback(run or 0)
    assert told.dream.verify().turns == ()


def test_the_same_value_said_again_changes_nothing(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in ("02", "20"):
        monkeypatch.setenv("MEMCTL_NOW", f"2026-03-{day}T10:00:00Z")
        memory.log(EARLIER, session=day)
    memory.dream.run(apply=True)
    assert memory.dream.verify().turns == ()


def test_an_erased_turn_leaves_no_trace_in_links_doubts_and_records(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-03T10:00:00Z")
    stored = told.facts.store("User's API integration module has a test coverage of 65%.").written[
        0
    ]
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-21T03:00:00Z")
    told.dream.run(apply=True)
    doubt = told.facts.get(str(stored.id)).doubt or ""
    assert doubt.startswith("is earlier than turn 4, which says")
    told.turns.erase([4])
    assert told.dream.verify().turns == ()
    assert told.facts.get(str(stored.id)).doubt is None
    told.close()
    assert not any(b"78%" in file.read_bytes() for file in told.store.path.parent.iterdir())


@pytest.fixture
def eats(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    said = ("I never eat fish.", "I now eat fish each week, as my doctor told me to.")
    for day, text in zip(("02", "20"), said, strict=True):
        monkeypatch.setenv("MEMCTL_NOW", f"2026-03-{day}T10:00:00Z")
        memory.log(text, session=day)
    return memory


def test_a_deed_after_never_lets_the_denial_wait(eats: Memory) -> None:
    eats.dream.run(apply=True)
    (pair,) = eats.dream.verify().turns
    assert pair.kind == "update"
    gates = {gate.name: gate.passed for gate in eats.dream.explain("User never eats fish.").gates}
    assert not gates["newest"]


def test_a_deed_makes_a_fact_that_denies_it_doubtful(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-03T10:00:00Z")
    stored = memory.facts.store("User never eats fish.").written[0]
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-21T03:00:00Z")
    memory.log("I now eat fish each week, as my doctor told me to.", session="s")
    memory.dream.run(apply=True)
    assert "eats fish" in (memory.facts.get(str(stored.id)).doubt or "")
