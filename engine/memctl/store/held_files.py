"""Files that this process has open in SQLite, which must not be opened in any other way.

POSIX takes all locks of a process from a file as soon as the process closes any handle to it
(https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
Another process then takes itself for the last one, and deletes the log that is written here.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memctl.base.errors import BusyError
from memctl.store.store_file import check_file, identity_of, make_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

_Identity = tuple[int, int]

# The bytes that SQLite locks, and how many: whoever has a WAL file open has one of them
# (https://www.sqlite.org/src/file/src/os.h).
_LOCKED_FROM, _LOCKED_BYTES = 0x40000000, 512

# Entered again where the collector drops a connection in the midst of it.
_lock = threading.RLock()
_held: Counter[_Identity] = Counter()
# Handles to files of those, which are closed once SQLite has closed its own.
_beside: dict[_Identity, dict[_Identity | None, BinaryIO]] = {}


class HeldFile:
    """Mark that this process has a file open in SQLite, until it is released or dropped."""

    __slots__ = ("_identities",)

    def __init__(self) -> None:
        self._identities: set[_Identity] = set()

    def add(self, identity: _Identity | None) -> None:
        """Mark a file, by its device and inode; a file has others once a layer copies it."""
        with _lock:
            if identity is not None and identity not in self._identities:
                self._identities.add(identity)
                _held[identity] += 1

    def release(self) -> None:
        """Take the marks away: the connection is closed."""
        with _lock:
            for identity in self._identities:
                _held[identity] -= 1
                if not _held[identity]:
                    del _held[identity]
                    for opened in _beside.pop(identity, {}).values():
                        opened.close()
            self._identities.clear()

    def __del__(self) -> None:
        self.release()


def held(path: Path) -> HeldFile:
    """Return the mark of a file that is to be opened in SQLite, checked where nobody has it open.

    Raises
    ------
    StoreError, FileAccessError
        As `memctl.store.store_file.check_file`.
    """
    with _lock:
        identity = identity_of(path)
        if identity not in _held:
            check_file(path)
        mark = HeldFile()
        mark.add(identity)
        return mark


def make_unheld(path: Path) -> None:
    """Create an empty file where none is; one that is there is left closed.

    Raises
    ------
    FileAccessError
        When it cannot be created.
    """
    with _lock:
        make_file(path)


def opened_beside(store: Path, file: Path) -> BinaryIO:
    """Return a file of a store that this process has open in SQLite, to read its bytes.

    The caller leaves it open: it is closed as soon as SQLite has closed the store.

    Raises
    ------
    OSError
        When it is not there, or may not be read.
    """
    with _lock:
        kept = _beside.setdefault(identity_of(store) or (0, 0), {})
        identity = identity_of(file)
        if identity not in kept:
            kept[identity] = file.open("rb")
        return kept[identity]


@contextmanager
def nobody_at(path: Path) -> Iterator[None]:
    """Keep SQLite's locks of a file that it cannot read itself, as long as this lasts.

    Raises
    ------
    BusyError
        When this process or another one has the file open.
    """
    with _lock:
        if identity_of(path) in _held:
            raise in_use(path)
        with _locked(path):
            yield


def in_use(path: Path) -> BusyError:
    """Return the error of a file that has to be nobody's, and is open."""
    return BusyError(
        f'"{path}" is in use', hint="end whatever has it open (agents, MCP servers) and try again"
    )


def process_lives(pid: int) -> bool:
    """Return whether a process of this machine runs, so that what it holds is still its own."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # it is somebody else's, or no number that could be asked for
    return True


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # Windows refuses to move a file that somebody has open
        yield
        return
    writable = os.access(path, os.W_OK)  # else nobody like us can be writing it
    handle = os.open(path, os.O_RDWR if writable else os.O_RDONLY)
    try:
        kind = fcntl.LOCK_EX if writable else fcntl.LOCK_SH
        try:
            fcntl.lockf(handle, kind | fcntl.LOCK_NB, _LOCKED_BYTES, _LOCKED_FROM)
        except OSError as error:
            raise in_use(path) from error
        yield
    finally:
        os.close(handle)


def _after_fork() -> None:
    global _lock  # noqa: PLW0603  (another thread may have held it)
    _lock = threading.RLock()
    # A handle of both would be moved by both; the child's locks are its own.
    for opened in (one for kept in _beside.values() for one in kept.values()):
        opened.close()
    _beside.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
