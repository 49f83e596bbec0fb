"""Each thread and each fork has a connection of its own, and none is left open."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.processes import python
from tests.store.stored import COUNT, OPEN, put

if TYPE_CHECKING:
    from memctl.store.store import Store


def test_each_thread_has_a_connection_of_its_own(store: Store) -> None:
    with store.transaction():
        pass
    seen: list[sqlite3.Connection] = []
    thread = threading.Thread(target=lambda: seen.append(store.connection()))
    thread.start()
    thread.join()
    assert seen[0] is not store.connection()
    assert store.connection() is store.connection()


def test_threads_write_at_once_and_all_is_kept(store: Store) -> None:
    def write(name: str) -> None:
        for n in range(10):
            with store.transaction():
                put(store, f"{name} {n}")

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.value(COUNT) == 40


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files by /proc")
def test_threads_that_have_ended_keep_no_files_open(store: Store) -> None:
    with store.transaction():
        pass
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        thread = threading.Thread(target=lambda: store.value(COUNT))
        thread.start()
        thread.join()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 6


def test_close_closes_the_connections_of_every_thread(store: Store) -> None:
    with store.transaction():
        pass
    opened: list[sqlite3.Connection] = []
    release = threading.Event()

    def hold() -> None:
        opened.append(store.connection())
        release.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    while not opened:
        pass
    store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("select 1")
    release.set()
    thread.join()


FORK = f"""{OPEN}
    import os

    with store.transaction():
        put("parent")
"""


def test_a_fork_gets_a_connection_of_its_own(home: Path) -> None:
    assert (
        python(
            f"""{FORK}
    before = id(store.connection())
    if (child := os.fork()) == 0:
        own = id(store.connection()) != before
        with store.transaction():
            put("child")
        store.close()
        os._exit(0 if own else 1)
    assert os.waitpid(child, 0)[1] == 0
    with store.transaction():
        put("parent again")
    print(store.value("select count(*) from setting"), store.value("pragma integrity_check"))
    """,
            home,
        )
        == "3 ok"
    )


def test_a_fork_inside_a_transaction_is_outside_of_it(home: Path) -> None:
    assert (
        python(
            f"""{FORK}
    with store.transaction():
        if (child := os.fork()) == 0:
            try:
                put("child")
            except RuntimeError:
                os._exit(0)
            os._exit(1)
        refused = os.waitpid(child, 0)[1] == 0
    print(refused, store.value("select count(*) from setting"))
    """,
            home,
        )
        == "True 1"
    )
