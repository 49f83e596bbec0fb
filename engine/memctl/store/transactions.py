"""The connection of one thread to a store, and the transactions on it."""

from __future__ import annotations

import os
from itertools import count
from typing import TYPE_CHECKING

from memctl.base.errors import StaleStoreError
from memctl.base.steps import step
from memctl.store import held_files, statements
from memctl.store.sqlite_errors import SQLITE_ERRORS, closed_store, raise_translated, translated
from memctl.store.store_file import identity_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from types import TracebackType

    from memctl.store.sqlite_errors import Obstacle
    from memctl.store.store_file import Stamp

SQL = statements.load("store/store")
_serials = count()


class ThreadConnection:
    """The connection that a thread of this process has to a store.

    Parameters
    ----------
    connection
        The thread that opened it uses it alone.
    file
        The identity of the file that it reads and writes; see `memctl.store.store_file`.
    stamp
        The file as it is read, unlocked; ``None`` where SQLite looks after it.

    Attributes
    ----------
    pid
        The process that opened it: after a fork it is not the child's.
    obstacle
        The reason why it cannot be written although it was to be; ``None`` where it can.
    writing
        Whether it is inside a transaction.
    waiting
        Whether its thread waits for the lock of a write: SQLite crashes where another thread closes
        it meanwhile.
    abandoned
        Whether the store was closed while it waited: its own thread closes it.
    serial
        Its number among this process's connections; SQLite counts commits for each from the same
        number on.
    settings
        The settings as the store holds them, with SQLite's ``data_version`` at that moment;
        ``None``: to be read again.
    """

    __slots__ = (
        "__weakref__",
        "abandoned",
        "connection",
        "file",
        "obstacle",
        "pid",
        "serial",
        "settings",
        "stamp",
        "waiting",
        "writing",
    )

    def __init__(
        self,
        connection: sqlite3.Connection,
        file: tuple[int, int] | None,
        stamp: Stamp | None = None,
    ) -> None:
        self.pid = os.getpid()
        self.connection = connection
        self.file = file
        self.obstacle: Obstacle | None = None
        self.stamp = stamp
        self.serial = next(_serials)
        self.writing = self.waiting = self.abandoned = False
        self.settings: tuple[int, Mapping[str, str]] | None = None
        held_files.OPEN.add(self)

    def close(self) -> None:
        """Close the connection, and the handles beside it."""
        if self.waiting:
            self.abandoned = True
            return
        self.connection.close()
        held_files.OPEN.discard(self)
        held_files.close_beside(self.file)


class Transaction:
    """A transaction, from ``begin immediate`` to ``commit`` or ``rollback``.

    Every write passes here: a class costs a fifth of a generator.

    Parameters
    ----------
    path
        The file, for messages.
    thread
        The connection.
    ended
        Called when the transaction is over, however it ended.
    durable
        What was committed is on the disk when the transaction is over, and outlives a loss of
        power: SQLite syncs the log at each commit, not only before it moves it into the file.
    """

    __slots__ = ("_durable", "_ended", "_path", "_thread")

    def __init__(
        self,
        path: Path,
        thread: ThreadConnection,
        ended: Callable[[], object],
        *,
        durable: bool = False,
    ) -> None:
        self._path = path
        self._thread = thread
        self._ended = ended
        self._durable = durable

    def __enter__(self) -> None:
        try:
            if self._durable:
                self._thread.connection.execute("pragma synchronous = full")
            self._begin()
            # After another process's VACUUM, SQLite 3.40 reads the schema again; inside the first
            # write, whose triggers write into a word index, it would miss its own tables.
            self._thread.connection.execute(SQL.read_schema).fetchone()
        except SQLITE_ERRORS as wrong:
            raise_translated(wrong, self._path)
        self._thread.writing = True
        try:
            step()  # who waited for another process may not be waited for any more
        except BaseException as stop:
            self.__exit__(type(stop), stop, stop.__traceback__)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                refuse_stale(self._thread, self._path)
                self._thread.connection.execute("commit")
        except SQLITE_ERRORS as wrong:
            self._undo()
            raise_translated(wrong, self._path)
        except BaseException:
            self._undo()
            raise
        finally:
            self._thread.writing = False
            if self._durable and not self._thread.connection.in_transaction:
                self._thread.connection.execute("pragma synchronous = normal")
            self._ended()
        if error is not None:
            self._undo()
            translated(self._path).__exit__(kind, error, trace)

    def _begin(self) -> None:
        thread = self._thread
        thread.waiting = True
        try:
            thread.connection.execute("begin immediate")
        finally:
            thread.waiting = False
            if thread.abandoned:
                thread.close()
        if thread.abandoned:
            raise closed_store(self._path)

    def _undo(self) -> None:
        self._thread.settings = None  # what was read meanwhile never was
        if self._thread.connection.in_transaction:  # a full disk has rolled back already
            self._thread.connection.execute("rollback")


def refuse_stale(thread: ThreadConnection, path: Path) -> None:
    """Refuse a file that is not at its path any more: nobody would find what is written.

    Raises
    ------
    StaleStoreError
        When the file was deleted, moved or replaced since this thread opened it.
    """
    if identity_of(path) != thread.file:
        raise StaleStoreError(
            f'"{path}" was deleted or replaced since it was opened; nothing was written',
            hint="open the store anew",
        )
