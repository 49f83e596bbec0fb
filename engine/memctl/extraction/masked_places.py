"""Places of a text that masking left as they are: a sentence that stands in one holds no secret."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.extraction.cutting import Sentence

__all__ = ["Unmasked", "stands_in", "unmasked"]

_MASK = Pattern(r"\[secret:[^\]\n]*\]")


class Unmasked(NamedTuple):
    """A text, and the starts and ends of what masking left of it, in their order."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def unmasked(text: str, safe: str) -> Unmasked:
    """Return the places of a text that its masked form `safe` still holds."""
    starts, ends = [], []
    at = 0
    for part in [text] if safe == text else _MASK.split(safe):
        start = text.find(part, at)
        if start < 0:
            break
        at = start + len(part)
        starts.append(start)
        ends.append(at)
    return Unmasked(text, starts, ends)


def stands_in(safe: Unmasked, sentence: Sentence) -> bool:
    """Return whether a sentence stands as it is in one of the places."""
    place = bisect_right(safe.starts, sentence.start) - 1
    whole = safe.text[sentence.start : sentence.end] == sentence.text
    return whole and place >= 0 and sentence.end <= safe.ends[place]
