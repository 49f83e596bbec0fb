"""The file of a store, as the file system has it: made private, known by its device and inode."""

from __future__ import annotations

import os
import threading
from errno import EIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.errors import FileAccessError
from memctl.base.home import home_around, standing
from memctl.base.whole_file import sync, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable

_MAGIC = b"SQLite format 3\x00"
_SMALLEST_PAGE = 512
_BLOCK = 4096  # bytes that are lost together where the disk cannot read one
_BESIDE = ("-wal", "-shm", "-journal")
# What to do about something that stands where a store belongs.
_ELSEWHERE = "move it away, or choose another --app"


def is_no_sqlite(path: Path) -> bool:
    """Return whether a file does not begin like a SQLite file, or is too short for a page of one.

    SQLite writes over a file of one byte. Only for a file that this process has not open in SQLite.
    """
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) != _MAGIC or is_too_short(path)


def may_be_begun(path: Path) -> bool:
    """Return whether what a file has so far is how a SQLite file begins: another process may write on."""
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    return _MAGIC.startswith(head) or not head.strip(b"\0")


def promised_bytes(path: Path) -> int:
    """Return how many bytes the header of a SQLite file counts (https://sqlite.org/fileformat.html).

    Only for a file that this process has not open in SQLite.
    """
    with path.open("rb") as file:
        head = file.read(32)
    size = int.from_bytes(head[16:18], "big")
    return int.from_bytes(head[28:32], "big") * (65_536 if size == 1 else size)


def is_too_short(path: Path) -> bool:
    """Return whether a file has fewer bytes than the smallest page of SQLite, but some."""
    return 0 < path.stat().st_size < _SMALLEST_PAGE


def make_file(path: Path, content: Callable[[], bytes]) -> None:
    """Create a file at `path`, 0600, in folders that are 0700; leave one that is there.

    It has its content as soon as it has its name. Where there is no room for that, or the file system
    knows no second name of a file, it is empty. SQLite gives its -wal and -shm files the permissions of
    the database.

    Raises
    ------
    FileAccessError
        When a folder or the file cannot be created.
    """
    try:
        make_folders(path.parent)
        if _is_made_whole(path, content):
            return
        with _making:  # closing the file would take the locks of a thread that opened it meanwhile
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        pass  # another process was faster; what it made is judged when it is opened
    except OSError as error:
        raise FileAccessError(
            f'"{path}" cannot be created: {error.strerror}',
            hint="choose another home with --home or MEMCTL_HOME",
            cause=error,
        ) from error


def _is_made_whole(path: Path, content: Callable[[], bytes]) -> bool:
    try:
        if not path.exists():
            with whole_file(path, new=True) as file:
                file.write(content())
            return True
    except FileExistsError:
        raise
    except OSError:
        pass  # what is wrong with the disk, SQLite says when it makes the store
    return False


_making = threading.Lock()


def beside(path: Path) -> list[Path]:
    """Return the files that SQLite may have beside one: its log, the log's index, its journal."""
    return [path.with_name(path.name + ending) for ending in _BESIDE]


def store_at(path: Path) -> os.stat_result | None:
    """Return the state of the file of a store; ``None`` where nothing is. Opens nothing.

    Raises
    ------
    FileAccessError
        When something else is there, or has the name of a file that SQLite writes beside it: a
        folder, a pipe, a link out of the home.
    """
    there = standing(path, within=home_around(path), hint=_ELSEWHERE)
    for file in beside(Path(os.path.realpath(path))) if there else ():
        if os.path.lexists(file):
            standing(file, within=file.parent)
    return there


def make_folders(folder: Path) -> None:
    """Make a folder and those above it that are not there, 0700, on the disk."""
    for parent in reversed([folder, *folder.parents]):
        if not parent.exists():
            # Two processes may make the same folder: the second finds it.
            parent.mkdir(mode=0o700, exist_ok=True)
            sync(parent.parent)


def copy_readable(file: Path, target: Path) -> None:
    """Copy a file, 0600; what the disk cannot read any more is zeros in the copy: a broken page."""
    target.touch(mode=0o600)
    size = file.stat().st_size
    with file.open("rb", buffering=0) as source, target.open("wb") as copy:
        for at in range(0, size, _BLOCK):
            source.seek(at)
            try:
                piece = source.read(_BLOCK)
            except OSError as error:
                if error.errno != EIO:
                    raise
                piece = bytes(min(_BLOCK, size - at))
            copy.write(piece)


def has_wal(path: Path) -> bool:
    """Return whether changes lie beside the file; who closes it last may just be moving them in."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


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


def _after_fork() -> None:
    global _making  # noqa: PLW0603  (another thread may have held it)
    _making = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
