"""The connection of one thread to a store, and the transactions on it."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING
from weakref import WeakSet

from memctl.base.errors import BusyError, StaleStoreError
from memctl.base.steps import step
from memctl.store import statements
from memctl.store.sqlite_errors import SQLITE_ERRORS, closed_store, raise_translated, translated
from memctl.store.store_file import identity_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from types import TracebackType
    from typing import BinaryIO

    from memctl.store.sqlite_errors import Obstacle
    from memctl.store.store_file import Stamp

SEAL = statements.load("store/seal")
_serials = count()
_Identity = tuple[int, int]


class FileConnection(sqlite3.Connection):
    """A connection to a store's file.

    Python crashes where one thread closes what another one reads from. Whoever is at a statement
    refers to the connection: then it is left open, and the garbage collector closes it.

    Attributes
    ----------
    file
        The identity of the file once it is a store's; see `memctl.store.store_file`.
    pid
        The process that opened it: after a fork it is not the child's.
    """

    file: _Identity | None = None
    pid: int = 0

    def close(self) -> None:
        """Close it, and the handles beside its file."""
        super().close()
        OPEN.discard(self)
        if self.file is not None:
            close_beside(self.file)

    def __del__(self) -> None:
        if self.pid == os.getpid():
            self.close()


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
    abandoned
        Whether the store was closed by another thread meanwhile.
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
        "writing",
    )

    def __init__(
        self,
        connection: FileConnection,
        file: _Identity | None,
        stamp: Stamp | None = None,
    ) -> None:
        self.pid = connection.pid = os.getpid()
        self.connection = connection
        self.file = connection.file = file
        self.obstacle: Obstacle | None = None
        self.stamp = stamp
        self.serial = next(_serials)
        self.writing = self.abandoned = False
        self.settings: tuple[int, Mapping[str, str]] | None = None
        OPEN.add(connection)


class ThreadConnections:
    """The connections that threads have to one store; those from before a fork are the parent's."""

    def __init__(self) -> None:
        self._all: list[tuple[threading.Thread, ThreadConnection]] = []
        self._lock = threading.Lock()
        self._closed = False

    def __bool__(self) -> bool:
        """Return whether a thread of this process has one."""
        return any(opened.pid == os.getpid() for _, opened in self._all)

    def add(self, opened: ThreadConnection, former: ThreadConnection | None, path: Path) -> None:
        """Add the connection of this thread, in the place of its former one.

        Those of threads that have ended are closed.
        """
        with self._lock:
            if self._closed:
                opened.connection.close()
                raise closed_store(path)
            self._close(lambda thread, of: of is former or not thread.is_alive())
            self._all.append((threading.current_thread(), opened))

    def interrupt(self, thread: threading.Thread) -> None:
        """End the statement that a thread is at with an error, which undoes its transaction."""
        with self._lock:
            for of, opened in self._all:
                if of is thread and opened.pid == os.getpid():
                    opened.connection.interrupt()

    def close(self) -> None:
        """Close all but what another thread is using at this moment; that is left to it.

        Nobody may be able to reach them any more but by what refers to them already.
        """
        here = threading.current_thread()
        with self._lock:
            self._closed = True
            self._close(lambda thread, _: thread is here or not thread.is_alive())
            if not self:
                return
            # One more, which nobody is using, shows how many references such a one has.
            unused = sqlite3.connect(":memory:", factory=FileConnection, check_same_thread=False)
            self._all.append((here, ThreadConnection(unused, None)))
            del unused
            counts = [
                (sys.getrefcount(opened), sys.getrefcount(opened.connection))
                for _, opened in self._all
            ]
            for (_, opened), count in zip(self._all, counts, strict=True):
                opened.abandoned = count != counts[-1]
            self._close(lambda _, opened: not opened.abandoned)
            self._all = [pair for pair in self._all if pair[1].pid != os.getpid()]

    def _close(self, unwanted: Callable[[threading.Thread, ThreadConnection], bool]) -> None:
        kept = []
        for thread, opened in self._all:
            if opened.pid == os.getpid() and unwanted(thread, opened):
                opened.connection.close()
            else:
                kept.append((thread, opened))
        self._all = kept


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
        Called when the transaction is over, however it ended, with whether it changed a row.
    durable
        What was committed is on the disk when the transaction is over, and outlives a loss of
        power: SQLite syncs the log at each commit, not only before it moves it into the file.
    """

    __slots__ = ("_changes", "_durable", "_ended", "_path", "_thread")

    def __init__(
        self,
        path: Path,
        thread: ThreadConnection,
        ended: Callable[[bool], object],
        *,
        durable: bool = False,
    ) -> None:
        self._path = path
        self._thread = thread
        self._ended = ended
        self._durable = durable
        self._changes = thread.connection.total_changes

    def __enter__(self) -> None:
        try:
            if self._durable:
                self._thread.connection.execute("pragma synchronous = full")
            self._begin()
            self._thread.connection.execute(SEAL.unseal)
        except BaseException as wrong:
            self._undo()
            if isinstance(wrong, SQLITE_ERRORS):
                raise_translated(wrong, self._path)
            raise
        self._thread.writing = True
        try:
            step()  # who waited for another process may not be waited for any more
            if check := _checks.__dict__.pop(str(self._path), None):
                check()
        except BaseException as stop:
            self.__exit__(type(stop), stop, stop.__traceback__)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        written = False
        try:
            if error is None:
                refuse_stale(self._thread, self._path)
                self._thread.connection.execute("commit")
                written = self._thread.connection.total_changes > self._changes
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
            self._ended(written)
        if error is not None:
            self._undo()
            translated(self._path).__exit__(kind, error, trace)

    def _begin(self) -> None:
        self._thread.connection.execute("begin immediate")
        if self._thread.abandoned:
            self._undo()
            raise closed_store(self._path)

    def _undo(self) -> None:
        self._thread.settings = None  # what was read meanwhile never was
        if self._thread.connection.in_transaction:  # a full disk has rolled back already
            self._thread.connection.execute("rollback")


# Of a thread, by the file.
_checks = threading.local()


@contextmanager
def expecting(path: Path, check: Callable[[], object]) -> Iterator[None]:
    """Let `check` refuse this thread's next transaction in a file, by raising once it has begun.

    It compares the rows that somebody decided by with those that are stored: from then on until the
    transaction ends, nobody else can change them.
    """
    _checks.__dict__[str(path)] = check
    try:
        yield
    finally:
        _checks.__dict__.pop(str(path), None)


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


# -- files that SQLite has open ------------------------------------------------------------

# POSIX takes all locks of a process from a file as soon as the process closes any handle to it
# (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
# Another process then takes itself for the last one, and deletes the log that is written here.

# The bytes that SQLite locks, and how many: whoever has a WAL file open has one of them
# (https://www.sqlite.org/src/file/src/os.h).
_LOCKED_FROM, _LOCKED_BYTES = 0x40000000, 512

OPEN: WeakSet[FileConnection] = WeakSet()
"""The connections of this process's stores, and after a fork its parent's."""

# Handles to files of stores, by the store; closed once SQLite has closed its own.
_beside: dict[_Identity | None, dict[_Identity | None, BinaryIO]] = {}


def open_here(identity: _Identity | None) -> Iterator[FileConnection]:
    """Yield the connections that stores of this process have to a file."""
    return (one for one in list(OPEN) if one.file == identity and one.pid == os.getpid())


def opened_beside(store: Path, file: Path) -> BinaryIO:
    """Return a file of a store that this process has open in SQLite, to read its bytes.

    The caller leaves it open: it is closed as soon as SQLite has closed the store.

    Raises
    ------
    OSError
        When it is not there, or may not be read.
    """
    kept = _beside.setdefault(identity_of(store), {})
    identity = identity_of(file)
    if identity not in kept:
        kept[identity] = file.open("rb")
    return kept[identity]


def close_beside(store: _Identity | None) -> None:
    """Close the handles to files of a store, unless this process still has it open in SQLite."""
    if not any(open_here(store)):
        for opened in _beside.pop(store, {}).values():
            opened.close()


@contextmanager
def nobody_at(path: Path) -> Iterator[None]:
    """Hold the locks of SQLite on a file that SQLite itself cannot read.

    Raises
    ------
    BusyError
        When this process or another one has the file open.
    """
    if any(open_here(identity_of(path))):
        raise in_use(path)
    with _locked(path):
        yield


def in_use(path: Path) -> BusyError:
    """Return the error of a file that has to be nobody's, and is open."""
    return BusyError(
        f'"{path}" is in use', hint="end whatever has it open (agents, MCP servers) and try again"
    )


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # Windows refuses to move a file that somebody has open
        yield
        return
    writable = os.access(path, os.W_OK)  # else nobody like us can be writing it
    handle = os.open(path, os.O_RDWR if writable else os.O_RDONLY)
    try:
        kind = fcntl.LOCK_EX if writable else fcntl.LOCK_SH
        try:
            fcntl.lockf(handle, kind | fcntl.LOCK_NB, _LOCKED_BYTES, _LOCKED_FROM)
        except OSError as error:
            raise in_use(path) from error
        yield
    finally:
        os.close(handle)


if hasattr(os, "register_at_fork"):
    # A handle of both would be moved by both.
    os.register_at_fork(after_in_child=_beside.clear)
