"""Tables of words that the readers of sentences compare with: the sections of ``words.txt``."""

from __future__ import annotations

from functools import cache

from memctl.base.packaged import text_in

__all__ = ["lines_in", "named_lines_in", "numbers_in", "sides_in", "words_in"]

_NO_NAME = "-"


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
    """Return the lines of a section by the name before their colon; ``""`` for no name."""
    named = (line.partition(":") for line in lines_in(section))
    return {name if name != _NO_NAME else "": words.strip() for name, _, words in named}


def numbers_in(section: str, *, start: int = 0) -> dict[str, int]:
    """Return the words of a section, each with the number of its line."""
    return {word: n for n, line in enumerate(lines_in(section), start) for word in line.split()}


def sides_in(section: str) -> dict[str, tuple[str, int]]:
    """Return each word of a section with the first of its line, and the number of its side.

    The sides of a line are parted by ``|``. A word of two lines belongs to the first.
    """
    found: dict[str, tuple[str, int]] = {}
    for line in lines_in(section):
        words = [side.split() for side in line.split("|")]
        for number, side in enumerate(words):
            found |= {word: (words[0][0], number) for word in side if word not in found}
    return found
