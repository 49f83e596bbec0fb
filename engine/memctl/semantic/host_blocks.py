"""What hosts put around a message: stripped from prompts, queries and texts by its shape."""

from __future__ import annotations

import re

from memctl.pattern import Pattern

__all__ = ["strip_host_blocks"]

# "Sender (untrusted metadata):" and a fenced JSON object; recalled memory; system lines.
_HOST_BLOCK = Pattern(
    r"^[A-Z][A-Za-z ]{1,60} \((?:untrusted|trusted)[^)\n]{0,40}\):[ \t]*\n```(?:json)?\n.*?\n```[ \t]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_MEMORY_BLOCK = Pattern(r"<memctl-memory\b[^>]*>.*?</memctl-memory>[ \t]*\n?", re.DOTALL)
_MESSAGE_ID = Pattern(r"^\[message_id: [\w:.@-]+\][ \t]*(?:\n|\Z)", re.MULTILINE)
_STAMP = Pattern(
    r"\A\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d(?: [A-Z]{2,5}(?:[+-]\d{1,2})?)?\][ \t]*"
)


def strip_host_blocks(text: str) -> str:
    """Return `text` without the blocks that a host or memctl put into it, else unchanged."""
    if "(" not in text and "<" not in text and "[" not in text:
        return text
    stripped = _STAMP.sub(
        "", _MESSAGE_ID.sub("", _MEMORY_BLOCK.sub("", _HOST_BLOCK.sub("", text))).lstrip("\n")
    )
    return stripped.strip() if stripped != text else text
