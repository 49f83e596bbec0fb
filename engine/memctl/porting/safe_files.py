"""Reads files of strangers: nothing out of the folder, nothing that bursts, no code in YAML.

What is read whole is read up to a limit; what may be larger is read line by line, or as a stream
of JSON. A file that cannot be read, is too large or broken is an `UnusableInputError`; the rest of a
folder is not read without it. Of a database nothing is changed, not even beside it.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import shutil
import sqlite3
import struct
import time
import zlib
from collections import deque
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from zipfile import BadZipFile, ZipFile

from memctl.base.errors import MemctlError, UnusableInputError
from memctl.base.home import standing
from memctl.base.whole_file import part_folder
from memctl.store.migrations import APPLICATION_ID

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from sqlite_utils import Database

LARGEST = 20_000_000  # bytes of a file that is read whole
_LONGEST_LINE = 20_000_000  # characters of one line
_SAMPLE = 65_536  # bytes by which an encoding is found out
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as UTF-16 does
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MOST_BURST = 200  # times larger than it is packed: text packs to a tenth, a bomb to a thousandth
_MOST_FILES = 200_000
# Of a database: instructions at a time, how often and how many seconds until a text is there, bytes of
# all texts together, and how many times the size of the file may be added to each.
_TABLES = "take its tables, not a view of them"
_STEPS, _ROUNDS, _SECONDS = 1_000, 5_000, 10
_MOST_SQL_TEXT, _MOST_GROWN = 1_000_000, 20
_BLANKS = re.compile(r"[ \t\r\n]*")
# NotImplementedError: packed in a way that is not known; RuntimeError: behind a password;
# ValueError and struct.error: places and names that cannot be.
_BROKEN_ZIP = (BadZipFile, EOFError, zlib.error, RuntimeError, ValueError, struct.error)


def files_in(folder: Path, suffix: str = "") -> Iterator[Path]:
    """Yield the files below a folder, sorted; links that lead out of it, and hidden ones, are not."""
    root = folder.resolve()
    met = 0
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            met += 1
            if met > _MOST_FILES:
                raise UnusableInputError(f'"{folder}" holds more than {_MOST_FILES:,} files')
            path = Path(where) / name
            if name.endswith(suffix) and not name.startswith(".") and is_within(path, root):
                yield path


def is_within(path: Path, root: Path) -> bool:
    """Return whether a path, its links followed, is a file in a folder, itself resolved."""
    real = Path(os.path.realpath(path))  # unlike resolve, it bears a link to itself
    return real.is_relative_to(root) and real.is_file()


@contextmanager
def opened(path: Path, member: str = "") -> Iterator[IO[bytes]]:
    """Open a file, or the member of a zip file whose name ends in `member`."""
    try:
        standing(path, hint="save what it gives in a file")
        if not (member and is_zip(path)):
            with path.open("rb") as file:
                yield file
            return
        with unzipped(path, f'"{path}"') as packed:
            names = [info for info in packed.infolist() if info.filename.endswith(member)]
            if not names:
                raise UnusableInputError(f'"{path}" holds no "{member}"')
            inside = min(names, key=lambda info: len(info.filename))
            if inside.file_size > max(LARGEST, _MOST_BURST * inside.compress_size):
                raise UnusableInputError(f'"{path}": "{member}" would burst when it is unpacked')
            with packed.open(inside) as file:
                yield file
    except OSError as error:
        hint = getattr(error, "hint", "")
        raise UnusableInputError(
            f'"{path}" cannot be read: {error.strerror or error}', hint=hint
        ) from None


@contextmanager
def unzipped(file: Path | IO[bytes], name: str) -> Iterator[ZipFile]:
    """Open a zip file; all that Python raises on a broken one is an `UnusableInputError`."""
    try:
        with ZipFile(file) as packed:
            yield packed
    except MemctlError:
        raise  # some are ValueErrors, too
    except _BROKEN_ZIP as error:
        raise UnusableInputError(
            f"{name} is a broken zip file: {error}", hint="get it again"
        ) from None


def members_of(path: Path) -> list[str]:
    """Return the names in a zip file, sorted; none of any other file."""
    if not is_zip(path):
        return []
    with unzipped(path, f'"{path}"') as packed:
        return sorted(packed.namelist())


def is_zip(path: Path) -> bool:
    """Return whether a file begins as zip files do."""
    return head_of(path, 4) == b"PK\x03\x04"


def head_of(path: Path, size: int = 4096) -> bytes:
    """Return the first bytes of a file; nothing of a folder, or of what cannot be read."""
    try:
        standing(path)  # a pipe would be waited for
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def encoding_of(path: Path) -> str:
    """Return the encoding of a text file: UTF-8, or UTF-16 with a byte order mark or without."""
    head = head_of(path, _SAMPLE)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    # In UTF-16 each line's end holds a zero byte, in UTF-8 nothing but a stray one.
    even, odd = head[::2].count(0), head[1::2].count(0)
    if (even + odd) * 4 < len(head):
        try:
            codecs.getincrementaldecoder("utf-8")().decode(head)
        except UnicodeDecodeError:
            pass
        else:
            return "utf-8"
    if not even + odd:
        return "utf-8"
    return "utf-16-le" if odd > even else "utf-16-be"


@contextmanager
def opened_text(path: Path, *, newline: str = "\n") -> Iterator[TextIOWrapper]:
    """Open a text file in its encoding; letters that would come out broken are an error."""
    with opened(path) as file:
        try:
            yield TextIOWrapper(file, encoding_of(path), newline=newline)
        except UnicodeError:
            raise UnusableInputError(
                f'"{path}" is neither UTF-8 nor UTF-16{_broken_at(path)}: its letters would come out broken',
                hint="save it as UTF-8, for example with: iconv -f CP1252 -t UTF-8",
            ) from None


def _broken_at(path: Path) -> str:
    """Return the first place of a file that is no UTF-8: ``(line 3, byte 7)``."""
    with path.open("rb") as file:
        for number, line in enumerate(iter(partial(file.readline, _LONGEST_LINE), b""), 1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return f" (line {number}, byte {error.start + 1})"
    return ""


def text_of(path: Path) -> str:
    """Return a whole text file, its line ends as newlines."""
    with opened_text(path) as file:
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise UnusableInputError(
            f'"{path}" is larger than {LARGEST // 1_000_000} MB', hint="split it"
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file of any size, numbered from 1, without their ends."""
    with opened_text(path) as file:
        number = 0
        while line := file.readline(_LONGEST_LINE + 1):
            number += 1
            if len(line) > _LONGEST_LINE:
                raise UnusableInputError(f'"{path}", line {number}: it is longer than 20 MB')
            yield number, line.rstrip("\r\n")


def json_of(path: Path) -> Any:
    """Return the value of a JSON file of up to 20 MB."""
    try:
        return json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise UnusableInputError(f'"{path}" is no JSON: {error}') from None


def json_items(path: Path, *, member: str = "", key: str | None = None) -> Iterator[Any]:
    """Yield the members of an array in a JSON file of any size, one by one.

    Parameters
    ----------
    member
        The end of a name in a zip file, where the path is one.
    key
        The key of the array in the file's object; ``None``: the file is the array, or one value.
    """
    with _json_text(path, member) as text:
        if key is None:
            yield from text.members()
            return
        for name in text.named():
            yield from text.members() if name == key else text.skipped()


def json_arrays(path: Path) -> list[str]:
    """Return the keys of arrays in a JSON file's object; "" where the file is an array."""
    with _json_text(path) as text:
        if text.sign() == "[":
            return [""]
        arrays = []
        for name in text.named() if text.sign() == "{" else ():
            arrays += [name] if text.sign() == "[" else []
            deque(text.skipped(), maxlen=0)
        return arrays


@contextmanager
def _json_text(path: Path, member: str = "") -> Iterator[_JsonText]:
    with opened(path, member) as file:
        try:
            yield _JsonText(TextIOWrapper(file, "utf-8-sig"))
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UnusableInputError(f'"{path}" is no JSON: {error}') from None


class _JsonText:
    """A JSON text of any size, of which one value is in memory at a time."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._text = ""
        self._at = 0
        self._decoder = json.JSONDecoder()

    def sign(self) -> str:
        """Return the next sign that is no blank; nothing at the end."""
        while (place := _BLANKS.match(self._text, self._at).end()) == len(self._text):  # type: ignore[union-attr]
            self._at = place
            if not self._read_on():
                return ""
        self._at = place
        return self._text[place]

    def members(self) -> Iterator[Any]:
        """Yield the members of the array that is next; of any other value, that."""
        if self.sign() != "[":
            yield self._value()
            return
        self._take("[")
        while self.sign() != "]":
            yield self._value()
            if self.sign() != "]":
                self._take(",")
        self._take("]")

    def named(self) -> Iterator[str]:
        """Yield the keys of the object that is next; the caller takes the value of each."""
        self._take("{")
        while self.sign() != "}":
            name = str(self._value())
            self._take(":")
            yield name
            if self.sign() != "}":
                self._take(",")
        self._take("}")

    def skipped(self) -> Iterator[Any]:
        """Take the next value, and yield nothing of it."""
        deque(self.members(), maxlen=0)
        yield from ()

    def _take(self, sign: str) -> None:
        if self.sign() != sign:
            raise json.JSONDecodeError(f'"{sign}" is missing', self._text, self._at)
        self._at += 1

    def _value(self) -> Any:
        self.sign()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                if not self._read_on():
                    raise
            else:
                if end < len(self._text) or not self._read_on():  # a number may go on
                    self._at = end
                    return value

    def _read_on(self) -> bool:
        """Read as much again as is waiting; return whether there was anything."""
        more = self._file.read(max(_SAMPLE, len(self._text) - self._at))
        self._text, self._at = self._text[self._at :] + more, 0
        return bool(more)


# --- SQLite


def is_sqlite(path: Path) -> bool:
    """Return whether a file begins as SQLite files do."""
    return path.is_file() and head_of(path, 16) == b"SQLite format 3\0"


def tables_of(path: Path) -> dict[str, set[str]]:
    """Return the tables of a file with their columns, to recognise it; nothing of a broken one."""
    if not is_sqlite(path):
        return {}
    try:
        with foreign_database(path, whole=False) as database:
            return {
                table.name: {column.name for column in table.columns} for table in database.tables
            }
    except UnusableInputError:
        return {}


@contextmanager
def foreign_database(path: Path, *, whole: bool = True) -> Iterator[Database]:
    """Open an SQLite file read-only; where its log has rows that are not in it yet, a copy of both.

    Parameters
    ----------
    whole
        Look through the whole file first: of a damaged page SQLite may read wrong rows.
    """
    from sqlite_utils import Database

    log = path.with_name(path.name + "-wal")
    with (
        part_folder() as folder,
        ExitStack() as stack,
    ):
        try:
            address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
            if log.exists() and log.stat().st_size:
                copy = folder / "copy.db"
                shutil.copyfile(path, copy)
                shutil.copyfile(log, f"{copy}-wal")
                address = f"file:{quote(str(copy))}"
            connection = stack.enter_context(closing(sqlite3.connect(address, uri=True)))
            _Bounds(connection, path)
            if connection.execute("pragma application_id").fetchone()[0] == APPLICATION_ID:
                raise UnusableInputError(
                    f'"{path}" is a store of memctl', hint=f"memctl import store {path}"
                )
            state = connection.execute("pragma quick_check(1)").fetchone()[0] if whole else "ok"
            if state != "ok":
                raise UnusableInputError(f'"{path}" is damaged: {state}')
            yield Database(connection)
        except (sqlite3.DatabaseError, OSError) as error:
            ended = "interrupted" in str(error)
            why = "it asks for work without end" if ended else error
            hint = _TABLES if ended else ""
            raise UnusableInputError(f'"{path}" cannot be read: {why}', hint=hint) from None


class _Bounds:
    """Bounds of what a stranger's database may ask for: views of it can recurse without end.

    Counted is what SQLite does between two texts, and what it gives in all: a file gives a few
    times what it holds. A text that is no UTF-8 has U+FFFD, and who stores it says so.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._path = path
        self._size = path.stat().st_size
        self._room = _MOST_SQL_TEXT + _MOST_GROWN * self._size
        self._begin()
        connection.execute("pragma trusted_schema = off")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
        connection.set_progress_handler(self._goes_too_far, _STEPS)
        connection.text_factory = self._text

    def _begin(self) -> None:
        self._rounds = _ROUNDS + self._size // 10
        self._until = time.monotonic() + _SECONDS + self._size / 1_000_000

    def _goes_too_far(self) -> bool:
        self._rounds -= 1
        return self._rounds < 0 or time.monotonic() > self._until

    def _text(self, data: bytes) -> str:
        self._begin()
        self._room -= len(data) + 1
        if self._room < 0:
            raise UnusableInputError(f'"{self._path}" gives far more than it holds', hint=_TABLES)
        return data.decode("utf-8", "replace")
