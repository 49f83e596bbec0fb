"""Memories of other servers: mem0, the reference MCP memory server, basic-memory.

- ``mem0``: its ``history.db``, or JSON of ``get_all`` or an export. A memory is a fact as it stands after
  its last change, without those that were deleted; the last messages are turns.
- ``memory-graph``: ``memory.json`` or ``memory.jsonl``. Each observation of an entity, and each relation,
  is a fact.
- ``basic-memory``: a folder of notes. ``- [category] text #tag (context)``, ``- relation [[Target]]`` and
  each paragraph and other item are facts, opened by the note's title.
"""

from __future__ import annotations

import json
import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.base.errors import MemctlError, UnusableInputError
from memctl.porting.foreign_records import FactRecord, Format, TurnRecord, UnreadRecord
from memctl.porting.foreign_values import text_of_value
from memctl.porting.formats.markdown_notes import todo_of
from memctl.porting.markdown_reading import front_matter, note_parts, texts_of
from memctl.porting.safe_files import (
    files_in,
    foreign_database,
    head_of,
    is_sqlite,
    json_items,
    json_of,
    lines_of,
    tables_of,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sqlite_utils import Database

    from memctl.porting.foreign_records import ForeignRecord, Records
    from memctl.porting.markdown_reading import NotePart

_CATEGORIES = {"tech": "technical", "config": "configuration", "person": "relationship"} | {
    name: name for name in KINDS
}

# --- mem0

# The tables of the Python and the TypeScript library, and their columns by age: new text, event, time.
_TABLES = ("history", "memory_history")
_COLUMNS = (("new_memory", "new_value"), ("event", "action"), ("created_at", "timestamp"))
_ARRAY = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*"(results|memories)"\s*:\s*)?\[\s*\{')
_ABOUT = ("run_id", "app_id", "actor_id", "role", "hash")


def _is_mem0(path: Path) -> bool:
    if is_sqlite(path):
        return any("memory_id" in tables_of(path).get(table, ()) for table in _TABLES)
    head = head_of(path) if path.suffix == ".json" else b""
    return bool(_ARRAY.match(head) and re.search(rb'"memory"\s*:', head))


def _read_mem0(path: Path, options: Mapping[str, Any]) -> Records:
    del options
    if is_sqlite(path):
        with foreign_database(path) as database:
            yield from chain(_history(database, path.name), _messages(database, path.name))
        return
    begins = _ARRAY.match(head_of(path))
    key = begins[1].decode() if begins and begins[1] else None
    for number, memory in enumerate(json_items(path, key=key)):
        yield _memory(memory, f"{path.name}[{number}]")


def _history(database: Database, name: str) -> Iterator[FactRecord | UnreadRecord]:
    """Yield each memory of a history after its last change."""
    table = next((known for known in _TABLES if known in database.table_names()), None)
    if table is None:
        return
    columns = {column.name for column in database.table(table).columns}
    text, event, when = (
        next((name for name in names if name in columns), names[0]) for names in _COLUMNS
    )
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


def _messages(database: Database, name: str) -> Iterator[TurnRecord]:
    for row in database.table("messages").rows if "messages" in database.table_names() else ():
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
        category=next((kind for kind in map(text_of_value, kinds) if kind in KINDS), None),
        importance=about.get("importance"),
        user_id=given.get("user_id") or None,
        agent_id=given.get("agent_id") or None,
        metadata={key: value for key, value in {**about, **beside}.items() if value},
        valid_from=given.get("created_at"),
        expires_at=given.get("expiration_date"),
    )


# --- the reference MCP memory server

# The first object of all, or of the array of entities.
_GRAPH = re.compile(rb'\s*\{\s*(?:"entities"\s*:\s*\[\s*\{)?[^{}]*"(?:entity|relation)Type"\s*:')


def _is_graph(path: Path) -> bool:
    named = path.is_file() and path.suffix in {".json", ".jsonl", ".ndjson"}
    return named and _GRAPH.match(head_of(path)) is not None


def _read_graph(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield a fact for each observation of an entity, and for each relation."""
    del options
    for number, row in _graph_rows(path):
        where = f"{path.name}:{number}"
        name, kind = (row.get("name"), row.get("entityType")) if row else (None, None)
        if row.get("relationType"):
            ends = (str(row.get(key) or "") for key in ("from", "relationType", "to"))
            yield FactRecord(where=where, text=" ".join(end.replace("_", " ") for end in ends))
        elif isinstance(name, str):
            observed = row.get("observations")
            for text in observed if isinstance(observed, list) else []:
                yield FactRecord(
                    where=where,
                    # The server's clients write Ann_Smith.
                    text=f"{name.replace('_', ' ').strip()}: {text}",
                    category=_CATEGORIES.get(str(kind or "").casefold()),
                    metadata={"entity": name, **({"type": str(kind)} if kind else {})},
                )
        else:
            yield UnreadRecord(where, "no entity and no relation")


def _graph_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if b'"entities"' in head_of(path, 64):
        graph = json_of(path)
        parts = [graph.get(name) for name in ("entities", "relations")]
        rows = [row for part in parts if isinstance(part, list) for row in part]
        yield from ((n, row if isinstance(row, dict) else {}) for n, row in enumerate(rows, 1))
        return
    for number, line in lines_of(path):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            yield number, row if isinstance(row, dict) else {}


# --- basic-memory

# A link, `- [name](address)`, is no observation.
_OBSERVATION = re.compile(r"\[(?P<kind>[^\[\]()\n]{2,})\]\s+(?P<text>.*)", re.DOTALL)
_RELATION = re.compile(
    r"(?P<how>[^\[\]]*)\[\[(?P<to>[^\[\]]+)\]\]\s*(?:\((?P<context>[^)]*)\))?\s*"
)
_TAG = re.compile(r"(?<!\S)#([\w/-]+)")
_LOOKED_AT = 50  # notes by which a folder is recognised


def _is_basic(path: Path) -> bool:
    return path.is_dir() and any(map(_is_note, islice(files_in(path, ".md"), _LOOKED_AT)))


def _is_note(path: Path) -> bool:
    try:
        return "permalink" in front_matter(text_of(path), path.name)[0]
    except MemctlError:
        return False


def _read_basic(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the facts of each note."""
    del options
    for file in files_in(path, ".md") if path.is_dir() else [path]:
        name = file.relative_to(path).as_posix() if path.is_dir() else path.name
        try:
            yield from _note(name, text_of(file))
        except UnusableInputError as error:
            yield UnreadRecord(name, error.message)


def _note(name: str, text: str) -> Iterator[ForeignRecord]:
    front, body = front_matter(text, name)
    title = str(front.get("title") or name.rsplit("/", 1)[-1].removesuffix(".md"))
    about = {"note": str(front.get("permalink") or name), "type": front.get("type")}
    tags = texts_of(front.get("tags"))
    first = text.count("\n", 0, len(text) - len(body)) + 1
    for part in note_parts(enumerate(body.split("\n"), first)):
        if part.done is not None:
            yield todo_of(part, part.text, name)
            continue
        said, kind, own = _said_of_note(part, title)
        all_tags = [tag.removeprefix("#") for tag in [*tags, *own]]
        metadata = {**about, "observation": kind, "tags": all_tags}
        yield FactRecord(
            where=f"{name}:{part.line}",
            text=said,
            category=_CATEGORIES.get(kind.casefold()),
            metadata={key: value for key, value in metadata.items() if value},
        )


def _said_of_note(part: NotePart, title: str) -> tuple[str, str, list[str]]:
    """Return the fact of a part, the category of an observation, and its tags."""
    relation = _RELATION.fullmatch(part.text) if part.is_item else None
    if relation:
        how = relation["how"].strip().replace("_", " ") or "relates to"
        context = f" ({relation['context']})" if relation["context"] else ""
        return f"{title} {how} {relation['to']}{context}", "", []
    observed = _OBSERVATION.fullmatch(part.text) if part.is_item else None
    if observed:
        said = " ".join(_TAG.sub("", observed["text"]).split())
        return f"{title}: {said}", observed["kind"].strip(), _TAG.findall(observed["text"])
    return f"{title}: {part.text}", "", []


FORMATS = {
    "memory-graph": Format(_is_graph, _read_graph),
    "mem0": Format(_is_mem0, _read_mem0),
    "basic-memory": Format(_is_basic, _read_basic),
}
