"""A transaction is whole or not at all; what is read stands still; read-only is read-only."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import ReadOnlyError
from memctl.base.home import parse_address
from memctl.store.store import Store
from tests.store.stored import COUNT, PUT, again, put

if TYPE_CHECKING:
    from pathlib import Path


def test_a_transaction_is_kept_whole(store: Store) -> None:
    with store.transaction():
        put(store, "a")
        put(store, "b")
    assert again(store).value(COUNT) == 2


def interrupted(store: Store) -> None:
    with store.transaction():
        put(store, "b")
        raise KeyboardInterrupt


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    with pytest.raises(KeyboardInterrupt):
        interrupted(store)
    assert store.value(COUNT) == 1


def test_a_nested_transaction_joins_the_outer(store: Store) -> None:
    def both() -> None:
        with store.transaction():
            with store.transaction():
                put(store, "a")
            assert again(store).value(COUNT) == 0
            raise RuntimeError

    with store.transaction():
        pass
    with pytest.raises(RuntimeError):
        both()
    assert store.value(COUNT) == 0


def test_the_store_can_be_written_after_a_failure(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        store.execute_many(PUT, [{"key": "a", "value": ""}] * 2)
    with store.transaction():
        put(store, "a")
    assert store.value(COUNT) == 1


def test_a_write_outside_of_a_transaction_is_a_programming_error(store: Store) -> None:
    with pytest.raises(RuntimeError, match="outside of Store"):
        put(store, "a")
    assert not store.path.exists()


def test_what_another_writes_is_seen_by_the_next_read(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    reader = again(store, readonly=True)
    assert reader.value(COUNT) == 1
    with store.transaction():
        put(store, "b")
    assert reader.value(COUNT) == 2


def test_a_snapshot_does_not_see_what_others_commit_meanwhile(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    reader = again(store, readonly=True)
    with reader.snapshot():
        assert reader.value(COUNT) == 1
        with store.transaction():
            put(store, "b")
        assert reader.value(COUNT) == 1
    assert reader.value(COUNT) == 2


def test_nobody_reads_what_is_not_committed(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    with store.transaction():
        put(store, "b")
        assert again(store, readonly=True).value(COUNT) == 1


def test_a_read_only_store_refuses_a_transaction_by_name(store: Store) -> None:
    with store.transaction():
        pass
    reader = again(store, readonly=True)
    with pytest.raises(ReadOnlyError, match='"harbor" is open read-only'), reader.transaction():
        pass


def test_sqlite_itself_refuses_the_write_of_a_read_only_store(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    reader = again(store, readonly=True)
    reader.connection().execute("pragma query_only = off")
    with pytest.raises(ReadOnlyError) as raised:
        reader.rows("delete from setting")
    assert raised.value.exit_code == 3
    assert store.value(COUNT) == 1


def test_a_read_only_store_is_never_created(home: Path) -> None:
    address = parse_address("harbor")
    with Store(address.path(home), address, readonly=True) as reader:
        with pytest.raises(ReadOnlyError), reader.transaction():
            pass
        assert not home.exists()
