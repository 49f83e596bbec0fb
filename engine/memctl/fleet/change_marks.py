"""Change marks: whether a store has been written since, from what the file system knows of it.

No store is opened for it: closing a file takes away the locks of whoever has it open in this
process. A mark is taken before a store is read: what is written meanwhile changes the next one.
"""

from __future__ import annotations

import time
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.store.store_file import Stamp

if TYPE_CHECKING:
    from pathlib import Path

# Two writes within one tick of the file system's clock leave the same time: a younger file may yet
# be written in it. Where its clock counts whole seconds, its ticks are as long.
_TICK, _SECOND = 50_000_000, 1_000_000_000


def change_mark(path: Path) -> str:
    """Return a mark of a store: an equal one later means that nobody has written it since.

    It is of the sizes and times of the file and its log. Marks of different machines are compared
    by nothing but equality, since their clocks differ. A file that was written within the last tick
    is waited for; one that still is gets a mark that nothing equals.

    Raises
    ------
    NotFoundError
        When there is no file.
    """
    traces, written = _traces(path)
    if _is_young(written):
        time.sleep(_TICK / _SECOND)
        traces, written = _traces(path)
    return token_hex(16) if _is_young(written) else sha256(repr(traces).encode()).hexdigest()[:32]


def _is_young(written: int) -> bool:
    tick = 2 * _SECOND if written % _SECOND == 0 else _TICK
    return time.time_ns() - written < tick


def _traces(path: Path) -> tuple[tuple[int, ...], int]:
    """Return the sizes and times of a store, and when it was last touched."""
    stamp = Stamp.of(path)
    traces: list[int] = []
    times = [0]
    for file, mark in zip((stamp.file, stamp.log), stamp.marks, strict=True):
        traces += mark
        if mark[0]:  # an empty log holds nothing, whenever it was made
            try:
                there = file.stat()
            except FileNotFoundError:  # a log that was just moved into the file
                continue
            # A copy put in its place keeps its time of writing, but not these.
            traces += [there.st_ino, there.st_ctime_ns]
            times += [there.st_mtime_ns, there.st_ctime_ns]
    if not stamp.marks[0][0] and not stamp.file.is_file():
        raise NotFoundError(f'"{path}" is not there', hint="memctl fleet stores lists those there")
    return tuple(traces), max(times)
