"""Gives back the room that a store no longer needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import BusyError
from memctl.episodic.segments import merge_segments
from memctl.store.sqlite_errors import translated

if TYPE_CHECKING:
    from memctl.store.store import Store


@dataclass(frozen=True, slots=True)
class Vacuumed:
    """A store that was written anew: its size in bytes before and after, the log included."""

    app: str
    path: str
    bytes_before: int
    bytes_after: int


def vacuum(store: Store) -> Vacuumed:
    """Write a store anew without empty pages, and empty its log.

    Raises
    ------
    NotFoundError
        When nothing was written yet.
    ReadOnlyError
        When the store is read-only.
    BusyError
        When another process writes, or reads an older version; nothing is lost.
    DiskFullError
        When there is no room for a second copy of the store; it stays as it was.
    """
    connection = store.connection()
    store.refuse_readonly()
    before = _size(store)
    merge_segments(store)
    with store.unscoped(), translated(store.path):
        connection.execute("vacuum")
    if not store.flush_deleted():
        raise BusyError(
            f'"{store.path}" was written anew, but somebody still reads what it was',
            hint="call vacuum again when he has finished: only its log is left to be emptied",
        )
    return Vacuumed(str(store.address), str(store.path), before, _size(store))


def _size(store: Store) -> int:
    files = (store.path, store.path.with_name(store.path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())
