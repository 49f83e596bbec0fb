"""Restoring of a store from a backup; the content that it had before is kept."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import RefusedError, StoreDamagedError
from memctl.store import statements
from memctl.store.connections import connect, connected_alone, usual_timeout
from memctl.store.sqlite_errors import translated
from memctl.store.store_file import identity_of, is_too_short
from memctl.store.transactions import in_use, nobody_at
from memctl.upkeep.store_copies import (
    beside,
    checked_copy,
    copy_pages,
    dated_name,
    keep_file,
    named_when_whole,
)

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.base.home import Address

STORE = statements.load("store/store")


@dataclass(frozen=True, slots=True)
class Restored:
    """A store that was restored: from which file, and where what it was before is kept."""

    app: str
    path: str
    backup: str
    bytes: int
    schema_version: int
    kept: str | None


def restore_store(backup: Path, path: Path, address: Address, *, force: bool = False) -> Restored:
    """Replace the content of the store at `path` by that of a backup, wholly or not at all.

    Parameters
    ----------
    backup
        A file of `memctl.upkeep.store_copies.back_up`, of `recover_store`, or any copy of a store.
    force
        Take the backup of another app or site.

    Raises
    ------
    RefusedError
        When the backup is of another address, or is the store itself.
    StoreError
        When the backup is damaged, foreign, or of a later memctl; the store is left alone.
    BusyError
        When somebody has the store open: what he writes would be lost.
    DiskFullError, FileAccessError
        When there is no room, or no right; the store is left as it was.

    Notes
    -----
    The content is written into the file that is there, in one transaction: whoever opens it in
    that moment waits, and none is left writing into a file that has lost its name. Only a file
    that SQLite cannot write, because it is damaged or no store, is replaced by another one.
    """
    source = checked_copy(backup)
    if source.app != str(address) and not force:
        raise RefusedError(
            f'"{backup}" is a backup of "{source.app}", not of "{address}"',
            hint="--force restores it all the same",
        )
    path = path.resolve()
    if identity_of(backup) == identity_of(path):
        raise RefusedError(f'"{backup}" is the store itself', hint="name the file of a backup")
    kept = dated_name(path, address, "replaced") if _has_bytes(path) else None
    with translated(path):
        if kept is None or not _written_into(backup, path, address, kept):
            _replaced(backup, path, address, kept)
    made = checked_copy(path)
    return Restored(
        str(address),
        str(path),
        str(backup),
        made.bytes,
        made.schema_version,
        None if kept is None else str(kept),
    )


def _has_bytes(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _written_into(backup: Path, path: Path, address: Address, kept: Path) -> bool:
    """Write the backup into the store's file; return whether that could be done."""
    if is_too_short(path):
        return False  # SQLite would write over it
    try:
        with (
            connected_alone(path, busy_timeout_ms=usual_timeout()) as into,
            closing(connect(backup, readonly=True, busy_timeout_ms=usual_timeout())[0]) as source,
        ):
            if _is_of_another_form(into, source):
                return False
            with named_when_whole(kept, replace=False) as part:
                copy_pages(into, part)
            source.backup(into)
            _address_it(into, address)
            into.execute("pragma wal_checkpoint(truncate)")
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorname", "")
        if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            kept.unlink(missing_ok=True)  # half of it could be read at most
            return False
        raise (in_use(path) if code.startswith("SQLITE_BUSY") else error) from error
    except StoreDamagedError:
        kept.unlink(missing_ok=True)
        return False
    return True


def _is_of_another_form(into: sqlite3.Connection, source: sqlite3.Connection) -> bool:
    """Return whether two files differ in page size, or one has no write-ahead log."""
    sizes = {one.execute("pragma page_size").fetchone()[0] for one in (into, source)}
    return len(sizes) > 1 or into.execute("pragma journal_mode").fetchone()[0] != "wal"


def _address_it(connection: sqlite3.Connection, address: Address) -> None:
    connection.execute(STORE.set_address, {"address": str(address)})


def _replaced(backup: Path, path: Path, address: Address, kept: Path | None) -> None:
    """Put a copy of the backup in the place of a file that SQLite cannot write, or of none."""
    with ExitStack() as until_named:
        if kept is not None:
            until_named.enter_context(nobody_at(path))
        part = until_named.enter_context(named_when_whole(path, replace=kept is not None))
        with closing(connect(backup, readonly=True, busy_timeout_ms=0)[0]) as source:
            copy_pages(source, part)
        with closing(sqlite3.connect(part, isolation_level=None)) as fresh:
            _address_it(fresh, address)
        if kept is None:
            path.unlink(missing_ok=True)  # it was empty
            return
        keep_file(path, kept)
        for file in beside(path):
            file.unlink(missing_ok=True)
