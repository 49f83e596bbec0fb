"""Memories of mem0: its ``history.db``, or a JSON file of what ``get_all`` or an export gives.

Of the history, each memory comes in as it stands after its last change; what was deleted does not.
The last messages that it keeps are turns.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.porting.foreign_records import FactRecord, TurnRecord, UnreadRecord
from memctl.porting.foreign_sqlite import foreign_database, is_sqlite, tables_of
from memctl.porting.safe_files import head_of, json_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sqlite_utils import Database

    from memctl.porting.foreign_records import ForeignRecord

# The tables of the Python and the TypeScript library, and their columns by age: new text, event, time.
_TABLES = ("history", "memory_history")
_COLUMNS = (("new_memory", "new_value"), ("event", "action"), ("created_at", "timestamp"))
_ARRAY = re.compile(rb'\s*(?:\{\s*"(results|memories)"\s*:\s*)?\[\s*\{')
_ABOUT = ("run_id", "app_id", "actor_id", "role", "hash")


def recognises(path: Path) -> bool:
    """Return whether a file is a history of mem0, or JSON with an array of its memories."""
    if is_sqlite(path):
        return any({"memory_id"} <= tables_of(path).get(table, set()) for table in _TABLES)
    head = head_of(path) if path.suffix == ".json" else b""
    found = _ARRAY.match(head.lstrip(b"\xef\xbb\xbf"))
    return bool(found and re.search(rb'"memory"\s*:', head))


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield its memories as facts, and its messages as turns."""
    del options
    if not is_sqlite(path):
        found = _ARRAY.match(head_of(path).lstrip(b"\xef\xbb\xbf"))
        at = f"{found[1].decode()}.item" if found and found[1] else "item"
        for number, one in enumerate(json_items(path, at=at)):
            yield _memory(one, f"{path.name}[{number}]")
        return
    with foreign_database(path) as database:
        yield from chain(_history(database, path.name), _messages(database, path.name))


def _history(database: Database, name: str) -> Iterator[FactRecord | UnreadRecord]:
    """Yield each memory of a history as it stands."""
    table = next((one for one in _TABLES if one in database.table_names()), None)
    if table is None:
        return
    columns = {one.name for one in database.table(table).columns}
    text, event, when = (_first(names, columns) for names in _COLUMNS)
    # The names are those of the lists above.
    sql = f"""
        select h.*, h."{text}" as said, h."{event}" as event, g.since
        from "{table}" as h
        join (
            select max(rowid) as last, min(rowid) as first, min("{when}") as since
            from "{table}" group by memory_id
        ) as g on g.last = h.rowid
        order by g.first
    """  # noqa: S608
    deleted = 0
    for row in database.query(sql):
        if row["event"] == "DELETE":
            deleted += 1
            continue
        yield FactRecord(
            where=f"{name}:{row['memory_id']}",
            key=str(row["memory_id"]),
            text=row["said"] or "",
            valid_from=row["since"],
            metadata={"actor_id": row["actor_id"]} if row.get("actor_id") else None,
        )
    if deleted:
        yield UnreadRecord(name, f"{deleted} deleted memories left out", counts=False)


def _first(names: tuple[str, ...], columns: set[str]) -> str:
    return next((one for one in names if one in columns), names[0])


def _messages(database: Database, name: str) -> Iterator[TurnRecord]:
    if "messages" not in database.table_names():
        return
    for row in database.table("messages").rows:
        yield TurnRecord(
            where=f"{name}: message {row.get('id')}",
            key=str(row.get("id") or ""),
            settled=bool(row.get("id")),
            text=row.get("content") or "",
            role=row.get("role") or "user",
            speaker=row.get("name"),
            session=row.get("session_scope"),
            logged_at=row.get("created_at"),
        )


def _memory(given: Any, where: str) -> FactRecord | UnreadRecord:
    """Return a memory of an export."""
    if not isinstance(given, dict):
        return UnreadRecord(where, "no memory: it is no object")
    about = given.get("metadata")
    about = dict(about) if isinstance(about, dict) else {}
    kinds = given.get("categories") or about.get("category") or []
    kinds = kinds if isinstance(kinds, list) else [kinds]
    beside = {"categories": kinds, **{name: given.get(name) for name in _ABOUT}}
    return FactRecord(
        where=where,
        key=str(given.get("id") or ""),
        text=str(given.get("memory") or given.get("text") or given.get("data") or ""),
        category=next((kind for kind in kinds if kind in KINDS), None),
        importance=about.get("importance"),
        user_id=given.get("user_id") or None,
        agent_id=given.get("agent_id") or None,
        metadata={key: value for key, value in {**about, **beside}.items() if value},
        valid_from=given.get("created_at"),
        expires_at=given.get("expiration_date"),
    )
