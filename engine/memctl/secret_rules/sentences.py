# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""A value in a sentence: what stands before it and behind it, and what must, or must not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.secret_rules.signs import Signs

__all__ = ["BEFORE", "BEHIND", "Given", "Kind", "Place", "place_around"]

BEFORE, BEHIND = 96, 36  # characters; a sentence, and what follows the value in it
# The line below a question answers it.
_SENTENCE_END = Pattern(r"(?<=[^\W\d_]{3})[.!](?=\s)|[。！](?!\n)|(?<![?？。])\n|(?<=\n)\n")


class Place(NamedTuple):
    """What stands before a value and behind it in its sentence."""

    before: str
    behind: str


class Given(NamedTuple):
    """What must stand before the value, right behind it, and what it must be (``None``: anything)."""

    before: Pattern
    behind: Pattern | None = None
    value: Pattern | None = None

    def fits(self, place: Place, value: str) -> bool:
        """Whether a sentence gives this value so."""
        return (
            self.before.search(place.before) is not None
            and (self.behind is None or self.behind.match(place.behind) is not None)
            and (self.value is None or self.value.search(value) is not None)
        )


class Kind(NamedTuple):
    """One kind of value and the sentences that give it."""

    rule: str
    value: Pattern
    is_value: Callable[[str], bool]
    names: Pattern
    """One of these stands near; asked first, so that a text of numbers is not judged in vain."""
    given: tuple[Given, ...]
    unless_before: Pattern
    unless_behind: Pattern
    denied_within: int = 44
    """In how many characters before the value something may deny that it is one."""
    signs: Signs | None = None
    """One of these stands in the text, where its names alone would be dear to look for."""

    def is_given(self, place: Place, value: str) -> bool:
        """Whether the sentence gives this value, and nothing denies it."""
        denied_from = max(0, len(place.before) - self.denied_within)
        if self.unless_before.search(place.before, denied_from):
            return False
        if self.unless_behind.search(place.behind):
            return False
        return any(one.fits(place, value) for one in self.given)


def place_around(text: str, start: int, end: int) -> Place:
    """Return the sentence around a value, as far as it is near."""
    before = text[max(0, start - BEFORE) : start]
    behind = text[end : end + BEHIND]
    return Place(before[_last_stop(before) :], behind.split("\n")[0])


def _last_stop(before: str) -> int:
    return max((stop.end() for stop in _SENTENCE_END.finditer(before)), default=0)
