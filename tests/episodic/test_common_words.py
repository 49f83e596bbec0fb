"""How common a word is, is kept while nothing is written: never longer."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from memctl.memory import Memory
from memctl.search.index.reader import common_words
from memctl.search.ranking.ranking_constants import GATHERED
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable


def add(memory: Memory, rows: int) -> None:
    memory.turns.add_many({"text": f"printer {n}", "session": f"s{n // 20}"} for n in range(rows))


def by_another(store: Store, rows: int) -> None:
    with Store(store.path, store.address) as other:
        add(Memory(other), rows)


def counted(memory: Memory, store: Store) -> int:
    memory.recall("printer", record=False)
    with store.snapshot():
        return common_words(store, store.version())['"printer"', 1]


def in_another_thread(_: Store, then: Callable[[], None]) -> None:
    thread = Thread(target=then)
    thread.start()
    thread.join()


def test_what_another_process_adds_is_counted(memory: Memory, store: Store) -> None:
    add(memory, GATHERED + 500)
    before: list[int] = []
    in_another_thread(store, lambda: before.append(counted(memory, store)))
    before.append(counted(memory, store))
    by_another(store, 3000)
    after: list[int] = []
    in_another_thread(store, lambda: after.append(counted(memory, store)))
    after.append(counted(memory, store))
    assert before == [GATHERED + 500] * 2
    assert after == [GATHERED + 3500] * 2


def test_inside_of_a_transaction_nothing_is_kept(memory: Memory, store: Store) -> None:
    add(memory, GATHERED + 500)
    counted(memory, store)
    with store.transaction():
        add(memory, 3000)
        assert common_words(store, store.version()) == {}
    assert counted(memory, store) == GATHERED + 3500
