"""Stores that can be read and not written: a full disk, a read-only file, folder or file system.

SQLite wants room beside a file even to read it: the index of its write-ahead log. Where there
is none, and no log holds changes, the file is read as it lies.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.errors import DiskFullError, MemctlError, ReadOnlyError

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

__all__ = [
    "FULL",
    "OF_NO_ROOM",
    "READ_ONLY",
    "UNWRITABLE",
    "Obstacle",
    "Stamp",
    "may_be_written",
    "obstacle_of",
]


class Obstacle(NamedTuple):
    """What keeps a store from being written, as the error that a write is answered with."""

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
# What ends a write to such a store: a record that is kept by the way goes without.
UNWRITABLE = (DiskFullError, ReadOnlyError)
# SQLite's result codes (https://www.sqlite.org/rescode.html) of what has no room, or no right.
OF_NO_ROOM = ("SQLITE_FULL", *(f"SQLITE_IOERR_SHM{what}" for what in ("SIZE", "MAP", "OPEN")))
_OF_EITHER = ("SQLITE_READONLY", "SQLITE_CANTOPEN", *OF_NO_ROOM)


def obstacle_of(error: sqlite3.Error, path: Path) -> Obstacle | None:
    """Return what keeps the file at `path` from being written; ``None``: it is something else."""
    code = getattr(error, "sqlite_errorname", "")
    if not code.startswith(_OF_EITHER):
        return None
    if not (may_be_written(path) and may_be_written(path.resolve().parent)):
        return READ_ONLY
    # The one that cannot be made in a folder that may be written has no room there.
    return READ_ONLY if code.startswith("SQLITE_READONLY") else FULL


def may_be_written(path: Path) -> bool:
    """Whether permissions and the file system let this process write a file or folder."""
    return os.access(path, os.W_OK)


class Stamp(NamedTuple):
    """How long a file and its log were, and when they were last written."""

    file: Path
    log: Path
    marks: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, path: Path) -> Stamp:
        """Return the stamp of the store at `path`, as it is now."""
        file = path.resolve()
        log = file.with_name(file.name + "-wal")
        return cls(file, log, (_mark(file), _mark(log)))

    @property
    def holds(self) -> bool:
        """Whether nobody has written the store since."""
        return self.marks == (_mark(self.file), _mark(self.log))


def _mark(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    # An empty log holds nothing, whenever it was made.
    return (found.st_size, found.st_mtime_ns) if found.st_size else (0, 0)
