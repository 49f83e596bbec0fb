"""Foreign formats, by name: what is recognised by more is tried first."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.porting.foreign_records import Format

# The module of each, where `FORMATS` has it.
MODULES = {
    "memctl": "memctl_files",
    "memoryclaw": "memoryclaw",
    "gui-memory": "gui_memory",
    "openadapt": "openadapt_flow",
    "needles": "needles",
    "claude-code": "claude_code",
    "claude-memory": "claude_code",
    "openclaw": "openclaw_workspace",
    "claude-ai": "chats",
    "chatgpt": "chats",
    "open-webui": "chats",
    "librechat": "chats",
    "memory-graph": "memory_servers",
    "mem0": "memory_servers",
    "basic-memory": "memory_servers",
    "jsonl": "memctl_files",
    "csv": "table_rows",
    "sqlite": "table_rows",
    "json": "table_rows",
    "markdown": "markdown_notes",
}


def format_of(name: str) -> Format:
    """Return the format of a name; its module is loaded when it is asked for."""
    known: Format = import_module(f"memctl.porting.formats.{MODULES[name]}").FORMATS[name]
    return known
