"""The nouns of credentials in a text: "password", "PIN", "contraseña", "пароль", "验证码".

``tables/nouns.txt`` lists them as small expressions. A word is looked at once: most words of talk
hold none of the letters that an entry begins with, and are remembered as plain.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.guard.decoding import lowered
from memctl.guard.tables.rule_tables import sections

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Noun", "heads", "nouns", "speaks_of"]

_KINDS = (
    *(
        "pin",
        "password",
        "elsewhere",
        "pass",
        "code",
        "answer",
        "key",
        "token",
        "login",
        "account",
        "enter",
    ),
    "opens",
)
_WORD = Pattern(r"[^\W\d_]+")
_ALPHABET = "a-z\u00df-\u024f\u0430-\u045f"  # of languages that set blanks between words
_REST = Pattern(rf"(?<=[{_ALPHABET}_])[{_ALPHABET}0-9_]{{1,40}}")


class Noun(NamedTuple):
    """A word of a credential in a text, and its letters behind the known ones: "passw", "ort"."""

    kind: str
    start: int
    stem: int
    end: int


def nouns(text: str) -> Iterator[Noun]:
    """Yield the nouns of credentials, from left to right."""
    low, done = lowered(text), 0
    for word in _WORD.finditer(low):
        for offset, kind, at_edge in _places(word.group()):
            start = word.start() + offset
            if start < done or (at_edge and not _begins(text, start)):
                continue
            if found := _pattern(kind, at_edge).match(low, start):
                done = found.end()
                rest = _REST.match(low, done)
                yield Noun(kind, start, done, rest.end() if rest else done)


def _begins(text: str, at: int) -> bool:
    """Return whether a word begins here, or a new one in a name like "dbPassword"."""
    before = text[at - 1] if at else " "
    return not before.isalnum() or (before.islower() and text[at].isupper())


def speaks_of(text: str, *names: str, at_end: bool = False) -> bool:
    """Return whether a piece of a text holds an entry of one of the sections, or ends with it."""
    return _said(names, at_end).search(lowered(text)) is not None


@cache
def _said(names: tuple[str, ...], at_end: bool) -> re.Pattern[str]:  # noqa: FBT001 - the cache's key
    begins = rf"(?<![{_ALPHABET}])"
    entries = sorted((one for name in names for one in sections("nouns.txt")[name]), reverse=True)
    choices = "|".join((begins if one[0] == "_" else "") + _source(one) for one in entries)
    return re.compile(rf"(?:{choices})[\s_#-]{{0,2}}$" if at_end else choices)


@cache
def heads(kind: str) -> frozenset[str]:
    """Return the plain letters that the nouns of a kind begin with."""
    return frozenset(map(_head, sections("nouns.txt")[kind]))


def _head(entry: str) -> str:
    """Return the plain letters at the beginning; the last may be one that need not stand: "codes?"."""
    plain = "".join(takewhile(str.isalpha, entry.strip("_")))
    return plain[:-1] if entry.strip("_")[len(plain) :].startswith("?") else plain


@lru_cache(maxsize=20_000)
def _places(word: str) -> tuple[tuple[int, str, bool], ...]:
    """Return where in a word a noun may begin, of what kind, and whether only at a word's edge."""
    found = set()
    for head, begun in _begun().items():
        at = word.find(head)
        while at >= 0:
            found.update((at, rank, edge) for rank, edge in begun)
            at = word.find(head, at + 1)
    return tuple((at, _KINDS[rank], edge) for at, rank, edge in sorted(found))


@cache
def _begun() -> dict[str, set[tuple[int, bool]]]:
    """Return, for the letters that nouns begin with, the kinds of the nouns."""
    found: dict[str, set[tuple[int, bool]]] = {}
    for rank, kind in enumerate(_KINDS):
        for entry in sections("nouns.txt")[kind]:
            found.setdefault(_head(entry), set()).add((rank, entry[0] == "_"))
    return found


@cache
def _pattern(kind: str, at_edge: bool) -> re.Pattern[str]:  # noqa: FBT001 - the cache's key
    entries = [one for one in sections("nouns.txt")[kind] if (one[0] == "_") == at_edge]
    return re.compile("|".join(map(_source, sorted(entries, key=len, reverse=True))))


def _source(entry: str) -> str:
    ends = rf"(?![{_ALPHABET}])" if entry[-1] == "_" else ""
    return entry.strip("_").replace("~", "[ _-]?") + ends
