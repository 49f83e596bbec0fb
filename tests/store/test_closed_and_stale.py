"""A store that was closed, or whose file is gone, answers with an error: nothing is written."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import ClosedStoreError, StaleStoreError
from tests.store.stored import COUNT, made, opened, put, rows_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.store.store import Store


def write(store: Store, key: str = "a") -> None:
    with store.transaction():
        put(store, key)


CALLS: dict[str, Callable[[Store], object]] = {
    "rows": lambda store: store.rows(COUNT),
    "value": lambda store: store.value(COUNT),
    "transaction": write,
    "exists": lambda store: store.exists,
    "writable": lambda store: store.writable,
    "stored_settings": lambda store: store.stored_settings(),
    "version": lambda store: store.version(),
    "connection": lambda store: store.connection(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
@pytest.mark.parametrize("used", [True, False])
def test_a_call_after_close_is_an_error_like_that_of_a_closed_file(
    call: Callable[[Store], object], store: Store, *, used: bool
) -> None:
    if used:
        write(store)
    store.close()
    with pytest.raises(ClosedStoreError, match="is closed") as raised:
        call(store)
    assert isinstance(raised.value, ValueError)
    assert raised.value.hint == "open it anew"


def test_closing_twice_and_leaving_a_closed_store_is_fine(home: Path) -> None:
    with opened(made(home)) as store:
        assert store.value(COUNT) == 1
        store.close()
        store.close()


def test_another_threads_call_after_close_is_an_error(store: Store) -> None:
    write(store)
    store.close()
    said: list[Exception] = []

    def call() -> None:
        try:
            store.value(COUNT)
        except ClosedStoreError as error:
            said.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert len(said) == 1


def test_closing_inside_a_read_ends_it_with_an_error(store: Store) -> None:
    write(store)

    def read() -> None:
        with store.snapshot():
            store.connection().close()  # as `close` does in another thread
            store.rows(COUNT)

    with pytest.raises(ClosedStoreError):
        read()


def test_a_memory_that_was_closed_answers_nothing(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("Ann takes the ferry")
    for call in (
        lambda: memory.log("again"),
        lambda: memory.recall("ferry"),
        lambda: memory.report("growth"),
        memory.__enter__,
    ):
        with pytest.raises(ClosedStoreError):
            call()
    memory.close()


def remove(path: Path) -> None:
    for file in path.parent.glob(path.name + "*"):
        file.unlink()


def replace(path: Path) -> None:
    """Put another store where this one is, as a restored backup is."""
    other = path.with_name("other.db")
    with closing(sqlite3.connect(path)) as mine, closing(sqlite3.connect(other)) as copy:
        mine.backup(copy)
    other.replace(path)


@pytest.mark.parametrize("gone", [remove, lambda path: path.unlink(), replace])
def test_a_write_to_a_file_that_is_gone_is_an_error_and_reads_go_on(
    gone: Callable[[Path], None], home: Path
) -> None:
    path = made(home)
    with opened(path) as store:
        write(store, "b")
        gone(path)
        with pytest.raises(StaleStoreError, match="deleted or replaced since") as raised:
            write(store, "c")
        assert (raised.value.exit_code, raised.value.hint) == (5, "open the store anew")
        assert store.value(COUNT) == 2
        assert not store.writing


def test_a_recall_from_a_file_that_is_gone_says_that_it_was_not_recorded(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("Ann takes the ferry")
        remove(memory.store.path)
        recalled = memory.recall("ferry")
        assert len(recalled.rows) == 1
        assert "deleted or replaced" in recalled.unrecorded


@pytest.mark.parametrize("gone", [remove, lambda path: path.unlink(), replace])
def test_a_file_that_is_gone_is_neither_measured_nor_found_well(
    gone: Callable[[Path], None], home: Path
) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("Ann takes the ferry")
        gone(memory.store.path)
        for call in (memory.status, memory.doctor):
            with pytest.raises(StaleStoreError):
                call()


def test_a_file_that_vanishes_inside_a_transaction_takes_nothing_more(home: Path) -> None:
    path = made(home)
    with opened(path) as store:

        def begin_and_lose() -> None:
            with store.transaction():
                put(store, "b")
                remove(path)

        with pytest.raises(StaleStoreError):
            begin_and_lose()
        assert store.value(COUNT) == 1


def test_who_opens_the_store_anew_writes_to_the_file_that_is_there(home: Path) -> None:
    path = made(home)
    with opened(path) as store:
        write(store, "b")
        replace(path)
        with pytest.raises(StaleStoreError):
            write(store, "c")
    with opened(path) as store:
        write(store, "c")
    assert rows_in(path) == 3


def test_a_store_says_what_it_is_and_how_it_is_open(home: Path) -> None:
    path = made(home)
    with opened(path, readonly=True) as store:
        assert repr(store) == f"<memctl store harbor at {path}, read-only>"
    assert repr(store) == f"<memctl store harbor at {path}, read-only, closed>"


def test_a_store_that_is_closed_while_a_thread_waits_for_its_lock_fails_that_thread(
    store: Store,
) -> None:
    write(store)
    ended: list[BaseException] = []

    def wait() -> None:
        try:
            write(store, "b")
        except ClosedStoreError as error:
            ended.append(error)

    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("begin immediate")
        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join(0.2)
        store.close()
        other.execute("rollback")
    waiting.join(60)
    assert [type(error) for error in ended] == [ClosedStoreError]
