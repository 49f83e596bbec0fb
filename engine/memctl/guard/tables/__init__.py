"""Reads the tables that the rules of the guard are made of."""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile

from memctl.base.packaged import text_in


@cache
def rows(name: str, columns: int) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table beside this file, each a tuple of its columns.

    Two blanks part columns; an indented line goes on with the last one.
    """
    result: list[str] = []
    for line in text_in(__name__, name).splitlines():
        if line.startswith(" "):
            result[-1] += line.strip()
        elif line and not line.startswith("#"):
            result.append(line)
    return tuple(tuple(re.split(r" {2,}", line, maxsplit=columns - 1)) for line in result)


@cache
def sections(name: str) -> dict[str, frozenset[str]]:
    """Return the words of a table under their headings, in lower case."""
    parts = re.split(r"(?m)^\[(.+)\]$", re.sub(r"(?m)^#.*$", "", text_in(__name__, name)).lower())
    return {
        heading: frozenset(members.split())
        for heading, members in zip(parts[1::2], parts[2::2], strict=True)
    }


def words(section: str) -> frozenset[str]:
    """Return the words of a section of ``words.txt``, in lower case."""
    return sections("words.txt")[section]


@cache
def heads(kind: str) -> frozenset[str]:
    """Return the plain letters that the nouns of a kind begin with."""
    return frozenset(map(plain_letters, sections("nouns.txt")[kind]))


def plain_letters(entry: str) -> str:
    """Return the plain letters at the beginning; the last may be optional: "codes?"."""
    plain = "".join(takewhile(str.isalpha, entry.strip("_")))
    return plain[:-1] if entry.strip("_")[len(plain) :].startswith("?") else plain
