"""Proof that erased texts and pictures are in no file of a store any more: its bytes are read.

What is looked for are pieces of what has gone, as SQLite would store them, and names, numbers and odd
words of it. A piece that is found is no leak where a row that is left holds it, too: such rows are
listed, and may be erased as well.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

from memctl.search.erased_cells import INDEXED, NOTE, OWN, PLAIN
from memctl.search.index.index_words import IndexWords
from memctl.store import statements
from memctl.store.results import Result
from memctl.store.transactions import opened_beside

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memctl.search.erased_cells import ErasableTable, Erasing
    from memctl.store.store import Store

SQL = statements.load("store/erasure")
UPKEEP = statements.load("store/upkeep")

# Bytes of a piece. Shorter ones stand in a file by chance.
_SHORTEST = 6
_LONGEST = 48
_SLICE = 32
_SLICES = 8  # of one text or picture
_FEWEST_VALUES = 4  # different bytes: a plain area is no picture of anything
_CHUNK = 16 << 20
_PAGE = 1_000  # rows that are read at once
_ENDINGS = ("", "-wal", "-shm", "-journal", "-spool", "-spool-damaged")

KINDS: Mapping[str, str] = {
    "log": "turn",
    "episode": "episode",
    "component": "component",
    "fact": "",
    "state": "",
    "recall": "recall",
    "journal": "journal",
    "journal_snapshot": "snapshot",
    "tool_call": "call",
    "skill": "skill",
}
"""How the rows of a table are named, before their key; those of others bear the table's name."""

_OWNERS = {
    "fact_history": "fact_id",
    "ignored_area": "state_id",
    "skill_parameter": "skill_id",
    "skill_step": "skill_id",
    "state_text": "state_id",
}


@dataclass(frozen=True, slots=True)
class ReadFile(Result):
    """A file that was read to the end: its name and size in bytes."""

    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class FileCopy(Result):
    """A copy of the store that was made earlier; ``holds``: something erased was found in it.

    ``None``: it cannot be read.
    """

    path: str
    bytes: int
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Proof(Result):
    """The proof of an erasure.

    Parameters
    ----------
    proven
        True when the files were written anew, read, and nothing erased was in them.
    pieces, words
        How many pieces of texts and pictures, and words of the index, were looked for.
    files
        The files that were read: database, write-ahead log, its index.
    found
        The places where something is left: file and page.
    unfinished
        Why the files could not be written anew, and what finishes it; empty where they were.
    """

    proven: bool
    pieces: int
    words: int
    files: tuple[ReadFile, ...]
    found: tuple[str, ...] = ()
    unfinished: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """Places where a piece is left, rows that rightly have one, and the files that were read."""

    places: tuple[str, ...]
    still_said: tuple[str, ...]
    files: tuple[ReadFile, ...]


def pieces_in(going: Erasing) -> dict[bytes, bool]:
    """Return pieces of all that has gone, and whether rows with one are to be listed."""
    pieces: dict[bytes, bool] = {}
    for cell in going.cells:
        if cell.field is not None and cell.was is not None:
            listed = going.tables[cell.relation].columns[cell.field] in (OWN, INDEXED)
            for piece in _pieces_of(cell.was):
                pieces[piece] = pieces.get(piece, False) or listed
    words = (word.encode() for word in going.words.gone | going.words.left)
    return pieces | dict.fromkeys((word for word in words if len(word) >= _SHORTEST), True)


def look_for(store: Store, going: Erasing, pieces: dict[bytes, bool]) -> Left:
    """Read every file of a store, and return where pieces are left."""
    files: list[ReadFile] = []
    places: dict[bytes, str] = {}
    size = int(store.value("pragma page_size"))
    for ending in _ENDINGS:
        path = store.path.with_name(store.path.name + ending)
        if not path.is_file():
            continue
        for piece, at in _places_in(opened_beside(store.path, path), pieces):
            where = f"byte {at}" if ending else f"page {at // size + 1}"
            places.setdefault(piece, f"{path.name}, {where}")
        files.append(ReadFile(path.name, path.stat().st_size))
    wanted = {piece: listed for piece, listed in pieces.items() if listed or piece in places}
    held, holders = _holders(store, going, wanted)
    left = {where: None for piece, where in places.items() if piece not in held}
    return Left((*left, *_left_in_index(store, going)), tuple(holders), tuple(files))


def copies_holding(store: Store, pieces: Iterable[bytes]) -> tuple[FileCopy, ...]:
    """Return the copies of a store that its home shows, and whether each has one of the pieces."""
    copies = []
    wanted = list(pieces)
    for path in sorted(_copies(store)):
        holds: bool | None = None
        with suppress(OSError), path.open("rb") as file:
            holds = next(_places_in(file, wanted), None) is not None
        copies.append(FileCopy(str(path), path.stat().st_size, holds))
    return tuple(copies)


def _copies(store: Store) -> Iterator[Path]:
    """Yield the files in the home's folder of backups, and those named after the store's file."""
    path = store.path
    ours = {path.name + ending for ending in _ENDINGS}
    beside = path.parent.glob(f"{path.name}?*")
    yield from (one for one in beside if one.is_file() and one.name not in ours)
    depth = 3 if store.address.browser else 1
    for folder in {path.parent, *path.parents[depth : depth + 1]}:
        backups = folder / "backups" / str(store.address)
        yield from (one for one in backups.rglob("*") if one.is_file())


def _left_in_index(store: Store, going: Erasing) -> Iterator[str]:
    """Yield what is wrong with the word index: it stores words in parts, which no piece matches."""
    index = IndexWords(store)
    index.prepare()
    if words := index.counts(going.words.gone):
        yield f"the word index: {len(words)} words"
    if rows := store.value(SQL.stray_words):
        yield f"the word index: {rows} rows"
    with store.transaction(activity=True):
        store.execute(UPKEEP.check_index)  # raises where it holds a word that no row says


# -- rows that are left ------------------------------------------------------------------


def _holders(
    store: Store, going: Erasing, pieces: dict[bytes, bool]
) -> tuple[set[bytes], dict[str, None]]:
    """Return the pieces that are in rows of the store, and the names of the rows to be listed."""
    held: set[bytes] = set()
    holders: dict[str, None] = {}
    for cells in _living_cells(store, going.tables) if pieces else ():
        starts, names, content = [], [], bytearray()
        for name, cell in cells:
            starts.append(len(content))
            names.append(name)
            content += cell + b"\0"
        for piece, at in _places_in(BytesIO(content), pieces, every=True):
            held.add(piece)
            name = names[bisect_right(starts, at) - 1]
            if name and pieces[piece]:
                holders[name] = None
    return held, holders


def _living_cells(
    store: Store, tables: Mapping[str, ErasableTable]
) -> Iterator[list[tuple[str, bytes]]]:
    """Yield the cells of the rows that are left, many at once, with the names of their rows."""
    yield [("", text.encode()) for (text,) in store.rows(SQL.schema_texts)]
    for table in tables.values():
        if not table.columns:
            continue
        rows = store.connection().execute(table.read())
        while page := rows.fetchmany(_PAGE):
            yield [
                ("" if rule in (PLAIN, NOTE) else _name_of(table, row), cell)
                for row in page
                for rule, value in zip(table.columns.values(), tuple(row)[1:], strict=True)
                for cell in _as_bytes(value)
            ]


def _name_of(table: ErasableTable, row: sqlite3.Row) -> str:
    """Return the name by which a row can be erased: of what it is a part, where it is one."""
    if owner := _OWNERS.get(table.name):
        return str(row[owner])
    key = row["id"] if table.name == "fact" else row[0]
    kind = KINDS.get(table.name, table.name)
    return f"{kind}:{key}" if kind else str(key)


def _as_bytes(value: str | bytes | None) -> Iterator[bytes]:
    """Yield the bytes of a cell, and those of its words as an index has them."""
    if isinstance(value, bytes):
        yield value
    elif value:
        yield value.encode("utf-8", "surrogatepass")
        if value.lower() != value:
            yield value.lower().encode("utf-8", "surrogatepass")


# -- pieces ------------------------------------------------------------------------------


def _pieces_of(value: str | bytes) -> set[bytes]:
    """Return pieces by which a text or a picture is recognised; none of a short one."""
    if isinstance(value, bytes):
        return _sliced(value)
    pieces = _sliced(value.encode("utf-8", "surrogatepass"))
    if not value.isascii():  # JSON may have it in another form
        pieces |= _sliced(json.dumps(value)[1:-1].encode("ascii"))
    return pieces


def _sliced(content: bytes) -> set[bytes]:
    if len(content) <= _LONGEST:
        pieces = {content}
    else:
        step = max(_SLICE, (len(content) - _SLICE) // (_SLICES - 1))
        pieces = {content[at : at + _SLICE] for at in range(0, len(content), step)}
    return {one for one in pieces if len(one) >= _SHORTEST and len(set(one)) >= _FEWEST_VALUES}


def _places_in(
    file: BinaryIO, pieces: Iterable[bytes], *, every: bool = False
) -> Iterator[tuple[bytes, int]]:
    """Yield the first place of each piece in a file, or every one.

    The first bytes of all pieces are compared with those of every place at once.
    """
    import numpy as np

    by_key: dict[int, list[bytes]] = defaultdict(list)
    for piece in pieces:
        by_key[int.from_bytes(piece[:_SHORTEST], "little")].append(piece)
    keys = np.array(sorted(by_key), dtype="<u8")
    begin = 0
    file.seek(0)
    left = b""
    while keys.size and (more := file.read(_CHUNK)):
        content = left + more
        for place in _candidates(content, keys):
            key = int.from_bytes(content[place : place + _SHORTEST], "little")
            for piece in list(by_key.get(key, ())):
                if content.startswith(piece, place):
                    if not every:
                        by_key[key].remove(piece)
                    yield piece, begin + place
        left = content[-(_LONGEST - 1) :]
        begin += len(content) - len(left)


def _candidates(content: bytes, keys: NDArray[np.uint64]) -> Iterator[int]:
    """Yield the places of the keys: looked up by pairs of bytes, then compared."""
    import numpy as np

    padded = np.frombuffer(content + bytes(_SHORTEST), "u1")
    pairs = padded[:-1] | padded[1:].astype("u2") << 8
    count = len(content)
    places = np.flatnonzero(_table_of(keys, 0)[pairs[:count]])
    for pair in (2, 4):
        places = places[_table_of(keys, pair)[pairs[places + pair]]]
    values = pairs[places].astype("u8")
    for pair in (2, 4):
        values |= pairs[places + pair].astype("u8") << np.uint64(8 * pair)
    nearest = np.minimum(np.searchsorted(keys, values), len(keys) - 1)
    yield from places[keys[nearest] == values].tolist()


def _table_of(keys: NDArray[np.uint64], byte: int) -> NDArray[np.bool_]:
    """Return which pairs of bytes the keys have at a place."""
    import numpy as np

    table = np.zeros(1 << 16, bool)
    table[(keys >> np.uint64(8 * byte)) & np.uint64(0xFFFF)] = True
    return table
