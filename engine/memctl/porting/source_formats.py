"""The foreign formats that are read: found by name, or by what a path looks like.

A format is a module of `memctl.porting.formats` with

- ``recognises(path)``: whether the file or folder is one, by its names and first bytes alone;
- ``read(path, options)``: its records, one by one, as an iterator; never all at once in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from memctl.base.errors import UnusableInputError, UsageError
from memctl.base.near_words import one_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord, UnreadRecord

__all__ = ["FORMATS", "ForeignSource", "source_of"]

# Names as they are typed, with the module of each; in the order in which a path is tried:
# what is recognised by more stands first.
FORMATS: Mapping[str, str] = {
    "memctl": "memctl_folder",
    "memoryclaw": "memoryclaw",
    "gui-memory": "gui_memory",
    "openadapt": "openadapt_flow",
    "claude-code": "chats.claude_code",
    "claude-memory": "chats.claude_memory",
    "openclaw": "openclaw_workspace",
    "claude-ai": "chats.claude_ai",
    "chatgpt": "chats.chatgpt",
    "open-webui": "chats.open_webui",
    "librechat": "chats.librechat",
    "memory-graph": "memory_graph",
    "mem0": "mem0",
    "basic-memory": "basic_memory",
    "jsonl": "json_lines",
    "csv": "tables.csv_files",
    "sqlite": "tables.sqlite_tables",
    "json": "tables.json_arrays",
    "markdown": "markdown_notes",
}


class _Format(Protocol):
    def recognises(self, path: Path) -> bool: ...

    def read(
        self, path: Path, options: dict[str, Any]
    ) -> Iterator[ForeignRecord | UnreadRecord]: ...


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """A file or folder, and its format."""

    name: str
    path: Path
    module: _Format

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it: no byte, no file."""
        if self.path.is_dir():
            return not any(self.path.iterdir())
        return self.path.stat().st_size == 0

    def read(self, options: dict[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
        """Yield its records; of what is empty, none."""
        return iter(()) if self.is_empty else self.module.read(self.path, options)


def source_of(path: Path, name: str | None) -> ForeignSource:
    """Return a path with its format: the named one, or the first that recognises it.

    Raises
    ------
    UnusableInputError
        When there is nothing at the path.
    UsageError
        When there is no such format, or none recognises the path.
    """
    if not path.exists():
        raise UnusableInputError(f'"{path}" does not exist', hint="name a file or a folder")
    if name is not None:
        if name not in FORMATS:
            raise UsageError(f'there is no format "{name}"', hint=one_of(name, FORMATS))
        return ForeignSource(name, path, _module(name))
    for known in FORMATS:
        module = _module(known)
        if module.recognises(path):
            return ForeignSource(known, path, module)
    raise UsageError(
        f'the format of "{path}" is not recognised', hint=f"name it: {', '.join(FORMATS)}"
    )


def _module(name: str) -> _Format:
    return cast("_Format", import_module(f"memctl.porting.formats.{FORMATS[name]}"))
