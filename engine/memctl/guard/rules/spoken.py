"""Codes and keys somewhere in a sentence that says what they open.

What stands between the name and the value does not matter: the value has a shape of its own, the
sentence names what it opens, and nothing beside it says that it is a date, an error or a checksum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.guard.rules.gate import has_digit
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.odd_words import Ahead
from memctl.guard.rules.sentences import BEFORE, BEHIND, place_around
from memctl.guard.rules.spoken_kinds import KINDS, SPOKEN_SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["SPOKEN_SIGNS", "spoken_hits"]


def spoken_hits(view: TextView) -> Iterator[Hit]:
    """Yield codes and keys in sentences that say what they open."""
    if not has_digit(view.text):
        return
    for number, kind in enumerate(KINDS):
        if not view.holds(kind.signs):
            continue
        named = Ahead(view.text, kind.names)
        for found in kind.value.finditer(view.text):
            start, end = found.span()
            if (
                kind.is_led_to(view.text, start)
                and kind.is_value(found.group())
                and named.is_near(start - BEFORE, end + BEHIND)
                and view.judged.is_new(f"spoken {number}", start)
                and kind.is_given(view, place_around(view.text, start, end), found.group())
            ):
                yield Hit(kind.rule, start, end)
