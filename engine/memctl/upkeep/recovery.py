"""Saves what can be read of a damaged store into a new one, and says what was lost."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.base.errors import FileAccessError, ForeignStoreError
from memctl.store import migrations, statements
from memctl.store.held_files import nobody_at
from memctl.store.opening import no_store, record_identity, unreleased
from memctl.store.sqlite_errors import translated
from memctl.upkeep.mending import drop_broken_pictures, mend_references, refill_index
from memctl.upkeep.page_reader import PageReader, walk
from memctl.upkeep.store_copies import checked_copy, dated_name, named_when_whole, refuse_target
from memctl.upkeep.tree_shapes import shapes_of

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.base.home import Address
    from memctl.upkeep.page_reader import StoredRow, TreePage
    from memctl.upkeep.tree_shapes import TreeShape

UPKEEP = statements.load("store/upkeep")
_INDEX = "memory_fts"
# What the new file makes itself: the index of words, and the steps that made its schema.
_MADE_ANEW = (_INDEX, "sqlite_")


@dataclass(frozen=True, slots=True)
class TableSalvage:
    """What became of one table.

    Parameters
    ----------
    kept
        Rows in the new file.
    lost
        Rows that were there and are not in it; a guess by the rows of the other pages where not
        even an index says how many a broken page held.
    guessed
        Whether `lost` is a guess.
    mended
        Kept rows of which a text had broken bytes (each is U+FFFD now) or a reference was emptied.
    """

    table: str
    kept: int
    lost: int
    guessed: bool
    mended: int


@dataclass(frozen=True, slots=True)
class Recovered:
    """A new file with what could be read of a store, and what became of each table."""

    app: str
    path: str
    damaged: str
    kept: int
    lost: int
    tables: tuple[TableSalvage, ...]


@dataclass(slots=True)
class _Salvage:
    """What was read of a file, by the name of the table."""

    records: dict[str, list[StoredRow]] = field(default_factory=dict)
    pages: Counter[str] = field(default_factory=Counter)  # those that were read
    broken_pages: Counter[str] = field(default_factory=Counter)
    broken_rows: Counter[str] = field(default_factory=Counter)
    indexed: dict[str, int] = field(default_factory=dict)  # rows, as an index counts them


def recover(path: Path, address: Address, out: Path | None = None) -> Recovered:
    """Write what can be read of the store at `path` into a new file; leave the store alone.

    Parameters
    ----------
    out
        The new file; by default ``backups/ADDRESS/TIME-recovered.db`` in the home of the store.

    Raises
    ------
    NotFoundError
        When there is no store.
    ForeignStoreError
        When not one row of it is a store's.
    OlderStoreError
        When a memctl that was never released made it.
    RefusedError
        When `out` is the store itself, or there already.
    BusyError
        When somebody has the store open.
    DiskFullError, FileAccessError
        When the new file cannot be written; nothing is left of it.

    Notes
    -----
    The rows are read from the pages themselves, so that no broken page hides another one.
    What they refer to and is lost, they refer to no more, or they go with it, as the schema says.
    Indexes and the index of words are made anew.
    """
    if path.is_dir():
        raise FileAccessError(f'"{path}" is a folder', hint="choose another --app")
    if not path.is_file() or not path.stat().st_size:
        raise no_store(address, path)
    target = dated_name(path, address, "recovered") if out is None else out
    refuse_target(target, path, replace=False)
    with nobody_at(path), path.open("rb") as file:
        reader = PageReader(file, path.with_name(path.name + "-wal"))
        with named_when_whole(target, replace=False) as part, translated(target):
            with closing(sqlite3.connect(part, isolation_level=None)) as fresh:
                tables = _write(reader, fresh, path, address)
            checked_copy(part)
    kept = sum(table.kept for table in tables)
    lost = sum(table.lost for table in tables)
    return Recovered(str(address), str(target), str(path), kept, lost, tuple(tables))


def _write(
    reader: PageReader, fresh: sqlite3.Connection, path: Path, address: Address
) -> list[TableSalvage]:
    fresh.execute("pragma journal_mode = off")
    fresh.execute("pragma synchronous = off")
    latest = len(migrations.migrations())
    migrations.apply(fresh, upto=reader.version if 0 < reader.version <= latest else latest)
    shapes = shapes_of(fresh)
    found = _read(reader, shapes)
    if not any(found.records.values()):
        raise ForeignStoreError(
            f'no row of a store can be read in "{path}"', hint="memctl restore brings a backup back"
        )
    _keep_our_steps(found, path)
    fresh.execute("begin")
    triggers = fresh.execute(UPKEEP.triggers).fetchall()
    for name, _ in triggers:
        fresh.execute(f'drop trigger "{name}"')
    mended: Counter[str] = Counter()
    for shape in shapes:
        if _is_kept(shape):
            _insert(fresh, shape, found.records.get(shape.name, ()), mended)
    _keep_numbers(fresh, found)
    record_identity(fresh, address)
    mended.update(mend_references(fresh).emptied)
    drop_broken_pictures(fresh)
    refill_index(fresh)
    for _, sql in triggers:
        fresh.execute(sql)
    fresh.execute("commit")
    return [_told(fresh, shape, found, mended) for shape in shapes if _is_kept(shape)]


def _keep_our_steps(found: _Salvage, path: Path) -> None:
    """Leave out a step whose name was damaged; where several are others, the columns are, too.

    Raises
    ------
    OlderStoreError
        When a memctl that was never released made the store.
    """
    taken = found.records.get("migration", [])
    ours = [one for one in taken if migrations.is_ours(one.rowid or 0, str(one.values[1]))]
    if len(taken) - len(ours) > 1:
        raise unreleased(path)
    found.records["migration"] = ours


def _is_kept(shape: TreeShape) -> bool:
    return shape.is_table and not shape.name.startswith(_MADE_ANEW)


def _read(reader: PageReader, shapes: list[TreeShape]) -> _Salvage:
    """Read the pages to which a root leads, then those to which none does."""
    found = _Salvage()
    seen: set[int] = set()
    by_name = {shape.name: shape for shape in shapes}
    roots = _roots(reader, by_name, seen)
    strays: list[TreePage] = []
    for name, root in roots.items():
        shape = by_name[name]
        read = whole = 0
        for _, page in walk(reader, root, seen):
            if page is not None and shape.fits_page(page):
                _take(found, shape, page)
                read += len(page.records)
                whole += page.broken
                continue
            whole += 1
            found.broken_pages[shape.table] += shape.is_table
            if page is not None:
                page.children.clear()
                strays.append(page)
        if not shape.is_table and shape.whole and not whole:
            found.indexed[shape.table] = read
    free = reader.free_pages()
    strays += [
        page
        for number in range(1, reader.count + 1)
        if number not in seen and number not in free
        if (page := reader.page(number)) is not None
    ]
    for page in strays:
        _take_stray(found, shapes, page)
    return found


def _roots(reader: PageReader, by_name: dict[str, TreeShape], seen: set[int]) -> dict[str, int]:
    """Return the roots of tables and indexes, as the schema's own table names them."""
    schema = by_name["sqlite_schema"]
    found = {}
    for _, page in walk(reader, 1, seen):
        for record in page.records if page is not None and schema.fits_page(page) else ():
            _, name, _, root = record.values[:4]
            if isinstance(name, str) and isinstance(root, int) and name in by_name and root:
                found[name] = root
    return found


def _take(found: _Salvage, shape: TreeShape, page: TreePage) -> None:
    if not shape.is_table:
        return
    found.records.setdefault(shape.name, []).extend(page.records)
    found.broken_rows[shape.name] += page.broken
    found.pages[shape.name] += bool(page.records)


def _take_stray(found: _Salvage, shapes: list[TreeShape], page: TreePage) -> None:
    """Take the rows of a page that nothing leads to, where they can be of one table alone."""
    if not page.records or page.broken:
        return
    fitting = [shape for shape in shapes if shape.fits_page(page)]
    if len(fitting) == 1 and fitting[0].is_table:
        _take(found, fitting[0], page)


def _insert(
    fresh: sqlite3.Connection,
    shape: TreeShape,
    records: list[StoredRow] | tuple[()],
    mended: Counter[str],
) -> None:
    # The steps that made the new schema are in it already, with another time.
    verb = "replace" if shape.name == "migration" else "insert or ignore"
    for record in records:
        values = list(record.values)
        if shape.rowid_column is not None:
            values[shape.rowid_column] = record.rowid
        names = [f'"{column.name}"' for column in shape.columns[: len(values)]]
        try:
            # The names are those of the schema that the steps have just made.
            done = fresh.execute(
                f'{verb} into "{shape.name}" ({", ".join(names)}) '
                f"values ({', '.join('?' * len(values))})",
                values,
            )
        except sqlite3.DatabaseError:
            continue  # a rule of the schema says that this cannot be such a row
        mended[shape.name] += record.mended and done.rowcount


def _keep_numbers(fresh: sqlite3.Connection, found: _Salvage) -> None:
    """Let no new row get the number of one that was deleted or lost."""
    for record in found.records.get("sqlite_sequence", ()):
        name, last = record.values[:2]
        fresh.execute(UPKEEP.keep_number, {"table": name, "last": last})


def _told(
    fresh: sqlite3.Connection, shape: TreeShape, found: _Salvage, mended: Counter[str]
) -> TableSalvage:
    kept = int(fresh.execute(f'select count(*) from "{shape.name}"').fetchone()[0])  # noqa: S608
    read = len(found.records.get(shape.name, ()))
    counted = found.indexed.get(shape.name)
    if counted is not None:
        lost, guessed = max(counted - kept, 0), False
    else:
        pages, rows = found.pages[shape.name], found.broken_rows[shape.name]
        missing = found.broken_pages[shape.name]
        lost = max(read - kept, 0) + rows + round(missing * (read / pages if pages else 1))
        guessed = bool(missing)
    return TableSalvage(shape.name, kept, lost, guessed, mended[shape.name])
