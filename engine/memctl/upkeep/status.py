"""The status of one store: rows by table, size, age."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import FileAccessError, StoreDamagedError
from memctl.base.home import stores
from memctl.config.settings import Settings
from memctl.store import statements
from memctl.store.migrations import schema_of
from memctl.store.results import Result
from memctl.store.store_file import store_at

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.store.store import Store

SQL = statements.load("store/store")


@dataclass(frozen=True, slots=True)
class Status(Result):
    """A store at a glance; ``bytes`` counts the file and its WAL, ``waiting`` is to be done."""

    app: str
    path: str
    bytes: int
    schema_version: int
    created_at: str
    learn_count: int
    rows: dict[str, int]
    waiting: str = ""


@dataclass(frozen=True, slots=True)
class StoreFile(Result):
    """The file of a store: its address, path, size in bytes without the WAL, last change.

    `trouble` says what is there instead of a file that can be a store; it is empty where one is.
    """

    app: str
    path: str
    bytes: int
    changed_at: str
    trouble: str = ""


def stores_in(home: Path) -> list[StoreFile]:
    """Return the files of the stores in a home, last written first; opens none of them."""
    found = [_store_file(str(address), address.path(home)) for address in stores(home)]
    return sorted(found, key=lambda one: one.changed_at, reverse=True)


def _store_file(app: str, path: Path) -> StoreFile:
    try:
        store_at(path)
        trouble, state = "", path.stat()
    except FileAccessError as error:
        trouble, state = error.message, path.lstat()
    size, changed = state.st_size, state.st_mtime
    with suppress(FileNotFoundError):  # there is none while nobody writes
        changed = max(changed, path.with_name(path.name + "-wal").stat().st_mtime)
    changed_at = clock.parse_time(datetime.fromtimestamp(changed, UTC))
    return StoreFile(app, str(path), 0 if trouble else size, changed_at, trouble)


def status_of(store: Store, settings: Settings | None = None) -> Status:
    """Count the rows of a store, and measure its file.

    Parameters
    ----------
    settings
        Those that hold, flags and environment included; by default the store's.

    Raises
    ------
    NotFoundError
        When there is no store.
    StaleStoreError
        When the file was deleted or replaced since it was opened.
    StoreDamagedError
        When the row that says what it is the memory of is gone.
    """
    from memctl.search.vectors.embed import missing_vectors

    store.refuse_stale()
    with store.snapshot():
        identity = store.row(SQL.identity)
        if identity is None:  # it is written when the file is made: somebody removed it
            raise StoreDamagedError(f'"{store.path}" does not say what it is the memory of')
        tables = sorted(
            thing.removeprefix("table ")
            for thing in schema_of(store.connection())
            if thing.startswith("table ")
        )
        counts = {table: _count(store, table) for table in tables}
    wal = store.path.with_name(store.path.name + "-wal")
    size = store.path.stat().st_size + (wal.stat().st_size if wal.exists() else 0)
    return Status(
        app=str(store.address),
        path=str(store.path),
        bytes=size,
        schema_version=identity["schema_version"],
        created_at=identity["created_at"],
        learn_count=identity["learn_count"],
        rows=counts,
        waiting=missing_vectors(store, settings or Settings(store)),
    )


def _count(store: Store, table: str) -> int:
    # A table's name cannot be a parameter; these come from the file's own schema, quoted.
    quoted = table.replace('"', '""')
    return int(store.value(f'select count(*) from "{quoted}"'))  # noqa: S608
