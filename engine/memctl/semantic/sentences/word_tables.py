"""Tables of words that the readers of sentences compare with: the sections of ``words.txt``."""

from __future__ import annotations

from functools import cache

from memctl.base.packaged import text_in

__all__ = ["lines_in", "named_lines_in", "numbers_in", "words_in"]


@cache
def _sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text_in("memctl.semantic.sentences", "words.txt").split("\n"):
        if line.startswith("["):
            lines = found.setdefault(line.strip("[]"), [])
        elif line.startswith(" "):
            lines[-1] += f" {line.strip()}"
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


def lines_in(section: str) -> list[str]:
    """Return the lines of a section."""
    return _sections()[section]


def words_in(section: str) -> frozenset[str]:
    """Return the words of a section, whatever their line."""
    return frozenset(word for line in lines_in(section) for word in line.split())


def named_lines_in(section: str) -> dict[str, str]:
    """Return the lines of a section by the name before their colon."""
    named = (line.partition(":") for line in lines_in(section))
    return {name: words.strip() for name, _, words in named}


def numbers_in(section: str, *, start: int = 0) -> dict[str, int]:
    """Return the words of a section, each with the number of its line."""
    return {word: n for n, line in enumerate(lines_in(section), start) for word in line.split()}
