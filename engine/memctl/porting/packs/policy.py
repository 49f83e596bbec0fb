"""The policy of what travels: for each column, whether it goes into packs, other stores, or nowhere."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memctl.base.packaged import text_in

if TYPE_CHECKING:
    import sqlite3

Level = Literal["pack", "store", "local"]

# What goes into a pack goes into another store as well.
_ALLOWED: dict[str, frozenset[str]] = {
    "pack": frozenset({"pack"}),
    "store": frozenset({"pack", "store"}),
}


class Rule(NamedTuple):
    """A line of the policy: how far some columns of a table travel, and why."""

    level: str
    table: str
    columns: tuple[str, ...]
    why: str


@cache
def rules() -> tuple[Rule, ...]:
    """Return the lines of ``policy.txt``."""
    found = []
    for line in text_in("memctl.porting.packs", "policy.txt").splitlines():
        if line and not line.startswith("#"):
            what, _, why = line.partition(" - ")
            level, table, *columns = what.split()
            found.append(Rule(level, table, tuple(columns), why.strip()))
    return tuple(found)


def travelling(row: sqlite3.Row, table: str, level: Level) -> dict[str, Any]:
    """Return what of a row may leave the file at a level: into a pack, or into another store."""
    names = _columns(table, level)
    return {name: row[name] for name in row.keys() if name in names}  # noqa: SIM118  (not a dict)


@cache
def _columns(table: str, level: Level) -> frozenset[str]:
    return frozenset(
        column
        for rule in rules()
        if rule.table == table and rule.level in _ALLOWED[level]
        for column in rule.columns
    )
