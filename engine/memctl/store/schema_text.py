"""The schema with its comments, read from the migrations: printed by ``memctl schema``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from memctl.base.errors import NotFoundError
from memctl.base.near_words import meant
from memctl.store.migrations import migrations, split_script

_CREATE = re.compile(
    r"create (?:unique |virtual )?(?P<type>table|view|index|trigger) (?P<name>\w+)", re.IGNORECASE
)
_DROP = re.compile(r"drop (?P<type>table|view|index|trigger) (?P<name>\w+)", re.IGNORECASE)
# The table of an index or a trigger.
_ON = re.compile(r"\bon (?P<table>\w+)", re.IGNORECASE)
_ADD = re.compile(
    r"alter table (?P<table>\w+) add column (?P<column>.+)\Z", re.IGNORECASE | re.DOTALL
)
_DROP_COLUMN = re.compile(r"alter table (?P<table>\w+) drop column (?P<column>\w+)", re.IGNORECASE)
# Where a table's last column ends, before its first rule: behind a comma and its comment.
_RULE = re.compile(
    r"(?P<column>,(?: +--[^\n]*)?)(?:\n    --[^\n]*)*\n    (?:check \(|primary key \(|unique \(|foreign)"
)
# What is said behind a table's last column.
_LAST = re.compile(r" +--[^\n]*\Z")


@dataclass(frozen=True, slots=True)
class SchemaObject:
    """A table, view, index or trigger, with the comment above it and its SQL."""

    type: str
    name: str
    comment: str
    sql: str


def schema_objects(name: str | None = None) -> list[SchemaObject]:
    """Return every table and view with its comments, or the object of this name.

    Raises
    ------
    NotFoundError
        When nothing bears the name.
    """
    if name is None:
        return [one for one in _all() if one.type in {"table", "view"}]
    found = [one for one in _all() if one.name == name]
    if not found:
        known = [one.name for one in _all() if one.type in {"table", "view"}]
        hint = meant(name, known, f"it has: {', '.join(known)}")
        raise NotFoundError(f'the schema has no "{name}"', hint=hint)
    return found


@cache
def _all() -> tuple[SchemaObject, ...]:
    """Read the steps in order: a later one may drop an object or column, make it anew or add one."""
    found: dict[tuple[str, str], SchemaObject] = {}
    for step in migrations():
        for statement in split_script(step.sql):
            comment, sql = _parts(statement)
            if dropped := _DROP.match(sql):
                found = _without(found, dropped["type"].lower(), dropped["name"])
            elif added := _ADD.match(sql):
                table = "table", added["table"]
                found[table] = _with_column(found[table], comment, added)
            elif gone := _DROP_COLUMN.match(sql):
                table = "table", gone["table"]
                found[table] = _without_column(found[table], gone["column"])
            elif made := _CREATE.match(sql):
                kind = made["type"].lower()
                found[kind, made["name"]] = SchemaObject(kind, made["name"], comment, sql)
    return tuple(found.values())


def _without(
    known: dict[tuple[str, str], SchemaObject], kind: str, name: str
) -> dict[tuple[str, str], SchemaObject]:
    """Return the objects without one that was dropped; a table takes its indexes and triggers."""
    left = {key: thing for key, thing in known.items() if key != (kind, name)}
    if kind != "table":
        return left
    return {
        key: thing
        for key, thing in left.items()
        if thing.type not in {"index", "trigger"} or _table_of(thing) != name
    }


def _table_of(thing: SchemaObject) -> str:
    """Return the table of an index or a trigger."""
    on = _ON.search(thing.sql)
    assert on is not None  # noqa: S101  (our own migrations)
    return on["table"]


def _with_column(table: SchemaObject, comment: str, added: re.Match[str]) -> SchemaObject:
    """Return the table with a column more, where columns end and the table's own rules begin."""
    said = "".join(f"    -- {line}\n" for line in comment.splitlines())
    rule = _RULE.search(table.sql)
    if rule is None:
        end = table.sql.rindex("\n)")
        last = _LAST.search(table.sql, 0, end)
        at = last.start() if last else end
        before, remark, after = table.sql[:at], table.sql[at:end], table.sql[end:]
        sql = f"{before},{remark}\n{said}    {added['column']}{after}"
    else:
        at = rule.end("column")
        sql = f"{table.sql[:at]}\n{said}    {added['column']},{table.sql[at:]}"
    return replace(table, sql=sql)


def _without_column(table: SchemaObject, column: str) -> SchemaObject:
    """Return the table without a column, what is said above it and behind it; it is not the last."""
    said = rf"(?:\n    --[^\n]*)*\n    {column} .*?,(?: +--[^\n]*)?(?=\n)"
    sql, count = re.subn(said, "", table.sql, count=1, flags=re.DOTALL)
    assert count == 1, f"{table.name}.{column}"  # noqa: S101  (our own migrations)
    return replace(table, sql=sql)


def _parts(statement: str) -> tuple[str, str]:
    """Return the comment right above a statement, without the file's heading, and its SQL."""
    lines = statement.splitlines()
    start = next(
        (n for n, line in enumerate(lines) if line.strip() and not line.startswith("--")), None
    )
    if start is None:
        return "", ""
    above: list[str] = []
    for line in reversed(lines[:start]):
        if not line.startswith("--"):
            break
        above.insert(0, line.removeprefix("--").strip())
    return "\n".join(above), "\n".join(lines[start:]).rstrip().removesuffix(";")
