"""The schema with its comments, read from the migrations: printed by ``memctl schema``.

Each column is declared once, with how far it travels and how it is erased. The declaration
ends the comment of the column: ``-- the text on it [store; own]``. The first word is
how far the column travels. ``[local]`` at the end of a table's comment speaks for the whole table.

- ``pack``: into packs, other stores of the same person, and exports
- ``store``: into other stores of the same person, and exports: it may be personal
- ``export``: into exports alone
- ``derived``: into other stores; an export leaves it out, since an import makes it anew
- ``local``: nowhere

The second word is what an erasure does with a text or bytes. Times, references and words of a fixed
list need none: they are ``plain``.

- ``plain``: nothing; an id, a kind, a digest
- ``note``: nothing, but it must be gone with its row: a session, a source, a reason, a picture
- ``own``: it is a memory, or a name that people gave: it goes with its row alone
- ``indexed``: likewise, and it is in the word index

Any other word stands at a column that may quote what stands elsewhere. An erasure lists such rows;
``memctl erase TABLE:KEY`` then does as the word says:

- ``row``: its row goes; ``row>skill``: the row of skill goes that it belongs to
- ``empty``, ``null``, ``list``, ``object``, ``mark``: it becomes empty, null, ``[]``, ``{}`` or
  ``(erased)``, and so do such columns of its row
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from memctl.base.errors import NotFoundError
from memctl.base.near_words import meant
from memctl.store.migrations import migrations, split_script

if TYPE_CHECKING:
    from collections.abc import Mapping

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

Reach = Literal["pack", "store", "export", "derived", "local"]

# Columns that leave the file by each way.
_REACHES: Mapping[str, frozenset[str]] = {
    "pack": frozenset({"pack"}),
    "store": frozenset({"pack", "store", "derived"}),
    "export": frozenset({"pack", "store", "export"}),
}
_DECLARATION = re.compile(
    rf" *\[(?P<reach>{'|'.join(get_args(Reach))})?(?:; )?(?P<erasing>(?:plain|note"
    r"|own|indexed|row(?:>\w+)?|empty|null|list|object|mark))?\]$"
)
_COLUMN = re.compile(r"    (?P<name>[a-z]\w*) (?P<type>integer|text|real|blob)\b")
NUMBERS = frozenset({"number", "whole", "offset", "flag"})
"""Kinds of columns that hold no text."""

_TIME = re.compile(r"\w+_at|valid_(?:from|to)")
_DEFAULT = re.compile(r"\bdefault (?P<value>'[^']*'|[\d.]+)")


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
    result = [one for one in _all() if one.name == name]
    if not result:
        known = [one.name for one in _all() if one.type in {"table", "view"}]
        hint = meant(name, known, f"it has: {', '.join(known)}")
        raise NotFoundError(f'the schema has no "{name}"', hint=hint)
    return result


class SchemaColumn(NamedTuple):
    """A column of a table, as the schema declares it.

    Parameters
    ----------
    kind
        ``text``, ``time``, ``number``, ``whole`` (0 or more), ``offset`` (below 0 as well),
        ``flag``, ``list``, ``object`` or ``bytes``.
    default
        Its value where none is given; a flag is a ``bool``, a list or an object is JSON.
    about
        What its comment says.
    declared
        Whether the schema says both, where both are needed.
    """

    name: str
    kind: str
    nullable: bool
    default: str | float | bool | None
    reach: Reach
    erasing: str
    about: str
    declared: bool

    def travels(self, way: Literal["pack", "store", "export"]) -> bool:
        """Return whether the column leaves the file in a pack, for another store, or in an export."""
        return self.reach in _REACHES[way]


@cache
def columns() -> Mapping[str, Mapping[str, SchemaColumn]]:
    """Return the columns of every table, by table and name, in the order of the schema."""
    return {
        schema_object.name: {
            column.name: column for column in _columns_of(schema_object.comment, schema_object.sql)
        }
        for schema_object in schema_objects()
        if schema_object.type == "table" and schema_object.sql.startswith("create table")
    }


def without_declaration(comment: str) -> str:
    """Return a comment without its declaration."""
    return _DECLARATION.sub("", comment).rstrip()


@cache
def travelling(table: str, way: Literal["pack", "store", "export"]) -> tuple[str, ...]:
    """Return the names of the columns of a table that leave the file by a way."""
    return tuple(column.name for column in columns()[table].values() if column.travels(way))


@cache
def insertion(table: str, names: tuple[str, ...]) -> str:
    """Return the statement that inserts a row of some columns; a name cannot be a parameter."""
    values = ", ".join(f":{name}" for name in names)
    return f"insert into main.{table} ({', '.join(names)}) values ({values})"  # noqa: S608


@cache
def change(table: str, key: str, names: tuple[str, ...]) -> str:
    """Return the statement that changes some columns of the row of a key."""
    values = ", ".join(f"{name} = :{name}" for name in names if name != key)
    return f"update main.{table} set {values} where {key} = :{key}"  # noqa: S608


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
    """Return the table without a column, and its comments; it is not the last."""
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


def _columns_of(comment: str, sql: str) -> list[SchemaColumn]:
    whole = _DECLARATION.search(comment)
    result: list[SchemaColumn] = []
    name, code, above, said = "", "", list[str](), list[str]()
    for line in [*sql.partition("(\n")[2].splitlines(), "    end text"]:
        before, _, remark = line.partition("--")
        start = _COLUMN.match(line)
        if not before.strip():
            above.append(remark.strip())
            continue
        if name and (start or code.rstrip().endswith(",") or line.startswith(")")):
            result.append(_column(name, code, said, whole["reach"] if whole else None))
            name = ""
        if start:
            name, code, said = start["name"], before.strip(), [*above]
        elif name:
            code += " " + before.strip()
        if name and remark.strip():
            said.append(remark.strip())
        above = []
    return result


def _column(name: str, code: str, said: list[str], whole: str | None) -> SchemaColumn:
    about = " ".join(said)
    declared = _DECLARATION.search(about)
    reach = (declared and declared["reach"]) or whole
    erasing = declared and declared["erasing"]
    match = _DEFAULT.search(code)
    default: str | float | bool | None = None
    kind = _kind(name, code)
    if match is not None:
        value = match["value"]
        default = value.strip("'") if value.startswith("'") else float(value)
        if isinstance(default, float) and kind != "number":
            default = bool(default) if kind == "flag" else int(default)
    return SchemaColumn(
        name=name,
        kind=kind,
        nullable="not null" not in code and "primary key" not in code,
        default=default,
        reach=reach or "local",  # type: ignore[arg-type]
        erasing=erasing or "plain",
        about=without_declaration(about),
        declared=reach is not None and (bool(erasing) or _needs_none(name, kind, code)),
    )


def _needs_none(name: str, kind: str, code: str) -> bool:
    """Return whether a value in a column is of another type than the column's."""
    checks = code.replace("( ", "(")
    fixed = (" references ", f"check ({name} in ", f"check ({name} = ")
    return kind in {*NUMBERS, "time"} or any(one in checks for one in fixed)


def _kind(name: str, code: str) -> str:
    kind = code.split()[1].rstrip(",")
    if kind == "integer":
        if f"check ({name} in (0, 1))" in code:
            return "flag"
        return "offset" if "between -" in code else "whole"
    if kind == "text":
        if _TIME.fullmatch(name):
            return "time"
        if "default '[]'" in code:
            return "list"
        return "object" if "default '{}'" in code else "text"
    return {"real": "number", "blob": "bytes"}[kind]
