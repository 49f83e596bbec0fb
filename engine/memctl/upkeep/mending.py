"""Mends what a store's own rows say how to mend: references, the index of words, pictures, texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3

SQL = statements.load("store/upkeep")
TEMPLATES = statements.load("store/template")


@dataclass(slots=True)
class MendedReferences:
    """Rows by table: those whose reference was emptied, and those that went with their parent."""

    emptied: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


def mend_references(connection: sqlite3.Connection) -> MendedReferences:
    """Empty the references to rows that are gone; where the schema says so, the rows go too.

    What a deletion of the parent would have done is done now. Belongs inside a transaction.
    """
    done = MendedReferences()
    tables = {row[0] for row in connection.execute("pragma foreign_key_check")}
    while tables:
        for table in sorted(tables):
            _mend_table(connection, table, done)
        tables = {row[0] for row in connection.execute("pragma foreign_key_check")}
    return done


def _mend_table(connection: sqlite3.Connection, table: str, done: MendedReferences) -> None:
    keys: dict[int, list[sqlite3.Row]] = defaultdict(list)
    for row in connection.execute(f'pragma foreign_key_list("{table}")'):
        keys[row[0]].append(row)
    for columns in keys.values():
        parent, on_delete = columns[0][2], columns[0][6]
        pairs = [(row[3], row[4]) for row in columns]
        same = " and ".join(f'parent."{theirs}" = "{table}"."{own}"' for own, theirs in pairs)
        given = " and ".join(f'"{own}" is not null' for own, _ in pairs)
        # The names are those of the schema, which is known to be ours.
        lost = f'{given} and not exists (select 1 from "{parent}" as parent where {same})'  # noqa: S608
        if on_delete == "CASCADE":
            sql = f'delete from "{table}" where {lost}'  # noqa: S608
            done.dropped[table] += connection.execute(sql).rowcount
        else:
            empty = ", ".join(f'"{own}" = null' for own, _ in pairs)
            sql = f'update "{table}" set {empty} where {lost}'  # noqa: S608
            done.emptied[table] += connection.execute(sql).rowcount


def refill_index(connection: sqlite3.Connection) -> None:
    """Make the index of words anew from the rows. Belongs inside a transaction."""
    connection.execute(SQL.rebuild_index)
    connection.execute(SQL.empty_index)
    connection.execute(SQL.fill_index)


def broken_pictures(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of the pictures that are not what their digest says."""
    found = connection.execute(TEMPLATES.pictures)
    return [number for number, png, digest in found if not _is_whole(png, digest)]


def drop_broken_pictures(connection: sqlite3.Connection) -> list[int]:
    """Delete the pictures that are not what their digest says; return their ids.

    A component is matched by its other pictures, and is pictured anew when it is seen.
    """
    broken = broken_pictures(connection)
    for number in broken:
        connection.execute(SQL.drop_sighted_picture, {"id": number})
        connection.execute(SQL.drop_picture, {"id": number})
    return broken


def _is_whole(png: bytes, digest: str) -> bool:
    from memctl.base.errors import StoreDamagedError
    from memctl.visual.reading.image import decode_png, pixels_digest

    try:
        return pixels_digest(decode_png(png)) == digest
    except StoreDamagedError:
        return False


def broken_texts(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the columns with texts that are no UTF-8, by table."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in connection.execute(SQL.text_columns).fetchall():
        table, column = row[0], row[1]
        read = f'select cast("{column}" as blob) from "{table}" where "{column}" is not null'  # noqa: S608
        if any(not _is_text(value) for (value,) in connection.execute(read)):
            found[table].append(column)
    return dict(found)


def mend_texts(connection: sqlite3.Connection) -> None:
    """Put U+FFFD for each byte of a text that is no UTF-8. Belongs inside a transaction.

    A text that names its row stays, where another row has the name that it would get.
    """
    # Triggers copy a fact's former text into its history: that is mended next.
    while sum(
        _mend_column(connection, table, column)
        for table, columns in broken_texts(connection).items()
        for column in columns
    ):
        pass


def _mend_column(connection: sqlite3.Connection, table: str, column: str) -> int:
    read = f'select distinct cast("{column}" as blob) from "{table}" where "{column}" is not null'  # noqa: S608
    write = f'update or ignore "{table}" set "{column}" = ? where cast("{column}" as blob) = ?'  # noqa: S608
    return sum(
        connection.execute(write, (value.decode(errors="replace"), value)).rowcount
        for (value,) in connection.execute(read).fetchall()
        if not _is_text(value)
    )


def _is_text(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True
