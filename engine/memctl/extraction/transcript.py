"""Transcripts: texts whose lines begin with who speaks, cut into what each one said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from memctl.extraction.extracted import Said

__all__ = ["parted"]

_SPEAKER = Pattern(
    r"^[ \t]*\**(?P<who>user|human|assistant|ai|bot|system|tool|claude|chatgpt)\**[ \t]*:\**[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_PERSONS = frozenset({"user", "human"})


def parted(whole: Said) -> list[Said]:
    """Return the turns of a transcript; a text that is none is one turn."""
    marks = list(_SPEAKER.finditer(whole.text))
    starts = [match.start() for match in marks]
    begun = whole.text[: starts[0]] if starts else whole.text
    parts = [whole._replace(text=begun)] if begun.strip() else []
    for match, end in zip(marks, [*starts[1:], len(whole.text)], strict=True) if marks else ():
        role = "user" if match["who"].lower() in _PERSONS else "assistant"
        text = whole.text[match.end() : end]
        parts.append(whole._replace(text=text, role=role, offset=match.end()))
    return parts
