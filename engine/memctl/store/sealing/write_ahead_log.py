"""The write-ahead log beside an open store: its pages, and transactions that it lost.

SQLite's own index of the log says how many of its frames count; see
https://www.sqlite.org/walformat.html.
"""

from __future__ import annotations

import os
import struct
import time
from typing import TYPE_CHECKING, NamedTuple

from memctl.store.store_file import has_wal
from memctl.store.transactions import opened_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_HEADER, _FRAME = 32, 24  # bytes of the log's header, and of a frame's
_INDEX = 48  # bytes of the header of the log's index; it stands there twice
_WHILE_WRITTEN = 0.02  # seconds


def read_beside(store: Path, ending: str = "") -> Callable[[int, int], bytes]:
    """Return a function that reads bytes of a file of an open store, by place and length.

    It raises `OSError` where there are fewer.
    """
    if os.name != "posix":
        raise OSError("SQLite alone reads a file that it locks")
    file = opened_beside(store, store.with_name(store.name + ending)).fileno()

    def read(at: int, length: int) -> bytes:
        content = os.pread(file, length, at)
        if len(content) < length:
            raise OSError("the file is shorter than it was")
        return content

    return read


class LogState(NamedTuple):
    """The log at one moment: its salts, how many frames count, and how many are in the file, too."""

    salts: bytes
    frames: int
    moved: int
    header: bytes

    @classmethod
    def of(cls, path: Path) -> LogState | None:
        """Return the state of the log of the open store at `path`; ``None``: nothing lies in it.

        Raises
        ------
        OSError
            When the index of the log cannot be read, or is just being written.
        """
        if not has_wal(path):
            return None
        head = read_beside(path, "-shm")(0, 2 * _INDEX + 4)
        if head[:_INDEX] != head[_INDEX:-4]:
            raise OSError("the index of the log is being written")
        frames, moved = (struct.unpack_from("=I", head, at)[0] for at in (16, 2 * _INDEX))
        return cls(head[32:40], frames, moved, head[:_INDEX])

    @staticmethod
    def same(one: LogState | None, other: LogState | None) -> bool:
        """Return whether nothing was written into the log between two moments."""
        return (one and one.header) == (other and other.header)


def frames_of(path: Path, page_size: int, first: int, last: int) -> dict[int, int]:
    """Return the pages in some frames of the log, counted from 1, and where the last of each lies."""
    read = read_beside(path, "-wal")
    size = _FRAME + page_size
    places = range(_HEADER + (first - 1) * size, _HEADER + last * size, size)
    return {int.from_bytes(read(at, 4)): at + _FRAME for at in places}


def begun_anew(path: Path) -> bool:
    """Return whether the log of an open store was begun anew, over frames that were moved in."""
    return any(read_beside(path, "-wal")(12, 4))


def lost_commits(path: Path, page_size: int) -> int:
    """Count the transactions behind a broken frame of the log, of which SQLite reads none.

    What a killed process left of a transaction does not count, nor what was moved into the file.
    """
    state = LogState.of(path)
    if state is None:
        return 0
    read, size = read_beside(path, "-wal"), _FRAME + page_size
    begin, length = _HEADER + state.frames * size, path.with_name(path.name + "-wal").stat().st_size
    behind = [read(at, _FRAME) for at in range(begin, length - _FRAME, size)]
    salts, head = state.salts, read(0, _HEADER)
    if behind and not state.frames and _sum(head[:24], 0, 0, big=bool(head[3] & 1)) != head[24:]:
        salts = behind[0][8:16]  # the log's own header is broken: none of its frames counts
    # A frame of zeros is none that SQLite wrote: a disk has lost it.
    lost = sum(any(head[4:8]) for head in behind if head[8:16] == salts) or (
        not all(map(any, behind))
    )
    if not lost or _goes_on(
        state, (read(at, size) for at in range(begin, length - size + 1, size))
    ):
        return 0
    time.sleep(_WHILE_WRITTEN)  # somebody may be writing that frame
    return lost if LogState.same(state, LogState.of(path)) else 0


def _goes_on(state: LogState, frames: Iterator[bytes]) -> bool:
    """Return whether whole frames, up to the end of a transaction, follow the last one that counts."""
    sums = struct.unpack_from("=II", state.header, 24)
    for frame in frames:
        summed = _sum(frame[:8] + frame[_FRAME:], *sums, big=bool(state.header[13]))
        if frame[8:16] != state.salts or frame[16:_FRAME] != summed:
            return False
        if any(frame[4:8]):
            return True
        sums = struct.unpack(">II", summed)
    return False


def _sum(content: bytes, first: int, second: int, *, big: bool) -> bytes:
    """Return the sums of a piece of the log behind others."""
    for one, other in struct.iter_unpack(">II" if big else "<II", content):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return struct.pack(">II", first, second)
