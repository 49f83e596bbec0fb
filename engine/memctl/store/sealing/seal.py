"""The seal of a store: sums of its pages in the file itself, which show what nobody wrote.

SQLite's pages carry no sums: a bit that flips in a text is read as another text. So the last who
writes seals the file as he closes it, and whoever opens it compares. A change breaks the seal in its
own transaction, whoever makes it: by the triggers of ``schema/0009_seal.sql``, in sqlite3 too.

A seal is the CRC-32 of each piece of the file. A process counts those anew in which it wrote.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary
from zlib import crc32

from memctl.base.clock import now
from memctl.base.errors import StoreDamagedError
from memctl.store import statements
from memctl.store.connections import reading
from memctl.store.sealing.write_ahead_log import LogState, begun_anew, frames_of, read_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SQL = statements.load("store/seal")

SEALED = 9
"""The version of the schema since which a file has a seal."""

_FEWEST_PAGES = 16  # of a piece
_LARGE = 16 << 20  # bytes
# Bytes of the first page that say how the file is written, and count its changes: pragma
# journal_mode changes them, and a log that is moved in (https://www.sqlite.org/fileformat.html).
_UNSEALED = (slice(18, 20), slice(24, 28), slice(92, 100))


class _SealRow(NamedTuple):
    """The seal of a file, with SQLite's own counts of it."""

    sums: bytes | None
    schema_cookie: int
    pages: int
    sealed_at: str
    rootpage: int
    schema_version: int
    page_count: int
    page_size: int

    @classmethod
    def of(cls, connection: sqlite3.Connection, path: Path) -> _SealRow:
        """Read it from the store; there is one row, whatever was done to it."""
        rows = connection.execute(SQL.seal).fetchall()
        if len(rows) != 1:
            raise _damaged(path)
        return cls(*rows[0])

    @property
    def holds(self) -> bool:
        """Return whether the file is sealed: neither its rows nor its schema were changed since."""
        return self.sums is not None and self.schema_cookie == self.schema_version


class _Sealed(NamedTuple):
    """The sums of a file at one moment: what was not changed since need not be read again.

    Parameters
    ----------
    page
        The page of the seal. While it stands in the file, no log was moved in since.
    schema_version
        SQLite's count of the schema's changes: a vacuum writes all pages, and not that of the seal.
    log
        The state of the log at that moment; ``None``: nothing lay in it.
    """

    sums: bytes
    piece: int
    pages: int
    page: bytes
    schema_version: int
    log: LogState | None


# What this process has compared.
_sealed: WeakKeyDictionary[sqlite3.Connection, _Sealed] = WeakKeyDictionary()


class _Pages:
    """The pages of a store at one moment: in the file, or newer ones in its log.

    Parameters
    ----------
    read
        Reads the bytes of the file, by place and length.
    length
        That of the file.
    """

    def __init__(
        self,
        read: Callable[[int, int], bytes],
        length: int,
        row: _SealRow,
        newer: Mapping[int, bytes],
    ) -> None:
        size, count, root = row.page_size, row.page_count, row.rootpage
        self._read, self._size, self._count, self._root = read, size, count, root
        self._schema_version = row.schema_version
        self._seal = newer.get(root) or self._in_file(root)
        first = bytearray(newer.get(1) or self._in_file(1))
        for unsealed in _UNSEALED:
            first[unsealed] = bytes(unsealed.stop - unsealed.start)
        beyond = dict.fromkeys(range(length // size + 1, count + 1), bytes(size))
        self._other = {**beyond, **newer, 1: bytes(first), root: bytes(size)}
        self.piece = _FEWEST_PAGES
        while -(-count // self.piece) > size // 8:  # the sums fit on the page of the seal
            self.piece *= 2
        self._pieces: dict[int, list[int]] = {}
        for number in sorted(self._other):
            self._pieces.setdefault((number - 1) // self.piece, []).append(number)

    def _in_file(self, number: int) -> bytes:
        return self._read((number - 1) * self._size, self._size)

    def sealed(self, sums: bytes, log: LogState | None) -> _Sealed:
        """Return the sums as what the next seal may begin with."""
        return _Sealed(sums, self.piece, self._count, self._seal, self._schema_version, log)

    def changed_since(self, sealed: _Sealed, path: Path, log: LogState | None) -> set[int] | None:
        """Return pages among which all are that were changed since; ``None`` where nobody knows."""
        begin = 1
        if sealed.log is not None and log is not None and sealed.log.salts == log.salts:
            begin = sealed.log.frames + 1
        elif sealed.log is not None or self._in_file(self._root) != sealed.page:
            return None
        elif log is not None and begun_anew(path):
            return None  # over what an edit by hand wrote that did not break the seal
        if (sealed.piece, sealed.schema_version) != (self.piece, self._schema_version):
            return None
        written = frames_of(path, self._size, begin, log.frames) if log is not None else ()
        return {*written, sealed.pages, self._count}  # the last piece is as long as the file

    def sums(self, former: bytes = b"", changed: set[int] | None = None) -> bytes:
        """Return the sums of the pieces; of those without `changed` pages the `former` ones."""
        pieces = range(-(-self._count // self.piece))
        due = {(page - 1) // self.piece for page in changed or ()}
        made = [number for (number,) in struct.iter_unpack(">I", former[: 4 * len(pieces)])]
        made += [0] * (len(pieces) - len(made))
        due = due.intersection(pieces) if changed is not None else {*pieces}
        left = iter(due)  # of which each thread takes one after another
        errors: list[OSError] = []

        def sum_up() -> None:
            try:
                for piece in left:
                    made[piece] = self._sum(piece)
            except OSError as error:
                errors.append(error)

        # Reading and summing up run beside each other: what a large file costs is halved by two.
        large = len(due) * self.piece * self._size > _LARGE
        helpers = [
            Thread(target=sum_up) for _ in range(min(4, os.cpu_count() or 1) - 1 if large else 0)
        ]
        for helper in helpers:
            helper.start()
        sum_up()
        for helper in helpers:
            helper.join()
        if errors:
            raise errors[0]
        return struct.pack(f">{len(made)}I", *made)

    def _sum(self, piece: int) -> int:
        at, total = piece * self.piece + 1, 0
        end = min(at + self.piece, self._count + 1)
        for number in (*self._pieces.get(piece, ()), end):
            if number > at:
                run = self._read((at - 1) * self._size, (number - at) * self._size)
                total = crc32(run, total)
            total, at = (
                crc32(self._other.get(number, b"") if number < end else b"", total),
                number + 1,
            )
        return total


def share_seal(former: sqlite3.Connection, connection: sqlite3.Connection) -> None:
    """Let a connection know what another one of this process has compared."""
    if (sealed := _sealed.get(former)) is not None:
        _sealed[connection] = sealed


def check_seal(connection: sqlite3.Connection, path: Path) -> str | None:
    """Compare a file with its seal; return when that was made, ``None`` where there is none.

    Raises
    ------
    StoreDamagedError
        When other pages stand there than those that were sealed.
    """
    if connection.in_transaction:
        return _checked_exactly(connection, path)
    with suppress(OSError):
        log = LogState.of(path)
        with reading(connection):
            row = _SealRow.of(connection, path)
            if not row.holds:
                return None
            pages = _lying(path, row, log)
            if _is_whole(pages, row) and LogState.same(log, LogState.of(path)):
                _sealed[connection] = pages.sealed(row.sums or b"", log)
                return row.sealed_at
    with reading(connection):
        return _checked_exactly(connection, path)


def _checked_exactly(connection: sqlite3.Connection, path: Path) -> str | None:
    """Compare as SQLite itself reads: others may have written between two looks at the file."""
    row = _SealRow.of(connection, path)
    if row.holds and not _is_whole(_serialized(connection, row), row):
        raise _damaged(path)
    return row.sealed_at if row.holds else None


def seal(connection: sqlite3.Connection, path: Path) -> None:
    """Seal a file that this process has written; leave it where that cannot be done at once.

    Who else is writing it seals it when he has finished.
    """
    with suppress(sqlite3.Error, StoreDamagedError, OSError):
        connection.execute("pragma busy_timeout = 0")
        connection.execute("begin immediate")
        try:
            row = _SealRow.of(connection, path)
            if not row.holds:
                values = {"cookie": row.schema_version, "pages": row.page_count, "now": now()}
                sums = _sums(connection, path, row)
                connection.execute(SQL.set_seal, {**values, "sums": sums})
                connection.execute("commit")
        finally:
            if connection.in_transaction:
                connection.execute("rollback")


def _sums(connection: sqlite3.Connection, path: Path, row: _SealRow) -> bytes:
    """Return the sums of the pages that this transaction sees; others cannot write meanwhile."""
    try:
        log = LogState.of(path)
        pages = _lying(path, row, log)
        sealed = _sealed.get(connection)
        changed = pages.changed_since(sealed, path, log) if sealed is not None else None
        return pages.sums(sealed.sums if sealed is not None else b"", changed)
    except OSError:
        return _serialized(connection, row).sums()


def _lying(path: Path, row: _SealRow, log: LogState | None) -> _Pages:
    """Return the pages as they lie in the file and its log."""
    newer: dict[int, bytes] = {}
    if log is not None and log.moved < log.frames:
        read = read_beside(path, "-wal")
        places = frames_of(path, row.page_size, 1, log.frames)
        newer = {page: read(at, row.page_size) for page, at in places.items()}
    return _Pages(read_beside(path), path.stat().st_size, row, newer)


def _serialized(connection: sqlite3.Connection, row: _SealRow) -> _Pages:
    """Return the pages as SQLite reads them."""
    content = connection.serialize()
    return _Pages(lambda at, length: content[at : at + length], len(content), row, {})


def _is_whole(pages: _Pages, row: _SealRow) -> bool:
    return row.pages == row.page_count and row.sums == pages.sums()


def _damaged(path: Path) -> StoreDamagedError:
    return StoreDamagedError(
        f'"{path}" is damaged: its bytes are not those that memctl sealed',
        hint="memctl restore brings a backup back, memctl recover saves what can be read; "
        "if you reindexed or optimized it by hand, memctl doctor --fix takes it as it is",
    )
