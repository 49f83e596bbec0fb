"""Erased cells: all that goes within a call, whatever takes it away, noted by temporary triggers.

A row takes others along: by a foreign key, by a trigger of the schema, by what memctl does itself.
Each of them is a delete or an update, so a trigger sees it. What they note stays in memory, and goes
when the call ends.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memctl.search.erasure import table_sql
from memctl.search.erasure.column_rules import tables_of
from memctl.search.erasure.quotes import ErasedCell, ErasedWords, erase_quotes
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
        After it: the words of what has gone, but no common ones.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables = tables_of(store)
        self.asked: list[str] = []
        self.tried = False
        self.words = ErasedWords()
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
        connection.execute(table_sql.MAKE_CELLS)
        for table in self.tables:
            for statement in table_sql.noting(table):
                connection.execute(statement)

    def finish(self) -> None:
        """Erase what quotes that, and let no word of it stay in an index."""
        self.words = erase_quotes(self.store, self.tables, self._read(), self.asked)
        for row in self.store.rows(SQL.dangling):
            deletion = table_sql.delete_numbered(row["relation"])
            self.store.execute(deletion, {"number": row["number"]})
        for row in () if self.tried else self.store.rows(SQL.word_indexes):
            self.store.execute(table_sql.optimize(row["name"]))
        self._noted = self._read()

    def end(self) -> None:
        """Note nothing any more."""
        connection = self.store.connection()
        for (name,) in connection.execute(SQL.triggers).fetchall():
            connection.execute(f'drop trigger temp."{name}"')
        connection.execute(table_sql.DROP_CELLS)

    def _read(self) -> list[ErasedCell]:
        return [ErasedCell(*row) for row in self.store.rows(table_sql.READ_CELLS)]


class _CurrentErasing(threading.local):
    """The erasure that this thread is in."""

    erasing: Erasing | None = None


_going = _CurrentErasing()


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
    if going is not None and going.store is store:
        for text in asked:
            going.also(text)
        yield going
        return
    try:
        # Who chose the rows had a scope; what quotes them may be anybody's.
        with store.unscoped():
            _going.erasing = current = Erasing(store)
            for text in asked:
                current.also(text)
            current.begin()
            yield current
            _going.erasing = None
            current.finish()
            current.end()
    finally:
        _going.erasing = None  # what was noted goes with the transaction that is rolled back
