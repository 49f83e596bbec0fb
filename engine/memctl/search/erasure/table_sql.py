"""Statements about any table of a store: its name cannot be a parameter, so they are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.search.erasure.column_rules import BLANKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memctl.search.erasure.column_rules import ColumnRule, TableRules

__all__ = [
    "DROP_CELLS",
    "MAKE_CELLS",
    "READ_CELLS",
    "delete_by_id",
    "delete_numbered",
    "distinct",
    "erase_in_row",
    "has_id",
    "noting",
    "optimize",
    "page",
    "told_in",
]

MAKE_CELLS = """create table "temp".erased_cell (
    relation text not null, row_key text not null, field text, was any
) strict"""
"""What has gone in a call: a row of a table (field: null), or what stood in one of its columns."""
READ_CELLS = "select relation, row_key, field, was from temp.erased_cell order by rowid"
DROP_CELLS = 'drop table "temp".erased_cell'


def noting(table: TableRules) -> Iterator[str]:
    """Yield the triggers that note what goes of a table, for this connection alone."""
    name = _quoted(table.name)
    key = " || ':' || ".join(
        f"iif(typeof(old.{_quoted(one)}) = 'blob', hex(old.{_quoted(one)}), old.{_quoted(one)})"
        for one in table.key
    )
    row = f"select '{table.name}', {key}"
    cells = [
        f"{row}, '{one.name}', old.{_quoted(one.name)} where old.{_quoted(one.name)} <> ''"
        for one in table.telling
    ]
    gone = " union all ".join([f"{row}, null, null", *cells])
    yield f"""create temp trigger "erasing_gone_{table.name}" after delete on main.{name}
        begin insert into erased_cell {gone}; end"""
    if table.telling:
        changed = " union all ".join(
            f"{cell} and old.{_quoted(one.name)} is not new.{_quoted(one.name)}"
            for cell, one in zip(cells, table.telling, strict=True)
        )
        yield f"""create temp trigger "erasing_changed_{table.name}" after update on main.{name}
            begin insert into erased_cell {changed}; end"""


def distinct(table: TableRules, column: ColumnRule) -> str:
    """Return what reads the values of a column, each once."""
    return f"select distinct {_quoted(column.name)} from {_quoted(table.name)}"  # noqa: S608


def page(table: TableRules, columns: Iterable[ColumnRule], *, first: bool) -> str:
    """Return what reads ``:most`` rows from behind ``:key_0`` ...: their keys and some columns."""
    key = _listed(table.key)
    after = "" if first else f"where ({key}) > ({_marks(table.key)})"
    chosen = _listed((*table.key, *(one.name for one in columns)))
    return f"select {chosen} from {_quoted(table.name)} {after} order by {key} limit :most"  # noqa: S608


def told_in(table: TableRules) -> str:
    """Return what reads the keys of all rows, and all columns of text or bytes."""
    chosen = _listed((*table.key, *(one.name for one in table.columns)))
    return f"select {chosen} from {_quoted(table.name)}"  # noqa: S608


def erase_in_row(table: TableRules, columns: Sequence[ColumnRule], rule: str) -> str:
    """Return what a rule does to the row of a key: it goes, its owner does, or it is emptied."""
    name, where = _quoted(table.name), f"({_listed(table.key)}) = ({_marks(table.key)})"
    owner = rule.partition(">")[2]
    if owner:
        mine = f"select {_quoted(owner + '_id')} from {name} where {where}"  # noqa: S608
        return f"delete from {_quoted(owner)} where id in ({mine})"  # noqa: S608
    if rule:
        return f"delete from {name} where {where}"  # noqa: S608
    left = ", ".join(
        f"{_quoted(one.name)} = {_literal(BLANKS[one.rule])}"
        for one in columns
        if one.rule in BLANKS
    )
    return f"update {name} set {left} where {where}"  # noqa: S608


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


def _marks(key: Sequence[str]) -> str:
    return ", ".join(f":key_{number}" for number in range(len(key)))


def _literal(value: str | None) -> str:
    return "null" if value is None else f"'{value}'"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
