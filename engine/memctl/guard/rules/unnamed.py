"""Passwords with no name of their own: how their rules read and judge them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.guard.rules.gate import has_digit
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.judge import is_strong, is_unmistakable
from memctl.guard.rules.oddness import ROW, SHORT_NUMBER, is_product, oddness
from memctl.guard.rules.values import Value

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Sequence

    from memctl.guard.rules.signs import Signs
    from memctl.guard.rules.text_view import TextView

__all__ = ["PLACE", "SIGNED", "VALUE", "Unnamed", "is_marked", "is_odd", "unnamed_hits"]

_RULE = "password-in-prose"
_SHORTEST = 5
VALUE = r"[\"'`]?(?P<value>(?![\w-]{1,20}=)[^\s\"'`]{4,64})"
PLACE = Pattern(r"/|\.(?:[a-z]{2,5}|\d+)$|^~|\\")
SIGNED = Pattern(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])\w*[!#$%^&*?~@][\w!#$%^&*?~@]*$")
_CLASSIC = Pattern(r"[A-Za-z]{3,20}\d{1,6}$")


class Unnamed(NamedTuple):
    """A rule: the signs of which one of every group must stand in the text, the pattern, the judge."""

    signs: tuple[Signs, ...]
    pattern: Pattern
    accepts: Callable[[re.Match[str], Value], bool]
    plain: bool = False
    """Whether its place is so clear that a plain word may be the password."""


def unnamed_hits(view: TextView, rules: Sequence[Unnamed]) -> Iterator[Hit]:
    """Yield what rules find in the group ``value`` of their patterns, and accept."""
    held = view.signs
    for rule in rules:
        if not any(map(held.isdisjoint, rule.signs)):
            for found in rule.pattern.finditer(view.text):
                value = _value(found, plain=rule.plain)
                if value is not None and rule.accepts(found, value):
                    yield Hit(_RULE, value.start, value.end)


def _value(found: re.Match[str], *, plain: bool) -> Value | None:
    said = found["value"]
    word = said.rstrip(".,;:)\"'`”»").lstrip("\"'`“«(")
    if (
        len(word) < _SHORTEST
        or not word.isascii()
        or is_product(word)
        or not (plain or has_digit(word) or oddness(word) >= ROW)
    ):
        return None
    start = found.start("value") + said.index(word)
    ends = found.string[found.end("value") : found.end("value") + 1] in {"", "\n", " ", '"', "'"}
    return Value(word, start, start + len(word), quoted=False, ends_clause=ends, run=word)


def is_odd(_: re.Match[str], value: Value) -> bool:
    """Whether at least a word and two digits."""
    return oddness(value.text) >= SHORT_NUMBER


def is_marked(value: Value) -> bool:
    """Whether a word with a mark in it, or a word and a number, as people choose passwords."""
    return not PLACE.search(value.text) and (
        is_unmistakable(value.text.lstrip("!#*"))
        or oddness(value.text) > ROW
        or bool(SIGNED.match(value.text))
        or (is_strong(value) and bool(_CLASSIC.match(value.text)))
    )
