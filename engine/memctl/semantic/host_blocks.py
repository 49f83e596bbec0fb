"""What hosts put around a message, known by its shape.

A question loses all of it. A text that is to be kept loses what it begins with alone, so that no
fact is ever altered: behind the block of a host stands what somebody said.
"""

from __future__ import annotations

import re

from memctl.base.pattern import Pattern

__all__ = ["behind_host_blocks", "strip_host_blocks"]

# "Sender (untrusted metadata):" and a fenced JSON object; recalled memory; system lines.
_HOST_BLOCK = Pattern(
    r"^[A-Z][A-Za-z ]{1,60} \((?:untrusted|trusted)[^)\n]{0,40}\):[ \t]*\n```(?:json)?\n.*?\n```[ \t]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
# The same where a text begins with it, as hosts write it: nobody trusts what is in it.
_LEADING_BLOCK = Pattern(
    r"\s*[A-Z][A-Za-z ]{1,60} \(untrusted[^)\n]{0,40}\):[ \t]*\r?\n"
    r"```(?:json)?\r?\n.*?\n```[ \t]*(?:\r?\n\s*|\Z)",
    re.DOTALL,
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


def behind_host_blocks(text: str) -> str:
    """Return what stands behind the blocks that a text begins with; without one, the text.

    The stamp and the id that a host gives the message behind its block go with it.
    """
    if "(untrusted" not in text:
        return text
    rest = text
    while block := _LEADING_BLOCK.match(rest):
        rest = rest[block.end() :]
    if rest == text:
        return text
    return _STAMP.sub("", _MESSAGE_ID.sub("", rest)).strip()
