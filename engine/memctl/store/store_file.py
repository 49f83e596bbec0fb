"""The file of a store, as the file system has it: made private, checked before SQLite reads it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.errors import FileAccessError, ForeignStoreError, StoreDamagedError

if TYPE_CHECKING:
    from pathlib import Path

# Offsets in the header of a SQLite file: https://www.sqlite.org/fileformat.html#the_database_header
_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\x00"
# Seconds between two looks at what another process may be in the midst of.
PAUSES = (0.005, 0.02, 0.1)
_FIRST_PAGE = 4096


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
    for pause in PAUSES:
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
    if has_wal(path):
        return  # a checkpoint that was cut short left the rest in the WAL
    size = path.stat().st_size
    whole = _whole_size(header)
    if header and size < whole:
        raise StoreDamagedError(f'"{path}" is cut short: {size} of {whole} bytes')


def make_file(path: Path) -> None:
    """Create an empty file at `path`, 0600, in folders that are 0700; leave one that is there.

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
        make_folders(path.parent)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        if path.is_dir():
            raise FileAccessError(
                f'"{path}" cannot be created: a folder is there', hint="choose another --app"
            ) from None
    except OSError as error:
        raise FileAccessError(
            f'"{path}" cannot be created: {error.strerror}',
            hint="choose another home with --home or MEMCTL_HOME",
            cause=error,
        ) from error


def make_folders(folder: Path) -> None:
    """Make a folder and those above it that are not there, 0700."""
    for parent in reversed([folder, *folder.parents]):
        if not parent.exists():
            # Two processes may make the same folder: the second finds it.
            parent.mkdir(mode=0o700, exist_ok=True)


def has_wal(path: Path) -> bool:
    """Return whether changes lie beside the file; who closes it last may just be moving them in."""
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


def identity_of(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of the file at `path`; ``None`` where there is none.

    Another number than before: the file was deleted, or another one was put in its place.
    """
    try:
        found = os.stat(path)  # noqa: PTH116  (every write comes by: Path's takes half as long again)
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Stamp(NamedTuple):
    """The lengths of a file and its log, and when they were last written."""

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
        """Return whether nobody has written the store since."""
        return self.marks == (_mark(self.file), _mark(self.log))


def _mark(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    # An empty log holds nothing, whenever it was made.
    return (found.st_size, found.st_mtime_ns) if found.st_size else (0, 0)
