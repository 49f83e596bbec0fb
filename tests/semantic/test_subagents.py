"""A subagent reads what its parent reads and writes nothing."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import SubagentBlockedError, UsageError
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store.store import Store
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def subagent(facts: Facts, store: Store) -> Iterator[Facts]:
    facts.store("User owns a red bicycle")
    with Store(store.path, store.address, subagent=True) as readonly:
        yield Facts(readonly, Settings(readonly), Scope(subagent=True))


WRITES: dict[str, Callable[[Facts, str], object]] = {
    "store": lambda facts, _: facts.store("User owns a car"),
    "update": lambda facts, known: facts.update(known, "User owns a car"),
    "forget": lambda facts, known: facts.forget(known),
    "erase": lambda facts, known: facts.erase(known),
    "delete_all": lambda facts, _: facts.delete_all(confirm=True),
    "restore": lambda facts, known: facts.restore(known),
    "pin": lambda facts, known: facts.pin(known),
    "approve": lambda facts, known: facts.approve(known),
    "reject": lambda facts, known: facts.reject(known),
}


@each("name", WRITES)
def test_every_mutating_tool_is_blocked(subagent: Facts, name: str) -> None:
    (known,) = subagent.list()
    with pytest.raises(SubagentBlockedError) as refused:
        WRITES[name](subagent, known.id)
    assert (refused.value.code, refused.value.exit_code) == ("subagent_blocked", 3)


def test_the_reads_stay_open(subagent: Facts) -> None:
    (known,) = subagent.list()
    assert subagent.search("bicycle")[0].fact == known
    assert subagent.get(known.id) == known
    assert len(subagent.history(known.id)) == 1


def test_sqlite_itself_refuses_behind_it(subagent: Facts) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        subagent._store.connection().execute("delete from fact")


def test_a_subagent_with_a_writable_store_is_refused(store: Store, settings: Settings) -> None:
    with pytest.raises(UsageError, match="read-only"):
        Facts(store, settings, Scope(subagent=True))
