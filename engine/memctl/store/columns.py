"""Columns of the schema, each declared once: how far it travels, and how it is erased.

A declaration ends the comment of its column: ``-- the text on it [store; own]``. The first word is
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

Any other word stands at a column that repeats what stands elsewhere. Where it quotes what is erased:

- ``row``: its row goes; ``row>skill``: the row of skill goes that it belongs to
- ``empty``, ``null``, ``list``, ``object``, ``mark``: it becomes empty, null, ``[]``, ``{}`` or
  ``(erased)``, and so do such columns of its row
- ``word:...``: one word that stands nowhere else is a quote, though it is a common one
- ``ours:...``: JSON that memctl writes; its numbers and times quote nobody
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from memctl.store.schema_text import schema_objects

if TYPE_CHECKING:
    from collections.abc import Mapping

Reach = Literal["pack", "store", "export", "derived", "local"]

# Columns that leave the file by each way.
_REACHES: Mapping[str, frozenset[str]] = {
    "pack": frozenset({"pack"}),
    "store": frozenset({"pack", "store", "derived"}),
    "export": frozenset({"pack", "store", "export"}),
}
_DECLARATION = re.compile(
    rf" *\[(?P<reach>{'|'.join(get_args(Reach))})?(?:; )?(?P<erasing>(?:word:|ours:)?(?:plain|note"
    r"|own|indexed|row(?:>\w+)?|empty|null|list|object|mark))?\]$"
)
_COLUMN = re.compile(r"    (?P<name>[a-z]\w*) (?P<type>integer|text|real|blob)\b")
NUMBERS = frozenset({"number", "whole", "offset", "flag"})
"""Kinds of columns that hold no text."""

_TIME = re.compile(r"\w+_at|valid_(?:from|to)")
_DEFAULT = re.compile(r"\bdefault (?P<value>'[^']*'|[\d.]+)")


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
        one.name: {column.name: column for column in _columns_of(one.comment, one.sql)}
        for one in schema_objects()
        if one.type == "table" and one.sql.startswith("create table")
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


def _columns_of(comment: str, sql: str) -> list[SchemaColumn]:
    whole = _DECLARATION.search(comment)
    found: list[SchemaColumn] = []
    name, code, above, said = "", "", list[str](), list[str]()
    for line in [*sql.partition("(\n")[2].splitlines(), "    end text"]:
        before, _, remark = line.partition("--")
        start = _COLUMN.match(line)
        if not before.strip():
            above.append(remark.strip())
            continue
        if name and (start or code.rstrip().endswith(",") or line.startswith(")")):
            found.append(_column(name, code, said, whole["reach"] if whole else None))
            name = ""
        if start:
            name, code, said = start["name"], before.strip(), [*above]
        elif name:
            code += " " + before.strip()
        if name and remark.strip():
            said.append(remark.strip())
        above = []
    return found


def _column(name: str, code: str, said: list[str], whole: str | None) -> SchemaColumn:
    about = " ".join(said)
    declared = _DECLARATION.search(about)
    reach = (declared and declared["reach"]) or whole
    erasing = declared and declared["erasing"]
    found = _DEFAULT.search(code)
    default: str | float | bool | None = None
    kind = _kind(name, code)
    if found is not None:
        value = found["value"]
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
    """Return whether a column cannot hold what somebody wrote."""
    fixed = " references " in code or re.search(rf"check \(\s*{name} (?:in|=) ", code)
    return kind in {*NUMBERS, "time"} or bool(fixed)


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
