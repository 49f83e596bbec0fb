"""Each thread and each fork has a connection of its own, and none is left open."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import ClosedStoreError
from memctl.store.store import Store
from tests.processes import python
from tests.store.stored import COUNT, OPEN, put
from tests.visual.drawn import numbered

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from memctl.memory import Memory

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="counts open files by /proc"
)


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


@needs_proc
def test_threads_that_have_ended_keep_no_files_open(store: Store) -> None:
    with store.transaction():
        pass
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        thread = threading.Thread(target=lambda: store.value(COUNT))
        thread.start()
        thread.join()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 6


@needs_proc
def test_close_closes_the_connections_of_every_thread(store: Store) -> None:
    with store.transaction():
        pass
    read, release = threading.Event(), threading.Event()

    def hold() -> None:
        store.value(COUNT)
        read.set()
        release.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    read.wait(10)
    store.close()
    path = str(store.path.resolve())  # another test may have left a store of the same name open
    assert not [file for file in Path("/proc/self/fd").iterdir() if path in str(opened(file))]
    release.set()
    thread.join()


def opened(file: Path) -> Path:
    try:
        return file.readlink()
    except OSError:  # the folder's own, closed by now
        return file


def test_a_thread_that_reads_ends_with_an_error_when_another_one_closes_the_store(
    home: Path,
) -> None:
    # Python itself would crash where a connection is closed under a thread that is at it.
    done = python(
        """
        import sys, threading, time
        import memctl

        with memctl.open("harbor", sys.argv[1]) as memory:
            for n in range(100):
                memory.log(f"the ferry number {n} was late")
        ended = []

        def read(memory, started):
            try:
                while True:
                    memory.recall("late ferry")
                    memory.store.rows("select a.id from log a, log b")
                    started.set()
            except memctl.ClosedStoreError:
                ended.append(True)

        for wait in range(8):
            memory, started = memctl.open("harbor", sys.argv[1]), threading.Event()
            threads = [threading.Thread(target=read, args=(memory, started)) for _ in range(3)]
            for thread in threads:
                thread.start()
            started.wait()
            time.sleep(wait / 1000)
            memory.close()
            for thread in threads:
                thread.join()
        with memctl.open("harbor", sys.argv[1]) as memory:
            print(len(ended), all(check.ok for check in memory.doctor()))
        """,
        home,
    )
    assert done == "24 True"


def test_a_write_that_goes_on_while_another_thread_closes_is_undone(store: Store) -> None:
    with store.transaction():
        put(store, "before")
    inside, closed = threading.Event(), threading.Event()
    raised: list[Exception] = []

    def write() -> None:
        try:
            with store.transaction():
                put(store, "half")
                inside.set()
                closed.wait(10)
                put(store, "the other half")
        except ClosedStoreError as error:
            raised.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    inside.wait(10)
    store.close()
    closed.set()
    thread.join()
    assert len(raised) == 1
    with Store(store.path, store.address) as again:
        assert again.value(COUNT) == 1


def in_threads(*calls: Callable[[], object]) -> None:
    """Make calls at once, each in a thread of its own; raise what one of them raises."""
    with ThreadPoolExecutor(len(calls)) as threads:
        for future in [threads.submit(call) for call in calls]:
            future.result()


def test_threads_share_a_memory_and_each_reads_what_the_others_wrote(memory: Memory) -> None:
    def use(name: str) -> None:
        for n in range(8):
            turn = memory.log(f"{name} took the ferry number {n}")
            memory.facts.store(f"{name} lives in Porto {n}", keep_both=True)
            assert turn in {row.id for row in memory.recall(f"{name} ferry number {n}")}

    in_threads(*(partial(use, name) for name in ("Ann", "Ben", "Cleo")))
    assert (len(memory.turns), len(memory.facts)) == (24, 24)
    assert all(check.ok for check in memory.doctor())


def test_threads_that_look_at_screens_of_one_memory_find_what_one_thread_finds(
    memory: Memory,
) -> None:
    screens = [numbered(name, 4) for name in ("First", "Second")]
    for at, screen in enumerate(screens):
        memory.learn(*screen.given, page=f"page {at}")
    expected = [{hit.name for hit in memory.match(screen.image).sightings} for screen in screens]

    def look(at: int) -> None:
        for _ in range(4):
            hits = memory.match(screens[at].image).sightings
            assert {hit.name for hit in hits} == expected[at]
            memory.learn(*screens[1 - at].given, page=f"page {1 - at}")

    in_threads(partial(look, 0), partial(look, 1))
    assert len(memory.components) == len(expected[0] | expected[1])


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
