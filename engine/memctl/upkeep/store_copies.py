"""Copies of a store: backups, rehearsals, vacuum, and the way back from a copy.

A copy is written under another name in its folder, synced, checked, and then named: whoever is
killed leaves the name as it was. It is one file, without a write-ahead log beside it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.base.clock import now
from memctl.base.errors import (
    BusyError,
    DiskFullError,
    FileAccessError,
    ForeignStoreError,
    RefusedError,
    StoreDamagedError,
    UnusableInputError,
)
from memctl.base.home import names_in, standing
from memctl.base.whole_file import give_name, part_file, part_folder, sync
from memctl.episodic.segments import merge_segments
from memctl.store import statements
from memctl.store.connections import connect, connected_alone, reading, usual_timeout
from memctl.store.opening import trusted_version
from memctl.store.results import Result
from memctl.store.sealing.seal import SEALED, check_seal, seal
from memctl.store.sqlite_errors import READ_ONLY, may_be_written, translated
from memctl.store.store import Store
from memctl.store.store_file import (
    beside,
    identity_of,
    is_too_short,
    make_folders,
    store_at,
)
from memctl.store.transactions import in_use, nobody_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.base.home import Address

STORE = statements.load("store/store")
UPKEEP = statements.load("store/upkeep")

_PAGES_AT_ONCE = 2048
_A_BACKUP = "name the file of a backup"
_ANOTHER = "name another file; backup --force replaces it"


@dataclass(frozen=True, slots=True)
class StoreCopy(Result):
    """A copy of a store: what it is of, its file, size in bytes, schema, and when it was made."""

    app: str
    path: str
    bytes: int
    schema_version: int
    made_at: str


def copies_of(path: Path, address: Address) -> list[Path]:
    """Return the copies in a store's own folder of copies, the oldest first; opens none."""
    folder = _folder(path, address)
    copies = (folder / name for name in names_in(folder) if name.endswith(".db"))
    return [copy for copy in copies if copy.is_file()]


def dated_name(path: Path, address: Address, what: str = "") -> Path:
    """Return a free name for a copy: ``backups/harbor/2026-11-20T163304Z.db`` in the home.

    `what` stands behind the time: ``replaced``, ``recovered``. A store that is in no home has the
    folder beside it.
    """
    stem = "-".join(filter(None, (now().replace(":", ""), what)))
    folder = _folder(path, address)
    names = (folder / f"{stem}{n}.db" for n in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(name for name in names if not name.exists())


def _folder(path: Path, address: Address) -> Path:
    around = address.home_of(path) or path.parent
    folder = around / "backups" / str(address)
    standing(folder, within=around, folder=True)
    return folder


def refuse_target(target: Path, store: Path, *, replace: bool) -> None:
    """Refuse a place for a copy that is taken, or is the store.

    Raises
    ------
    FileAccessError
        When a folder, pipe or device is there.
    RefusedError
        When it is the store itself or a file of it under any name, when another store in use is
        there, or any file that is not to be replaced.
    """
    there = standing(target, hint="name a file in a folder")
    ours = {identity_of(file) for file in (store, *beside(store))}
    is_log = target.resolve() in {store.resolve(), *beside(store.resolve())}
    if is_log or (there and identity_of(target) in ours):
        raise RefusedError(
            f'"{target}" is the store itself', hint="name another file, or none at all"
        )
    if any(file.exists() and file.stat().st_size for file in beside(target)):
        raise RefusedError(
            f'"{target}" has a log beside it: somebody uses it', hint="name another file"
        )
    if there and not replace:
        raise RefusedError(f'"{target}" is there already', hint=_ANOTHER)


@contextmanager
def named_when_whole(target: Path, *, replace: bool) -> Iterator[Path]:
    """Yield an empty file of its owner's beside `target`, which gets that name at the end.

    Raises
    ------
    DiskFullError, FileAccessError
        When it cannot be written; nothing is left of it.
    RefusedError
        When somebody else made the target meanwhile, and it is not to be replaced.
    """
    try:
        make_folders(target.parent)
        with part_file(target.parent) as part:
            try:
                yield part
                sync(part)
                _name(part, target, replace=replace)
            finally:
                for file in beside(part):
                    file.unlink(missing_ok=True)
    except FileExistsError:
        raise RefusedError(f'"{target}" is there already', hint=_ANOTHER) from None
    except OSError as error:
        raise _of_system(error, target) from error


def _name(part: Path, target: Path, *, replace: bool) -> None:
    try:
        give_name(part, target, new=not replace)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if replace or target.exists():
            raise
        give_name(part, target)


def _of_system(error: OSError, target: Path) -> Exception:
    if hasattr(error, "exit_code"):  # memctl's own
        return error
    if error.errno in {ENOSPC, EDQUOT, EFBIG}:
        return DiskFullError(
            f'there is no room for "{target}"; nothing of it was kept', hint="free some space"
        )
    return FileAccessError(
        f'"{target}" cannot be written: {error.strerror}',
        hint="check the permissions of its folder",
        cause=error,
    )


def copy_pages(source: sqlite3.Connection, target: Path) -> None:
    """Copy what `source` reads at this moment into the empty file `target`, whoever writes.

    Others go on writing meanwhile: the copy holds what was committed before it began.
    """
    with translated(target), closing(sqlite3.connect(target, isolation_level=None)) as into:
        into.execute("pragma journal_mode = off")
        into.execute("pragma synchronous = off")  # it is synced once, when it is whole
        into.execute("pragma temp_store = memory")
        with reading(source) if not source.in_transaction else nullcontext():
            source.execute(UPKEEP.begin_to_read).fetchone()
            source.backup(into, pages=_PAGES_AT_ONCE)
        into.execute("pragma journal_mode = delete")


def _seal(path: Path) -> None:
    """Seal what was copied, which broke the seal; somebody who has opened it since does so himself."""
    with (
        suppress(sqlite3.Error),
        closing(connect(path, readonly=False, busy_timeout_ms=0)[0]) as copy,
    ):
        seal(copy, path)


def keep_file(path: Path, kept: Path) -> None:
    """Keep a file under a second name, with the log that lies beside it, as they are."""
    make_folders(kept.parent)
    for ending in ("-wal", ""):
        source, target = (file.with_name(file.name + ending) for file in (path, kept))
        if not source.exists():
            continue
        try:
            os.link(source, target)
        except OSError:  # a file system without links
            shutil.copyfile(source, target)
            target.chmod(0o600)
            sync(target)
    sync(kept.parent)


def checked_copy(path: Path) -> StoreCopy:
    """Check that a file is a whole store of ours, and describe it. Read-only.

    Raises
    ------
    StoreDamagedError
        When SQLite finds a page, an index or a rule of the schema broken, or it is not as it was sealed.
    StoreError
        When it is no store of memctl's, or of a later version.
    UnusableInputError
        When it is no file, or cannot be read.
    """
    try:
        there = standing(path)
    except FileAccessError as error:
        raise UnusableInputError(error.message, hint=_A_BACKUP) from None
    if there is None:
        raise UnusableInputError(f'"{path}" is not there', hint=_A_BACKUP)
    with translated(path):
        connection, _ = connect(path, readonly=True, busy_timeout_ms=5000)
        with closing(connection):
            with reading(connection):
                version = trusted_version(connection, path)
                if not version:
                    raise ForeignStoreError(f'"{path}" is empty', hint=_A_BACKUP)
                said = connection.execute("pragma integrity_check(1)").fetchone()[0]
                row = connection.execute(STORE.address).fetchone()
            if version >= SEALED and said == "ok":
                check_seal(connection, path)
    if said != "ok" or row is None:
        raise StoreDamagedError(f'"{path}" is damaged: {said}')
    return StoreCopy(str(row[0]), str(path), path.stat().st_size, version, now())


# -- backup, rehearsal, vacuum ------------------------------------------------------------


def back_up(
    store: Store, target: str | os.PathLike[str] | None = None, *, force: bool = False
) -> StoreCopy:
    """Copy a store as it is now into one file, which is checked before it gets its name.

    Parameters
    ----------
    target
        The file; by default ``backups/ADDRESS/TIME.db`` in the home of the store.
    force
        Replace a file that is there.

    Raises
    ------
    NotFoundError
        When nothing was written yet.
    RefusedError
        When the target is the store itself, or there already.
    StoreDamagedError
        When the store is damaged: no copy is kept that could not be restored.
    DiskFullError, FileAccessError
        When it cannot be written; no half file is left.

    Notes
    -----
    Every backup is whole. SQLite's backup API copies in steps, but keeps no list of what changed
    since an earlier copy; what does, ships the write-ahead log, and needs a process that never
    ends and a chain of files none of which may be missing. A store is some megabytes, of which
    the API copies hundreds a second, and one file that stands for itself can be checked, moved and
    restored without any other. It reads one moment of the store: others write on, and the copy
    does not begin anew when they do, as it would if it let go between its steps.
    """
    connection = store.connection()
    store.refuse_stale()
    path = (
        dated_name(store.path, store.address)
        if target is None
        else Path(target).expanduser().absolute()
    )
    refuse_target(path, store.path, replace=force)
    with named_when_whole(path, replace=force) as part:
        copy_pages(connection, part)
        _seal(part)
        made = checked_copy(part)
    return replace(made, path=str(path))


def backup_of_run(store: Store, run: str) -> StoreCopy:
    """Back up a store once in a run over many: who does it again answers with the copy that is there."""
    name = dated_name(store.path, store.address, run)
    made = next(iter(sorted(name.parent.glob(f"*-{run}.db"))), None)
    return back_up(store, name) if made is None else checked_copy(made)


@contextmanager
def rehearsal(store: Store) -> Iterator[Store]:
    """Open a copy of a store, as it is now; works where it is read-only, or not there yet.

    Raises
    ------
    DiskFullError, FileAccessError
        When there is no room for the copy.
    """
    with part_folder() as folder:
        path = folder / "rehearsal.db"
        if store.exists:
            copy_pages(store.connection(), path)
        with Store(path, store.address) as made:
            made.obey(store)
            yield made


@dataclass(frozen=True, slots=True)
class Vacuumed(Result):
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
    store.written = True
    if not store.flush_deleted():
        raise BusyError(
            f'"{store.path}" was written anew, but somebody still reads what it was',
            hint="call vacuum again when he has finished: only its log is left to be emptied",
        )
    return Vacuumed(str(store.address), str(store.path), before, _size(store))


def _size(store: Store) -> int:
    files = (store.path, store.path.with_name(store.path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


# -- restoring ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Restored(Result):
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
        A file of `back_up`, of `memctl.upkeep.recovery.recover`, or any copy of a store.
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
    named, there = path, store_at(path)
    if there and not may_be_written(path):
        raise READ_ONLY.error(path)
    path = path.resolve()
    if identity_of(backup) == identity_of(path):
        raise RefusedError(f'"{backup}" is the store itself', hint=_A_BACKUP)
    kept = dated_name(named, address, "replaced") if there and there.st_size else None
    with translated(path):
        # Of two names of a file, one may lie out of the home: what that holds is left alone.
        shared = there is not None and there.st_nlink > 1
        if kept is None or shared or not _written_into(backup, path, address, kept):
            _replaced(backup, path, address, kept)
        _seal(path)
    made = checked_copy(path)
    return Restored(
        str(address),
        str(path),
        str(backup),
        made.bytes,
        made.schema_version,
        None if kept is None else str(kept),
    )


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
            into.execute(STORE.set_address, {"address": str(address)})
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
    sizes = {file.execute("pragma page_size").fetchone()[0] for file in (into, source)}
    return len(sizes) > 1 or into.execute("pragma journal_mode").fetchone()[0] != "wal"


def _replaced(backup: Path, path: Path, address: Address, kept: Path | None) -> None:
    """Put a copy of the backup in the place of a file that SQLite cannot write, or of none."""
    with ExitStack() as until_named:
        if kept is not None:
            until_named.enter_context(nobody_at(path))
        part = until_named.enter_context(named_when_whole(path, replace=kept is not None))
        with closing(connect(backup, readonly=True, busy_timeout_ms=0)[0]) as source:
            copy_pages(source, part)
        with closing(sqlite3.connect(part, isolation_level=None)) as fresh:
            fresh.execute(STORE.set_address, {"address": str(address)})
        if kept is None:
            path.unlink(missing_ok=True)  # it was empty
            return
        keep_file(path, kept)
        for file in beside(path):
            file.unlink(missing_ok=True)
