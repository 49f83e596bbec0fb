"""The graph of the reference MCP memory server: ``memory.json`` or ``memory.jsonl``.

A line is an entity with what was observed of it, or a relation between two. Each observation and each
relation is a fact; the type of an entity is kept as metadata.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.porting.foreign_records import FactRecord, UnreadRecord
from memctl.porting.safe_files import head_of, json_of, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord

_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
# The first object of all, or of the array of entities.
_BEGINS = re.compile(rb'\s*\{\s*(?:"entities"\s*:\s*\[\s*\{)?[^{}]*"(?:entity|relation)Type"\s*:')
_CATEGORIES = {"person": "relationship"} | {name: name for name in KINDS}


def recognises(path: Path) -> bool:
    """Return whether a file begins with an entity or a relation, or with a graph of them."""
    if not path.is_file() or path.suffix not in _SUFFIXES:
        return False
    return _BEGINS.match(head_of(path)) is not None


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the facts of each entity and relation."""
    del options
    for number, row in _rows(path):
        where = f"{path.name}:{number}"
        if not isinstance(row, dict):
            yield UnreadRecord(where, "no entity and no relation")
        elif row.get("relationType"):
            yield from _relation(row, where)
        elif isinstance(row.get("name"), str):
            yield from _entity(row, where)
        else:
            yield UnreadRecord(where, "no entity and no relation")


def _rows(path: Path) -> Iterator[tuple[int, Any]]:
    if b'"entities"' in head_of(path, 64):
        graph = json_of(path)
        parts = [graph.get(name) for name in ("entities", "relations")]
        rows = [row for part in parts if isinstance(part, list) for row in part]
        yield from enumerate(rows, 1)
        return
    for number, line in lines_of(path):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                yield number, None


def _entity(row: dict[str, Any], where: str) -> Iterator[FactRecord]:
    name, kind = row["name"], str(row.get("entityType") or "")
    observed = row.get("observations")
    for text in observed if isinstance(observed, list) else []:
        yield FactRecord(
            where=where,
            text=f"{_words(name)}: {text}",
            category=_CATEGORIES.get(kind.casefold()),
            metadata={"entity": name, "type": kind} if kind else {"entity": name},
        )


def _relation(row: dict[str, Any], where: str) -> Iterator[FactRecord]:
    ends = _words(row.get("from")), _words(row["relationType"]), _words(row.get("to"))
    yield FactRecord(where=where, text=" ".join(ends))


def _words(name: Any) -> str:
    """Return a name as words: the server's clients write Ann_Smith and works_at."""
    return str(name or "").replace("_", " ").strip()
