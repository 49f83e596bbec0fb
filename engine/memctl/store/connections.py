"""Connections to SQLite files, with the pragmas that a store needs.

SQLite wants room beside a file even to read it: the index of its write-ahead log. Where there
is none, and no log holds changes, the file is read as it lies.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

from memctl.base.errors import ForeignStoreError, StoreDamagedError, UsageError
from memctl.store import statements
from memctl.store.sqlite_errors import FULL, READ_ONLY, obstacle_of
from memctl.store.store_file import (
    has_wal,
    is_no_sqlite,
    is_too_short,
    may_be_begun,
    promised_bytes,
)
from memctl.store.transactions import FileConnection

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.base.scope import Scope

SQL = statements.load("store/scope")

_BUSY_TIMEOUT_MS = 5000
# Seconds between two looks at what another process may be in the midst of.
_PAUSES = (0.005, 0.02, 0.1)
# What `waiting` has set, in milliseconds.
_waiting: ContextVar[int | None] = ContextVar("_waiting", default=None)
_FIRST_PAGE = 4096
_LONGEST_TIMEOUT_MS = 86_400_000  # a day; SQLite keeps milliseconds in 31 bits
# What hides changes that are not in the file yet, and what is to be done.
_HIDING = {
    READ_ONLY: ("read-only folder", "where its folder can be written"),
    FULL: ("full disk", "when there is room again"),
}


def usual_timeout() -> int:
    """Return the milliseconds of `waiting`, else of ``MEMCTL_BUSY_TIMEOUT_MS``, or 5000.

    Raises
    ------
    UsageError
        When it says none, or more than a day.
    """
    set_here = _waiting.get()
    if set_here is not None:
        return set_here
    text = os.environ.get("MEMCTL_BUSY_TIMEOUT_MS")
    if not text:
        return _BUSY_TIMEOUT_MS
    if not (text.isascii() and text.isdecimal() and int(text) <= _LONGEST_TIMEOUT_MS):
        raise UsageError(
            f'MEMCTL_BUSY_TIMEOUT_MS "{text}" is not a number of milliseconds',
            hint=f"it takes 0 to {_LONGEST_TIMEOUT_MS}",
        )
    return int(text)


@contextmanager
def waiting(busy_timeout_ms: int) -> Iterator[None]:
    """Let stores that this thread opens inside wait so long for another process's write."""
    token = _waiting.set(busy_timeout_ms)
    try:
        yield
    finally:
        _waiting.reset(token)


def connect(path: Path, *, readonly: bool, busy_timeout_ms: int) -> tuple[FileConnection, bool]:
    """Return a connection to a file, and whether it reads that as it lay when opened, unlocked.

    Only the pragmas that leave the file as it is are set. Transactions are begun by hand (``isolation_level=None``). Read-only is enforced by
    SQLite (``mode=ro``): not even ``pragma query_only`` can undo it. Before it writes, a
    connection whose file is known to be ours passes through `prepare_writing`.

    Raises
    ------
    ForeignStoreError
        When it is no SQLite file.
    StoreDamagedError
        When a read-only file cannot be read without writing its WAL index first.
    """
    if not readonly:
        return _configured(path, "mode=rw", busy_timeout_ms), False
    try:
        return _configured(path, "mode=ro", busy_timeout_ms), False
    except sqlite3.OperationalError as error:
        obstacle = obstacle_of(error, path)
        if obstacle is None:
            raise
        # A read-only folder or a full disk cannot hold the -shm file that a WAL database wants.
        # Without a WAL there is nothing to miss, and the file can be read as it lies.
        if obstacle is FULL and has_wal(path):
            _move_in(path)
        if has_wal(path):
            where, when = _HIDING[obstacle]
            raise StoreDamagedError(
                f'"{path}" has changes in its -wal file that a {where} hides',
                hint=f"open it once {when}",
            ) from None
        return _configured(path, "mode=ro&immutable=1", busy_timeout_ms), True


def prepare_writing(connection: sqlite3.Connection) -> None:
    """Set the pragmas that change the file: one that is not ours must not come here."""
    _use_wal(connection)
    connection.execute("pragma synchronous = normal")


@contextmanager
def connected_alone(path: Path, *, busy_timeout_ms: int) -> Iterator[sqlite3.Connection]:
    """Yield a connection beside which nobody else, in this process or another, has one.

    Raises
    ------
    sqlite3.OperationalError
        ``SQLITE_BUSY``, when somebody has the file open for longer than the time-out.
    """
    with closing(_open(path, "mode=rw", busy_timeout_ms)) as alone:
        alone.execute("pragma locking_mode = exclusive")
        alone.execute("begin exclusive")
        alone.execute("commit")
        yield alone


@contextmanager
def reading(connection: sqlite3.Connection) -> Iterator[None]:
    """Let several reads see one moment: another process may be bringing the file up to date."""
    connection.execute("begin")
    try:
        yield
    finally:
        connection.execute("rollback")


def _move_in(path: Path) -> None:
    """Move what a killed process left in the WAL into the file, where that needs no room.

    Who has the file to himself keeps the index of the WAL in memory
    (https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory).
    """
    with suppress(sqlite3.OperationalError), connected_alone(path, busy_timeout_ms=0):
        pass


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log, once no other process is at it.

    It is the one step for which SQLite itself does not wait as long as ``busy_timeout`` says:
    two processes that make one store at once meet here.
    """
    wait_ms = int(connection.execute("pragma busy_timeout").fetchone()[0])
    deadline = time.monotonic() + wait_ms / 1000
    while connection.execute("pragma journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSES[0])
        else:
            return


def _open(path: Path, mode: str, busy_timeout_ms: int) -> FileConnection:
    # Each is used by the thread that opened it alone, and closed by whichever thread closes the
    # store, hence check_same_thread=False.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        isolation_level=None,
        timeout=busy_timeout_ms / 1000,
        check_same_thread=False,
        factory=FileConnection,
    )


def _configured(path: Path, mode: str, busy_timeout_ms: int) -> FileConnection:
    """Open a file; one whose first page another process is just writing is looked at again."""
    for pause in _PAUSES:
        try:
            return _configured_once(path, mode, busy_timeout_ms)
        except ForeignStoreError:
            if path.stat().st_size > _FIRST_PAGE or not may_be_begun(path):
                raise
            time.sleep(pause)
    return _configured_once(path, mode, busy_timeout_ms)


def _configured_once(path: Path, mode: str, busy_timeout_ms: int) -> FileConnection:
    if is_too_short(path):
        raise _no_sqlite(path)
    connection = _open(path, mode, busy_timeout_ms)
    try:
        connection.execute("pragma foreign_keys = on")
        # What a search keeps for itself needs no room on the disk.
        connection.execute("pragma temp_store = memory")
        # Deleted content is overwritten: what a person deletes is gone from the file.
        connection.execute("pragma secure_delete = on")
        # A page whose rows do not lie as they should is damage, not another answer.
        connection.execute("pragma cell_size_check = on")
        connection.execute("select count(*) from sqlite_schema").fetchone()
    except BaseException as error:
        connection.close()
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_NOTADB" and is_no_sqlite(path):
            raise _no_sqlite(path) from None
        if name == "SQLITE_CORRUPT" and (promised := promised_bytes(path)) > path.stat().st_size:
            raise cut_short(path, promised) from None
        raise
    connection.row_factory = sqlite3.Row
    return connection


def cut_short(path: Path, promised: int) -> StoreDamagedError:
    """Return the error of a file that has fewer bytes than its header counts."""
    return StoreDamagedError(f'"{path}" is cut short: {path.stat().st_size} of {promised} bytes')


def _no_sqlite(path: Path) -> ForeignStoreError:
    return ForeignStoreError(
        f'"{path}" is not a SQLite file', hint="move it away, or choose another --app"
    )


# -- the tables of one scope --------------------------------------------------------------

# Tables that say themselves whose a row is, and those whose rows are their session's.
_OWNED = ("log", "episode", "session", "recall", "injection", "candidate")
_OF_SESSIONS = ("journal", "journal_snapshot", "cache", "tool_call")


def scope_tables(connection: sqlite3.Connection, scope: Scope) -> None:
    """Let a connection read the rows of one scope alone, whatever a statement asks for."""
    if not scope.narrows:
        return
    whose = {"user": scope.user, "agent": scope.agent, "project": scope.project}
    connection.execute(SQL.scope, whose)
    for table in _OWNED:
        connection.execute(SQL.log.replace("log", table))
    for table in _OF_SESSIONS:
        connection.execute(SQL.journal.replace("journal", table))
    connection.execute(SQL.knowledge)


def lift_scope(connection: sqlite3.Connection) -> None:
    """Let a scoped connection read the rows of everybody again."""
    for table in (*_OWNED, *_OF_SESSIONS, "knowledge"):
        connection.execute(SQL.lifted.replace("log", table))
