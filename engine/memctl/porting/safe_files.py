"""Reads files of strangers: nothing out of the folder, nothing that bursts, no code in YAML.

What is read whole is read up to a limit; what may be larger is read line by line, or as a stream
of JSON. A file that cannot be read ends the import with a clear error; the rest of a folder is
not read without it.
"""

from __future__ import annotations

import codecs
import json
import os
import zlib
from codecs import BOM_UTF8
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from memctl.base.errors import UnusableInputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

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
_DEEPEST = 500  # levels of arrays and objects; the readers of whole files stop at a thousand
_DEEPER = {"start_array": 1, "start_map": 1, "end_array": -1, "end_map": -1}
# NotImplementedError: packed in a way that is not known; RuntimeError: behind a password.
_BROKEN_ZIP = (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError)


def files_in(folder: Path, suffix: str = "") -> Iterator[Path]:
    """Yield the files below a folder, sorted; links that lead out of it, and hidden ones, are not.

    Raises
    ------
    UnusableInputError
        When there are more than 200,000.
    """
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
    real = path.resolve()
    return real.is_relative_to(root) and real.is_file()


@contextmanager
def opened(path: Path, member: str = "") -> Iterator[IO[bytes]]:
    """Open a file, or the member of a zip file whose name ends in `member`.

    Raises
    ------
    UnusableInputError
        When it cannot be opened, is no whole zip file, lacks the member, or would burst.
    """
    try:
        if not (member and is_zip(path)):
            with path.open("rb") as file:
                yield file
            return
        with ZipFile(path) as packed:
            names = [one for one in packed.infolist() if one.filename.endswith(member)]
            if not names:
                raise UnusableInputError(f'"{path}" holds no "{member}"')
            found = min(names, key=lambda one: len(one.filename))
            if found.file_size > max(LARGEST, _MOST_BURST * found.compress_size):
                raise UnusableInputError(f'"{path}": "{member}" would burst when it is unpacked')
            with packed.open(found) as file:
                yield file
    except OSError as error:
        raise UnusableInputError(f'"{path}" cannot be read: {error.strerror or error}') from None
    except _BROKEN_ZIP as error:
        raise UnusableInputError(f'"{path}" is a broken zip file: {error}') from None


def members_of(path: Path) -> list[str]:
    """Return the names in a zip file, sorted; none of any other file.

    Raises
    ------
    UnusableInputError
        When it is no whole zip file.
    """
    if not is_zip(path):
        return []
    try:
        with ZipFile(path) as packed:
            return sorted(packed.namelist())
    except _BROKEN_ZIP as error:
        raise UnusableInputError(f'"{path}" is a broken zip file: {error}') from None


def is_zip(path: Path) -> bool:
    """Return whether a file begins as zip files do."""
    return head_of(path, 4) == b"PK\x03\x04"


def head_of(path: Path, size: int = 4096) -> bytes:
    """Return the first bytes of a file; nothing of a folder, or of what cannot be read."""
    try:
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
    if not (even or odd) or ((even + odd) * 4 < len(head) and _is_utf8(head)):
        return "utf-8"
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def opened_text(path: Path, *, newline: str = "\n") -> Iterator[TextIOWrapper]:
    """Open a text file in its encoding; letters that would come out broken are an error.

    Raises
    ------
    UnusableInputError
        When it cannot be opened, or a byte of it is neither UTF-8 nor UTF-16.
    """
    with opened(path) as file:
        try:
            yield TextIOWrapper(file, encoding_of(path), newline=newline)
        except UnicodeError:
            raise UnusableInputError(
                f'"{path}" is neither UTF-8 nor UTF-16: its letters would come out broken',
                hint="save it as UTF-8, for example with: iconv -f CP1252 -t UTF-8",
            ) from None


def text_of(path: Path) -> str:
    """Return a whole text file, its line ends as newlines.

    Raises
    ------
    UnusableInputError
        When it cannot be read, is larger than 20 MB, or its encoding is not known.
    """
    with opened_text(path) as file:
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise UnusableInputError(
            f'"{path}" is larger than {LARGEST // 1_000_000} MB', hint="split it"
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file of any size, numbered from 1, without their ends.

    Raises
    ------
    UnusableInputError
        When it cannot be read, its encoding is not known, or a line is longer than 20 MB.
    """
    with opened_text(path) as file:
        number = 0
        while line := file.readline(_LONGEST_LINE + 1):
            number += 1
            if len(line) > _LONGEST_LINE:
                raise UnusableInputError(f'"{path}", line {number}: it is longer than 20 MB')
            yield number, line.rstrip("\r\n")


def json_of(path: Path) -> Any:
    """Return what a JSON file of up to 20 MB holds.

    Raises
    ------
    UnusableInputError
        When it cannot be read, is too large, or is no JSON.
    """
    try:
        return json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise UnusableInputError(f'"{path}" is no JSON: {error}') from None


def arrays_in(path: Path) -> list[str]:
    """Return the keys of the object in a JSON file of any size that hold arrays; "" where it is one.

    Raises
    ------
    UnusableInputError
        When it cannot be read, or is no JSON.
    """
    found = []
    for prefix, event in _json_events(path):
        if event == "start_array" and not prefix:
            return [""]
        if event == "start_array" and "." not in prefix:
            found.append(prefix)
    return found


def json_items(path: Path, *, member: str = "", at: str = "item") -> Iterator[Any]:
    """Yield the members of the array in a JSON file of any size, one by one.

    Parameters
    ----------
    member
        The end of a name in a zip file, where the path is one.
    at
        The array: ``item`` where it is the whole file, ``conversations.item`` below a key; nothing
        for the whole file as one.

    Raises
    ------
    UnusableInputError
        When it cannot be read, or is no JSON.
    """
    import ijson

    with _json_file(path, member) as file:
        yield from ijson.items(ijson.parse(_not_deep(path, file)), at)


def _json_events(path: Path) -> Iterator[tuple[str, str]]:
    import ijson

    with _json_file(path) as file:
        for prefix, event, _ in ijson.parse(_not_deep(path, file)):
            yield prefix, event


def _not_deep(path: Path, file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """Yield the events of JSON; what is nested without end would fill the memory with its places."""
    import ijson

    depth = 0
    for event, value in ijson.basic_parse(file, use_float=True):
        depth += _DEEPER.get(event, 0)
        if depth > _DEEPEST:
            raise UnusableInputError(f'"{path}" is nested deeper than {_DEEPEST} levels')
        yield event, value


@contextmanager
def _json_file(path: Path, member: str = "") -> Iterator[IO[bytes]]:
    """Open JSON behind its byte order mark; what is none is an error."""
    import ijson

    with opened(path, member) as file:
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            file.seek(0)
        try:
            yield file
        except (ijson.JSONError, UnicodeDecodeError) as error:
            raise UnusableInputError(f'"{path}" is no JSON: {error}') from None
