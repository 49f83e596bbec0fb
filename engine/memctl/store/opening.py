"""Opens the file of a store: trusts it only if its schema is ours, and brings it up to date."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from memctl.base.clock import now
from memctl.base.counting import counted
from memctl.base.errors import (
    ForeignStoreError,
    NewerStoreError,
    NotFoundError,
    OlderStoreError,
)
from memctl.base.home import stores
from memctl.base.near_words import near_words
from memctl.base.steps import remark
from memctl.store import migrations, statements
from memctl.store.connections import connect, cut_short, prepare_writing, reading
from memctl.store.sealing.seal import SEALED, check_seal, share_seal
from memctl.store.sealing.write_ahead_log import lost_commits
from memctl.store.sqlite_errors import READ_ONLY, may_be_written, obstacle_of
from memctl.store.store_file import Stamp, has_wal, identity_of
from memctl.store.transactions import ThreadConnection, open_here

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.base.home import Address

SQL = statements.load("store/store")

# Bytes of a file's header that say how it is written, and those of a write-ahead log
# (https://www.sqlite.org/fileformat.html#file_format_version_numbers): no memory has one.
_JOURNAL, _WAL = slice(18, 20), b"\2\2"


def open_trusted(
    path: Path, address: Address, *, readonly: bool, busy_timeout_ms: int, unsealed: bool = False
) -> ThreadConnection:
    """Return a connection to a file that is a store of this memctl's version.

    With `unsealed` it is opened whatever its seal says.

    An empty file becomes one, one of an earlier version is brought up to date. One that is to
    be written and cannot be is opened to be read.

    Raises
    ------
    NotFoundError
        When the file is empty and read-only: there is no store.
    StoreError
        When it is damaged, foreign, newer, or older and read-only.
    DiskFullError, ReadOnlyError
        When it has to be made or brought up to date, and cannot be written.
    """
    opening = partial(_open, path, address, busy_timeout_ms=busy_timeout_ms, unsealed=unsealed)
    if readonly:
        return opening(readonly=True)
    obstacle = None if may_be_written(path) else READ_ONLY
    if obstacle is None:
        try:
            return opening(readonly=False)
        except sqlite3.OperationalError as error:
            obstacle = obstacle_of(error, path)
            if obstacle is None:
                raise
    try:
        opened = opening(readonly=True)
    except (NotFoundError, OlderStoreError) as error:
        raise obstacle.error(path) from error
    opened.obstacle = obstacle
    return opened


def no_store(address: Address, path: Path) -> NotFoundError:
    """Return the error of a store that nobody has written to yet, with the one that may be meant."""
    near = near_words(str(address), _beside(address, path), 1)
    hint = f'did you mean "{near[0]}"? else the first write creates it' if near else ""
    return NotFoundError(f'no store "{address}"', hint=hint or "the first write creates it")


def _beside(address: Address, path: Path) -> list[str]:
    """Return the addresses of the other stores of the same home; this one may be an empty file."""
    home = address.home_of(path)
    return [str(store) for store in stores(home) if store != address] if home else []


def random_id() -> str:
    """Return a new id of a store: 32 hexadecimal digits that no other store will have."""
    return os.urandom(16).hex()


def _open(
    path: Path, address: Address, *, readonly: bool, busy_timeout_ms: int, unsealed: bool
) -> ThreadConnection:
    stamp = Stamp.of(path) if readonly else None
    connection, frozen = connect(path, readonly=readonly, busy_timeout_ms=busy_timeout_ms)
    file = identity_of(
        path
    )  # after: a layered file system copies a file once it is opened to write
    former = next(open_here(file), None)
    opened = ThreadConnection(connection, file, stamp if frozen else None)
    try:
        with reading(connection):
            version = trusted_version(connection, path)
        if former is not None:
            share_seal(former, connection)  # it was checked
        else:
            if version >= SEALED and not unsealed:
                check_seal(connection, path)
            _tell_lost(connection, path)
        if not readonly:
            prepare_writing(connection)
        latest = len(migrations.migrations())
        if version < latest:
            if readonly:
                _refuse(path, address, version, latest)
            migrations.apply(connection, within=lambda: record_identity(connection, address))
    except BaseException:
        connection.close()
        raise
    return opened


def _tell_lost(connection: sqlite3.Connection, path: Path) -> None:
    """Remark on transactions that the log has lost, as far as it shows them."""
    lost = 0
    with suppress(OSError):
        lost = lost_commits(path, int(connection.execute("pragma page_size").fetchone()[0]))
    if lost:
        remark(
            f'the log of "{path}" is damaged: what was written last is lost '
            f"({counted(lost, 'transaction')} or more); the store is whole, and as it was before"
        )


def new_store(address: Address) -> bytes:
    """Return the file of a new store: a copy of an empty one, with an id and moments of its own."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(migrations.empty_store(migrations.migrations()))
        connection.execute("begin")
        connection.execute(SQL.renew_migrations, {"now": now()})
        record_identity(connection, address)
        connection.execute("commit")
        made = bytearray(connection.serialize())
    made[_JOURNAL] = _WAL
    return bytes(made)


def record_identity(connection: sqlite3.Connection, address: Address) -> None:
    """Write once, while a store is made, the app or site it belongs to and its id."""
    connection.execute(SQL.record_store, {"address": str(address), "created_at": now()})
    connection.execute(SQL.record_origin, {"address": str(address), "id": random_id()})


def trusted_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema's version once the file is whole and its schema ours. Inside of a read.

    SQLite does not miss the end of a last page until it reads there.
    """
    pages, size = (
        int(connection.execute(f"pragma {one}").fetchone()[0])
        for one in ("page_count", "page_size")
    )
    if path.stat().st_size < pages * size and not has_wal(path):
        raise cut_short(path, pages * size)
    version = int(connection.execute("pragma user_version").fetchone()[0])
    application = int(connection.execute("pragma application_id").fetchone()[0])
    found = migrations.schema_of(connection)
    if not found and not version and not application:
        return 0
    if application != migrations.APPLICATION_ID:
        raise ForeignStoreError(
            f'"{path}" is a SQLite file, but not a memctl store',
            hint="move it away, or choose another --app",
        )
    if "table migration" in found:
        taken = connection.execute(SQL.migrations_taken)
        if not all(migrations.is_ours(number, name) for number, name in taken):
            raise unreleased(path)
    latest = len(migrations.migrations())
    if version > latest:
        raise NewerStoreError(
            f'"{path}" has schema {version}; this memctl knows {latest}',
            hint="update memctl; the file was not touched",
        )
    migrations.check_schema(path, found, version)
    return version


def unreleased(path: Path) -> OlderStoreError:
    """Return the error of a store whose steps have other names than ours of the same numbers."""
    return OlderStoreError(
        f'"{path}" was made by a memctl that was never released; this one cannot read it',
        hint="export it with the memctl that made it (export to jsonl, export pack), move it away, "
        "and import that; the file was not touched",
    )


def _refuse(path: Path, address: Address, version: int, latest: int) -> NoReturn:
    """Refuse to read, without writing, a store whose schema is not up to date."""
    if not version:
        raise no_store(address, path)  # somebody is just making it, or was killed at it
    raise OlderStoreError(
        f'"{path}" has schema {version}; this memctl needs {latest}',
        hint=f"{address.command(path) or 'memctl'} doctor --fix brings it up to date",
    )
