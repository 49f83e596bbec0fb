"""The word index: the words of every remembered page, found by size and shape."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memctl.visual.reading.word_shapes import WORD, Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["AS_DRAWN", "RESIZED", "PageWords", "WordIndex", "WordSlack"]

Ints = NDArray[np.int64]

_TALLER = 1024  # a word is narrower: height and width make one sortable number


@dataclass(frozen=True, slots=True)
class WordSlack:
    """How far two words may differ and be one.

    Parameters
    ----------
    wide
        Share of the width; a pixel is always allowed.
    high
        Pixels of height, for small words fewer: a sixth of the height, and at least one.
    bits
        Hamming distance of the shapes, of 192.
    """

    wide: float
    high: int
    bits: int

    def heights(self, high: Ints) -> Ints:
        """Return by how many pixels each height may differ."""
        return np.asarray(np.minimum(self.high, np.maximum(high // 6, 1)), np.int64)


AS_DRAWN = WordSlack(wide=0.06, high=2, bits=38)
RESIZED = WordSlack(wide=0.1, high=3, bits=48)
"""For a screenshot of another device-pixel ratio: text of another size has other strokes."""


@dataclass(frozen=True, eq=False)
class PageWords:
    """The words of one page, those that look exactly alike counted as one shape.

    Parameters
    ----------
    words
        All of them.
    shape
        ``(n,)``: the number of each word's shape.
    """

    words: Words
    shape: Ints

    def count(self, shapes: int, chosen: NDArray[np.bool_] | None = None) -> Ints:
        """Return how many (chosen) words have each shape."""
        own = self.shape if chosen is None else self.shape[chosen]
        return np.bincount(own, minlength=shapes)


class WordIndex:
    """The words of all remembered pages.

    Parameters
    ----------
    pages
        State id to the words of its page.
    """

    def __init__(self, pages: Mapping[str, Words]) -> None:
        self.numbers = {state_id: number for number, state_id in enumerate(pages)}
        everything = np.concatenate([np.zeros(0, WORD), *pages.values()])
        self.shapes, shape = distinct(everything)
        ends = np.cumsum([len(words) for words in pages.values()], dtype=np.int64)
        parts = np.split(shape, ends[:-1]) if len(pages) else []
        self.pages = {
            key: PageWords(words, own)
            for (key, words), own in zip(pages.items(), parts, strict=True)
        }
        owner = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        held = np.unique(np.stack([shape, owner], axis=1), axis=0)
        self._holder = held[:, 1]
        self._first = np.searchsorted(held[:, 0], np.arange(len(self.shapes) + 1))
        self._holding = np.full(len(self.shapes), -1, np.int64)

    @cached_property
    def _sizes(self) -> Ints:
        return np.asarray(self.shapes["h"].astype(np.int64) * _TALLER + self.shapes["w"])

    def alike(self, words: Words, slack: WordSlack) -> tuple[Ints, Ints, Ints]:
        """Return pairs of a word's number and the number of a remembered shape like it.

        Returns
        -------
        words, shapes, distances
            ``(pairs,)`` each, the most alike first.
        """
        wide, high = words["w"].astype(np.int64), words["h"].astype(np.int64)
        by = np.maximum(wide * slack.wide, 1).astype(np.int64)
        steps = np.arange(-slack.high, slack.high + 1)
        base = (high[:, None] + steps) * _TALLER + wide[:, None]
        first = np.searchsorted(self._sizes, base - by[:, None], side="left")
        last = np.searchsorted(self._sizes, base + by[:, None], side="right")
        allowed = np.abs(steps) <= slack.heights(high)[:, None]
        counts = np.where(allowed, last - first, 0)
        shapes = _ranges(first.ravel(), counts.ravel())
        owners = np.repeat(np.arange(len(words)), counts.sum(axis=1))
        differing = np.bitwise_count(words["bits"][owners] ^ self.shapes["bits"][shapes])
        distances = differing.sum(axis=1, dtype=np.int64)
        near = np.flatnonzero(distances <= slack.bits)
        near = near[np.argsort(distances[near], kind="stable")]
        return owners[near], shapes[near], distances[near]

    def holders(self, owners: Ints, shapes: Ints) -> tuple[Ints, Ints]:
        """Return each pair of a word and a state's number that has a shape like it, once."""
        counts = self._first[shapes + 1] - self._first[shapes]
        states = self._holder[_ranges(self._first[shapes], counts)]
        pairs = np.unique(np.repeat(owners, counts) * len(self.pages) + states)
        return np.divmod(pairs, max(len(self.pages), 1))

    def holding(self, shapes: Ints) -> Ints:
        """Return how many states have a word like each shape."""
        unknown = np.unique(shapes[self._holding[shapes] < 0])
        owners, alike, _ = self.alike(self.shapes[unknown], AS_DRAWN)
        words, _ = self.holders(owners, alike)
        self._holding[unknown] = np.bincount(words, minlength=len(unknown))
        return self._holding[shapes]


def distinct(words: Words) -> tuple[Words, Ints]:
    """Return one word of each size and shape, by height and width, and each word's number."""
    keys: Sequence[NDArray[np.int64]] = [
        *np.ascontiguousarray(words["bits"]).view(np.int64).T,
        words["w"].astype(np.int64),
        words["h"].astype(np.int64),
    ]
    order = np.lexsort(keys)
    sorted_keys = np.stack(keys, axis=1)[order]
    new = np.ones(len(words), np.bool_)
    new[1:] = (sorted_keys[1:] != sorted_keys[:-1]).any(axis=1)
    number = np.empty(len(words), np.int64)
    number[order] = np.cumsum(new) - 1
    return words[order[new]], number


def _ranges(first: Ints, counts: Ints) -> Ints:
    """Return ``first .. first + count - 1`` of each range, one after another."""
    skipped = np.cumsum(counts) - counts
    return np.repeat(first - skipped, counts) + np.arange(int(counts.sum()))
