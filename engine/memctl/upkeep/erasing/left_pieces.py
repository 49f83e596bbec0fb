"""Pieces of what was erased that are left: in the store's files, in its rows, in older copies."""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from memctl.search.erasure.table_sql import INDEXED, NOTE, OWN, PLAIN
from memctl.search.index.index_words import IndexWords
from memctl.store import statements
from memctl.store.held_files import opened_beside
from memctl.upkeep.erasing.byte_proof import pieces_of, places_in
from memctl.upkeep.erasing.erasure_receipt import FileCopy, ReadFile

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from memctl.search.erasure.erased_cells import Erasing
    from memctl.search.erasure.table_sql import TableRules
    from memctl.store.store import Store

SQL = statements.load("store/erasure")

_ENDINGS = ("", "-wal", "-shm", "-journal", "-spool", "-spool-damaged")
_SHORTEST_WORD = 6  # bytes
_PAGE = 1_000  # rows that are read at once
_KINDS = {"log": "turn", "journal_snapshot": "snapshot", "tool_call": "call"}


@dataclass(frozen=True, slots=True)
class Left:
    """Places where a piece is left, rows that say it with right, and the files that were read."""

    places: tuple[str, ...]
    still_said: tuple[str, ...]
    files: tuple[ReadFile, ...]


def pieces_in(going: Erasing) -> dict[bytes, bool]:
    """Return pieces of all that has gone, and whether each is of a memory that others may share."""
    rules = {(table.name, one.name): one.rule for table in going.tables for one in table.columns}
    found: dict[bytes, bool] = {}
    for cell in going.cells:
        if cell.field is not None and cell.was is not None:
            shared = rules[cell.relation, cell.field] in (OWN, INDEXED)
            for piece in pieces_of(cell.was):
                found[piece] = found.get(piece, False) or shared
    for words, shared in ((going.words.gone, False), (going.words.still_said, True)):
        for word in words:
            if len(word.encode()) >= _SHORTEST_WORD:
                found[word.encode()] = found.get(word.encode(), False) or shared
    return found


def look_for(store: Store, going: Erasing, pieces: dict[bytes, bool]) -> Left:
    """Read every file of a store, and say where one of some pieces is left."""
    files: list[ReadFile] = []
    places: dict[bytes, str] = {}
    size = int(store.value("pragma page_size"))
    for ending in _ENDINGS:
        path = store.path.with_name(store.path.name + ending)
        if not path.exists():
            continue
        file = opened_beside(store.path, path)
        for found in places_in(file, pieces):
            where = f"page {found.at // size + 1}" if not ending else f"byte {found.at}"
            places.setdefault(found.piece, f"{path.name}, {where}")
        files.append(ReadFile(path.name, path.stat().st_size))
    held, saying = _holders(store, going, {piece: pieces[piece] for piece in places})
    left = {where: None for piece, where in places.items() if piece not in held}
    return Left((*left, *_left_in_index(store, going)), tuple(saying), tuple(files))


def _left_in_index(store: Store, going: Erasing) -> Iterator[str]:
    """Yield what is wrong with the word index: it writes words in parts, which no piece finds."""
    index = IndexWords(store)
    index.prepare()
    if words := index.counts(going.words.gone):
        yield f"the word index: {len(words)} words"
    if rows := store.value(SQL.stray_words):
        yield f"the word index: {rows} rows"
    with store.transaction(activity=True):
        store.execute(SQL.check_index)  # raises where it holds a word that no row says


def _holders(
    store: Store, going: Erasing, pieces: dict[bytes, bool]
) -> tuple[set[bytes], dict[str, None]]:
    """Return which pieces stand in rows that are left, and the ids of those that say the same."""
    held: set[bytes] = set()
    saying: dict[str, None] = {}
    for cells in _living_cells(store, going.tables) if pieces else ():
        starts, names, content = [], [], bytearray()
        for name, told in cells:
            starts.append(len(content))
            names.append(name)
            content += told + b"\0"
        for found in places_in(BytesIO(content), pieces, every=True):
            name = names[bisect_right(starts, found.at) - 1]
            held.add(found.piece)
            if name and pieces[found.piece]:
                saying[name] = None
    return held, saying


def _living_cells(store: Store, tables: Iterable[TableRules]) -> Iterator[list[tuple[str, bytes]]]:
    """Yield what stands in the rows that are left, many cells at once; named where it is said."""
    schema = store.rows(SQL.schema_texts)
    yield [("", told.encode()) for (told,) in schema]
    for table in tables:
        if not table.columns:
            continue
        rows = store.connection().execute(table.all_told())
        while page := rows.fetchmany(_PAGE):
            yield [
                (_name_of(table, row) if one.rule not in (PLAIN, NOTE) else "", told)
                for row in page
                for one, value in zip(table.columns, row[len(table.key) :], strict=True)
                for told in _as_bytes(value)
            ]


def _as_bytes(value: str | bytes | None) -> Iterator[bytes]:
    """Yield the bytes of a cell, and those of its words as an index has them."""
    if isinstance(value, bytes):
        yield value
    elif value:
        yield value.encode("utf-8", "surrogatepass")
        if value.lower() != value:
            yield value.lower().encode("utf-8", "surrogatepass")


def _name_of(table: TableRules, row: sqlite3.Row) -> str:
    key = row["id"] if "id" in row.keys() else row[0]  # noqa: SIM118  (a row has no "in")
    named = table.name in {"fact", "state"}
    return str(key) if named else f"{_KINDS.get(table.name, table.name)}:{key}"


def copies_holding(store: Store, pieces: Iterable[bytes]) -> tuple[FileCopy, ...]:
    """Return the copies of a store that its home shows, and whether each holds one of the pieces."""
    found = []
    wanted = list(pieces)
    for path in sorted(_copies(store)):
        holds: bool | None = None
        with suppress(OSError), path.open("rb") as file:
            holds = next(places_in(file, wanted), None) is not None
        found.append(FileCopy(str(path), path.stat().st_size, holds))
    return tuple(found)


def _copies(store: Store) -> Iterator[Path]:
    """Yield the files in the home's folder of backups, and those named after the store's file."""
    path = store.path
    ours = {path.name + ending for ending in _ENDINGS}
    beside = path.parent.glob(f"{path.name}?*")
    yield from (one for one in beside if one.is_file() and one.name not in ours)
    depth = 3 if store.address.browser else 1
    for folder in (
        {path.parents[depth], path.parent} if len(path.parents) > depth else {path.parent}
    ):
        backups = folder / "backups" / str(store.address)
        yield from (one for one in backups.rglob("*") if one.is_file())
