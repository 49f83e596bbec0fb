"""A path is recognised without being named, and by one format alone."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.arguments import checked_record
from memctl.base.errors import MemctlError, UsageError
from memctl.porting.foreign_records import ForeignRecord
from memctl.porting.formats import MODULES, format_of
from memctl.porting.importer import source_of
from tests.porting.foreign_chats import (
    CHATGPT,
    CLAUDE_AI,
    GRAPH,
    LIBRECHAT,
    OPEN_WEBUI,
    TRANSCRIPT,
    claude_memory,
    json_file,
    lines_file,
    zip_file,
)
from tests.porting.test_notes_and_mem0 import MEM0, basic_memory, mem0_history
from tests.porting.test_tables import ROWS, _csv, _table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memctl.memory import Memory

# Those that take any file of their kind, where no other format knows it.
ANY = {"markdown", "jsonl", "csv", "sqlite", "json"}


def _lines(folder: Path, rows: Any) -> Path:
    return lines_file(folder / "x.jsonl", rows)


def _text_file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


SOURCES: dict[str, list[Callable[[Path], Path]]] = {
    "claude-code": [
        lambda folder: _lines(folder, TRANSCRIPT),
        lambda folder: _lines(folder / "projects" / "-a", TRANSCRIPT).parent.parent,
    ],
    "claude-memory": [lambda folder: claude_memory(folder / "memory")],
    "claude-ai": [
        lambda folder: json_file(folder / "conversations.json", CLAUDE_AI),
        lambda folder: zip_file(folder / "x.zip", {"conversations.json": CLAUDE_AI}),
    ],
    "chatgpt": [
        lambda folder: json_file(folder / "conversations.json", CHATGPT),
        lambda folder: zip_file(folder / "x.zip", {"a/conversations-000.json": CHATGPT}),
    ],
    "open-webui": [lambda folder: json_file(folder / "x.json", OPEN_WEBUI)],
    "librechat": [lambda folder: json_file(folder / "x.json", LIBRECHAT)],
    "memory-graph": [
        lambda folder: _lines(folder, GRAPH),
        lambda folder: json_file(folder / "memory.json", {"entities": GRAPH[:1], "relations": []}),
    ],
    "mem0": [
        lambda folder: mem0_history(folder / "history.db"),
        lambda folder: json_file(folder / "mem0.json", {"results": MEM0}),
    ],
    "basic-memory": [lambda folder: basic_memory(folder / "notes")],
    "jsonl": [lambda folder: _lines(folder, [{"text": "a"}])],
    "csv": [lambda folder: _text_file(folder / "x.csv", _csv())],
    "sqlite": [lambda folder: _table(folder / "x.db")],
    "json": [lambda folder: _text_file(folder / "x.json", json.dumps(ROWS))],
}


@pytest.mark.parametrize(
    ("name", "make"), [(name, make) for name, makers in SOURCES.items() for make in makers]
)
def test_a_source_is_recognised_by_its_own_format_alone(
    tmp_path: Path, name: str, make: Callable[[Path], Path]
) -> None:
    path = make(tmp_path)
    knowing = {known for known in MODULES if format_of(known).recognises(path)}
    assert source_of(path, None).name == name
    assert knowing - ANY == {name} - ANY


@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"PK\3\4", b"SQLite format 3\0", b"[", b"{"])
@pytest.mark.parametrize("name", ["x", "x.txt", "x.zip", "x.json", "x.jsonl", "x.db", "x.md"])
def test_a_file_that_is_nothing_is_never_a_defect(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    try:
        found = source_of(path, None).name
    except UsageError:
        return
    assert found in ANY


@pytest.mark.parametrize("name", MODULES)
def test_another_thing_than_a_format_is_made_of_is_refused(
    memory: Memory, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").write_text("- a note", "utf-8")
    (tmp_path / "folder" / "x.json").mkdir(parents=True)
    for given in ("file", "folder"):
        with suppress(MemctlError):
            memory.import_from(tmp_path / given, name)


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    many = range(len(value)) if isinstance(value, list) else ()
    for key in value if isinstance(value, dict) else many:
        yield from _places(value[key], (*way, key))


def _with(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    if not way:
        return new
    copy = value.copy()
    copy[way[0]] = _with(value[way[0]], way[1:], new)
    return copy


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("claude-code", TRANSCRIPT),
        ("claude-ai", CLAUDE_AI),
        ("chatgpt", CHATGPT),
        ("open-webui", OPEN_WEBUI),
        ("librechat", LIBRECHAT),
        ("mem0", MEM0),
    ],
)
def test_a_value_of_another_kind_anywhere_is_no_defect(
    tmp_path: Path, name: str, told: Any
) -> None:
    for way in _places(told):
        for new in ([["a"]], {"a": [1]}, 5):
            rows = _with(told, way, new)
            if name == "claude-code":
                rows = rows if isinstance(rows, list) else [rows]
                path = lines_file(tmp_path / "x.jsonl", rows)
            else:
                path = json_file(tmp_path / "x.json", rows)
            with suppress(UsageError):
                for record in format_of(name).read(path, {}):
                    if isinstance(record, ForeignRecord):
                        checked_record(record)
