"""Tables of a store as an erasure sees them: the rule of every column, and statements about any table.

A table's name cannot be a parameter of a statement, so these are made here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.store.schema_text import NUMBERS, columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memctl.store.store import Store

SQL = statements.load("store/erasure")

PLAIN, NOTE, OWN, INDEXED = "plain", "note", "own", "indexed"
BLANKS = {"empty": "", "null": None, "list": "[]", "object": "{}", "mark": "(erased)"}
"""What is left in a column that quoted something, by its rule."""

MAKE_CELLS = """create table "temp".erased_cell (
    relation text not null, row_key text not null, field text, was any
) strict"""
"""What has gone in a call: a row of a table (field: null), or what stood in one of its columns."""
READ_CELLS = "select relation, row_key, field, was from temp.erased_cell order by rowid"
DROP_CELLS = 'drop table "temp".erased_cell'


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """A column of text or bytes, and its rule; see `memctl.store.schema_text`."""

    name: str
    rule: str
    by_word: bool = False
    ours: bool = False

    @property
    def repeats(self) -> bool:
        """True where it may quote what stands elsewhere."""
        return self.rule not in (PLAIN, NOTE, OWN, INDEXED)


@dataclass(frozen=True, slots=True)
class TableRules:
    """A table of a store: its key, its columns of text or bytes, and statements about it."""

    name: str
    key: tuple[str, ...]
    columns: tuple[ColumnRule, ...]

    def noting(self) -> Iterator[str]:
        """Yield the triggers that note what goes of the table, for this connection alone."""
        key = " || ':' || ".join(
            f"iif(typeof(old.{one}) = 'blob', hex(old.{one}), old.{one})"
            for one in map(_quoted, self.key)
        )
        row = f"select '{self.name}', {key}"
        telling = [(c.name, _quoted(c.name)) for c in self.columns if c.rule != PLAIN]
        cells = [f"{row}, '{name}', old.{one} where old.{one} <> ''" for name, one in telling]
        gone = " union all ".join([f"{row}, null, null", *cells])
        yield f"""create temp trigger "erasing_gone_{self.name}" after delete on main.{_quoted(self.name)}
            begin insert into erased_cell {gone}; end"""
        if telling:
            changed = " union all ".join(
                f"{cell} and old.{one} is not new.{one}"
                for cell, (_, one) in zip(cells, telling, strict=True)
            )
            yield f"""create temp trigger "erasing_changed_{self.name}" after update on main.{_quoted(self.name)}
                begin insert into erased_cell {changed}; end"""

    def distinct(self, column: ColumnRule) -> str:
        """Return what reads the values of a column, each once."""
        return f"select distinct {_quoted(column.name)} from {_quoted(self.name)}"  # noqa: S608

    def page(self, columns: Iterable[ColumnRule], *, first: bool) -> str:
        """Return what reads ``:most`` rows from behind ``:key_0`` ...: their keys and some columns."""
        key = _listed(self.key)
        after = "" if first else f"where ({key}) > ({self._marks})"
        chosen = _listed((*self.key, *(one.name for one in columns)))
        return f"select {chosen} from {_quoted(self.name)} {after} order by {key} limit :most"  # noqa: S608

    def all_told(self) -> str:
        """Return what reads the keys of all rows, and all columns of text or bytes."""
        chosen = _listed((*self.key, *(one.name for one in self.columns)))
        return f"select {chosen} from {_quoted(self.name)}"  # noqa: S608

    def erase_in_row(self, columns: Sequence[ColumnRule], rule: str) -> str:
        """Return what a rule does to the row of a key: it goes, its owner does, or it is emptied."""
        name, where = _quoted(self.name), f"({_listed(self.key)}) = ({self._marks})"
        owner = rule.partition(">")[2]
        if owner:
            mine = f"select {_quoted(owner + '_id')} from {name} where {where}"  # noqa: S608
            return f"delete from {_quoted(owner)} where id in ({mine})"  # noqa: S608
        if rule:
            return f"delete from {name} where {where}"  # noqa: S608
        blanks = [(one.name, BLANKS[one.rule]) for one in columns if one.rule in BLANKS]
        left = ", ".join(
            f"{_quoted(column)} = " + ("null" if blank is None else f"'{blank}'")
            for column, blank in blanks
        )
        return f"update {name} set {left} where {where}"  # noqa: S608

    @property
    def _marks(self) -> str:
        return ", ".join(f":key_{number}" for number in range(len(self.key)))


@cache
def rules() -> dict[str, dict[str, ColumnRule]]:
    """Return the rule of each column of text or bytes, by table and name."""
    return {
        table: {
            name: ColumnRule(name, rule, by_word=how == "word", ours=how == "ours")
            for name, column in found.items()
            if column.kind not in NUMBERS
            for how, _, rule in [column.erasing.rpartition(":")]
        }
        for table, found in columns().items()
    }


def tables_of(store: Store) -> list[TableRules]:
    """Return the tables of a store, but those that SQLite and the word index keep themselves.

    A column without a rule is a note: it is proven to be gone with its row.
    """
    found: dict[str, TableRules] = {}
    for row in store.rows(SQL.columns):
        table = found.get(row["relation"], TableRules(row["relation"], (), ()))
        key = (*table.key, row["name"]) if row["key_place"] else table.key
        columns = table.columns
        if row["type"] in {"TEXT", "BLOB"}:
            rule = rules().get(table.name, {}).get(row["name"], ColumnRule(row["name"], NOTE))
            columns = (*columns, rule)
        found[table.name] = TableRules(table.name, key, columns)
    return list(found.values())


def has_id(table: str) -> str:
    """Return what asks whether a table has a row of the id ``:id``."""
    return f"select 1 from {_quoted(table)} where id = :id"  # noqa: S608


def delete_by_id(table: str) -> str:
    """Return what deletes the rows whose ids the JSON list ``:ids`` holds."""
    return f"delete from {_quoted(table)} where id in (select value from json_each(:ids))"  # noqa: S608


def delete_numbered(table: str) -> str:
    """Return what deletes the row of the number ``:number``."""
    return f"delete from {_quoted(table)} where rowid = :number"  # noqa: S608


def optimize(index: str) -> str:
    """Return what merges the segments of a word index: a deleted word stays in them until then."""
    return f"insert into {_quoted(index)} ({_quoted(index)}) values ('optimize')"  # noqa: S608


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_quoted, names))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
