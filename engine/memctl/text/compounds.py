"""Words that some write as one and others as two: timezone and time zone, email and e-mail."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.text.splitting import is_unspaced, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

__all__ = ["parted"]

_SHORTEST, _LONGEST = 4, 30


def parted(
    word: str, grammar: AbstractSet[str], texts_with: Callable[[str], Iterable[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the two words as which texts write `word`, side by side.

    Parameters
    ----------
    word
        A word that no text holds, in lower case.
    grammar
        Words that are no half of another: "goat" is not "go at".
    texts_with
        Gives texts that match an FTS5 expression.
    """
    both = _halves(word, grammar)
    if not both:
        return
    match = " OR ".join(f"({quoted(one)} AND {quoted(other)})" for one, other in both)
    texts = [text.lower() for text in texts_with(match)]
    for one, other in both:
        beside = _beside(one, other)
        if any(beside.search(text) for text in texts):
            yield one, other


def _halves(word: str, grammar: AbstractSet[str]) -> list[tuple[str, str]]:
    if not _SHORTEST <= len(word) <= _LONGEST or is_unspaced(word):
        return []
    cut = [(word[:place], word[place:]) for place in range(1, len(word))]
    return [both for both in cut if not any(len(half) > 1 and half in grammar for half in both)]


def _beside(one: str, other: str) -> re.Pattern[str]:
    """Return what two halves look like; a single letter is a word before a hyphen alone."""
    between = "[-./]" if min(len(one), len(other)) == 1 else "[-./_ ]"
    return re.compile(rf"(?<![^\W_]){re.escape(one)}{between}{re.escape(other.removesuffix('s'))}")
