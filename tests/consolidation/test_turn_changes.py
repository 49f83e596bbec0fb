"""A later turn that says otherwise is linked to the earlier one; recall and facts say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from memctl.memory import Memory

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


def test_another_value_of_the_same_thing_links_the_turns(told: Memory) -> None:
    told.dream.run(apply=True)
    (pair,) = told.dream.verify().turns
    assert (pair.turn, pair.earlier, pair.kind) == (4, 2, "update")
    assert "to 78%" in pair.what


def test_recall_says_of_the_earlier_turn_what_was_said_since(told: Memory) -> None:
    told.dream.run(apply=True)
    rows = {row.id: row for row in told.recall("What is the test coverage of the module?")}
    assert rows[2].doubt.startswith("is earlier than turn 4, which says")
    assert not rows[4].doubt


def test_a_fact_that_a_later_turn_speaks_against_becomes_doubtful(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-03T10:00:00Z")
    stored = told.facts.store("User's API integration module has a test coverage of 65%.").written[
        0
    ]
    monkeypatch.setenv("MEMCTL_NOW", "2026-03-21T03:00:00Z")
    told.dream.run(apply=True)
    fact = told.facts.get(str(stored.id))
    assert fact.doubt is not None
    assert fact.doubt.startswith("is earlier than turn 4, which says")


def test_a_candidate_that_gives_the_earlier_value_waits(told: Memory) -> None:
    told.dream.run(apply=True)
    shown = told.dream.explain("User has reached a test coverage of 65%")
    assert any(gate.name == "newest" and not gate.passed for gate in shown.gates)


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
    told.turns.erase([4])
    assert told.dream.verify().turns == ()
    assert told.facts.get(str(stored.id)).doubt is None
    told.close()
    assert not any(b"78%" in file.read_bytes() for file in told.store.path.parent.iterdir())


def test_a_run_taken_back_takes_its_links_with_it(told: Memory) -> None:
    run = told.dream.run(apply=True).run
    assert run is not None
    told.dream.rollback(run)
    assert told.dream.verify().turns == ()


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
