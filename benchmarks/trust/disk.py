"""A disk that forgets at a power cut what was not synced, made of a recording by strace.

What a file was given since its last fsync, and what a folder was told since its own, may be lost: each
piece by itself, and a write may be torn between sectors.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

CALLS = (
    "openat,open,creat,close,dup,dup2,dup3,fcntl,lseek,write,pwrite64,writev,pwritev,pwritev2,ftruncate,"
    "truncate,fallocate,copy_file_range,sendfile,fsync,fdatasync,sync_file_range,msync,unlink,unlinkat,"
    "rename,renameat,renameat2,link,linkat,symlink,symlinkat,mkdir,mkdirat,rmdir"
)
_SECTOR = 512
_LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)")
_PART = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?|([^,\s"]+)')
# Of what is done to bytes or names in a way that is not replayed: nothing may.
_UNKNOWN = {
    "writev", "pwritev", "pwritev2", "truncate", "fallocate", "copy_file_range", "sendfile", "symlink",
    "symlinkat", "dup2", "dup3",
}  # fmt: skip


class Call(NamedTuple):
    """A call of the recording: its name, its arguments, what it returned."""

    name: str
    given: tuple[str | bytes, ...]
    returned: int


class Node:
    """A file: what is on the disk for sure, and what it was given since."""

    def __init__(self) -> None:
        self.synced = bytearray()
        self.since: list[tuple[int, bytes | None]] = []  # at, bytes; None: cut off there

    def length(self) -> int:
        """Return its length, as a process sees it."""
        size = len(self.synced)
        for at, data in self.since:
            size = at if data is None else max(size, at + len(data))
        return size

    def sync(self) -> None:
        """Bring all that it was given to the disk."""
        for at, data in self.since:
            _put(self.synced, at, data)
        self.since.clear()

    def after(self, chance: Random | None) -> bytes:
        """Return its bytes after a cut; all of them without `chance`."""
        result = bytearray(self.synced)
        share = chance.choice((0, 0.5, 0.9, 1)) if chance else 1
        for at, data in self.since:
            if chance and chance.random() > share:
                continue
            if chance and data and chance.random() < 0.1:
                for begin, piece in _sectors(at, data):
                    if chance.random() < 0.5:
                        _put(result, begin, piece)
            else:
                _put(result, at, data)
        return bytes(result)


def _put(content: bytearray, at: int, data: bytes | None) -> None:
    if data is None:
        content[at:] = b"\0" * (at - len(content))
        return
    content.extend(b"\0" * (at - len(content)))
    content[at : at + len(data)] = data


def _sectors(at: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    end = at + len(data)
    for begin in range(at - at % _SECTOR, end, _SECTOR):
        first, last = max(begin, at), min(begin + _SECTOR, end)
        yield first, data[first - at : last - at]


class Named(NamedTuple):
    """A change of names that one call made: one that is gone, and one that was given to a node."""

    gone: str = ""
    given: str = ""
    node: Node | None = None  # None: a folder

    @property
    def place(self) -> str:
        """Return the folder whose fsync makes it last."""
        return (self.given or self.gone).rpartition("/")[0]

    def apply(self, names: dict[str, Node | None]) -> None:
        """Change the names; what is below a folder that was renamed goes along."""
        if self.given and self.gone:
            for name in [name for name in names if name.startswith(f"{self.gone}/")]:
                names[self.given + name.removeprefix(self.gone)] = names.pop(name)
        names.pop(self.gone, None)
        if self.given:
            names[self.given] = self.node


@dataclass(slots=True)
class _Handle:
    path: str
    node: Node | None
    at: int = 0
    appends: bool = False


@dataclass(slots=True)
class Disk:
    """Files below a folder, as processes see them and as a power cut would leave them."""

    root: str
    names: dict[str, Node | None] = field(default_factory=dict)
    synced: dict[str, Node | None] = field(default_factory=dict)
    since: list[Named] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    _handles: dict[int, _Handle] = field(default_factory=dict)

    def take(self, call: Call) -> bool:
        """Do what a call did, and return whether it concerned these files."""
        concerns = call.returned >= 0 and self._concerns(call)
        if concerns and call.name in _UNKNOWN:
            raise RuntimeError(f"{call.name} is not replayed: {call.given[:1]}")
        if call.returned >= 0 and (act := getattr(self, f"_{call.name}", None)):
            act(call)
        return concerns

    def after(self, folder: Path, chance: Random | None = None) -> None:
        """Write into a folder what a cut at this moment leaves; all that was done without `chance`."""
        names = dict(self.synced)
        share = chance.choice((0, 0.5, 1)) if chance else 1
        ordered = bool(chance and chance.random() < 0.5)  # a journal of names keeps their order
        for change in self.since:
            if chance and chance.random() > share:
                if ordered:
                    break
                continue
            change.apply(names)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, node in sorted(names.items()):
            path = folder / name
            if not path.parent.is_dir() or name == "marks":  # its folder is lost
                continue
            if node is None:
                path.mkdir(exist_ok=True)
            else:
                content = node.after(chance)
                if name.endswith("-shm"):  # memory that processes share
                    content = chance.randbytes(32768) if chance and chance.random() < 0.5 else b""
                path.write_bytes(content)

    # -- calls, each by its name ---------------------------------------------------------

    def _concerns(self, call: Call) -> bool:
        paths = [part for part in call.given if isinstance(part, bytes)] * (
            "write" not in call.name
        )
        if call.name == "fcntl" and not str(call.given[1]).startswith("F_DUPFD"):
            return False  # a lock
        handle = str(call.given[0])
        return any(f"{path.decode()}/".startswith(f"{self.root}/") for path in paths) or (
            handle.isdecimal() and int(handle) in self._handles
        )

    def _name(self, path: str | bytes, folder: str | bytes = "AT_FDCWD") -> str:
        """Return a path's name below the root; empty where it is elsewhere."""
        text = path.decode() if isinstance(path, bytes) else path
        if not text.startswith("/"):
            at = self._handles.get(int(folder)) if str(folder).isdecimal() else None
            if at is None:
                return ""
            return f"{at.path}/{text}".removeprefix("/")
        return text.removeprefix(f"{self.root}/") if text.startswith(f"{self.root}/") else ""

    def _change(self, change: Named) -> None:
        change.apply(self.names)
        self.since.append(change)

    def _openat(self, call: Call) -> None:
        self._opened(self._name(call.given[1], call.given[0]), call.given[1], call)

    def _open(self, call: Call) -> None:
        self._opened(self._name(call.given[0]), call.given[0], call)

    def _opened(self, name: str, path: str | bytes, call: Call) -> None:
        self._handles.pop(call.returned, None)
        flags = " ".join(part for part in call.given if isinstance(part, str))
        if path == self.root.encode() or (name and name in self.names and not self.names[name]):
            self._handles[call.returned] = _Handle(name, None)
            return
        if not name:
            return
        if name not in self.names:
            if "O_CREAT" not in flags:
                raise RuntimeError(f"{name} was opened, and nobody made it")
            self._change(Named(given=name, node=Node()))
        node = self.names[name]
        if node and "O_TRUNC" in flags and node.length():
            node.since.append((0, None))
        self._handles[call.returned] = _Handle(name, node, appends="O_APPEND" in flags)

    def _close(self, call: Call) -> None:
        self._handles.pop(int(call.given[0]), None)

    def _dup(self, call: Call) -> None:
        if handle := self._handles.get(int(call.given[0])):
            self._handles[call.returned] = handle

    def _fcntl(self, call: Call) -> None:
        if str(call.given[1]).startswith("F_DUPFD"):
            self._dup(call)

    def _lseek(self, call: Call) -> None:
        if handle := self._handles.get(int(call.given[0])):
            handle.at = call.returned

    def _write(self, call: Call) -> None:
        handle = self._handles.get(int(call.given[0]))
        if handle is None or handle.node is None:
            return
        data = bytes(call.given[1])[: call.returned]  # type: ignore[arg-type]
        if handle.path == "marks":
            self.marks.append(data.decode().strip())
            return
        at = handle.node.length() if handle.appends else handle.at
        handle.node.since.append((at, data))
        handle.at = at + len(data)

    def _pwrite64(self, call: Call) -> None:
        handle = self._handles.get(int(call.given[0]))
        if handle and handle.node:
            data = bytes(call.given[1])[: call.returned]  # type: ignore[arg-type]
            handle.node.since.append((int(call.given[3]), data))

    def _ftruncate(self, call: Call) -> None:
        handle = self._handles.get(int(call.given[0]))
        if handle and handle.node:
            handle.node.since.append((int(call.given[1]), None))

    def _fsync(self, call: Call) -> None:
        handle = self._handles.get(int(call.given[0]))
        if handle is None:
            return
        if handle.node:
            handle.node.sync()
            return
        for change in self.since:
            if change.place == handle.path:
                change.apply(self.synced)
        self.since = [change for change in self.since if change.place != handle.path]

    _fdatasync = _fsync

    def _unlink(self, call: Call) -> None:
        self._gone(self._name(call.given[0]))

    _rmdir = _unlink

    def _unlinkat(self, call: Call) -> None:
        self._gone(self._name(call.given[1], call.given[0]))

    def _gone(self, name: str) -> None:
        if name:
            self._change(Named(gone=name))

    def _rename(self, call: Call) -> None:
        self._renamed(self._name(call.given[0]), self._name(call.given[1]))

    def _renameat2(self, call: Call) -> None:
        old, new = call.given[:2], call.given[2:4]
        self._renamed(self._name(old[1], old[0]), self._name(new[1], new[0]))

    _renameat = _renameat2

    def _renamed(self, old: str, new: str) -> None:
        if bool(old) is not bool(new):
            raise RuntimeError(f"{old or new} was moved to or from elsewhere")
        if old:
            self._change(Named(old, new, self.names[old]))

    def _link(self, call: Call) -> None:
        self._linked(self._name(call.given[0]), self._name(call.given[1]))

    def _linkat(self, call: Call) -> None:
        old, new = call.given[:2], call.given[2:4]
        self._linked(self._name(old[1], old[0]), self._name(new[1], new[0]))

    def _linked(self, old: str, new: str) -> None:
        if old and new:
            self._change(Named(given=new, node=self.names[old]))

    def _mkdir(self, call: Call) -> None:
        self._made(self._name(call.given[0]))

    def _mkdirat(self, call: Call) -> None:
        self._made(self._name(call.given[1], call.given[0]))

    def _made(self, name: str) -> None:
        if name:
            self._change(Named(given=name))


def recorded(trace: Path) -> list[Call]:
    """Read the calls that strace wrote."""
    calls, begun = list[Call](), dict[str, str]()
    with trace.open(encoding="ascii") as lines:
        for line in lines:
            process, _, rest = line.partition(" ")
            if rest.rstrip().endswith("<unfinished ...>"):
                begun[process] = rest.rstrip().removesuffix("<unfinished ...>")
                continue
            if " resumed>" in rest:
                rest = begun.pop(process, "") + rest.partition(" resumed>")[2]
            if not (match := _LINE.match(f"{process} {rest.strip()}")):
                continue
            given = tuple(
                bytes.fromhex(part[1].replace("\\x", "")) if part[3] is None else part[3]
                for part in _PART.finditer(match[3])
            )
            calls.append(Call(match[2], given, int(match[4])))
    return calls
