"""Manners of doing something that exclude each other: tea with and without milk, part time."""

from __future__ import annotations

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.states_of_life import sides_of

__all__ = ["as_manner", "as_meal", "manners_differ"]

# Said of the same doing, words of two sides exclude each other. What one does now so, now
# otherwise (in the morning, by bike) is not listed.
_LINES = """
full-time | part-time
from-home remotely | from-office on-site onsite
alone | with-others
days | nights
left | right
left-handed | right-handed
early | late
monthly | annually yearly
automatic | manual
quickly fast | slowly
quietly | loudly
vollzeit | teilzeit
allein | zusammen
"""
# The same of what one eats and drinks.
_MEALS = """
with | without
mit | ohne
con | sin
avec | sans
rare | medium | medium-rare | well-done
sweetened | unsweetened
"""
_KIN = (
    r"(?:wife|husband|spouse|partner|boyfriend|girlfriend|family|parents|mother|father|children|kids|"
    r"son|daughter|brother|sister|flatmates?|roommates?)"
)
# Several words that are one, and the pronoun before what one eats.
_JOINED = (
    (Pattern(r"\b(full|part) time\b"), r"\1-time"),
    (Pattern(r"\bfrom (?:home|house)\b"), "from-home"),
    (Pattern(r"\bfrom office\b"), "from-office"),
    (Pattern(r"\bon site\b"), "on-site"),
    (Pattern(rf"\bwith (?:my|his|her|their) {_KIN}\b"), "with-others"),
    (Pattern(r"\bin (vollzeit|teilzeit)\b"), r"\1"),
)
_AT_TABLE = (
    (Pattern(r"^(?:my|his|her|their) "), ""),
    (Pattern(r"\b(coffee|tea) black$"), r"\1 without milk"),
    (Pattern(r"\b(kaffee|tee) schwarz$"), r"\1 ohne milch"),
    (Pattern(r"\bwell done$"), "well-done"),
    (Pattern(r"\bmedium rare$"), "medium-rare"),
)
_DOING, _EATING = sides_of(_LINES), sides_of(_MEALS)


def as_manner(value: str) -> str:
    """Return what all manners of a doing share that exclude `value`; empty where it is no manner."""
    return _framed(_plain(value, _JOINED), _DOING)


def as_meal(value: str) -> str:
    """Return the same of what one eats or drinks.

    ``tea with milk`` excludes ``tea without milk``, and no ``tea with honey``; coffee that is
    drunk black has no milk.
    """
    return _framed(_plain(value, _AT_TABLE), _EATING)


def manners_differ(one: str, other: str) -> bool:
    """Whether two manners that share what `as_manner` or `as_meal` returns exclude each other."""
    return _side(one) != _side(other)


def _plain(value: str, rules: tuple[tuple[Pattern, str], ...]) -> str:
    for pattern, joined in rules:
        value = pattern.sub(joined, value)
    return value


def _framed(value: str, sides: dict[str, tuple[str, int]]) -> str:
    """Return `value` with its one word of a line replaced by the first word of that line."""
    words = value.split()
    found = [i for i, word in enumerate(words) if word in sides]
    if len(found) != 1:
        return ""
    words[found[0]] = f"<{sides[words[found[0]]][0]}>"
    return " ".join(words)


def _side(value: str) -> list[tuple[str, int]]:
    sides = _DOING | _EATING
    words = _plain(value, (*_JOINED, *_AT_TABLE)).split()
    return [sides[word] for word in words if word in sides]
