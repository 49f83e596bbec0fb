"""The shapes of a store's tables and indexes: which rows each can hold.

The columns of a STRICT table have types, so that a row tells whose it can be; a page to which
nothing leads any more is a table's where its rows fit that one and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memctl.upkeep.page_reader import StoredRow, TreePage, Value

_TAKES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
}
# What SQLite keeps for itself is untyped.
_ANY = (int, float, str, bytes)


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """A column as it stands in a row: its name, the Python types of it, and what may be missing."""

    name: str
    takes: tuple[type, ...]
    nullable: bool
    optional: bool = False

    def fits(self, value: Value) -> bool:
        """Return whether the column can hold a value."""
        return self.nullable if value is None else isinstance(value, self.takes)


@dataclass(frozen=True, slots=True)
class TreeShape:
    """A table or an index: the columns of its rows, in the order that they are stored in.

    Parameters
    ----------
    table
        The table; for an index the one that it is of.
    is_table
        False for an index.
    rowid
        Whether its rows have a rowid.
    whole
        For an index: whether every row of the table stands in it.
    rowid_column
        The place of the column that is the rowid, and is stored as null; ``None``: there is none.
    """

    name: str
    table: str
    is_table: bool
    rowid: bool
    columns: tuple[StoredColumn, ...]
    whole: bool = True
    rowid_column: int | None = None

    def fits(self, record: StoredRow) -> bool:
        """Return whether a row can be one of this table or index."""
        values = record.values
        if len(values) > len(self.columns) or (record.rowid is not None) != self.rowid:
            return False
        if not all(column.optional for column in self.columns[len(values) :]):
            return False
        if self.rowid_column is not None and values[self.rowid_column] is not None:
            return False
        return all(map(StoredColumn.fits, self.columns, values))

    def fits_page(self, page: TreePage) -> bool:
        """Return whether a page can be one of this table's or index's."""
        return page.of_table == self.rowid and all(map(self.fits, page.records))


def shapes_of(connection: sqlite3.Connection) -> list[TreeShape]:
    """Return the shapes of everything that `connection`'s file holds, SQLite's own included."""
    found = [
        TreeShape(
            "sqlite_schema",
            "sqlite_schema",
            is_table=True,
            rowid=True,
            columns=tuple(StoredColumn(name, _ANY, nullable=True) for name in "abcde"),
        )
    ]
    listed = connection.execute("pragma table_list").fetchall()
    for schema, name, kind, _, without_rowid, strict in listed:
        if schema == "main" and kind in {"table", "shadow"} and name != "sqlite_schema":
            found += _shapes(connection, name, rowid=not without_rowid, strict=bool(strict))
    return found


def _shapes(
    connection: sqlite3.Connection, table: str, *, rowid: bool, strict: bool
) -> list[TreeShape]:
    rows = connection.execute(f"pragma table_xinfo({_quoted(table)})").fetchall()
    keys = sorted((row[5], row[0]) for row in rows if row[5])
    alias = keys[0][1] if rowid and len(keys) == 1 and rows[keys[0][1]][2] == "INTEGER" else None
    columns = {row[0]: _column(row, strict=strict, alias=row[0] == alias) for row in rows}
    first = [] if rowid else [at for _, at in keys]
    order = [*first, *(at for at in columns if at not in first)]
    stored = tuple(columns[at] for at in order)
    found = [
        TreeShape(table, table, is_table=True, rowid=rowid, columns=stored, rowid_column=alias)
    ]
    number = StoredColumn("rowid", (int,), nullable=False)
    for _, index, _, origin, partial in connection.execute(f"pragma index_list({_quoted(table)})"):
        if origin == "pk" and not rowid:
            continue  # it is the table
        places = connection.execute(f"pragma index_xinfo({_quoted(index)})").fetchall()
        held = tuple(_indexed(place[1], columns, number, alias) for place in places)
        found.append(
            TreeShape(index, table, is_table=False, rowid=False, columns=held, whole=not partial)
        )
    return found


def _indexed(
    at: int, columns: dict[int, StoredColumn], number: StoredColumn, alias: int | None
) -> StoredColumn:
    if at in {-1, alias}:
        return number
    return columns.get(at, StoredColumn("expression", _ANY, nullable=True))


def _column(row: Sequence[object], *, strict: bool, alias: bool) -> StoredColumn:
    _, name, kind, required, default, key = row[:6]
    takes = _TAKES.get(str(kind), _ANY) if strict else _ANY
    nullable = alias or not required
    optional = not key and (not required or default is not None)
    return StoredColumn(str(name), takes, nullable, optional)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
