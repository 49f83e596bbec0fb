"""Passwords in command lines: behind a flag that asks for one, or behind the user."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from memctl.guard.rules.gate import has_any
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.shapes import is_code, is_measure, is_placeholder
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

from memctl.base.packaged import text_in

__all__ = ["Command", "command_hits", "commands"]

_SHORTEST = 4
_OF_FLAGS = frozenset(("option", "options", "flag", "flags", "argument", "arguments", "parameter", "parameters", "cannot"))  # fmt: skip
_SHORTEST_NUMBER = 8  # a port or a count of tokens has fewer digits
_PARTS = {
    "VALUE": r"[\"']?(?P<value>[^\s\"'|;]{4,128})",
    "LINE": r"[^\n]{0,160}?",
    "USER": r"[^\s:\"'/%]{1,80}",
}


@dataclass(frozen=True)
class Command:
    """One kind of command: the needles that announce it, and its pattern."""

    needles: tuple[str, ...]
    source: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when a needle was first seen."""
        source = self.source
        for part, meaning in _PARTS.items():
            source = source.replace(part, meaning)
        return re.compile(source)


@cache
def commands() -> tuple[Command, ...]:
    """Return the table of ``commands.txt``."""
    text = text_in("memctl.guard.rules", "commands.txt")
    rows = (line.split("  ", 1) for line in text.splitlines() if line and line[0] != "#")
    return tuple(Command(tuple(needles.split(",")), source.strip()) for needles, source in rows)


def command_hits(view: TextView) -> Iterator[Hit]:
    """Yield the passwords that a command line gives away."""
    for command in commands():
        if has_any(view.lowered, command.needles):
            for found in command.pattern.finditer(view.text):
                if _is_given(found["value"]):
                    yield Hit("command-password", *found.span("value"))


def _is_given(value: str) -> bool:
    """Whether a real value stands behind the flag: no variable, no file, no other flag."""
    word = value.rstrip(".,`)]}’”")  # noqa: RUF001 - as documents quote
    return (
        len(word) >= _SHORTEST
        and not word.startswith(("-", "/", "~/", "./", "@", "`", "<", "("))
        and not is_placeholder(word)
        and not is_code(word)
        and (not is_measure(word) or (word.isdigit() and len(word) >= _SHORTEST_NUMBER))
        and word.lower() not in words("predicate") | words("stand-in") | _OF_FLAGS
    )
