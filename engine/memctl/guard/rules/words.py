"""The word lists that decide what a value is, read once from ``vocabulary.txt``."""

from __future__ import annotations

from functools import cache

from memctl.base.packaged import text_in

__all__ = ["words"]


@cache
def words(section: str) -> frozenset[str]:
    """Return the words of a section, in lower case."""
    return _sections()[section]


@cache
def _sections() -> dict[str, frozenset[str]]:
    text = text_in("memctl.guard.rules", "vocabulary.txt")
    found: dict[str, set[str]] = {}
    section: set[str] = set()
    for line in text.splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            section.update(line.lower().split())
    return {name: frozenset(members) for name, members in found.items()}
