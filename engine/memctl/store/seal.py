"""The seal of a store: sums of its pages in the file itself, which show what nobody wrote.

SQLite's pages carry no sums: a bit that flips in a text is read as another text. So the last who
writes seals the file as he closes it, and whoever opens it compares. A change breaks the seal in its
own transaction, whoever makes it: by the triggers of ``schema/0009_seal.sql``, in sqlite3 too.

A seal is the CRC-32 of each piece of the file. Those of the pieces that a process wrote are counted
anew, and no other. To compare, the sum of the whole file is counted in one go, and put together
from the pieces': the algebra is that of ``crc32_combine`` in zlib.
"""

from __future__ import annotations

import sqlite3
import struct
from bisect import bisect_left, bisect_right
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary
from zlib import crc32

from memctl.base.clock import now
from memctl.base.errors import StoreDamagedError
from memctl.store import statements
from memctl.store.connections import reading
from memctl.store.write_ahead_log import LogState, frames_of, lost_commits, read_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SQL = statements.load("store/seal")

SEALED = 9
"""The version of the schema since which a file has a seal."""

_POLYNOMIAL = 0xEDB88320
_FEWEST_PAGES = 16  # of a piece
# Bytes of the first page that say how the file is written, and count its changes: pragma
# journal_mode changes them, and a log that is moved in (https://www.sqlite.org/fileformat.html).
_UNSEALED = ((18, 20), (24, 28), (92, 100))
_CHUNK = 1 << 20


class _Said(NamedTuple):
    """A row of the statement `seal`."""

    sums: bytes | None
    schema_cookie: int
    pages: int
    rootpage: int
    schema_version: int
    page_count: int
    page_size: int
    sealed_at: str

    @classmethod
    def of(cls, connection: sqlite3.Connection, path: Path) -> _Said:
        """Read it from the store; there is one row, whatever was done to it."""
        rows = connection.execute(SQL.seal).fetchall()
        if len(rows) != 1:
            raise _damaged(path)
        return cls(*rows[0])

    @property
    def holds(self) -> bool:
        """Return whether the file is sealed: neither its rows nor its schema were changed since."""
        return self.sums is not None and self.schema_cookie == self.schema_version


class Sealed(NamedTuple):
    """The sums of a file at one moment: what was not changed since need not be read again.

    Parameters
    ----------
    log
        The state of the log at that moment; ``None``: nothing lay in it.
    page
        The page of the seal. While it stands in the file, no log was moved in since.
    """

    sums: bytes
    piece: int
    pages: int
    page: bytes
    log: LogState | None


class _Pages:
    """The pages of a store at one moment: those of the file, and those that stand elsewhere.

    Parameters
    ----------
    read
        Reads the bytes of the file, by place and length.
    length
        That of the file.
    log
        Pages that stand in the log.
    """

    def __init__(
        self,
        read: Callable[[int, int], bytes],
        length: int,
        said: _Said,
        log: Mapping[int, bytes],
    ) -> None:
        size, count, root = said.page_size, said.page_count, said.rootpage
        self._read, self._size, self._count, self._root = read, size, count, root
        self._seal = log.get(root) or self._in_file(root)
        zeros = bytes(size)
        first = bytearray(log.get(1) or self._in_file(1))
        for begin, end in _UNSEALED:
            first[begin:end] = bytes(end - begin)
        beyond = dict.fromkeys(range(length // size + 1, count + 1), zeros)
        self._other = {**beyond, **log, 1: bytes(first), root: zeros}
        self._numbers = sorted(self._other)
        self.piece = _FEWEST_PAGES
        while -(-count // self.piece) > size // 8:  # the sums fit on the page of the seal
            self.piece *= 2
        self.pieces = -(-count // self.piece)

    def _in_file(self, number: int) -> bytes:
        return self._read((number - 1) * self._size, self._size)

    def sealed(self, sums: bytes, log: LogState | None) -> Sealed:
        """Return the sums as what the next seal may begin with."""
        return Sealed(sums, self.piece, self._count, self._seal, log)

    def changed_since(self, sealed: Sealed, path: Path, log: LogState | None) -> set[int] | None:
        """Return pages among which all are that were changed since; ``None`` where nobody knows."""
        begin = 1
        if sealed.log is not None and log is not None and sealed.log.salts == log.salts:
            begin = sealed.log.frames + 1
        elif sealed.log is not None or self._in_file(self._root) != sealed.page:
            return None
        if sealed.piece != self.piece:
            return None
        written = frames_of(path, self._size, begin, log.frames) if log is not None else {}
        return {*written, sealed.pages, self._count}  # the last piece is as long as the file

    def sum(self, first: int = 1, last: int = 0) -> int:
        """Return the sum of the pages from `first` to `last`, counted from 1; of all by default."""
        last = min(last or self._count, self._count)
        total, at = 0, first
        begin, end = bisect_left(self._numbers, first), bisect_right(self._numbers, last)
        for number in self._numbers[begin:end]:
            total = crc32(self._other[number], self._sum_in_file(at, number, total))
            at = number + 1
        return self._sum_in_file(at, last + 1, total)

    def _sum_in_file(self, first: int, end: int, total: int) -> int:
        at, stop = (first - 1) * self._size, (end - 1) * self._size
        while at < stop:
            length = min(_CHUNK, stop - at)
            total = crc32(self._read(at, length), total)
            at += length
        return total

    def sums(self, former: bytes, changed: set[int]) -> bytes:
        """Return the sums of the pieces: `former` ones but for those with `changed` pages, or new."""
        numbers = range(self.pieces)
        due = {*numbers[len(former) // 4 :], *((page - 1) // self.piece for page in changed)}
        made = bytearray(former[: 4 * len(numbers)].ljust(4 * len(numbers)))
        for number in due.intersection(numbers):
            first = number * self.piece + 1
            struct.pack_into(">I", made, 4 * number, self.sum(first, first + self.piece - 1))
        return bytes(made)

    def put_together(self, sums: bytes) -> int:
        """Return the sum of the whole file from those of its pieces."""
        pieces = [number for (number,) in struct.iter_unpack(">I", sums)]
        shift = _shifting(self.piece * self._size)
        total = 0
        for number in pieces[:-1]:
            total = _times(shift, total) ^ number
        left = (self._count - 1) % self.piece + 1
        return _times(_shifting(left * self._size), total) ^ int(pieces[-1])


def _times(one: int, other: int) -> int:
    """Multiply two sums as polynomials, as zlib's ``multmodp`` does."""
    product, bit = 0, 1 << 31
    while bit:
        if one & bit:
            product ^= other
        other = other >> 1 ^ (_POLYNOMIAL if other & 1 else 0)
        bit >>= 1
    return product


def _shifting(count: int) -> int:
    """Return what a sum is multiplied with where so many bytes follow."""
    power, result, bits = 1 << 23, 1 << 31, count  # x^8, x^0
    while bits:
        if bits & 1:
            result = _times(power, result)
        power, bits = _times(power, power), bits >> 1
    return result


_sealed: WeakKeyDictionary[sqlite3.Connection, Sealed] = WeakKeyDictionary()


def share_seal(former: sqlite3.Connection, connection: sqlite3.Connection) -> None:
    """Let a connection know what another one of this process has compared."""
    if (sealed := _sealed.get(former)) is not None:
        _sealed[connection] = sealed


def check_seal(connection: sqlite3.Connection, path: Path) -> str | None:
    """Compare a file with its seal; return when that was made, ``None`` where there is none.

    Belongs outside of a transaction.

    Raises
    ------
    StoreDamagedError
        When other pages stand there than those that were sealed.
    """
    with suppress(OSError):
        log = LogState.of(path)
        with reading(connection):
            said = _Said.of(connection, path)
            if not said.holds:
                return None
            pages = _lying(path, said, log)
            if _is_whole(pages, said) and _is_still(log, path):
                _sealed[connection] = pages.sealed(said.sums or b"", log)
                return said.sealed_at
    with reading(connection):
        said = _Said.of(connection, path)
        # As SQLite itself reads it: others may have written between two looks at the file.
        if said.holds and not _is_whole(_serialized(connection, said), said):
            raise _damaged(path)
        return said.sealed_at if said.holds else None


def _is_still(log: LogState | None, path: Path) -> bool:
    """Return whether nothing has been written into a log since."""
    now = LogState.of(path)
    return (now and now.header) == (log and log.header)


def lost_of_log(connection: sqlite3.Connection, path: Path) -> int:
    """Return how many transactions the log has lost, as far as it shows any trace of them."""
    with suppress(OSError):
        return lost_commits(path, int(connection.execute("pragma page_size").fetchone()[0]))
    return 0


def seal(connection: sqlite3.Connection, path: Path) -> None:
    """Seal a file that this process has written; leave it where that cannot be done at once.

    Who else is writing it seals it when he has finished.
    """
    with suppress(sqlite3.Error, StoreDamagedError, OSError):
        connection.execute("pragma busy_timeout = 0")
        connection.execute("begin immediate")
        try:
            said = _Said.of(connection, path)
            if not said.holds:
                values = {"cookie": said.schema_version, "pages": said.page_count, "now": now()}
                sums = _sums(connection, path, said)
                connection.execute(SQL.set_seal, {**values, "sums": sums})
                connection.execute("commit")
        finally:
            if connection.in_transaction:
                connection.execute("rollback")


def _sums(connection: sqlite3.Connection, path: Path, said: _Said) -> bytes:
    sealed, changed = _sealed.get(connection), None
    try:
        log = LogState.of(path)
        pages = _lying(path, said, log)
        if sealed is not None:
            changed = pages.changed_since(sealed, path, log)
    except OSError:
        pages = _serialized(connection, said)
    if sealed is None or changed is None:
        return pages.sums(b"", set())
    return pages.sums(sealed.sums, changed)


def _lying(path: Path, said: _Said, log: LogState | None) -> _Pages:
    """Return the pages as they lie in the file and its log."""
    newer: dict[int, bytes] = {}
    if log is not None and log.moved < log.frames:
        read = read_beside(path, "-wal")
        places = frames_of(path, said.page_size, 1, log.frames)
        newer = {page: read(at, said.page_size) for page, at in places.items()}
    return _Pages(read_beside(path), path.stat().st_size, said, newer)


def _serialized(connection: sqlite3.Connection, said: _Said) -> _Pages:
    """Return the pages as SQLite reads them."""
    content = memoryview(connection.serialize())
    return _Pages(lambda at, length: bytes(content[at : at + length]), len(content), said, {})


def _is_whole(pages: _Pages, said: _Said) -> bool:
    sums = said.sums
    return (
        isinstance(sums, bytes)
        and said.pages == said.page_count
        and len(sums) == 4 * pages.pieces
        and pages.sum() == pages.put_together(sums)
    )


def _damaged(path: Path) -> StoreDamagedError:
    return StoreDamagedError(
        f'"{path}" is damaged: its bytes are not those that memctl sealed',
        hint="memctl restore brings a backup back, memctl recover saves what can be read; "
        "if you reindexed or optimized it by hand, memctl doctor --fix takes it as it is",
    )
