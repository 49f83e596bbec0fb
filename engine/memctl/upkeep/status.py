"""The status of one store: rows by table, size, age."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import StoreDamagedError
from memctl.config.settings import Settings
from memctl.store import statements
from memctl.store.migrations import schema_of

if TYPE_CHECKING:
    from memctl.store.store import Store

__all__ = ["Status", "status_of"]

SQL = statements.load("store/store")


@dataclass(frozen=True, slots=True)
class Status:
    """A store at a glance; ``bytes`` counts the file and its WAL, ``waiting`` is to be done."""

    app: str
    path: str
    bytes: int
    schema_version: int
    created_at: str
    learn_count: int
    rows: dict[str, int]
    waiting: str = ""


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
    StoreDamagedError
        When the row that says what it is the memory of is gone.
    """
    from memctl.episodic.vectors.embed import missing_vectors

    with store.snapshot():
        identity = store.row(SQL.identity)
        if identity is None:  # it is written when the file is made: somebody removed it
            raise StoreDamagedError(
                f'"{store.path}" does not say what it is the memory of',
                hint="restore a backup of this file",
            )
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
