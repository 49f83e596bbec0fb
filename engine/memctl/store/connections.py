"""Opens SQLite files the way a store needs them: pragmas, permissions, read-only."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from memctl.base.errors import (
    BusyError,
    DiskFullError,
    FileAccessError,
    ForeignStoreError,
    MemctlError,
    StoreDamagedError,
)
from memctl.store.unwritable import FULL, OF_NO_ROOM, READ_ONLY, obstacle_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

__all__ = [
    "SQLITE_ERRORS",
    "Connected",
    "check_file",
    "connect",
    "make_file",
    "prepare_writing",
    "raise_translated",
    "reading",
    "translated",
]

# What SQLite raises about a file; Python reads its messages, which quote a damaged name.
SQLITE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)

# Offsets in the header of a SQLite file: https://www.sqlite.org/fileformat.html#the_database_header
_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\x00"
# Seconds between two looks at what another process may be in the midst of.
_PAUSES = (0.005, 0.02, 0.1)
_FIRST_PAGE = 4096
# Damage that has no result code of its own.
_SIGNS_OF_DAMAGE = {
    "Could not decode to UTF-8": "a text is no UTF-8",
    "unsupported file format": "its header is of an unknown format",
    "integer overflow": "its numbers are too large to be added up",
}
# Pages are read where they lie in the system's cache, instead of being copied out of it: half
# the time of a read at random places of a large file. No memory is taken by it.
_MAPPED_BYTES = 1 << 30
# What hides changes that are not in the file yet, and what is to be done.
_HIDING = {
    READ_ONLY: ("read-only folder", "where its folder can be written"),
    FULL: ("full disk", "when there is room again"),
}
# SQLite's result codes (https://www.sqlite.org/rescode.html) and what they mean to a user.
_TRANSLATIONS: tuple[tuple[tuple[str, ...], type[MemctlError], str, str], ...] = (
    (
        ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"),
        BusyError,
        'another process holds the write lock of "{path}"',
        "try again, or raise MEMCTL_BUSY_TIMEOUT_MS",
    ),
    (("SQLITE_READONLY",), *READ_ONLY),
    (OF_NO_ROOM, *FULL),
    (
        ("SQLITE_IOERR_WRITE",),
        DiskFullError,
        '"{path}" takes no more bytes: {error}; nothing of this call was written',
        "free some space, or raise the quota or limit that it meets",
    ),
    (
        ("SQLITE_CORRUPT", "SQLITE_NOTADB"),
        StoreDamagedError,
        '"{path}" is damaged: {error}',
        "restore a backup of this file",
    ),
    (
        ("SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PERM", "SQLITE_AUTH"),
        FileAccessError,
        '"{path}" cannot be opened or written: {error}',
        "check its permissions, its folder's and the free space",
    ),
)


def check_file(path: Path) -> None:
    """Refuse what SQLite would take for a database, or for a whole one, and is not.

    It writes over a file of one byte, and does not miss the end of a file until it reads there.

    Raises
    ------
    ForeignStoreError
        When the file does not begin like a SQLite file.
    StoreDamagedError
        When it is shorter than its own header says: half a store.
    FileAccessError
        When it cannot be read.

    Notes
    -----
    The first page of a file that another process is making is for a moment neither absent nor
    whole, so what looks wrong and is no longer than that is looked at again.
    """
    for pause in _PAUSES:
        try:
            return _check_once(path)
        except (ForeignStoreError, StoreDamagedError):
            if path.stat().st_size > _FIRST_PAGE:
                raise
            time.sleep(pause)
    return _check_once(path)


def _check_once(path: Path) -> None:
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError as error:
        raise FileAccessError(
            f'"{path}" cannot be opened: {error.strerror}',
            hint="check its permissions",
            cause=error,
        ) from error
    if header and not header.startswith(_MAGIC):
        raise ForeignStoreError(
            f'"{path}" is not a SQLite file', hint="move it away, or choose another --app"
        )
    if _has_wal(path):
        return  # a checkpoint that was cut short left the rest in the WAL
    size = path.stat().st_size
    whole = _whole_size(header)
    if header and size < whole:
        raise StoreDamagedError(
            f'"{path}" is cut short: {size} of {whole} bytes', hint="restore a backup of this file"
        )


class Connected(NamedTuple):
    """A connection, and whether it reads the file as it lay when it was opened, unlocked."""

    connection: sqlite3.Connection
    frozen: bool


def connect(path: Path, *, readonly: bool, busy_timeout_ms: int) -> Connected:
    """Return a connection with the pragmas set that leave the file as it is.

    Transactions are begun by hand (``isolation_level=None``). Read-only is enforced by
    SQLite (``mode=ro``): not even ``pragma query_only`` can undo it. Before it writes, a
    connection whose file is known to be ours passes through `prepare_writing`.

    Raises
    ------
    StoreDamagedError
        When a read-only file cannot be read without writing its WAL index first.
    """
    if not readonly:
        return Connected(_configured(_open(path, "mode=rw", busy_timeout_ms)), frozen=False)
    try:
        return Connected(_configured(_open(path, "mode=ro", busy_timeout_ms)), frozen=False)
    except sqlite3.OperationalError as error:
        obstacle = obstacle_of(error, path)
        if obstacle is None:
            raise
        # A read-only folder or a full disk cannot hold the -shm file that a WAL database wants.
        # Without a WAL there is nothing to miss, and the file can be read as it lies.
        if obstacle is FULL and _has_wal(path):
            _move_in(path)
        if _has_wal(path):
            where, when = _HIDING[obstacle]
            raise StoreDamagedError(
                f'"{path}" has changes in its -wal file that a {where} hides',
                hint=f"open it once {when}",
            ) from None
        lying = _configured(_open(path, "mode=ro&immutable=1", busy_timeout_ms))
        return Connected(lying, frozen=True)


def _move_in(path: Path) -> None:
    """Move what a killed process left in the WAL into the file, where that needs no room.

    Who has the file to himself keeps the index of the WAL in memory
    (https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory).
    """
    with suppress(sqlite3.OperationalError), closing(_open(path, "mode=rw", 0)) as alone:
        alone.execute("pragma locking_mode = exclusive")
        alone.execute("select count(*) from sqlite_schema").fetchone()


def prepare_writing(connection: sqlite3.Connection) -> None:
    """Set the pragmas that change the file: one that is not ours must not come here."""
    _use_wal(connection)
    connection.execute("pragma synchronous = normal")


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


def make_file(path: Path) -> None:
    """Create an empty file at `path`, 0600, in folders that are 0700.

    SQLite gives its -wal and -shm files the permissions of the database.

    Raises
    ------
    FileAccessError
        When a folder or the file cannot be created. What is neither file nor folder is left
        closed: a pipe waits for ever.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise FileAccessError(
            f'"{path}" cannot be created: a pipe or device is there',
            hint="remove it, or choose another --app",
        )
    if path.is_symlink():
        raise FileAccessError(
            f'"{path}" is a symbolic link to "{path.readlink()}", where no store is',
            hint="remove the link, or put the store there",
        )
    try:
        _make_folders(path.parent)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
    except OSError as error:
        raise FileAccessError(
            f'"{path}" cannot be created: {error.strerror}',
            hint="choose another home with --home or MEMCTL_HOME",
            cause=error,
        ) from error


@contextmanager
def reading(connection: sqlite3.Connection) -> Iterator[None]:
    """Let several reads see one moment: another process may be bringing the file up to date."""
    connection.execute("begin")
    try:
        yield
    finally:
        connection.execute("rollback")


def raise_translated(error: Exception, path: Path) -> NoReturn:
    """Raise what one of `SQLITE_ERRORS` about the file at `path` means, or else itself.

    Every read and write goes past this: a plain ``except`` costs nothing where there is no error.
    """
    known = _translate(error, path)
    if known is None:
        raise error
    raise known from error


class translated:  # noqa: N801  (reads as the statement that it is: with translated(path))
    """Turn SQLite's errors about the file at `path` into memctl's."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, SQLITE_ERRORS) and (known := _translate(error, self._path)):
            raise known from error


def _make_folders(folder: Path) -> None:
    for parent in reversed([folder, *folder.parents]):
        if not parent.exists():
            # Two processes may make the same folder: the second finds it.
            parent.mkdir(mode=0o700, exist_ok=True)


def _open(path: Path, mode: str, busy_timeout_ms: int) -> sqlite3.Connection:
    # A store closes all its connections from one thread, hence check_same_thread=False;
    # each is used by the thread that opened it alone.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        isolation_level=None,
        timeout=busy_timeout_ms / 1000,
        check_same_thread=False,
    )


def _configured(connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        connection.execute("pragma foreign_keys = on")
        # What a search keeps for itself needs no room on the disk.
        connection.execute("pragma temp_store = memory")
        # Deleted content is overwritten: what a person deletes is gone from the file.
        connection.execute("pragma secure_delete = on")
        connection.execute(f"pragma mmap_size = {_MAPPED_BYTES}")
        connection.execute("select count(*) from sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    connection.row_factory = sqlite3.Row
    return connection


def _translate(error: Exception, path: Path) -> MemctlError | None:
    if isinstance(error, UnicodeDecodeError):
        return _damaged(path, error)
    for words, why in _SIGNS_OF_DAMAGE.items():
        if words in str(error):
            return _damaged(path, why)
    name = getattr(error, "sqlite_errorname", "")
    for codes, kind, message, hint in _TRANSLATIONS:
        if name.startswith(codes):
            return kind(message.format(path=path, error=error), hint=hint)
    return None


def _damaged(path: Path, why: object) -> StoreDamagedError:
    return StoreDamagedError(f'"{path}" is damaged: {why}', hint="restore a backup of this file")


def _has_wal(path: Path) -> bool:
    """Whether changes lie beside the file; whoever closes it last may just be moving them in."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def _whole_size(header: bytes) -> int:
    """Return how long the file is that begins with `header`, as far as it says."""
    if len(header) < _HEADER_BYTES:
        return _HEADER_BYTES
    if header[24:28] != header[92:96]:
        return _HEADER_BYTES  # an old SQLite wrote it last, and did not keep the page count
    page_size = int.from_bytes(header[16:18])
    return int.from_bytes(header[28:32]) * (65536 if page_size == 1 else page_size)
