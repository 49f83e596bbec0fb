"""Secrets inside something that carries them: addresses, headers, settings, command lines.

Each row of ``tables/carriers.txt`` is a pattern with the place of a secret, and the name of the
judge below that tells a real value from a variable, a file or a word.
"""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from memctl.guard.decoding import SecretSpan
from memctl.guard.tables.rule_tables import rows, words
from memctl.guard.value_shapes import (
    is_code,
    is_dense,
    is_placeholder,
    is_sequence,
    is_something,
)
from memctl.guard.values import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.guard.decoding import TextView

__all__ = ["carried_spans"]

_SHORTEST_GIVEN = 2
_SHORTEST_BARE = 4  # where the place alone does not say that a secret must stand there
_SHORTEST_NUMBER = 8  # a port or a count of tokens has fewer digits
_LONG_PATH = 20
_WEAK_WORDS = {"password", "passwd", "pass", "pwd", "pw", "secret", "token", "port", "n"}
_OF_FLAGS = {
    *("option", "options", "flag", "flags", "argument", "arguments", "parameter", "parameters"),
    "cannot",
}
_PARTS = {
    "VALUE": r"[\"']?(?P<value>[^\s\"'|;]{4,128})",
    "LINE": r"[^\n]{0,160}?",
    "USER": r"[^\s:\"'/%]{1,80}",
    "HEADER": r"(?:authorization|proxy-authorization)[\"'\s]{0,3}[:=,][\"'\s]{0,4}",
}


@dataclass(frozen=True)
class Carrier:
    """One row of the table: a pattern whose group holds a secret if its judge says so."""

    rule: str
    judge: str
    needles: tuple[str, ...]
    source: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when a needle was first seen."""
        source = self.source
        for part, meaning in _PARTS.items():
            source = source.replace(part, meaning)
        return re.compile(source, 0 if self.judge == "flag" else re.IGNORECASE)

    def spans(self, text: str) -> Iterator[SecretSpan]:
        """Yield the secrets that this carrier holds."""
        group = "value" if "value" in self.pattern.groupindex else 1
        for found in self.pattern.finditer(text):
            if _JUDGES[self.judge](found[group]):
                yield SecretSpan(self.rule, *found.span(group))


def carried_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield secrets that their surroundings give away."""
    for carrier in _carriers():
        if any(needle in view.lowered for needle in carrier.needles):
            yield from carrier.spans(view.text)


@cache
def _carriers() -> tuple[Carrier, ...]:
    return tuple(
        Carrier(rule, judge, tuple(needles.replace("~", " ").split(",")), source)
        for rule, judge, needles, source in rows("carriers.txt", 4)
    )


def _given(value: str) -> bool:
    """Return whether a person wrote a real value here, however weak."""
    return (
        len(value) >= _SHORTEST_GIVEN
        and not is_placeholder(value)
        and value.lower() not in _WEAK_WORDS
    )


def _password(value: str) -> bool:
    """Return whether a value is a password and no word, no name of a program, no number."""
    return (
        _given(value)
        and len(value) >= _SHORTEST_BARE
        and not is_code(value)
        and not is_something(value)
        and not value.isdigit()
        and (any(map(str.isdigit, value)) or not value.isalnum())
    )


def _word(value: str) -> bool:
    return _given(value) and value.lower() not in words("predicate") | words("stand-in")


def _opaque(value: str) -> bool:
    """Return whether a value is a key by its own look: long enough, mixed, no words."""
    kind = kind_of(value.strip("="), quoted=True)
    return bool(kind & (Kind.RANDOM | Kind.STRONG | Kind.HEX)) and not is_sequence(value)


def _mixed(value: str) -> bool:
    """Return whether only a generator mixes capitals, small letters and digits like that."""
    return _opaque(value) and is_dense(value.replace("/", "").replace("+", ""))


def _path(value: str) -> bool:
    """Return whether the end of an address is an id nobody could guess, in one or more pieces."""
    packed = re.sub(r"[^A-Za-z0-9]", "", value)
    return not is_placeholder(value) and (_opaque(packed) or len(packed) >= _LONG_PATH)


def _basic(value: str) -> bool:
    """Return whether a value is base64 of ``user:password``."""
    try:
        decoded = b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return False
    return ":" in decoded.strip(":") and decoded.isprintable()


def _flag(value: str) -> bool:
    """Return whether a real value stands behind a flag: no variable, no file, no other flag."""
    word = value.rstrip(".,`)]}’”")  # noqa: RUF001 - as documents quote
    return (
        len(word) >= _SHORTEST_BARE
        and not word.startswith(("-", "/", "~/", "./", "@", "`", "<", "("))
        and not is_code(word)
        and (not is_something(word) or (word.isdigit() and len(word) >= _SHORTEST_NUMBER))
        and _word(word)
        and word.lower() not in _OF_FLAGS
    )


_JUDGES: dict[str, Callable[[str], bool]] = {
    "given": _given,
    "password": _password,
    "word": _word,
    "opaque": _opaque,
    "mixed": _mixed,
    "path": _path,
    "basic": _basic,
    "flag": _flag,
}
