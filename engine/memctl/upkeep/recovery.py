"""Salvage of a damaged store: what can be read goes into a new file, and what was lost is listed.

SQLite gives up a table at its first broken page. So each table is read by key, from both ends and
around every page that raises; where the shell of SQLite is installed, its ``.recover`` adds rows of
pages to which nothing leads any more. The damaged file is copied first, and never opened itself.

A row that never was is worse than a lost one. So a row is left out that has more fields than its
table (SQLite would drop them, and another table's row passes for one), that is out of order, that
breaks a rule of the schema, or that an index reads otherwise.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from memctl.base.errors import FileAccessError, ForeignStoreError
from memctl.store import migrations, statements
from memctl.store.opening import no_store, record_identity, unreleased
from memctl.store.results import Result
from memctl.store.sqlite_errors import translated
from memctl.store.store_file import copy_readable, store_at
from memctl.store.transactions import nobody_at
from memctl.upkeep.doctor import (
    drop_broken_pictures,
    mend_references,
    rebuild_features,
    refill_index,
)
from memctl.upkeep.store_copies import checked_copy, dated_name, named_when_whole, refuse_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from memctl.base.home import Address

UPKEEP = statements.load("store/upkeep")

_LAST = (1 << 63) - 1  # rowid
_WIDEST_STEP = 64  # rowids between two tries inside of what cannot be read
_MOST_TRIES = 100_000
_UNKNOWN_ROWS = 10_000  # looked for behind the last readable row where nothing says how many
_MOST_DOUBTFUL = 8  # an index that contradicts more rows of a table is itself the damaged one
_BEYOND = "beyond"  # a column behind the last one, which no sound record has
# A broken page raises these; a row whose length is broken asks for more memory than there is.
_BROKEN = (sqlite3.DatabaseError, MemoryError)
_TYPES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
}

_Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TableSalvage(Result):
    """What became of one table.

    Parameters
    ----------
    kept
        Rows in the new file.
    lost
        Rows that were there and are not in it.
    guessed
        Whether `lost` is only the width of the ranges: no index counts the rows.
    doubtful
        Those of the lost rows that could be read, but that an index of the table contradicts.
    mended
        Kept rows of which a text had broken bytes (each is U+FFFD now) or a reference was emptied.
    ranges
        Keys between which rows were lost: ``"41-60"``, ``"301-"``; ``"unknown"`` where the schema
        itself could not be read.
    """

    table: str
    kept: int
    lost: int
    guessed: bool
    doubtful: int
    mended: int
    ranges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recovered(Result):
    """A new file with what could be read of a store, and what became of each table."""

    app: str
    path: str
    damaged: str
    kept: int
    lost: int
    tables: tuple[TableSalvage, ...]


class _MendedText(str):
    """A text that was no UTF-8: U+FFFD replaces each byte that is none."""

    __slots__ = ()


@dataclass(slots=True)
class _Table:
    """A table of the new file, and how far its rows have come."""

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    key: tuple[str, ...]  # ("rowid",), or the primary key of a table without one
    alias: int | None  # the column that is the rowid
    widened: bool = False  # the damaged file's schema could be given the column `_BEYOND`
    read: int = 0
    doubtful: int = 0
    mended: int = 0
    holes: list[tuple[Any, Any]] = field(default_factory=list)
    counted: int | None = None  # rows, as an index of the damaged file counts them

    @property
    def numbered(self) -> bool:
        return self.key == ("rowid",)


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
        When not one row of a store can be read.
    OlderStoreError
        When a memctl that was never released made it.
    RefusedError
        When `out` is the store itself, or there already.
    BusyError
        When somebody has the store open.
    DiskFullError, FileAccessError
        When the new file, or the copy that is read, cannot be written; nothing is left of them.

    Notes
    -----
    What rows refer to and is lost, they refer to no more, or they go with it, as the schema says.
    Indexes and the index of words are made anew.
    """
    there = store_at(path)
    if there is None or not there.st_size:
        raise no_store(address, path)
    if not os.access(path, os.R_OK):
        raise FileAccessError(f'"{path}" may not be read', hint="check its permissions")
    target = dated_name(path, address, "recovered") if out is None else out
    refuse_target(target, path, replace=False)
    with named_when_whole(target, replace=False) as part:
        damaged = part.with_name(f"{part.name}-copy")  # swept, where this process is killed
        try:
            with nobody_at(path):
                for ending in ("", "-wal"):
                    if (file := path.with_name(path.name + ending)).exists():
                        copy_readable(file, damaged.with_name(damaged.name + ending))
            _let_it_end_early(damaged)
            with translated(target), closing(sqlite3.connect(part, isolation_level=None)) as fresh:
                tables = _write(damaged, fresh, path, address)
        finally:
            for file in part.parent.iterdir():
                if file.name.startswith(damaged.name):
                    file.unlink(missing_ok=True)
        checked_copy(part)
    kept = sum(table.kept for table in tables)
    lost = sum(table.lost for table in tables)
    return Recovered(str(address), str(target), str(path), kept, lost, tuple(tables))


def _write(
    damaged: Path, fresh: sqlite3.Connection, path: Path, address: Address
) -> list[TableSalvage]:
    fresh.execute("pragma journal_mode = off")
    fresh.execute("pragma synchronous = off")
    latest = len(migrations.migrations())
    with closing(_opened(damaged)) as source:
        version = 0
        with suppress(*_BROKEN):
            version = int(source.execute("pragma user_version").fetchone()[0])
        migrations.apply(fresh, upto=version if 0 < version <= latest else latest)
        fresh.execute("begin")
        triggers = fresh.execute(UPKEEP.triggers).fetchall()
        for name, _ in triggers:
            fresh.execute(f'drop trigger "{name}"')
        tables = _tables_of(fresh)
        _refuse_unreleased(source, path)
        whole = _schema_is_readable(source, fresh, tables)
        for table in tables if whole else ():
            _copy_table(source, fresh, table)
            table.counted = _by_index(source, table, "count(*)") if table.holes else None
        if not whole or any(table.holes for table in tables):
            _add_from_shell(damaged, fresh, tables, whole=whole)
        for table in tables if whole else ():
            _leave_out_doubtful(source, fresh, table)
        _keep_numbers(source, fresh)
    if not any(table.read for table in tables):
        raise ForeignStoreError(
            f'no row of a store can be read in "{path}"',
            hint="memctl restore brings a backup back; with the sqlite3 shell installed, "
            "recover reads more",
        )
    record_identity(fresh, address)
    emptied = mend_references(fresh).emptied
    drop_broken_pictures(fresh)
    rebuild_features(fresh)
    refill_index(fresh)
    for _, sql in triggers:
        fresh.execute(sql)
    fresh.execute("commit")
    return [_salvage_of(fresh, table, emptied[table.name], whole=whole) for table in tables]


def _let_it_end_early(path: Path) -> None:
    """Correct the page count in the header of a file that was cut short: else no page is read."""
    with path.open("r+b") as file:
        header = file.read(100)
        size = int.from_bytes(header[16:18]) or 1
        pages = path.stat().st_size // size
        if int.from_bytes(header[28:32]) > pages:
            file.seek(28)
            file.write(pages.to_bytes(4))


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma cell_size_check = on")
    connection.text_factory = _text_of
    return connection


def _text_of(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return _MendedText(content.decode(errors="replace"))


def _schema_is_readable(
    source: sqlite3.Connection, fresh: sqlite3.Connection, tables: list[_Table]
) -> bool:
    """Give the schema of the copy our words; return whether SQLite can read a table of ours then.

    Each table gets a column behind its last one: a record that fills it is another table's.
    """
    source.execute("pragma writable_schema = on")
    with closing(sqlite3.connect(":memory:")) as wider:
        for (sql,) in fresh.execute(UPKEEP.table_texts).fetchall():
            wider.execute(sql)
        for table in tables:
            wider.execute(f'alter table "{table.name}" add column {_BEYOND} any default 0')
        for name, sql in wider.execute(UPKEEP.schema_texts).fetchall():
            with suppress(*_BROKEN):
                source.execute(UPKEEP.mend_schema, {"name": name, "sql": sql})
    source.execute("pragma writable_schema = reset")
    source.execute("pragma writable_schema = on")
    wanted = {table.name for table in tables}
    known: set[str] = set()
    for _ in range(2):  # the first statement meets what is broken, the next one goes without
        with suppress(*_BROKEN):
            known = {row[0] for row in source.execute(UPKEEP.our_tables)}
    for table in tables:
        with suppress(*_BROKEN):
            columns = source.execute(f'pragma table_info("{table.name}")').fetchall()
            table.widened = _BEYOND in {row[1] for row in columns}
    return bool(wanted & known)


def _tables_of(fresh: sqlite3.Connection) -> list[_Table]:
    tables = []
    for name, without_rowid in fresh.execute(UPKEEP.our_tables).fetchall():
        rows = fresh.execute(f'pragma table_info("{name}")').fetchall()
        keys = [row[1] for row in sorted(rows, key=lambda row: row[5]) if row[5]]
        alias = None
        if not without_rowid and len(keys) == 1:
            alias = next((row[0] for row in rows if row[5] and row[2] == "INTEGER"), None)
        columns, types = tuple(row[1] for row in rows), tuple(row[2] for row in rows)
        key = tuple(keys) if without_rowid else ("rowid",)
        tables.append(_Table(name, columns, types, key, alias))
    return tables


def _refuse_unreleased(source: sqlite3.Connection, path: Path) -> None:
    """Refuse a store of which several steps have other names: its columns are others, too.

    Raises
    ------
    OlderStoreError
        When a memctl that was never released made the store.
    """
    try:
        steps = source.execute("select number, name from migration").fetchall()
    except _BROKEN:
        return
    if sum(not migrations.is_ours(number, name) for number, name in steps) > 1:
        raise unreleased(path)


def _copy_table(source: sqlite3.Connection, fresh: sqlite3.Connection, table: _Table) -> None:
    """Copy the rows of a table from both ends, then those between its broken pages."""
    scan = partial(_scan, source, fresh, table)
    whole, _, bottom = scan()
    if whole:
        return
    _, _, top = scan(above=bottom, backwards=True)
    if not table.numbered:
        table.holes.append((bottom, top))
        return
    low = bottom[0] if bottom else 0
    known = _by_index(source, table, "max(rowid)") or low + _UNKNOWN_ROWS
    high = top[0] if top else max(known, low) + 1
    at, step = low + 1, 1
    for _ in range(_MOST_TRIES):
        if at >= high:
            break
        whole, first, last = scan(above=(at - 1,), below=(high,))
        if not whole and first is None:
            at, step = at + step, min(2 * step, _WIDEST_STEP)
            continue
        jumped_over = scan(above=(low,), below=(at,), backwards=True)[2]
        next_row = (jumped_over or first or (high,))[0]
        if next_row - low > 1:
            table.holes.append((low, next_row))
        low = last[0] if last and not whole else high
        at, step = low + 1, 1
    if low + 1 < high:
        table.holes.append((low, high if top else None))


def _scan(
    source: sqlite3.Connection,
    fresh: sqlite3.Connection,
    table: _Table,
    *,
    above: _Key | None = None,
    below: _Key | None = None,
    backwards: bool = False,
    again: bool = False,
) -> tuple[bool, _Key | None, _Key | None]:
    """Copy the rows between two keys until one cannot be read.

    Return whether all could, and the keys of the first and the last that was. `again`: most of the
    rows came before.
    """
    marks = ", ".join("?" * len(table.key))
    limits = [f"({_listed(table.key)}) > ({marks})"] if above else []
    limits += [f"({_listed(table.key)}) < ({marks})"] if below else []
    beyond = _BEYOND if table.widened else 0
    sql = (
        f"select {_listed((*table.key, *table.columns))}, {beyond} from {_quoted(table.name)}"  # noqa: S608
        f"{' not indexed' if table.numbered else ''}"
        f"{' where ' if limits else ''}{' and '.join(limits)} order by "
        + ", ".join(f"{_quoted(name)} {'desc' if backwards else 'asc'}" for name in table.key)
    )
    first = last = None
    try:
        for *row, beyond in source.execute(sql, (*(above or ()), *(below or ()))):
            key = tuple(row[: len(table.key)])
            if last is not None and table.numbered and (key < last) != backwards:
                return False, first, last  # a page that belongs elsewhere
            values = row[len(table.key) :]
            written = None if beyond else _insert(fresh, table, values, again=again)
            if written is None and not again:
                return False, first, last
            table.read += (written or 0) if again else 1
            first, last = first or key, key
    except _BROKEN:
        return False, first, last
    return True, first, last


def _insert(
    fresh: sqlite3.Connection, table: _Table, values: Sequence[Any], *, again: bool
) -> int | None:
    """Write a row; return 1, 0 for one that came before, ``None`` for what cannot be such a row.

    `again`: most rows came before, and what cannot be a row is left out.
    """
    verb = "insert or ignore" if again else "insert"
    if table.name == "migration":  # the new file has its own, with another time
        if not migrations.is_ours(*values[:2]):
            return 0
        verb = "replace"
    marks = ", ".join("?" * len(values))
    sql = f"{verb} into {_quoted(table.name)} ({_listed(table.columns)}) values ({marks})"
    try:
        written = fresh.execute(sql, values).rowcount
    except sqlite3.DatabaseError:
        return 0 if again else None
    table.mended += written and any(isinstance(value, _MendedText) for value in values)
    return max(written, 0)


def _by_index(source: sqlite3.Connection, table: _Table, what: str) -> int | None:
    """Return an aggregate of a table as the first sound index of all its rows gives it."""
    indexes = source.execute(f"pragma index_list({_quoted(table.name)})").fetchall()
    for _, name, _, origin, some in indexes:
        if not some and origin != "pk":
            sql = f"select {what} from {_quoted(table.name)} indexed by {_quoted(name)}"  # noqa: S608
            with suppress(*_BROKEN):
                return int(source.execute(sql).fetchone()[0] or 0)
    return None


def _leave_out_doubtful(
    source: sqlite3.Connection, fresh: sqlite3.Connection, table: _Table
) -> None:
    """Delete the rows that an index of the damaged file reads otherwise, or not at all."""
    key = _listed(table.key)
    for _, name, _, origin, some in fresh.execute(f'pragma index_list("{table.name}")').fetchall():
        names = [row[2] for row in fresh.execute(f'pragma index_info("{name}")')]
        if some or (origin == "pk" and not table.numbered):
            continue
        both = f"{key}, {_listed(names)}"
        marks = ", ".join("?" * (len(table.key) + len(names)))
        fresh.execute(
            f"create temp table witness ({_listed(f'c{n}' for n in range(marks.count('?')))})"
        )
        try:
            fresh.executemany(
                f"insert into witness values ({marks})",  # noqa: S608
                source.execute(f'select {both} from "{table.name}" indexed by "{name}"'),  # noqa: S608
            )
        except _BROKEN:
            pass  # an index that cannot be read to its end is no witness
        else:
            doubtful = fresh.execute(
                f'select {key} from (select {both} from "{table.name}" except select * from witness)'  # noqa: S608
            ).fetchall()
            if len(doubtful) <= _MOST_DOUBTFUL:
                where = " and ".join(f"{_quoted(column)} = ?" for column in table.key)
                fresh.executemany(f'delete from "{table.name}" where {where}', doubtful)  # noqa: S608
                table.doubtful += len(doubtful)
        fresh.execute("drop table witness")


# -- what the shell of SQLite reads -------------------------------------------------------


def _add_from_shell(
    damaged: Path, fresh: sqlite3.Connection, tables: list[_Table], *, whole: bool
) -> None:
    """Add the rows that ``.recover`` reads of tables of which something is missing."""
    made = damaged.with_name(f"{damaged.name}-by-shell")
    made.touch(mode=0o600)
    if not _recovered_by_shell(damaged, made):
        return
    with closing(_opened(made)) as source:
        for table in tables:
            if table.holes:
                _scan(source, fresh, table, again=True)
        _add_strays(source, fresh, [table for table in tables if table.holes or not whole])


def _recovered_by_shell(damaged: Path, made: Path) -> bool:
    """Let the shell read a file into another; return False where it is missing, or cannot."""
    shell = shutil.which("sqlite3")
    if shell is None:
        return False
    begin = [shell, "-batch", "-init", os.devnull]
    with subprocess.Popen(  # noqa: S603  (its own words)
        [*begin, str(damaged), ".recover --ignore-freelist"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as reading:
        subprocess.run(  # noqa: S603
            [*begin, str(made)], stdin=reading.stdout, capture_output=True, check=False
        )
    return made.stat().st_size > 0


def _add_strays(
    source: sqlite3.Connection, fresh: sqlite3.Connection, tables: list[_Table]
) -> None:
    """Add the rows of pages to which nothing leads, where they can be of one table alone."""
    try:
        groups = source.execute(
            "select distinct rootpgno, nfield from lost_and_found where id is not null"
        ).fetchall()
    except _BROKEN:
        return  # there are none
    for root, width in groups:
        columns = ", ".join(f"c{n}" for n in range(width))
        rows = source.execute(
            f"select id, {columns} from lost_and_found "  # noqa: S608  (made of numbers)
            "where rootpgno = ? and nfield = ? and id is not null",
            (root, width),
        ).fetchall()
        fitting = [table for table in tables if _all_fit(fresh, table, rows)]
        if len(fitting) == 1:
            for row in rows:
                values = _values_of(fitting[0], row)
                fitting[0].read += _insert(fresh, fitting[0], values, again=True) or 0


def _all_fit(fresh: sqlite3.Connection, table: _Table, rows: list[tuple[Any, ...]]) -> bool:
    """Return whether every row has the types of a table, and its rules take it."""
    if not table.numbered or len(table.columns) != len(rows[0]) - 1:
        return False
    types = [_TYPES[name] for name in table.types]
    marks = ", ".join("?" * len(types))
    sql = f"replace into {_quoted(table.name)} ({_listed(table.columns)}) values ({marks})"  # noqa: S608
    fresh.execute("savepoint fitting")
    try:
        for row in rows:
            values = _values_of(table, row)
            if table.alias is not None and row[table.alias + 1] is not None:
                return False
            if not all(
                value is None or isinstance(value, of)
                for value, of in zip(values, types, strict=True)
            ):
                return False
            fresh.execute(sql, values)
    except sqlite3.DatabaseError:
        return False
    finally:
        fresh.execute("rollback to fitting")
        fresh.execute("release fitting")
    return True


def _values_of(table: _Table, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values of a stray row, with its rowid as the column that is an alias of it."""
    number, *values = row
    if table.alias is not None:
        values[table.alias] = number
    return tuple(values)


# -- the new file -------------------------------------------------------------------------


def _keep_numbers(source: sqlite3.Connection, fresh: sqlite3.Connection) -> None:
    """Let no new row get the number of one that was deleted or lost."""
    with suppress(*_BROKEN):
        for name, last in source.execute("select name, seq from sqlite_sequence"):
            fresh.execute(UPKEEP.keep_number, {"table": name, "last": last})


def _salvage_of(
    fresh: sqlite3.Connection, table: _Table, emptied: int, *, whole: bool
) -> TableSalvage:
    kept = int(fresh.execute(f"select count(*) from {_quoted(table.name)}").fetchone()[0])  # noqa: S608
    mended = table.mended + emptied
    if not whole:
        return TableSalvage(table.name, kept, 0, True, 0, mended, ("unknown",))  # noqa: FBT003
    holes = _left_open(fresh, table)
    lost, guessed = max(table.read - kept, 0), False
    if holes and table.counted is not None:
        lost = max(table.counted - kept, lost)
    elif holes:
        lost += sum(max(end - begin - 1, 1) for begin, end in holes if isinstance(end, int))
        guessed = True
    ranges = tuple(_range(table, begin, end) for begin, end in holes)
    return TableSalvage(table.name, kept, lost, guessed, table.doubtful, mended, ranges)


def _left_open(fresh: sqlite3.Connection, table: _Table) -> list[tuple[Any, Any]]:
    """Return the holes of a table without the rows that came from elsewhere."""
    if not table.numbered:
        return table.holes
    left = []
    for begin, end in table.holes:
        sql = (
            f"select rowid from {_quoted(table.name)} where rowid > ? and rowid < ? order by rowid"  # noqa: S608
        )
        came = [row[0] for row in fresh.execute(sql, (begin, _LAST if end is None else end))]
        for low, high in pairwise([begin, *came, end]):
            if high is None or high - low > 1:
                left.append((low, high))
    return left


def _range(table: _Table, begin: Any, end: Any) -> str:
    if not table.numbered:
        first, last = (json.dumps(key, default=repr) if key else "" for key in (begin, end))
        return f"between {first or 'the first row'} and {last or 'the last row'}"
    if end is None:
        return f"{begin + 1}-"
    return f"{begin + 1}-{end - 1}" if end - begin > 2 else str(begin + 1)  # noqa: PLR2004


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_quoted, names))


def _quoted(name: str) -> str:
    return f'"{name}"'
