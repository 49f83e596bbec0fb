"""Reads the tables that the rules of the guard are made of."""

from __future__ import annotations

import re
from functools import cache

from memctl.base.packaged import text_in
from memctl.base.pattern import Pattern

__all__ = ["Patterns", "patterns", "rows", "sections", "words"]


@cache
def rows(name: str, columns: int) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table, each a tuple of its columns.

    Parameters
    ----------
    name
        The file beside this one.
    columns
        How many a row has; two blanks part them. An indented line continues the one before.
    """
    found: list[list[str]] = []
    for line in text_in(__package__, name).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            found.append(re.split(r" {2,}", line, maxsplit=columns - 1))
        elif len(found[-1]) < columns:
            found[-1].append(line.strip())
        else:
            found[-1][-1] += line.strip()
    return tuple(map(tuple, found))


class Patterns:
    """The expressions of one module, each compiled when it is first asked."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Pattern:
        """Return an expression of ``patterns.txt``."""
        made = Pattern(_sources()[f"{self._module}.{name}"])
        setattr(self, name, made)
        return made


def patterns(module: str) -> Patterns:
    """Return the expressions of a module of the guard."""
    return Patterns(module)


@cache
def _sources() -> dict[str, str]:
    return dict(rows("patterns.txt", 2))  # type: ignore[arg-type]


def words(section: str) -> frozenset[str]:
    """Return the words of a section of ``words.txt``, in lower case."""
    return sections("words.txt")[section]


@cache
def sections(name: str) -> dict[str, frozenset[str]]:
    """Return the words of a table under their headings, in lower case."""
    found: dict[str, set[str]] = {}
    section: set[str] = set()
    for line in text_in(__package__, name).splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            section.update(line.lower().split())
    return {heading: frozenset(members) for heading, members in found.items()}
