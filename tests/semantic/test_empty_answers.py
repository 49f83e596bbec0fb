"""An empty answer says why it is empty, and nothing of others' facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.semantic.facts import Facts

NOW = 'what holds "falcon" does not hold now: it was replaced, has expired or waits'


def test_what_did_not_hold_yet_is_said_to(facts: Facts) -> None:
    facts.store("Falcon's deadline is 1 December")
    found = facts.search("falcon", as_of="2020-01-01")
    assert found.note == (
        'what holds "falcon" does not hold at 2020-01-01T23:59:59Z: ask for another time'
    )
    assert found.withheld


def test_only_the_words_that_a_fact_holds_are_named(facts: Facts) -> None:
    facts.store("Falcon's deadline is 1 December")
    assert '"falcon" does' in facts.search("falcon xyzzy", as_of="2020-01-01").note


def test_what_holds_no_more_is_said_to(facts: Facts, clock: Callable[[str], None]) -> None:
    facts.store("Falcon flies", expires_at="2026-11-21")
    clock("2026-12-01T00:00:00Z")
    assert facts.search("falcon").note == NOW


def test_what_waits_is_said_to(facts: Facts) -> None:
    facts.store("Falcon flies", confidence="low")
    assert facts.search("falcon").note == NOW


def test_what_was_forgotten_is_not_told_of(facts: Facts) -> None:
    (gone,) = facts.store("Falcon flies").ids
    facts.forget(gone)
    found = facts.search("falcon")
    assert (found.note, found.withheld) == ('no fact holds "falcon"', False)


@pytest.mark.parametrize("older", [0, 200])
def test_what_others_know_is_not_told_of(facts_of: Callable[[Scope], Facts], older: int) -> None:
    bobs = facts_of(Scope(user="bob"))
    bobs.store("Falcon's deadline is 1 December")
    if older:  # the first of them stands in the index, not beside it
        bobs.store([f"Filler number {i}" for i in range(older)])
    mine = facts_of(Scope(user="ann"))
    assert mine.search("falcon", as_of="2020-01-01").note == 'no fact holds "falcon"'
    found = bobs.search("falcon", as_of="2020-01-01")
    assert found.withheld


def test_a_filter_is_the_reason_where_it_is(facts: Facts) -> None:
    facts.store("Falcon flies", category="project")
    found = facts.search("falcon", categories=["rule"])
    assert (found.note, found.withheld) == ("no fact that matches passes the filters", False)


def test_a_recall_gives_the_same_reason(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store("Falcon's deadline is 1 December")
        found = memory.recall("falcon", as_of="2020-01-01")
        assert (list(found), found.unknown) == ([], ())
        assert "does not hold at 2020-01-01" in found.note
        assert memory.recall("xyzzy", as_of="2020-01-01").note == 'no row holds "xyzzy"'


def test_a_picture_is_found_and_missed_by_name(facts: Facts) -> None:
    facts.store(["User likes 🍣 and 🍜", "Tea is served at noon"])
    assert [hit.fact.text for hit in facts.search("🍣")] == ["User likes 🍣 and 🍜"]
    assert [hit.fact.text for hit in facts.search("tea or 🍜", limit=9)] == [
        "Tea is served at noon",
        "User likes 🍣 and 🍜",
    ]
    assert facts.search("🍕").note == 'no fact holds "🍕"'


def test_a_picture_in_anothers_fact_is_not_found(facts_of: Callable[[Scope], Facts]) -> None:
    facts_of(Scope(user="bob")).store("Bob likes 🍣")
    found = facts_of(Scope(user="ann")).search("🍣")
    assert (list(found), found.note) == ([], 'no fact holds "🍣"')
