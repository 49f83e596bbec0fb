"""Items: rows of a store as plain objects, the same in every format of memctl's own.

An item holds what its row holds, without what is empty or usual; times, ids and history are part of
it. Equal items have equal digests, so that what was edited in a file is known from what was not.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

    from memctl.store.store import Store

    Item = dict[str, Any]

SQL = statements.load("store/exporting")
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
    """One value of an item.

    Parameters
    ----------
    name
        Its key, and the name of its column.
    holds
        ``text``, ``name``, ``time``, ``number`` (0 to 1), ``whole``, ``offset`` (minutes
        ahead of UTC), ``flag``, ``object``, ``names`` (a list of texts), ``ids`` (a list of whole numbers), ``history`` or ``support``.
    usual
        The value that is left out.
    """

    name: str
    holds: str = "text"
    usual: Any = None


_C = KeptColumn
_OWNER = tuple(_C(name, "name", "") for name in ("user_id", "agent_id", "project"))
COLUMNS: Mapping[str, tuple[KeptColumn, ...]] = {
    "turn": (
        _C("id", "whole"),
        _C("text"),
        _C("details", usual=""),
        _C("session", "name"),
        _C("seq", "whole", 0),
        _C("role", "name", "user"),
        _C("speaker", "name"),
        _C("logged_at", "time"),
        _C("utc_offset", "offset"),
        _C("recorded_at", "time"),
        _C("processed_at", "time"),
        _C("archived_at", "time"),
        _C("archived_why"),
        *_OWNER,
    ),
    "episode": (
        _C("id", "whole"),
        _C("summary"),
        _C("details", usual=""),
        _C("tags", "names", []),
        _C("participants", "names", []),
        _C("confidence", "name", "medium"),
        _C("source", "name"),
        _C("thread", "name"),
        _C("seq", "whole", 0),
        _C("happened_at", "time"),
        _C("utc_offset", "offset"),
        _C("remembered_at", "time"),
        _C("archived_at", "time"),
        _C("archived_why"),
        *_OWNER,
        _C("turns", "ids", []),
    ),
    "fact": (
        _C("id", "name"),
        _C("text"),
        _C("category", "name"),
        _C("subject"),
        _C("attribute"),
        _C("value"),
        _C("importance", "number"),
        _C("confidence", "name", "medium"),
        _C("status", "name", "active"),
        _C("status_why", usual=""),
        _C("pinned", "flag", usual=False),
        _C("immutable", "flag", usual=False),
        _C("valid_from", "time"),
        _C("valid_to", "time"),
        _C("expires_at", "time"),
        _C("expires_by", "name"),
        _C("archived_at", "time"),
        _C("superseded_by", "name"),
        _C("conflicts_with", "name"),
        _C("may_replace", "name"),
        _C("doubt"),
        _C("doubted_by", "name"),
        _C("about", "name"),
        _C("source", usual=""),
        *_OWNER,
        _C("session_id", "name", ""),
        _C("metadata", "object", {}),
        _C("created_at", "time"),
        _C("updated_at", "time"),
        _C("revision", "whole", 1),
        _C("support", "support", []),
        _C("history", "history", []),
    ),
    "alias": (_C("term", "name"), _C("synonym", "name"), _C("added_at", "time")),
    "knowledge": (
        _C("about", "name"),
        _C("subject", usual=""),
        _C("title"),
        _C("body"),
        _C("made_at", "time"),
        _C("sources", "names", []),
    ),
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
_RENAMED = {("knowledge", "about"): "kind"}


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
    while rows := store.rows(_READ_BY[kind], asked):
        for row in rows:
            yield _item(kind, row)
        if len(rows) < _BATCH:
            return
        asked["after"] = rows[-1]["place"]


def id_of(kind: str, item: Mapping[str, Any]) -> str:
    """Return what names an item among those of its kind."""
    if kind == "alias":
        return f"{item.get('term')}\t{item.get('synonym')}"
    if kind == "knowledge":
        return f"{item.get('about')}\t{item.get('subject', '')}"
    return str(item.get("id", ""))


def digest_of(item: Mapping[str, Any]) -> str:
    """Return the digest of an item, whatever the order of its keys."""
    told = json.dumps(item, ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def own_origin(store: Store) -> str:
    """Return the random id of a store."""
    return str(store.value(SQL.origin_id))


def _item(kind: str, row: sqlite3.Row) -> Item:
    item: Item = {}
    for column in COLUMNS[kind]:
        value = row[_RENAMED.get((kind, column.name), column.name)]
        if column.holds in _READ:
            value = json.loads(value)
        elif column.holds == "flag":
            value = bool(value)
        if column.holds == "history":
            value = [{key: told for key, told in one.items() if told} for one in value]
        if value is not None and value != column.usual:
            item[column.name] = value
    return item
