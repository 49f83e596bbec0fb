"""SQLite's errors about a store's file, as memctl's; and the reasons why one cannot be written."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from memctl.base.errors import (
    BusyError,
    ClosedStoreError,
    DiskFullError,
    FileAccessError,
    MemctlError,
    ReadOnlyError,
    StaleStoreError,
    StoreDamagedError,
)

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

# What SQLite raises about a file; Python reads its messages, which quote a damaged name.
SQLITE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)


class Obstacle(NamedTuple):
    """A reason why a store cannot be written, with the error that a write raises."""

    kind: type[MemctlError]
    message: str
    hint: str

    def error(self, path: Path) -> MemctlError:
        """Return the error of a write to the file at `path`."""
        return self.kind(self.message.format(path=path), hint=self.hint)


FULL = Obstacle(
    DiskFullError,
    'the disk is full; nothing of this call was written to "{path}"',
    "free some space and try again",
)
READ_ONLY = Obstacle(
    ReadOnlyError,
    '"{path}" may not be written',
    "check its permissions, its folder's, and whether its file system is read-only",
)
# The errors of a write to such a store: a record that is kept by the way goes without.
UNWRITABLE = (DiskFullError, ReadOnlyError, StaleStoreError)
# SQLite's result codes (https://www.sqlite.org/rescode.html) of what has no room, or no right.
_OF_NO_ROOM = ("SQLITE_FULL", *(f"SQLITE_IOERR_SHM{what}" for what in ("SIZE", "MAP", "OPEN")))
_OF_EITHER = ("SQLITE_READONLY", "SQLITE_CANTOPEN", *_OF_NO_ROOM)


def obstacle_of(error: sqlite3.Error, path: Path) -> Obstacle | None:
    """Return the reason why the file at `path` cannot be written; ``None`` for another error."""
    code = getattr(error, "sqlite_errorname", "")
    if not code.startswith(_OF_EITHER):
        return None
    if not (may_be_written(path) and may_be_written(path.resolve().parent)):
        return READ_ONLY
    # The one that cannot be made in a folder that may be written has no room there.
    return READ_ONLY if code.startswith("SQLITE_READONLY") else FULL


def may_be_written(path: Path) -> bool:
    """Return whether permissions and the file system let this process write a file or folder."""
    return os.access(path, os.W_OK)


# Damage that has no result code of its own.
_SIGNS_OF_DAMAGE = {
    "Could not decode to UTF-8": "a text is no UTF-8",
    "unsupported file format": "its header is of an unknown format",
    "integer overflow": "its numbers are too large to be added up",
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
    (_OF_NO_ROOM, *FULL),
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
        "memctl recover saves what can be read; memctl restore brings a backup back",
    ),
    (
        ("SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PERM", "SQLITE_AUTH"),
        FileAccessError,
        '"{path}" cannot be opened or written: {error}',
        "check its permissions, its folder's and the free space",
    ),
)


def raise_translated(error: Exception, path: Path) -> NoReturn:
    """Raise one of `SQLITE_ERRORS` about the file at `path` as memctl's error, if there is one.

    Every read and write goes past this: a plain ``except`` costs nothing where there is no error.
    """
    known = _translate(error, path)
    if known is None:
        raise error
    raise known from error


def closed_store(path: Path) -> ClosedStoreError:
    """Return the error of a call on a store after its ``close()``."""
    return ClosedStoreError(f'the store "{path}" is closed', hint="open it anew")


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


def _translate(error: Exception, path: Path) -> MemctlError | None:
    if isinstance(error, UnicodeDecodeError):
        return _damaged(path, error)
    if "closed database" in str(error):  # another thread closed the store meanwhile
        return closed_store(path)
    for words, why in _SIGNS_OF_DAMAGE.items():
        if words in str(error):
            return _damaged(path, why)
    name = getattr(error, "sqlite_errorname", "")
    for codes, kind, message, hint in _TRANSLATIONS:
        if name.startswith(codes):
            return kind(message.format(path=path, error=error), hint=hint)
    return None


def _damaged(path: Path, why: object) -> StoreDamagedError:
    return StoreDamagedError(f'"{path}" is damaged: {why}')
