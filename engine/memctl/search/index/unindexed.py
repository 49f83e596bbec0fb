"""Unindexed rows: the newest turns and facts, whose words are not in the index yet.

A row is added without touching the index, which costs more than all the rest of the addition;
at most 63 of each kind are left so (the view ``memory_waiting``), and they come after all that is
indexed of their kind. Who
may write puts them into the index before reading it. Who may not, a subagent whose parent goes
on logging, reads them in an index of their own, in memory, and adds both answers up: recall
ranks as if all were in one.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from memctl.base.errors import MemctlError
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

    from memctl.store.store import Store

SQL = statements.load("store/search_unindexed")


def index_rows(store: Store) -> None:
    """Put the unindexed rows into the index. Belongs inside a transaction."""
    store.execute(SQL.index_rows)


def index_rows_if_free(store: Store) -> None:
    """Put the unindexed rows into the index if this can be done at once; else leave them.

    Nothing is lost where it cannot: the store is read-only, another process writes, the disk
    is full.
    """
    if store.readonly:
        return
    with suppress(MemctlError):
        if store.value(SQL.any_unindexed):
            with store.at_once(), store.transaction(activity=True):
                index_rows(store)


class _Reading(threading.local):
    """The store whose unindexed rows this thread reads."""

    store: Store | None = None


_reading = _Reading()


@contextmanager
def reading_unindexed(store: Store) -> Iterator[None]:
    """Let `rows_with_unindexed` inside read the unindexed rows that the caller's snapshot sees."""
    if _reading.store is store or not store.value(SQL.any_unindexed):
        yield
        return
    connection = store.connection()
    for statement in (SQL.make_index, SQL.make_vocabulary, SQL.fill_index):
        connection.execute(statement)
    _reading.store = store
    try:
        yield
    finally:
        _reading.store = None
        for statement in (SQL.drop_vocabulary, SQL.drop_index):
            connection.execute(statement)


def reads_unindexed(store: Store) -> bool:
    """Return whether unindexed rows of `store` are read now."""
    return _reading.store is store


def unindexed_sizes(store: Store) -> list[bytes]:
    """Return the number of words of each unindexed row that is read, as FTS5 writes it."""
    return [row[0] for row in store.rows(SQL.row_sizes)] if reads_unindexed(store) else []


def rows_with_unindexed(
    store: Store, sql: str, parameters: Mapping[str, Any] | None = None
) -> list[sqlite3.Row]:
    """Return the rows of a query of the index; those of unindexed rows, the newest, first."""
    rows = store.rows(sql, parameters)
    if not reads_unindexed(store):
        return rows
    of_unindexed = sql.replace("memory_fts", "memctl_unindexed")
    of_unindexed = of_unindexed.replace("memctl_vocabulary", "memctl_unindexed_vocabulary")
    return store.rows(of_unindexed, parameters) + rows
