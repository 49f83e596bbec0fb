"""Items: rows of a store as plain objects, the same in every format of memctl's own.

An item holds what its row holds, without what is empty or usual; times, ids and history are part of
it. Equal items have equal digests, so that what was edited in a file is known from what was not.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.porting.markdown_reading import front_text
from memctl.store import statements
from memctl.store.schema_text import columns, travelling

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

    from memctl.store.schema_text import SchemaColumn
    from memctl.store.store import Store

    Item = dict[str, Any]

SQL = statements.load("store/exporting")
SEARCH = statements.load("store/search")
STORE = statements.load("store/store")
_BATCH = 1_000
_NONE = {
    "after": -2,
    "id": None,
    "since": None,
    "until": None,
    "states": None,
    "tags": None,
    "most": _BATCH,
}
EVERYBODY: Mapping[str, str | None] = {
    "scope_user": None,
    "scope_project": None,
    "scope_agent": None,
    "scope_session": None,
}


class KeptColumn(NamedTuple):
    """A value of an item.

    Parameters
    ----------
    name
        Its key, and the name of its column.
    holds
        The kind of its column, as `memctl.store.schema_text.SchemaColumn` has it, or ``names`` (a list of texts),
        ``ids`` (a list of whole numbers), ``history`` or ``support``.
    usual
        The value that is left out.
    """

    name: str
    holds: str
    usual: Any = None


_TABLES = {
    "turn": "log",
    "episode": "episode",
    "fact": "fact",
    "alias": "alias",
    "knowledge": "knowledge",
}
# Rows of other tables that are part of an item.
_PARTS = {
    "episode": (KeptColumn("turns", "ids", []),),
    "fact": (KeptColumn("support", "support", []), KeptColumn("history", "history", [])),
    "knowledge": (KeptColumn("sources", "names", []),),
}
_RENAMED = {("knowledge", "about"): "kind"}


def _kept(kind: str, column: SchemaColumn) -> KeptColumn:
    name = "about" if _RENAMED.get((kind, "about")) == column.name else column.name
    if column.kind in {"list", "object"}:
        holds = "names" if column.kind == "list" else column.kind
        return KeptColumn(name, holds, json.loads(str(column.default)))
    usual = None if column.kind == "number" else column.default
    return KeptColumn(name, column.kind, usual)


COLUMNS: Mapping[str, tuple[KeptColumn, ...]] = {
    kind: (
        *(_kept(kind, columns()[table][name]) for name in travelling(table, "export")),
        *_PARTS.get(kind, ()),
    )
    for kind, table in _TABLES.items()
}
"""What items hold, by kind. Of knowledge, ``about`` is its kind: post-mortem, tracker, ..."""

_READ_BY: Mapping[str, str] = {
    "turn": SQL.turn,
    "episode": SQL.episode,
    "fact": SQL.fact,
    "alias": SQL.alias,
    "knowledge": SQL.knowledge,
}
_READ = frozenset({"names", "ids", "object", "history", "support"})


def items_of(
    store: Store,
    kind: str,
    chosen: Mapping[str, Any] | None = None,
    scope: Mapping[str, str | None] = EVERYBODY,
) -> Iterator[Item]:
    """Yield the items of a kind in their order, some at a time.

    Parameters
    ----------
    kind
        ``turn``, ``episode``, ``fact``, ``alias`` or ``knowledge``.
    chosen
        ``id``, ``since``, ``until``, and as JSON lists ``states`` and ``tags``; all where nothing is
        said.
    scope
        Whose facts, as `memctl.base.scope.Scope.reading` binds them.
    """
    asked = {**_NONE, **scope, **(chosen or {})}
    if asked["id"] is not None and kind in {"turn", "episode", "fact"}:
        # Read from its place on: to look for it from the first row takes as long as there are rows.
        place = store.value(SEARCH.fact_number, asked) if kind == "fact" else asked["id"]
        if place is None:
            return
        asked |= {"after": place - 1, "most": 1}
    while rows := store.rows(_READ_BY[kind], asked):
        for row in rows:
            yield _item(kind, row)
        if len(rows) < _BATCH:
            return
        asked["after"] = rows[-1]["place"]


def id_of(kind: str, item: Mapping[str, Any]) -> str:
    """Return the key of an item among those of its kind."""
    if kind == "alias":
        return f"{item.get('term')}\t{item.get('synonym')}"
    if kind == "knowledge":
        return f"{item.get('about')}\t{item.get('subject', '')}"
    return str(item.get("id", ""))


def digest_of(item: Mapping[str, Any]) -> str:
    """Return the digest of an item, whatever the order of its keys."""
    text = json.dumps(item, ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def own_origin(store: Store) -> str:
    """Return the random id of a store."""
    return str(store.value(STORE.own_origin))


def _item(kind: str, row: sqlite3.Row) -> Item:
    item: Item = {}
    for column in COLUMNS[kind]:
        value = row[_RENAMED.get((kind, column.name), column.name)]
        if column.holds in _READ:
            value = json.loads(value)
        elif column.holds == "flag":
            value = bool(value)
        if column.holds == "history":
            value = [{key: text for key, text in change.items() if text} for change in value]
        if value is not None and value != column.usual:
            item[column.name] = value
    return item


# --- an item in a Markdown file: its properties as front matter, and its text below

TEXTS: Mapping[str, tuple[str, ...]] = {
    "turn": ("text",),
    "episode": ("summary", "details"),
    "fact": ("text",),
    "alias": (),
    "knowledge": ("body",),
}
"""Texts below the properties of each kind; the details of an episode begin on its second line."""
RULER = "---"


def text_of_item(kind: str, item: Item) -> str:
    """Return an item as a part of a file; a text that would not come back is one of its properties."""
    below = {name: item[name] for name in TEXTS[kind] if name in item}
    body = "\n\n".join(below.values())
    lines = body.split("\n")
    if (
        RULER in lines
        or any(line != line.rstrip() for line in lines)
        or texts_in_body(kind, body) != below
    ):
        below, body = {}, ""
    properties = {name: value for name, value in item.items() if name not in below}
    return f"\n{front_text(properties)}{body}{body and chr(10)}"


def texts_in_body(kind: str, body: str) -> dict[str, str]:
    """Return the texts of an item by the lines below its properties."""
    names = TEXTS[kind]
    parts = body.strip("\n").split("\n", len(names) - 1) if names else []
    return {
        name: text for name, part in zip(names, parts, strict=False) if (text := part.strip("\n"))
    }
