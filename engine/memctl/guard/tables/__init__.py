"""Reads the tables that the rules of the guard are made of."""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile

from memctl.base.packaged import text_in


@cache
def rows(name: str, columns: int) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table, each a tuple of its columns.

    Parameters
    ----------
    name
        The file beside this one.
    columns
        How many a row has; two blanks part them. An indented line continues the one before,
        or a list that ends with a comma.
    """
    found: list[list[str]] = []
    for line in text_in(__name__, name).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            found.append(re.split(r" {2,}", line, maxsplit=columns - 1))
        elif len(found[-1]) < columns and not found[-1][-1].endswith(","):
            found[-1].append(line.strip())
        else:
            found[-1][-1] += line.strip()
    return tuple(map(tuple, found))


def words(section: str) -> frozenset[str]:
    """Return the words of a section of ``words.txt``, in lower case."""
    return sections("words.txt")[section]


@cache
def sections(name: str) -> dict[str, frozenset[str]]:
    """Return the words of a table under their headings, in lower case."""
    found: dict[str, set[str]] = {}
    section: set[str] = set()
    for line in text_in(__name__, name).splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            section.update(line.lower().split())
    return {heading: frozenset(members) for heading, members in found.items()}


@cache
def heads(kind: str) -> frozenset[str]:
    """Return the plain letters that the nouns of a kind begin with."""
    return frozenset(map(plain_letters, sections("nouns.txt")[kind]))


def plain_letters(entry: str) -> str:
    """Return the plain letters at the beginning; the last may be one that need not stand: "codes?"."""
    plain = "".join(takewhile(str.isalpha, entry.strip("_")))
    return plain[:-1] if entry.strip("_")[len(plain) :].startswith("?") else plain
