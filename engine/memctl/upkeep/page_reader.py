"""Reads the rows of a SQLite file page by page, whatever is broken beside them.

SQLite gives up a table at its first broken page. Every page of a table says by itself which rows
it holds (https://www.sqlite.org/fileformat.html), so those of the others can still be read, and
those of pages to which no other page leads any more. Nothing is opened in SQLite, and nothing is
written: the log that lies beside the file is read along.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Value = int | float | bytes | str | None

_HEADER = 100
_MAGIC = b"SQLite format 3\x00"
_USUAL_SIZE = 4096
_TABLE_LEAF, _TABLE_INNER, _INDEX_LEAF, _INDEX_INNER = 0x0D, 0x05, 0x0A, 0x02
_LEAVES = {_TABLE_LEAF, _INDEX_LEAF}
_OF_TABLES = {_TABLE_LEAF, _TABLE_INNER}
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_SMALLEST_HEADER = 8
_WAL_HEADER, _FRAME_HEADER = 32, 24


class StoredRow(NamedTuple):
    """One row as it stands in a page: its rowid, ``None`` where it has none, and its values.

    It is ``mended`` where a text was no UTF-8: U+FFFD stands for each byte that is none.
    """

    rowid: int | None
    values: tuple[Value, ...]
    mended: bool = False


@dataclass(slots=True)
class TreePage:
    """What one page of a table or index holds.

    Parameters
    ----------
    of_table
        Whether its rows have a rowid; else it is of an index, or of a table without one.
    children
        The pages below it.
    records
        Its rows that could be read.
    broken
        How many could not.
    """

    of_table: bool
    leaf: bool
    children: list[int] = field(default_factory=list)
    records: list[StoredRow] = field(default_factory=list)
    broken: int = 0


class _BrokenError(Exception):
    """What should stand here does not."""


class PageReader:
    """The pages of a file, counted from 1.

    Parameters
    ----------
    file
        The file, open to be read.
    log
        The file of its log, if there is one.
    """

    def __init__(self, file: BinaryIO, log: Path | None) -> None:
        self._file = file
        header = self._read(0, _HEADER)
        size = int.from_bytes(header[16:18])
        size = 65536 if size == 1 else size
        sound = header.startswith(_MAGIC) and size >= 512 and not size & (size - 1)  # noqa: PLR2004
        self.size = size if sound else _USUAL_SIZE
        reserved = header[20] if len(header) == _HEADER and sound else 0
        self._usable = self.size - reserved
        self.count = -(-file.seek(0, 2) // self.size)
        self._newer: dict[int, bytes] = {}
        if log is not None and log.exists():
            self._newer, count = _log_pages(log, self.size)
            self.count = count or self.count
        first = self.raw(1)
        # user_version: the schema that the file says it has.
        self.version = int.from_bytes(first[60:64]) if len(first) >= _HEADER else 0

    def raw(self, number: int) -> bytes:
        """Return the bytes of a page; fewer where the file ends."""
        return self._newer.get(number) or self._read((number - 1) * self.size, self.size)

    def free_pages(self) -> set[int]:
        """Return the pages that are on the list of free ones, as far as it can be read."""
        found: set[int] = set()
        trunk = int.from_bytes(self.raw(1)[32:36])
        while 0 < trunk <= self.count and trunk not in found:
            found.add(trunk)
            page = self.raw(trunk)
            count = min(int.from_bytes(page[4:8]), self.size // 4 - 2)
            found.update(struct.unpack_from(f">{count}I", page.ljust(self.size, b"\0"), 8))
            trunk = int.from_bytes(page[:4])
        return found

    def page(self, number: int) -> TreePage | None:
        """Return what a page of a table or index holds; ``None`` where it is none."""
        raw = self.raw(number)
        start = _HEADER if number == 1 else 0
        if len(raw) < start + 12:
            return None
        kind, count = raw[start], int.from_bytes(raw[start + 3 : start + 5])
        if kind not in {*_OF_TABLES, _INDEX_LEAF, _INDEX_INNER} or count > self.size // 4:
            return None
        leaf = kind in _LEAVES
        page = TreePage(kind in _OF_TABLES, leaf)
        pointers = start + (8 if leaf else 12)
        for at in range(pointers, pointers + 2 * count, 2):
            cell = int.from_bytes(raw[at : at + 2])
            try:
                self._take_cell(page, kind, raw, cell)
            except (_BrokenError, struct.error, IndexError):
                page.broken += 1
        if not leaf:
            page.children.append(int.from_bytes(raw[start + 8 : start + 12]))
        return page

    def _take_cell(self, page: TreePage, kind: int, raw: bytes, at: int) -> None:
        if not _SMALLEST_HEADER <= at < len(raw):
            raise _BrokenError
        if kind in {_TABLE_INNER, _INDEX_INNER}:
            page.children.append(int.from_bytes(raw[at : at + 4]))
            at += 4
        if kind == _TABLE_INNER:
            return
        length, at = _varint(raw, at)
        rowid: int | None = None
        if kind == _TABLE_LEAF:
            unsigned, at = _varint(raw, at)
            rowid = unsigned - (1 << 64) if unsigned >> 63 else unsigned
        payload = self._payload(raw, at, length, of_table=kind == _TABLE_LEAF)
        page.records.append(_record(rowid, payload))

    def _payload(self, raw: bytes, at: int, length: int, *, of_table: bool) -> bytes:
        """Return the bytes of a row, gathered from the pages that it flows over into."""
        if not 0 < length <= self.count * self.size:
            raise _BrokenError
        usable = self._usable
        most = usable - 35 if of_table else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return _exactly(raw[at : at + length], length)
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
        parts = [_exactly(raw[at : at + local], local)]
        following, left = int.from_bytes(raw[at + local : at + local + 4]), length - local
        while left:
            if not 1 < following <= self.count:
                raise _BrokenError
            page = self.raw(following)
            part = min(left, usable - 4)
            parts.append(_exactly(page[4 : 4 + part], part))
            following, left = int.from_bytes(page[:4]), left - part
        return b"".join(parts)

    def _read(self, at: int, length: int) -> bytes:
        self._file.seek(at)
        return self._file.read(length)


def _exactly(part: bytes, length: int) -> bytes:
    if len(part) != length:
        raise _BrokenError
    return part


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n in range(8):
        byte = raw[at + n]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004
            return value, at + n + 1
    return value << 8 | raw[at + 8], at + 9


def _record(rowid: int | None, payload: bytes) -> StoredRow:
    """Return the values of a row; one that does not fill its bytes exactly is broken."""
    end, at = _varint(payload, 0)
    if end > len(payload):
        raise _BrokenError
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != end:
        raise _BrokenError
    values: list[Value] = []
    mended = False
    for kind in kinds:
        value, at, whole = _value(payload, at, kind)
        values.append(value)
        mended = mended or not whole
    if at != len(payload):
        raise _BrokenError
    return StoredRow(rowid, tuple(values), mended)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int, bool]:
    """Return a value, where the next one begins, and whether its text is a text."""
    if kind in {0, 8, 9}:
        return kind - 8 if kind else None, at, True
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(_exactly(payload[at:end], end - at), signed=True), end, True
    if kind == 7:  # noqa: PLR2004
        return float(struct.unpack_from(">d", payload, at)[0]), at + 8, True
    if kind < 12:  # noqa: PLR2004
        raise _BrokenError
    end = at + (kind - 12) // 2
    part = _exactly(payload[at:end], end - at)
    if kind % 2 == 0:
        return part, end, True
    try:
        return part.decode(), end, True
    except UnicodeDecodeError:
        return part.decode(errors="replace"), end, False


def _log_pages(log: Path, size: int) -> tuple[dict[int, bytes], int]:
    """Return the newest committed pages of a log, and how many the file has with them; 0: as it is.

    https://www.sqlite.org/fileformat.html#walformat

    The sums that it carries are not asked: a page with a broken byte holds other rows.
    """
    found: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    count = 0
    with log.open("rb") as file:
        salts = file.read(_WAL_HEADER)[16:24]
        while len(header := file.read(_FRAME_HEADER)) == _FRAME_HEADER:
            page = file.read(size)
            if header[8:16] != salts or len(page) < size:
                break
            waiting[int.from_bytes(header[:4])] = page
            if any(header[4:8]):  # a commit
                found |= waiting
                waiting = {}
                count = int.from_bytes(header[4:8])
    return found, count


def walk(reader: PageReader, root: int, seen: set[int]) -> Iterator[tuple[int, TreePage | None]]:
    """Yield the pages that a root leads to, each once; ``None`` for one that cannot be read."""
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        page = reader.page(number) if 0 < number <= reader.count else None
        yield number, page
        if page is not None:
            waiting += reversed(page.children)
