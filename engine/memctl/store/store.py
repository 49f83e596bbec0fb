"""One SQLite file: read it, write it in transactions, from every thread and process."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from memctl.base.arguments import resolvable
from memctl.base.errors import (
    MemctlError,
    NotFoundError,
    OutOfScopeError,
    ReadOnlyError,
    SubagentBlockedError,
)
from memctl.base.home import home_around
from memctl.base.scope import Scope
from memctl.base.user_zone import UserZone
from memctl.store import statements
from memctl.store.connections import lift_scope, reading, scope_tables, usual_timeout
from memctl.store.home_settings import read_home_settings
from memctl.store.opening import new_store, no_store, open_trusted
from memctl.store.sealing.seal import seal
from memctl.store.sqlite_errors import (
    SQLITE_ERRORS,
    closed_store,
    raise_translated,
    translated,
)
from memctl.store.statements import bound
from memctl.store.store_file import make_file, store_at
from memctl.store.transactions import (
    ThreadConnection,
    ThreadConnections,
    Transaction,
    refuse_stale,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType

    from memctl.base.home import Address
    from memctl.store.home_settings import HomeSettings
    from memctl.store.sqlite_errors import Obstacle

SQL = statements.load("store/store")


@resolvable
class Store:
    """The file of one app or site; created by the first write.

    Parameters
    ----------
    path
        Where the file is, or will be.
    address
        What it is the memory of; written into a new file.
    readonly
        Opened so that SQLite refuses every write.
    subagent
        Read-only too, and whoever writes is told that a subagent does not.
    busy_timeout_ms
        How long a write waits for another process's; the default is
        ``MEMCTL_BUSY_TIMEOUT_MS`` or 5000.
    scope
        Whose rows are read and written; everybody's by default.

    Notes
    -----
    Each thread, and each process after a fork, has a connection of its own. A write
    is ``with store.transaction()``: ``begin immediate``, so that two writers queue
    instead of failing half-way.
    """

    def __init__(
        self,
        path: Path,
        address: Address,
        *,
        readonly: bool = False,
        subagent: bool = False,
        busy_timeout_ms: int | None = None,
        scope: Scope | None = None,
    ) -> None:
        self.path = path
        self.address = address
        self.readonly = readonly or subagent
        self._subagent = subagent
        self.scope = scope or Scope()
        self._busy_timeout_ms = usual_timeout() if busy_timeout_ms is None else busy_timeout_ms
        self._local = threading.local()
        self._threads = ThreadConnections()
        self._generation = 0
        self._closed = False
        # Whether it has changed the file, which is sealed then as it is closed.
        self.written = False
        # Opened whatever its seal says: by who examines it.
        self.unsealed = False
        # Settings given to whoever opened the store: they win over the environment and the file.
        self.flags: Mapping[str, str] = {}
        # Read now, as the flags are: to ask for each variable in each call is a tenth of a write.
        self.environment: Mapping[str, str] = {
            name: value for name, value in os.environ.items() if name.startswith("MEMCTL_")
        }
        # The folder whose settings.toml speaks for this store, too; ``None`` outside of any.
        self.home = home_around(path)
        self._closing: dict[Callable[[Store], None], None] = {}

    def __repr__(self) -> str:
        marks = [
            mark for mark, on in (("read-only", self.readonly), ("closed", self._closed)) if on
        ]
        return f"<{', '.join([f'memctl store {self.address} at {self.path}', *marks])}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def exists(self) -> bool:
        """True where there is a store to read; a file that somebody is just making is none yet."""
        if self._opened() is not None:
            return True
        if not self._has_content():
            return False
        if self.readonly:
            try:
                self.connection()
            except NotFoundError:
                return False
        return True

    @property
    def owner(self) -> Mapping[str, str]:
        """Whose a new row is: ``user_id``, ``agent_id`` and ``project``."""
        owner: Mapping[str, str] = getattr(self._local, "owner", None) or self.scope.owner
        return owner

    @contextmanager
    def writing_as(self, owner: Mapping[str, Any]) -> Iterator[None]:
        """Write rows inside for the owner of another row."""
        before = getattr(self._local, "owner", None)
        self._local.owner = {column: owner[column] for column in self.scope.owner}
        try:
            yield
        finally:
            self._local.owner = before

    @property
    def writable(self) -> bool:
        """True where writes may come through: neither read-only, nor unwritable when opened."""
        if self.readonly:
            return False
        return not self._has_content() or self._ready().obstacle is None

    def refuse_readonly(self) -> None:
        """Refuse a write to a store that was opened read-only.

        Raises
        ------
        ReadOnlyError, SubagentBlockedError
            Where it was, by a subagent.
        """
        if self._subagent:
            raise SubagentBlockedError(
                f'"{self.address}" is read-only here', hint="a subagent reads; its parent writes"
            )
        if self.readonly:
            raise ReadOnlyError(
                f'"{self.address}" is open read-only', hint="open it without readonly"
            )

    @property
    def closed(self) -> bool:
        """True once `close` was called."""
        return self._closed

    def refuse_closed(self) -> None:
        """Raise `ClosedStoreError` when `close` was called."""
        if self._closed:
            raise closed_store(self.path)

    def refuse_stale(self) -> None:
        """Raise `StaleStoreError` when the open file was deleted, moved or replaced meanwhile."""
        refuse_stale(self._ready(), self.path)

    @property
    def writing(self) -> bool:
        """True while this thread is inside a transaction."""
        opened = self._opened()
        return opened is not None and opened.writing

    def interrupt(self, thread: threading.Thread) -> None:
        """End the statement that a thread is at with an error, which undoes its transaction."""
        self._threads.interrupt(thread)

    def before_closing(self, finish: Callable[[Store], None]) -> None:
        """Let `finish` be called, once, before a store that was opened is closed."""
        self._closing[finish] = None

    def close(self) -> None:
        """Close the connections of every thread of this process; a second time does nothing.

        A call of another thread that is under way ends with `ClosedStoreError` at its next
        statement.
        """
        try:
            if self._threads:
                for finish in list(self._closing):
                    finish(self)
                if self.written:
                    with suppress(MemctlError):
                        self.refuse_stale()
                        seal(self.connection(), self.path)
        finally:
            self._closed = True
            self._local = threading.local()
            self._threads.close()

    # -- reading -------------------------------------------------------------------------

    def rows(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[sqlite3.Row]:
        """Return every row of a query; never creates the file.

        Raises
        ------
        NotFoundError
            When there is no store yet.
        """
        try:
            return self.connection().execute(*bound(sql, parameters)).fetchall()
        except SQLITE_ERRORS as error:
            raise_translated(error, self.path)

    def row(self, sql: str, parameters: Mapping[str, Any] | None = None) -> sqlite3.Row | None:
        """Return the first row of a query, or ``None``."""
        rows = self.rows(sql, parameters)
        return rows[0] if rows else None

    def value(self, sql: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Return the first cell of the first row, or ``None``."""
        row = self.row(sql, parameters)
        return row[0] if row else None

    def stored_settings(self) -> Mapping[str, str]:
        """Return the rows of the table ``setting``, whoever wrote them.

        They are read again only when another connection has committed something since, or
        `forget_settings` was called.
        """
        opened = self._opened()
        if opened is None:
            if not self.exists:
                return {}
            opened = self._ready()
        try:
            version = opened.connection.execute(SQL.data_version).fetchone()[0]
        except SQLITE_ERRORS as error:
            raise_translated(error, self.path)
        if opened.settings is None or opened.settings[0] != version:
            found = {row["key"]: row["value"] for row in self.rows(SQL.settings)}
            opened.settings = version, found
        return opened.settings[1]

    def home_settings(self) -> HomeSettings:
        """Return the home's ``settings.toml``, read again once it has changed.

        Raises
        ------
        UsageError, FileAccessError
            When it cannot be read.
        """
        return read_home_settings(self.home)

    def said(self, key: str) -> str | None:
        """Return the text of a setting from the flags, the environment, the store or its home.

        For what is below the settings: it is not checked. ``None`` where nobody says anything.
        """
        if key in self.flags:
            return self.flags[key]
        found = self.environment.get(f"MEMCTL_{key.upper()}") or self.stored_settings().get(key)
        home = self.home_settings().values
        return str(home[key]) if found is None and key in home else found

    @property
    def zone(self) -> UserZone:
        """The zone whose days are the user's: the setting ``timezone``, else this machine's.

        Raises
        ------
        UsageError
            When the setting names none.
        """
        return UserZone(self.said("timezone") or "")

    def obey(self, other: Store) -> None:
        """Take over the flags, environment and home of another store, of which this is a copy."""
        self.flags, self.environment, self.home = other.flags, other.environment, other.home

    def narrow(self, scope: Scope) -> None:
        """Read and write the rows of a smaller scope from now on.

        Raises
        ------
        OutOfScopeError
            When the store was narrowed already.
        """
        if self.scope.narrows:
            raise OutOfScopeError("the store was opened for another", hint="open it anew")
        self.scope = scope
        opened = self._opened()
        if opened is not None:
            self._scoped(opened)

    @contextmanager
    def unscoped(self) -> Iterator[None]:
        """Let this thread read everybody's rows inside: for what is done to the whole file."""
        if not self.scope.narrows or getattr(self._local, "lifted", False):
            yield
            return
        lift_scope(self.connection())
        self._local.lifted = True
        try:
            yield
        finally:
            self._local.lifted = False
            scope_tables(self.connection(), self.scope)

    @contextmanager
    def across_projects(self) -> Iterator[None]:
        """Read the rows of all projects of the same user and agent for a while."""
        scope = self.scope
        if scope.project is None or getattr(self._local, "lifted", False):
            yield
            return
        lift_scope(self.connection())
        scope_tables(self.connection(), replace(scope, project=None))
        try:
            yield
        finally:
            if scope.user is not None or scope.agent is not None:
                lift_scope(self.connection())
            scope_tables(self.connection(), scope)

    def _scoped(self, opened: ThreadConnection) -> ThreadConnection:
        scope_tables(opened.connection, self.scope)
        return opened

    def forget_settings(self) -> None:
        """Read the settings again: this connection has changed them."""
        self._ready().settings = None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let every read inside see the store as it is now, whatever others commit."""
        with translated(self.path):
            connection = self.connection()
            if connection.in_transaction:
                yield
                return
            with reading(connection):
                yield

    # -- writing -------------------------------------------------------------------------

    def version(self) -> tuple[int, int, int]:
        """Return a mark that changes when anything but activity was written, by anybody.

        What was read under one mark may be kept for as long as the mark stays.
        """
        committed = int(self.value(SQL.data_version))
        return self._ready().serial, committed, self._generation

    def transaction(
        self, *, activity: bool = False, durable: bool = False
    ) -> AbstractContextManager[None]:
        """Make everything inside one transaction; a nested one joins the outer.

        Parameters
        ----------
        activity
            Only counters and records are written, so `version` stays for this process; the
            caller keeps what it has read up to date itself.
        durable
            What is written outlives a loss of power from the end of the transaction on; without
            it, from the next checkpoint on. A transaction that joins an outer one is as durable
            as that.

        Raises
        ------
        ReadOnlyError, SubagentBlockedError
            When the store was opened read-only, or its file may not be written.
        DiskFullError
            When there is no room.
        BusyError
            When another process writes for longer than the time-out.
        StaleStoreError
            At its end, when the file was deleted or replaced since it was opened.
        """
        self.refuse_readonly()
        opened = self._ready(create=True)
        if opened.obstacle is not None:
            opened = self._freed(opened.obstacle)
        if opened.writing:
            return translated(self.path)
        ended = self._wrote if activity else self._changed
        return Transaction(self.path, opened, ended, durable=durable)

    @contextmanager
    def at_once(self, *, within_ms: int = 0) -> Iterator[None]:
        """Let a transaction inside fail soon, instead of waiting, while another process writes.

        Parameters
        ----------
        within_ms
            How long it waits all the same: a short write of somebody else is over by then.
        """
        if not self.exists:  # nobody writes a file that is not there
            yield
            return
        patience = min(within_ms, self._busy_timeout_ms)
        self.connection().execute(f"pragma busy_timeout = {patience}")
        try:
            yield
        finally:
            self.connection().execute(f"pragma busy_timeout = {self._busy_timeout_ms}")

    def execute(self, sql: str, parameters: Mapping[str, Any] | None = None) -> int:
        """Run one write; return the rows it changed. Belongs inside a transaction."""
        try:
            return self._writer().execute(*bound(sql, parameters)).rowcount
        except SQLITE_ERRORS as error:
            raise_translated(error, self.path)

    def insert(self, sql: str, parameters: Mapping[str, Any] | None = None) -> int:
        """Run one insert; return the new row's id. Belongs inside a transaction."""
        try:
            return int(self._writer().execute(*bound(sql, parameters)).lastrowid or 0)
        except SQLITE_ERRORS as error:
            raise_translated(error, self.path)

    def execute_many(self, sql: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run one write for each of `rows`. Belongs inside a transaction."""
        with translated(self.path):
            self._writer().executemany(sql, rows)

    def flush_deleted(self) -> bool:
        """Move the WAL into the file and empty it, so that deleted bytes are gone.

        Returns ``False`` while another process still reads an older version: then they
        are gone from the file once it has finished and this is called again; and inside of a
        transaction, which this comes after.
        """
        if self.writing:
            return False
        with translated(self.path):
            blocked = self.connection().execute("pragma wal_checkpoint(truncate)").fetchone()[0]
        return not blocked

    # -- connections ---------------------------------------------------------------------

    def connection(self, *, create: bool = False) -> sqlite3.Connection:
        """Return the connection of this thread and process, opened and checked.

        Raises
        ------
        NotFoundError
            When there is no store and `create` is false.
        ClosedStoreError
            When `close` was called.
        StoreError
            When the file is damaged, foreign, newer, or older and read-only.
        """
        return self._ready(create=create).connection

    def _ready(self, *, create: bool = False) -> ThreadConnection:
        """Return the connection of this thread, opened and checked."""
        opened = self._opened()
        if opened is not None:
            return opened
        if not self._has_content():
            if not create:
                raise no_store(self.address, self.path)
            make_file(self.path, lambda: new_store(self.address))
        return self._kept(self._open())

    def _open(self) -> ThreadConnection:
        with translated(self.path):
            return self._scoped(
                open_trusted(
                    self.path,
                    self.address,
                    readonly=self.readonly,
                    busy_timeout_ms=self._busy_timeout_ms,
                    unsealed=self.unsealed,
                )
            )

    def _kept(self, opened: ThreadConnection) -> ThreadConnection:
        """Keep the connection of this thread, in the place of its former one."""
        self._threads.add(opened, getattr(self._local, "opened", None), self.path)
        self._local.opened = opened
        return opened

    def _freed(self, obstacle: Obstacle) -> ThreadConnection:
        """Open a file anew that could not be written: there may be room by now."""
        fresh = self._open()
        if fresh.obstacle is not None:
            fresh.connection.close()
            raise obstacle.error(self.path)
        return self._kept(fresh)

    def _opened(self) -> ThreadConnection | None:
        """Return the connection of this thread and process; ``None`` before it has one."""
        opened: ThreadConnection | None = getattr(self._local, "opened", None)
        # The process is asked too: a fork inside a transaction is outside of it.
        if opened is None or opened.pid != os.getpid():
            return None
        if opened.stamp is not None and not opened.connection.in_transaction:
            # It is read as it lay, and somebody has found room to write it since.
            return opened if opened.stamp.holds else None
        return opened

    def _changed(self, written: bool) -> None:
        self._generation += 1
        self._wrote(written)

    def _wrote(self, written: bool) -> None:
        self.written = self.written or written

    def _has_content(self) -> bool:
        """Return whether there is a file; every call comes by, until this thread has opened it."""
        self.refuse_closed()
        there = store_at(self.path)
        return there is not None and there.st_size > 0

    def _writer(self) -> sqlite3.Connection:
        opened = self._opened()
        if opened is None or not opened.writing:
            self.refuse_closed()
            raise RuntimeError("a write outside of Store.transaction()")
        return opened.connection
