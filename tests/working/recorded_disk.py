"""A disk that a test can cut the power of: what SQLite writes and syncs, in the order it does.

The default VFS of the very library that `sqlite3` uses is replaced by one that hands every call
on, and notes those that change a file. SQLite's own names are in
https://www.sqlite.org/c3ref/io_methods.html.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import shutil
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

__all__ = ["Change", "RecordedDisk", "recorded_disk"]

_POINTER, _INT, _LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
# A name is a pointer: SQLite keeps the parameters of its URI behind the name's end.
_OPEN = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _POINTER, _INT, _POINTER)
_DELETE = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _INT)
_WRITE = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _INT, _LONG)
_TRUNCATE = ctypes.CFUNCTYPE(_INT, _POINTER, _LONG)
_SYNC = ctypes.CFUNCTYPE(_INT, _POINTER, _INT)


class _Methods(ctypes.Structure):
    """The head of ``sqlite3_io_methods``, and its other members, which stay as they are."""

    _fields_ = (
        ("version", _INT),
        ("close", _POINTER),
        ("read", _POINTER),
        ("write", _WRITE),
        ("truncate", _TRUNCATE),
        ("sync", _SYNC),
        ("others", _POINTER * 13),
    )


class _Vfs(ctypes.Structure):
    """The ``sqlite3_vfs``."""

    _fields_ = (
        ("version", _INT),
        ("file_size", _INT),
        ("longest_path", _INT),
        ("next", _POINTER),
        ("name", ctypes.c_char_p),
        ("data", _POINTER),
        ("open", _OPEN),
        ("delete", _DELETE),
        ("others", _POINTER * 14),
    )


@dataclass(frozen=True)
class Change:
    """One change of a file: bytes at an offset, a new length, a sync, or its end."""

    kind: str  # write, cut, sync, delete
    file: str
    at: int = 0
    data: bytes = b""


@dataclass
class RecordedDisk:
    """The changes of all files, in their order."""

    changes: list[Change] = field(default_factory=list)

    def after_power_loss(
        self, moment: int, folder: Path, lucky: random.Random | None = None
    ) -> None:
        """Make the files in `folder` as a power loss leaves them.

        Parameters
        ----------
        moment
            How many of the changes had happened.
        folder
            Where the files are made, by their names; what was in it is gone.
        lucky
            Draws which of the changes that were not synced reached the disk all the same, as a
            disk is free to; ``None``: none did.
        """
        content: dict[str, bytearray] = defaultdict(bytearray)
        unsynced: dict[str, list[Change]] = defaultdict(list)
        for change in self.changes[:moment]:
            if change.kind == "sync":
                _apply(content[change.file], unsynced.pop(change.file, []))
            elif change.kind == "delete":
                content.pop(change.file, None)
                unsynced.pop(change.file, None)
            else:
                unsynced[change.file].append(change)
        for name, waiting in unsynced.items():
            if lucky is not None:
                _apply(content[name], [one for one in waiting if lucky.random() < 0.5])
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, data in content.items():
            (folder / name).write_bytes(data)


def _apply(content: bytearray, changes: list[Change]) -> None:
    for change in changes:
        if change.kind == "cut":
            del content[change.at :]
        content.extend(bytes(max(0, change.at - len(content))))
        content[change.at : change.at + len(change.data)] = change.data


def _last_part(name: int) -> str:
    return Path(ctypes.string_at(name).decode()).name


@contextmanager
def recorded_disk() -> Iterator[RecordedDisk]:
    """Record what SQLite does to files that are opened inside, in this process."""
    library = ctypes.CDLL(_sqlite3.__file__)  # finds what it is linked to
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    usual = library.sqlite3_vfs_find(None)
    disk = RecordedDisk()
    recorder = _Recorder(disk, usual.contents)
    library.sqlite3_vfs_register(ctypes.byref(recorder.vfs), 1)
    try:
        yield disk
    finally:
        library.sqlite3_vfs_register(usual, 1)
        library.sqlite3_vfs_unregister(ctypes.byref(recorder.vfs))


class _Recorder:
    """The VFS that notes changes, and the methods of the files that it opens."""

    def __init__(self, disk: RecordedDisk, usual: _Vfs) -> None:
        self._disk = disk
        self._usual = usual
        self._names: dict[int, str] = {}
        self._methods: dict[int, _Methods] = {}  # by the address of those they stand for
        self.vfs = _Vfs.from_buffer_copy(usual)
        self.vfs.name = b"recorded"
        self.vfs.open = _OPEN(self._open)
        self.vfs.delete = _DELETE(self._delete)

    def _open(self, vfs: int, name: int | None, file: int, flags: int, out: int) -> int:
        code = int(self._usual.open(vfs, name, file, flags, out))
        methods = ctypes.cast(file, ctypes.POINTER(_POINTER))[0]
        if not code and name and methods:
            self._names[file] = _last_part(name)
            if methods not in self._methods:
                self._methods[methods] = self._noting(_Methods.from_address(methods))
            ctypes.cast(file, ctypes.POINTER(_POINTER))[0] = ctypes.addressof(
                self._methods[methods]
            )
        return code

    def _delete(self, vfs: int, name: int, sync: int) -> int:
        self._note("delete", _last_part(name))
        return int(self._usual.delete(vfs, name, sync))

    def _noting(self, usual: _Methods) -> _Methods:
        """Return methods that do as the usual ones do, and note what changes a file."""

        def write(file: int, data: int, size: int, at: int) -> int:
            self._note("write", self._names[file], at, ctypes.string_at(data, size))
            return int(usual.write(file, data, size, at))

        def truncate(file: int, size: int) -> int:
            self._note("cut", self._names[file], size)
            return int(usual.truncate(file, size))

        def sync(file: int, flags: int) -> int:
            self._note("sync", self._names[file])
            return int(usual.sync(file, flags))

        noting = _Methods.from_buffer_copy(usual)
        noting.write, noting.truncate, noting.sync = _WRITE(write), _TRUNCATE(truncate), _SYNC(sync)
        return noting

    def _note(self, *change: Any) -> None:
        self._disk.changes.append(Change(*change))
