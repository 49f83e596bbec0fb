"""Erasure within a transaction: all that goes is noted, and what is linked with it goes along.

A row takes others along: by a foreign key, by a trigger of the schema, by what memctl does itself.
Each of them is a delete or an update, so a temporary trigger notes it, in memory, until the call ends.
Recalls that returned a row lose their question then. What quotes a row elsewhere stays: the proof of
`memctl.upkeep.erasure_proof` lists it.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.search.index.index_words import IndexWords
from memctl.search.index.unindexed import index_rows
from memctl.store import statements
from memctl.store.schema_text import NUMBERS, columns
from memctl.text.closed_words import content_words
from memctl.text.real_words import is_real_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memctl.store.store import Store

SQL = statements.load("store/erasure")

PLAIN, NOTE, OWN, INDEXED = "plain", "note", "own", "indexed"
QUOTING = ("row", "row>skill", "empty", "null", "list", "object", "mark")
_BLANKS = {"empty": "''", "null": "null", "list": "'[]'", "object": "'{}'", "mark": "'(erased)'"}
# What has gone in a call: a row of a table (field: null), or what stood in one of its columns.
_MAKE_CELLS = """create table "temp".erased_cell (
    relation text not null, row_key text not null, field text, was any
) strict"""
_READ_CELLS = "select relation, row_key, field, was from temp.erased_cell order by rowid"
_DROP_CELLS = 'drop table "temp".erased_cell'


# -- tables ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ErasableTable:
    """A table of a store: its key, and the rule of each column of text or bytes.

    The rules are those of `memctl.store.schema_text`. A column without one is a note: it is proven to
    be gone with its row.
    """

    name: str
    key: tuple[str, ...]
    columns: dict[str, str]

    def noting(self) -> Iterator[str]:
        """Yield the triggers that note what goes of the table, for this connection alone."""
        row = f"select '{self.name}', {self.key_of('old')}"
        cells = [
            f"{row}, '{name}', old.{_quoted(name)} where old.{_quoted(name)} <> ''"
            for name, rule in self.columns.items()
            if rule != PLAIN
        ]
        gone = " union all ".join([f"{row}, null, null", *cells])
        yield f"""create temp trigger "erasing_gone_{self.name}" after delete on main.{_quoted(self.name)}
            begin insert into erased_cell {gone}; end"""
        if cells:
            names = [name for name, rule in self.columns.items() if rule != PLAIN]
            changed = " union all ".join(
                f"{cell} and old.{_quoted(name)} is not new.{_quoted(name)}"
                for cell, name in zip(cells, names, strict=True)
            )
            yield f"""create temp trigger "erasing_changed_{self.name}" after update on main.{_quoted(self.name)}
                begin insert into erased_cell {changed}; end"""

    def key_of(self, row: str) -> str:
        """Return the expression of a row's key as a text: its columns, between them a colon."""
        names = [f"{row}.{_quoted(name)}" for name in self.key]
        parts = (f"iif(typeof({name}) = 'blob', hex({name}), {name})" for name in names)
        joined = " || ':' || ".join(parts)
        return f"cast({joined} as text)"

    def read(self) -> str:
        """Return the statement that reads the key of all rows, and all columns of text or bytes."""
        listed = "".join(f", {_quoted(name)}" for name in self.columns)
        return f"select {self.key_of(_quoted(self.name))}{listed} from {_quoted(self.name)}"  # noqa: S608

    def has(self) -> str:
        """Return the statement that asks whether there is a row of one of ``:keys``."""
        return f"select 1 from {_quoted(self.name)} where {self._is_meant}"  # noqa: S608

    def delete(self) -> str:
        """Return the statement that deletes the rows of the JSON list ``:keys``."""
        return f"delete from {_quoted(self.name)} where {self._is_meant}"  # noqa: S608

    def erase(self) -> str:
        """Return the statement that erases the rows of ``:keys``: they go, or a quoting column is emptied."""
        blanks = {name: rule for name, rule in self.columns.items() if rule in _BLANKS}
        if "row" in self.columns.values() or not blanks:
            return self.delete()
        left = ", ".join(f"{_quoted(name)} = {_BLANKS[rule]}" for name, rule in blanks.items())
        return f"update {_quoted(self.name)} set {left} where {self._is_meant}"  # noqa: S608

    @property
    def _is_meant(self) -> str:
        return f"{self.key_of(_quoted(self.name))} in (select value from json_each(:keys))"  # noqa: S608


@cache
def rules() -> dict[str, dict[str, str]]:
    """Return the rule of each column of text or bytes, by table and name."""
    return {
        table: {
            name: column.erasing for name, column in of_table.items() if column.kind not in NUMBERS
        }
        for table, of_table in columns().items()
    }


def tables_of(store: Store) -> dict[str, ErasableTable]:
    """Return the tables of a store by name, but those that SQLite and the word index keep."""
    tables: dict[str, ErasableTable] = {}
    for row in store.rows(SQL.columns):
        name, known = row["relation"], rules().get(row["relation"], {})
        table = tables.setdefault(name, ErasableTable(name, (), {}))
        if row["key_place"]:
            table = tables[name] = ErasableTable(name, (*table.key, row["name"]), table.columns)
        if row["type"] in {"TEXT", "BLOB"}:
            table.columns[row["name"]] = known.get(row["name"], NOTE)
    return tables


# -- what goes ---------------------------------------------------------------------------


class ErasedCell(NamedTuple):
    """A value that was erased from a column; ``field`` and ``was`` are ``None`` for the row itself."""

    relation: str
    row_key: str
    field: str | None
    was: str | bytes | None


class ErasedWords(NamedTuple):
    """Words of erased texts that are asked for or in no dictionary: gone, or left in other rows."""

    gone: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()


class Erasing:
    """An erasure that is going on.

    Attributes
    ----------
    tried
        True where all will be taken back: the index stays in the parts that it is in.
    words
        After it: names, numbers and odd words of what has gone.
    """

    def __init__(self, store: Store, asked: Iterable[str] = ()) -> None:
        self.store = store
        self.tables = tables_of(store)
        self.asked = list(asked)
        self.tried = False
        self.words = ErasedWords()
        self._noted: list[ErasedCell] | None = None

    @property
    def cells(self) -> list[ErasedCell]:
        """All that has gone so far, in its order."""
        return self._read() if self._noted is None else self._noted

    def removed(self, relation: str) -> list[str]:
        """Return the keys of the rows of a table that have gone so far, each once."""
        keys = [
            cell.row_key for cell in self.cells if (cell.relation, cell.field) == (relation, None)
        ]
        return list(dict.fromkeys(keys))

    def begin(self) -> None:
        """Note from now on what goes. In a transaction."""
        connection = self.store.connection()
        connection.execute(_MAKE_CELLS)
        for table in self.tables.values():
            for statement in table.noting():
                connection.execute(statement)

    def finish(self) -> None:
        """Erase what is linked with what has gone, and let no word of it stay in an index."""
        recalls = {key.partition(":")[0] for key in self.removed("recall_hit")}
        self.store.execute(SQL.empty_questions, {"ids": json.dumps(sorted(map(int, recalls)))})
        for row in self.store.rows(SQL.dangling):
            deletion = f"delete from {_quoted(row['relation'])} where rowid = :number"  # noqa: S608
            self.store.execute(deletion, {"number": row["number"]})
        memories = {
            (table.name, name)
            for table in self.tables.values()
            for name, rule in table.columns.items()
            if rule in (OWN, INDEXED)
        }
        texts = [cell.was for cell in self._read() if (cell.relation, cell.field) in memories]
        self._erase_words([text for text in texts if isinstance(text, str)])
        for row in () if self.tried else self.store.rows(SQL.word_indexes):
            # A deleted word stays in the segments of an index until they are merged.
            index = _quoted(row["name"])
            self.store.execute(f"insert into {index} ({index}) values ('optimize')")  # noqa: S608
        self._noted = self._read()

    def _erase_words(self, texts: list[str]) -> None:
        """Erase the vectors of words that no memory has any more, and keep those words."""
        index_rows(self.store)
        index = IndexWords(self.store)
        wanted = {word for text in self.asked for word in content_words(text)}
        words = wanted.union(*map(content_words, texts)) if texts else wanted
        telling = {word for word in words if word in wanted or not is_real_word(word)}
        gone = {word for word in telling if not index.any_occurs([word])}
        stems = {token.stem for tokens in index.split(sorted(gone)) for token in tokens}
        self.store.execute(SQL.delete_word_vectors, {"words": json.dumps(sorted(stems))})
        self.words = ErasedWords(frozenset(gone | stems), frozenset(telling - gone))

    def end(self) -> None:
        """Note nothing any more."""
        connection = self.store.connection()
        for (name,) in connection.execute(SQL.triggers).fetchall():
            connection.execute(f'drop trigger temp."{name}"')
        connection.execute(_DROP_CELLS)

    def _read(self) -> list[ErasedCell]:
        return [ErasedCell(*row) for row in self.store.rows(_READ_CELLS)]


class _CurrentErasing(threading.local):
    """The erasure that this thread is in."""

    erasing: Erasing | None = None


_going = _CurrentErasing()


@contextmanager
def erasing(store: Store, asked: Iterable[str] = ()) -> Iterator[Erasing]:
    """Let every delete inside take along what is linked with it. In a transaction.

    Inside of another it joins that one, at whose end the links go.

    Parameters
    ----------
    asked
        Texts by which the rows were chosen: their words are looked for in the proof.
    """
    going = _going.erasing
    if going is not None and going.store is store:
        going.asked += asked
        yield going
        return
    try:
        # Who chose the rows had a scope; what is linked with them may be anybody's.
        with store.unscoped():
            _going.erasing = current = Erasing(store, asked)
            current.begin()
            yield current
            _going.erasing = None
            current.finish()
            current.end()
    finally:
        _going.erasing = None  # what was noted goes with the transaction that is rolled back


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
