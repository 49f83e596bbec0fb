"""Pairs of words: which words of one screen are words of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memctl.visual.reading.word_shapes import boxes_of

if TYPE_CHECKING:
    from memctl.visual.reading.word_shapes import Words
    from memctl.visual.recognition.word_index import WordSlack

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Point = tuple[int, int]

IN_PLACE = 3
"""Pixels by which a word may be off and stand where it stood."""

_PLACED_BITS = 64  # of 192, that may differ where a word stands in place ...
_PLACED_WIDE = 0.08  # ... and share of its width: what stands there is hardly another word

_PART = 2048  # pairs


@dataclass(frozen=True, slots=True)
class WordPairs:
    """Pairs of the words of two screens, each word in one pair at most.

    Parameters
    ----------
    one, other
        ``(pairs,)``: the number of the word on each.
    placed
        ``(pairs,)``: True where the second stands where the first does, after the move.
    """

    one: Ints
    other: Ints
    placed: Mask

    def where(self, chosen: Mask) -> WordPairs:
        """Return some of the pairs."""
        return WordPairs(self.one[chosen], self.other[chosen], self.placed[chosen])


def alike(one: Words, other: Words, slack: WordSlack) -> tuple[Ints, Ints, Ints]:
    """Return all pairs of words of one size and shape, wherever they stand.

    Returns
    -------
    one, other, bits
        ``(n,)`` each: the words' numbers, and by how many bits of 192 their shapes differ.
    """
    ours, theirs = boxes_of(one), boxes_of(other)
    wide, high = ours[:, 2], ours[:, 3]
    by = np.maximum(wide * slack.wide, 1).astype(np.int64)
    near = np.abs(wide[:, None] - theirs[:, 2]) <= by[:, None]
    near &= np.abs(high[:, None] - theirs[:, 3]) <= slack.heights(high)[:, None]
    return _within(one, other, near, slack.bits)


def paired(one: Words, other: Words, move: Point, slack: WordSlack) -> WordPairs:
    """Pair the words of two screens: those in place first, then the most alike.

    Parameters
    ----------
    one, other
        Remembered words and those of a screen.
    move
        How far the first have moved on the second, ``(dx, dy)`` in pixels.
    """
    ours, theirs = boxes_of(one) + np.array([*move, 0, 0]), boxes_of(other)
    here = np.abs(ours[:, None, 0] - theirs[:, 0]) <= IN_PLACE
    here &= np.abs(ours[:, None, 1] - theirs[:, 1]) <= IN_PLACE
    off = np.maximum(_PLACED_WIDE * ours[:, 2], 1)
    here &= np.abs(ours[:, None, 2] - theirs[:, 2]) <= off[:, None]
    here &= np.abs(ours[:, None, 3] - theirs[:, 3]) <= IN_PLACE
    first, second, bits = (
        np.concatenate(parts)
        for parts in zip(
            _within(one, other, here, _PLACED_BITS), alike(one, other, slack), strict=True
        )
    )
    placed = here[first, second]
    # A word in place goes before one elsewhere that is more alike: equal words are many.
    chosen = _each_once(first, second, np.argsort(bits - 1000 * placed, kind="stable"))
    return WordPairs(first[chosen], second[chosen], placed[chosen])


def _within(one: Words, other: Words, near: Mask, bits: int) -> tuple[Ints, Ints, Ints]:
    first, second = np.nonzero(near)
    differing = np.bitwise_count(one["bits"][first] ^ other["bits"][second])
    distances = differing.sum(axis=1, dtype=np.int64)
    kept = distances <= bits
    return first[kept], second[kept], distances[kept]


def _each_once(first: Ints, second: Ints, order: Ints) -> Ints:
    """Return the numbers of pairs, taken in order, so that none shares a word with another."""
    chosen: list[int] = []
    ours, theirs = (np.zeros(words.max(initial=-1) + 1, np.bool_) for words in (first, second))
    # Part by part: where hundreds of words are equal, nearly all later pairs are out at once.
    for start in range(0, len(order), _PART):
        part = order[start : start + _PART]
        free = part[~(ours[first[part]] | theirs[second[part]])]
        pairs = (some.tolist() for some in (free, first[free], second[free]))
        for number, one, other in zip(*pairs, strict=True):
            if not (ours[one] or theirs[other]):
                ours[one] = theirs[other] = True
                chosen.append(number)
    return np.array(chosen, np.int64)
