"""Tables of words and expressions that extraction compares with: the sections of its text files."""

from __future__ import annotations

import re
from functools import cache

from memctl.base.packaged import text_in
from memctl.base.pattern import Pattern

__all__ = ["expressions", "words_in"]


@cache
def _sections(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    title = ""
    for line in text_in("memctl.extraction", name).splitlines():
        if line.startswith("[") and line.endswith("]"):
            title = line[1:-1]
        elif line and not line.startswith("#"):
            found.setdefault(title, []).append(line)
    return found


@cache
def expressions(name: str) -> tuple[tuple[str, Pattern], ...]:
    """Return the sections of a file, in order: each title, and an expression of any case for it."""
    return tuple(
        (title, Pattern("|".join(lines), re.IGNORECASE)) for title, lines in _sections(name).items()
    )


@cache
def words_in(name: str, title: str) -> frozenset[str]:
    """Return the words of a section."""
    return frozenset(word for line in _sections(name)[title] for word in line.split())
