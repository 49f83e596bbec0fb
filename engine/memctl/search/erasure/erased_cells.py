"""Erased cells: all that goes within a call, whatever takes it away, noted by temporary triggers.

A row takes others along: by a foreign key, by a trigger of the schema, by what memctl does itself.
Each of them is a delete or an update, so a trigger sees it. What they note stays in memory, and goes
when the call ends.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memctl.search.erasure.column_rules import tables_of
from memctl.search.erasure.quotes import ErasedCell, erase_quotes
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memctl.search.erasure.column_rules import Table
    from memctl.store.store import Store

__all__ = ["Erasing", "erasing"]

SQL = statements.load("store/erasure")


class Erasing:
    """An erasure that is going on.

    Attributes
    ----------
    tried
        True where all will be taken back: the index stays in the parts that it is in.
    words
        After it: the words and their stems that nothing says any more, but no common ones.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables = tables_of(store)
        self.asked: list[str] = []
        self.tried = False
        self.words: frozenset[str] = frozenset()
        self._noted: list[ErasedCell] | None = None

    def also(self, text: str) -> None:
        """Let what repeats `text` go, too: somebody asked for all that says it."""
        self.asked.append(text)

    @property
    def cells(self) -> list[ErasedCell]:
        """All that has gone so far, in its order."""
        return self._read() if self._noted is None else self._noted

    def removed(self, relation: str) -> list[str]:
        """Return the keys of the rows of a table that have gone so far, each once."""
        keys = [one.row_key for one in self.cells if (one.relation, one.field) == (relation, None)]
        return list(dict.fromkeys(keys))

    def begin(self) -> None:
        """Note from now on what goes. In a transaction."""
        connection = self.store.connection()
        connection.execute(SQL.make_cells)
        for table in self.tables:
            for statement in _triggers(table):
                connection.execute(statement)

    def finish(self) -> None:
        """Erase what quotes that, and let no word of it stay in an index."""
        self.words = erase_quotes(self.store, self.tables, self._read(), self.asked)
        for row in self.store.rows(SQL.dangling):
            # A name of a table cannot be a parameter; this is the schema's own.
            self.store.execute(
                f"delete from {_quoted(row['relation'])} where rowid = :number",  # noqa: S608
                {"number": row["number"]},
            )
        for row in () if self.tried else self.store.rows(SQL.word_indexes):
            name = _quoted(row["name"])
            self.store.execute(f"insert into {name} ({name}) values ('optimize')")  # noqa: S608
        self._noted = self._read()

    def end(self) -> None:
        """Note nothing any more."""
        connection = self.store.connection()
        for (name,) in connection.execute(SQL.triggers).fetchall():
            connection.execute(f"drop trigger temp.{_quoted(name)}")
        connection.execute(SQL.drop_cells)

    def _read(self) -> list[ErasedCell]:
        return [ErasedCell(*row) for row in self.store.rows(SQL.cells)]


class _Going(threading.local):
    """The erasure that this thread is in."""

    erasing: Erasing | None = None


_going = _Going()


@contextmanager
def erasing(store: Store, asked: Iterable[str] = ()) -> Iterator[Erasing]:
    """Let every delete inside take along what quotes it, wherever it stands. In a transaction.

    Inside of another it joins that one, at whose end the quotes go.

    Parameters
    ----------
    asked
        Texts by which the rows were chosen: what repeats them goes, too.
    """
    going = _going.erasing
    outer = going is not None and going.store is store
    current = going if going is not None and outer else Erasing(store)
    for text in asked:
        current.also(text)
    if outer:
        yield current
        return
    current.begin()
    _going.erasing = current
    try:
        yield current
        _going.erasing = None
        current.finish()
        current.end()
    finally:
        _going.erasing = None  # what was noted goes with the transaction that is rolled back


def _triggers(table: Table) -> Iterator[str]:
    """Yield the statements of what notes a table's deletes and updates."""
    name = _quoted(table.name)
    key = " || ':' || ".join(
        f"iif(typeof(old.{_quoted(one)}) = 'blob', hex(old.{_quoted(one)}), old.{_quoted(one)})"
        for one in table.key or ("rowid",)
    )
    row = f"select {_text(table.name)}, {key}"
    gone = [
        f"{row}, {_text(one.name)}, old.{_quoted(one.name)} where old.{_quoted(one.name)} <> ''"
        for one in table.telling
    ]
    noted = " union all ".join([f"{row}, null, null", *gone])
    yield f"""create temp trigger {_quoted("erasing_gone_" + table.name)} after delete on main.{name}
        begin insert into erased_cell {noted}; end"""
    if table.telling:
        changed = " union all ".join(
            f"{cell} and old.{_quoted(one.name)} is not new.{_quoted(one.name)}"
            for cell, one in zip(gone, table.telling, strict=True)
        )
        yield f"""create temp trigger {_quoted("erasing_changed_" + table.name)}
            after update on main.{name} begin insert into erased_cell {changed}; end"""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
