"""The newest turns, whose words wait for the index: put there, or read beside it.

A turn is added without touching the index, which costs more than all the rest of the addition;
at most 63 wait so (``schema/0003_episodic.sql``), and they come after all that is indexed. Who
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

__all__ = [
    "beside",
    "index_waiting",
    "is_read_beside",
    "rows_of_both",
    "settle",
    "waiting_sizes",
]

SQL = statements.load("store/episodic_waiting")


def index_waiting(store: Store) -> None:
    """Put the waiting turns into the index. Belongs inside a transaction."""
    store.execute(SQL.index_waiting)


def settle(store: Store) -> None:
    """Put the waiting turns into the index if this can be done at once; else they wait on.

    Nothing is lost where it cannot: the store is read-only, another process writes, the disk
    is full.
    """
    if store.readonly:
        return
    with suppress(MemctlError):
        if store.value(SQL.any_waiting):
            with store.at_once(), store.transaction(activity=True):
                index_waiting(store)


class _Reading(threading.local):
    """The store whose waiting turns this thread reads beside the index."""

    store: Store | None = None


_reading = _Reading()


@contextmanager
def beside(store: Store) -> Iterator[None]:
    """Let `rows_of_both` inside read the turns that wait now, as the caller's snapshot sees them."""
    if _reading.store is store or not store.value(SQL.any_waiting):
        yield
        return
    connection = store.connection()
    for statement in (SQL.make_beside, SQL.make_beside_vocabulary, SQL.fill_beside):
        connection.execute(statement)
    _reading.store = store
    try:
        yield
    finally:
        _reading.store = None
        for statement in (SQL.drop_beside_vocabulary, SQL.drop_beside):
            connection.execute(statement)


def is_read_beside(store: Store) -> bool:
    """Whether turns of `store` are read beside its index."""
    return _reading.store is store


def waiting_sizes(store: Store) -> list[bytes]:
    """Return the number of words of each turn that is read beside the index, as FTS5 writes it."""
    return [row[0] for row in store.rows(SQL.sizes_beside)] if is_read_beside(store) else []


def rows_of_both(
    store: Store, sql: str, parameters: Mapping[str, Any] | None = None
) -> list[sqlite3.Row]:
    """Return the rows of a query of the index; those of the waiting turns, the newest, first."""
    rows = store.rows(sql, parameters)
    if not is_read_beside(store):
        return rows
    of_waiting = sql.replace("episode_fts", "memctl_waiting")
    of_waiting = of_waiting.replace("memctl_vocabulary", "memctl_waiting_vocabulary")
    return store.rows(of_waiting, parameters) + rows
