"""Copies of a store: where they lie, how one comes to be whole, and how it is checked.

A copy is written under another name in its folder, synced, checked, and then named: whoever is
killed leaves the name as it was. It is one file, without a write-ahead log beside it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from tempfile import TemporaryDirectory
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
from memctl.episodic.segments import merge_segments
from memctl.store import statements
from memctl.store.connections import connect, reading
from memctl.store.opening import trusted_version
from memctl.store.sqlite_errors import translated
from memctl.store.store import Store
from memctl.store.store_file import identity_of, make_folders, process_lives

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.base.home import Address

STORE = statements.load("store/store")
UPKEEP = statements.load("store/upkeep")

_PAGES_AT_ONCE = 2048
_ANOTHER = "name another file; backup --force replaces it"
_BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class StoreCopy:
    """A copy of a store: what it is of, its file, size in bytes, schema, and when it was made."""

    app: str
    path: str
    bytes: int
    schema_version: int
    made_at: str


def copies_of(path: Path, address: Address) -> list[Path]:
    """Return the copies in a store's own folder of copies, the oldest first; opens none."""
    return sorted(_folder(path, address).glob("*.db"))


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
    home = address.home_of(path)
    return (path.parent if home is None else home) / "backups" / str(address)


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
    ours = {identity_of(file) for file in (store, *beside(store))}
    is_log = target.resolve() in {store.resolve(), *beside(store.resolve())}
    if is_log or (target.exists() and identity_of(target) in ours):
        raise RefusedError(
            f'"{target}" is the store itself', hint="name another file, or none at all"
        )
    if target.exists() and not target.is_file():
        what = "a folder" if target.is_dir() else "a pipe or device"
        raise FileAccessError(f'"{target}" is {what}', hint="name a file in a folder")
    if any(file.exists() and file.stat().st_size for file in beside(target)):
        raise RefusedError(
            f'"{target}" has a log beside it: somebody uses it', hint="name another file"
        )
    if target.exists() and not replace:
        raise RefusedError(f'"{target}" is there already', hint=_ANOTHER)


def beside(path: Path) -> list[Path]:
    """Return the files that SQLite may have beside one: its log, the log's index, its journal."""
    return [path.with_name(path.name + ending) for ending in _BESIDE]


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
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        make_folders(target.parent)
        _sweep(target.parent)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        yield part
        _sync(part)
        _name(part, target, replace=replace)
        _sync(target.parent)
    except FileExistsError:
        raise RefusedError(f'"{target}" is there already', hint=_ANOTHER) from None
    except OSError as error:
        raise _of_system(error, target) from error
    finally:
        for file in (part, *beside(part)):
            file.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Remove what processes left that were killed while they wrote a copy."""
    for part in folder.glob(".*.part*"):
        pid = part.name.rpartition(".part")[0].rpartition(".")[2]
        if pid.isdecimal() and not process_lives(int(pid)):
            part.unlink(missing_ok=True)


def _name(part: Path, target: Path, *, replace: bool) -> None:
    if not replace:
        try:
            os.link(part, target)  # unlike a rename, it replaces nothing
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            if target.exists():
                raise FileExistsError from None
        else:
            return
    part.replace(target)


def _sync(path: Path) -> None:
    """Let the disk hold a file's bytes, or a folder's names."""
    if path.is_dir() and os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
            _sync(target)


def checked_copy(path: Path) -> StoreCopy:
    """Check that a file is a whole store of ours, and describe it. Read-only.

    Raises
    ------
    StoreDamagedError
        When SQLite finds a page, an index or a rule of the schema broken.
    StoreError
        When it is no store of memctl's, or of a later version.
    UnusableInputError
        When it is no file, or cannot be read.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise UnusableInputError(f'"{path}" {what}', hint="name the file of a backup")
    with translated(path):
        connection, _ = connect(path, readonly=True, busy_timeout_ms=5000)
        with closing(connection), reading(connection):
            version = trusted_version(connection, path)
            if not version:
                raise ForeignStoreError(f'"{path}" is empty', hint="name the file of a backup")
            said = connection.execute("pragma integrity_check(1)").fetchone()[0]
            row = connection.execute(STORE.address).fetchone()
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
        made = checked_copy(part)
    return replace(made, path=str(path))


@contextmanager
def rehearsal(store: Store) -> Iterator[Store]:
    """Open a copy of a store, as it is now; works where it is read-only, or not there yet.

    Raises
    ------
    DiskFullError, FileAccessError
        When there is no room for the copy.
    """
    with TemporaryDirectory(prefix="memctl-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "rehearsal.db"
        if store.exists:
            with closing(sqlite3.connect(path)) as copy:
                store.connection().backup(copy)
        with Store(path, store.address) as made:
            made.obey(store)
            yield made


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
