"""Files that this process has open in SQLite, which must not be opened and closed in any other way.

POSIX takes all locks of a process from a file as soon as the process closes any handle to it
(https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
Another process then takes itself for the last one, and deletes the log that is written here.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakSet

from memctl.base.errors import BusyError
from memctl.store.store_file import identity_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from memctl.store.transactions import ThreadConnection

_Identity = tuple[int, int]

# The bytes that SQLite locks, and how many: whoever has a WAL file open has one of them
# (https://www.sqlite.org/src/file/src/os.h).
_LOCKED_FROM, _LOCKED_BYTES = 0x40000000, 512

OPEN: WeakSet[ThreadConnection] = WeakSet()
"""The connections of this process's stores, and after a fork its parent's."""

# Handles to files of stores, by the store; closed once SQLite has closed its own.
_beside: dict[_Identity | None, dict[_Identity | None, BinaryIO]] = {}


def is_open_here(identity: _Identity | None) -> bool:
    """Return whether a store of this process has a file open."""
    return any(opened.file == identity and opened.pid == os.getpid() for opened in list(OPEN))


def opened_beside(store: Path, file: Path) -> BinaryIO:
    """Return a file of a store that this process has open in SQLite, to read its bytes.

    The caller leaves it open: it is closed as soon as SQLite has closed the store.

    Raises
    ------
    OSError
        When it is not there, or may not be read.
    """
    kept = _beside.setdefault(identity_of(store), {})
    identity = identity_of(file)
    if identity not in kept:
        kept[identity] = file.open("rb")
    return kept[identity]


def close_beside(store: _Identity | None) -> None:
    """Close the handles to files of a store, unless this process still has it open in SQLite."""
    if not is_open_here(store):
        for opened in _beside.pop(store, {}).values():
            opened.close()


@contextmanager
def nobody_at(path: Path) -> Iterator[None]:
    """Keep SQLite's locks of a file that it cannot read itself, as long as this lasts.

    Raises
    ------
    BusyError
        When this process or another one has the file open.
    """
    if is_open_here(identity_of(path)):
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


if hasattr(os, "register_at_fork"):
    # A handle of both would be moved by both.
    os.register_at_fork(after_in_child=_beside.clear)
