"""Rules of an erasure for every column of a store, read from a table and from the store's schema."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from memctl.base.packaged import text_in
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.store.store import Store

__all__ = [
    "BLANKS",
    "INDEXED",
    "NOTE",
    "OWN",
    "PLAIN",
    "ColumnRule",
    "TableRules",
    "rules",
    "tables_of",
]

SQL = statements.load("store/erasure")

PLAIN, NOTE, OWN, INDEXED = "plain", "note", "own", "indexed"
BLANKS = {"empty": "", "null": None, "list": "[]", "object": "{}", "mark": "(erased)"}
"""What is left in a column that quoted something, by its rule."""


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """A column of text or bytes, and its rule; see ``column_rules.txt``."""

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
    """A table of a store: its key, and its columns of text or bytes."""

    name: str
    key: tuple[str, ...]
    columns: tuple[ColumnRule, ...]

    @property
    def telling(self) -> tuple[ColumnRule, ...]:
        """The columns that hold somebody's text or pictures."""
        return tuple(one for one in self.columns if one.rule != PLAIN)


@cache
def rules() -> dict[str, dict[str, ColumnRule]]:
    """Return the rule of each column, by table and name."""
    found: dict[str, dict[str, ColumnRule]] = {}
    for line in text_in("memctl.search.erasure", "column_rules.txt").splitlines():
        table, colon, told = line.partition(":")
        if not colon or line.startswith("#"):
            continue
        found[table] = {}
        for part in told.split(";"):
            rule, *names = part.split() or ("",)
            how, _, plain = rule.rpartition(":")
            found[table] |= {
                name: ColumnRule(name, plain, by_word=how == "word", ours=how == "ours")
                for name in names
            }
    return found


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
