# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""A value in a sentence: what stands before it and behind it, and what must, or must not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.guard.rules.signs import Signs
    from memctl.guard.rules.text_view import TextView

__all__ = ["BEFORE", "BEHIND", "Given", "Kind", "Place", "place_around"]

BEFORE, BEHIND = 96, 36  # characters; a sentence, and what follows the value in it
_LEAD = 12  # characters
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
    signs: tuple[Signs, ...] = ()
    """Of each, one stands in the text: asked first, as it costs least."""

    def fits(self, view: TextView, place: Place, value: str) -> bool:
        """Whether a sentence gives this value so."""
        return (
            all(map(view.holds, self.signs))
            and (self.value is None or self.value.search(value) is not None)
            and self.before.search(place.before) is not None
            and (self.behind is None or self.behind.match(place.behind) is not None)
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
    signs: Signs
    """One of these stands in the text wherever one of the names does."""
    leads: Pattern | None = None
    """What stands right before the value however it is given, if that is little and known."""
    denied_within: int = 44
    """In how many characters before the value something may deny that it is one."""

    def is_led_to(self, text: str, at: int) -> bool:
        """Whether what stands right before a place may lead to a value."""
        return self.leads is None or self.leads.search(text, max(0, at - _LEAD), at) is not None

    def is_given(self, view: TextView, place: Place, value: str) -> bool:
        """Whether the sentence gives this value, and nothing denies it."""
        if not any(one.fits(view, place, value) for one in self.given):
            return False
        denied_from = max(0, len(place.before) - self.denied_within)
        if self.unless_before.search(place.before, denied_from):
            return False
        return self.unless_behind.search(place.behind) is None


def place_around(text: str, start: int, end: int) -> Place:
    """Return the sentence around a value, as far as it is near."""
    before = text[max(0, start - BEFORE) : start]
    behind = text[end : end + BEHIND]
    return Place(before[_last_stop(before) :], behind.split("\n")[0])


def _last_stop(before: str) -> int:
    return max((stop.end() for stop in _SENTENCE_END.finditer(before)), default=0)
