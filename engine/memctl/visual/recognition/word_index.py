"""Words compared: which words of one screen are words of another, and of every remembered page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memctl.visual.recognition.shown_screen import WORD, Words, boxes_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memctl.visual.recognition.shown_screen import Words


Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Point = tuple[int, int]

IN_PLACE = 3
"""Pixels by which a word may be off and stand where it stood."""

_PLACED_BITS = 64  # of 192, that may differ where a word stands in place ...
_PLACED_WIDE = 0.08  # ... and share of its width: what stands there is hardly another word

_PART = 2048  # pairs
_ROWS = 256  # words that are compared with all others at once
_MOST_ALIKE = 256  # others that one is compared with further: a page of one picture has thousands


@dataclass(frozen=True, slots=True)
class WordPairs:
    """Pairs of the words of two screens, each word in one pair at most."""

    # one, other: ``(pairs,)``: the number of the word on each
    one: Ints
    other: Ints
    placed: Mask  # ``(pairs,)``: True where the second stands where the first does, after the move

    def where(self, chosen: Mask) -> WordPairs:
        """Return some of the pairs."""
        return WordPairs(self.one[chosen], self.other[chosen], self.placed[chosen])


def alike(words: Words, other: Words, slack: WordSlack) -> tuple[Ints, Ints, Ints]:
    """Return all pairs of words of one size and shape, wherever they are.

    Returns ``words``, ``other``, ``bits``: ``(n,)`` each: the words' numbers, and by how many bits of
    192 their shapes differ.
    """
    ours, theirs = boxes_of(words), boxes_of(other)
    wide, high = ours[:, 2], ours[:, 3]
    by = np.maximum(wide * slack.wide, 1).astype(np.int64)
    blocks = []
    for start in range(0, max(len(words), 1), _ROWS):
        part = slice(start, start + _ROWS)
        near = np.abs(wide[part, None] - theirs[:, 2]) <= by[part, None]
        near &= np.abs(high[part, None] - theirs[:, 3]) <= slack.heights(high)[part, None]
        first, second, bits = _nearest(*_within(words[part], other, near, slack.bits))
        blocks.append((first + start, second, bits))
    first, second, bits = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return first, second, bits


def near_to(ours: Ints, theirs: Ints, most: int) -> Mask:
    """Mark the pairs of boxes of which no side's place or length differs by more pixels."""
    near = np.ones((len(ours), len(theirs)), np.bool_)
    for one, other in zip(ours.astype(np.int32).T, theirs.astype(np.int32).T, strict=True):
        off = one[:, None] - other
        near &= np.abs(off, out=off) <= most
    return near


def paired(words: Words, other: Words, move: Point, slack: WordSlack) -> WordPairs:
    """Pair the words of two screens: those in place first, then the most alike.

    ``words``, ``other``: remembered words and those of a screen. ``move``: how far the first have
    moved on the second, ``(dx, dy)`` in pixels.
    """
    ours, theirs = boxes_of(words) + np.array([*move, 0, 0]), boxes_of(other)
    here = near_to(ours[:, [0, 1, 3]], theirs[:, [0, 1, 3]], IN_PLACE)
    first, second = np.nonzero(here)
    off = np.maximum(_PLACED_WIDE * ours[:, 2], 1)
    here[first, second] = np.abs(ours[first, 2] - theirs[second, 2]) <= off[first]
    first, second, bits = (
        np.concatenate(parts)
        for parts in zip(
            _within(words, other, here, _PLACED_BITS), alike(words, other, slack), strict=True
        )
    )
    placed = here[first, second]
    # A word in place goes before one elsewhere that is more alike: equal words are many.
    chosen = _each_once(first, second, np.argsort(bits - 1000 * placed, kind="stable"))
    return WordPairs(first[chosen], second[chosen], placed[chosen])


def _within(words: Words, other: Words, near: Mask, bits: int) -> tuple[Ints, Ints, Ints]:
    first, second = np.nonzero(near)
    differing = np.bitwise_count(words["bits"][first] ^ other["bits"][second])
    distances = differing.sum(axis=1, dtype=np.int64)
    kept = distances <= bits
    return first[kept], second[kept], distances[kept]


def _nearest(first: Ints, second: Ints, bits: Ints) -> tuple[Ints, Ints, Ints]:
    """Return of each first word, in order, the pairs with the others that are most alike."""
    if not len(first) or np.bincount(first).max() <= _MOST_ALIKE:
        return first, second, bits
    order = np.lexsort((second, bits, first))
    ordered = first[order]
    kept = np.sort(order[np.arange(len(order)) - np.searchsorted(ordered, ordered) < _MOST_ALIKE])
    return first[kept], second[kept], bits[kept]


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


Weights = NDArray[np.float64]

_TALLER = 1024
_LIKELY = 16  # states that are compared in full ...
_WHOLE = 4  # more of which most is there
_AWAY = 0.5  # ... unless they are so much less alike than the best, wherever its words stand
_RAREST = 4  # times as many states as hold a word: rarer ones say no more
_WIDEST, _USUAL = 80, 40  # pixels of width that count, and that count as one word
_LINE = 13  # pixels of height of usual text: a headline counts more, up to twice


@dataclass(frozen=True, slots=True)
class WordSlack:
    """How far two words may differ and be one."""

    wide: float  # share of the width; a pixel is always allowed
    high: int  # pixels of height, for small words fewer: a sixth of the height, and at least one
    bits: int  # hamming distance of the shapes, of 192

    def heights(self, high: Ints) -> Ints:
        """Return by how many pixels each height may differ."""
        return np.asarray(np.minimum(self.high, np.maximum(high // 6, 1)), np.int64)


AS_DRAWN = WordSlack(wide=0.06, high=2, bits=38)
RESIZED = WordSlack(wide=0.1, high=3, bits=48)
"""For a screenshot of another device-pixel ratio: text of another size has other strokes."""


class WordIndex:
    """The words of all remembered states.

    ``pages``: state id to its words.
    """

    def __init__(self, pages: Mapping[str, Words]) -> None:
        self._names = list(pages)
        self._sizes = np.array([len(words) for words in pages.values()], np.int64)
        everything = np.concatenate([np.zeros(0, WORD), *pages.values()])
        self._shapes, shape = _distinct(everything)
        parts = np.split(shape, np.cumsum(self._sizes)[:-1]) if pages else []
        self._shape = dict(zip(self._names, parts, strict=True))
        owner = np.repeat(np.arange(len(parts)), self._sizes)
        held = np.unique(np.stack([shape, owner], axis=1), axis=0)
        self._holder = held[:, 1]
        self._first = np.searchsorted(held[:, 0], np.arange(len(self._shapes) + 1))
        self._weights: dict[str, Weights] = {}
        self._holding = np.full(len(self._shapes), -1, np.int64)
        # A word is narrower than `_TALLER`: height and width make one sortable number.
        self._keys = self._shapes["h"].astype(np.int64) * _TALLER + self._shapes["w"]

    def weights(self, state_id: str) -> Weights:
        """Return the weight of each word of a state: how rare, how wide and how high it is."""
        if state_id not in self._weights:
            shape = self._shape[state_id]
            held = self._held_by(shape)
            self._weights[state_id] = _weights(self._shapes[shape], held, len(self._names))
        return self._weights[state_id]

    def rare(self, state_id: str) -> NDArray[np.bool_]:
        """Mark the words of a state that at most one other state has, and few of all states."""
        held = self._held_by(self._shape[state_id])
        return np.asarray(held <= min(2, len(self._names) - 1))

    def met(self, words: Words, slack: WordSlack) -> tuple[Weights, NDArray[np.float64]]:
        """Compare the words of a screen with those of all states.

        Returns ``weights``, ``shared``: ``(words,)``: the weight of each word. ``(states,)``: the
        weight of those that each state has as well, in the order in which the states were given.
        """
        shapes, number = _distinct(words)
        held, states = self._holders(*self._alike(shapes, slack))
        holding = np.bincount(held, minlength=len(shapes))
        weights = _weights(shapes, holding, len(self._names))
        often = weights * np.bincount(number, minlength=len(shapes))
        shared = np.bincount(states, weights=often[held], minlength=len(self._names))
        return weights[number], np.asarray(shared, np.float64)

    def likely(
        self, shared: NDArray[np.float64], total: float, allowed: Collection[str]
    ) -> list[str]:
        """Return the states that share most with a screen: the others cannot be the best.

        ``shared``, ``total``: the weight of the screen's words that each state has, and of all of
        them.
        """
        may = np.array([name in allowed for name in self._names], np.bool_)
        alike = shared / np.maximum(self._totals + total - shared, 1e-9) * may
        # On a part of a larger screen a page is whole, and the screen has much besides.
        whole = shared / np.maximum(self._totals, 1e-9) * may
        best = np.argsort(-alike, kind="stable")[:_LIKELY]
        best = best[alike[best] >= alike.max(initial=0.0) - _AWAY]
        chosen = dict.fromkeys(
            [*best.tolist(), *np.argsort(-whole, kind="stable")[:_WHOLE].tolist()]
        )
        return [self._names[at] for at in chosen if may[at]]

    @cached_property
    def _totals(self) -> Weights:
        return np.array([self.weights(name).sum() for name in self._names], np.float64)

    def _held_by(self, shapes: Ints) -> Ints:
        """Return how many states have a word like each shape; counted once."""
        unknown = np.unique(shapes[self._holding[shapes] < 0])
        held, _ = self._holders(*self._alike(self._shapes[unknown], AS_DRAWN))
        self._holding[unknown] = np.bincount(held, minlength=len(unknown))
        return self._holding[shapes]

    def _alike(self, words: Words, slack: WordSlack) -> tuple[Ints, Ints]:
        """Return pairs of a word's number and the number of a remembered shape like it."""
        wide, high = words["w"].astype(np.int64), words["h"].astype(np.int64)
        by = np.maximum(wide * slack.wide, 1).astype(np.int64)
        steps = np.arange(-slack.high, slack.high + 1)
        base = (high[:, None] + steps) * _TALLER + wide[:, None]
        first = np.searchsorted(self._keys, base - by[:, None], side="left")
        last = np.searchsorted(self._keys, base + by[:, None], side="right")
        allowed = np.abs(steps) <= slack.heights(high)[:, None]
        counts = np.where(allowed, last - first, 0)
        blocks = []
        for start in range(0, max(len(words), 1), _ROWS):
            part = slice(start, start + _ROWS)
            shapes = _ranges(first[part].ravel(), counts[part].ravel())
            owners = start + np.repeat(np.arange(len(counts[part])), counts[part].sum(axis=1))
            differing = np.bitwise_count(words["bits"][owners] ^ self._shapes["bits"][shapes])
            near = differing.sum(axis=1, dtype=np.int64) <= slack.bits
            blocks.append((owners[near], shapes[near]))
        owners, shapes = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return owners, shapes

    def _holders(self, owners: Ints, shapes: Ints) -> tuple[Ints, Ints]:
        """Return each pair of a word and a state's number that has a shape like it, once."""
        counts = self._first[shapes + 1] - self._first[shapes]
        states = self._holder[_ranges(self._first[shapes], counts)]
        number = max(len(self._names), 1)
        pairs = np.unique(np.repeat(owners, counts) * number + states)
        return np.divmod(pairs, number)


def rarity(states: int, holding: int) -> float:
    """Return the weight of something that so many of the states have: ``log(1 + min(N / n, 4))``."""
    return math.log1p(min(max(states, 1) / max(holding, 1), _RAREST))


def _weights(words: Words, holding: Ints, states: int) -> Weights:
    """Return the weight of words by the number of states that have each.

    A word that few states hold says more, within bounds: a clock is just a few words.
    """
    rare = np.array([rarity(states, number) for number in range(int(holding.max(initial=0)) + 1)])
    rare = rare[holding]
    wide = np.minimum(words["w"], _WIDEST) / _USUAL
    high = np.clip(words["h"] / _LINE, 0.5, 2.0)
    return np.asarray(rare * wide * high, np.float64)


def _distinct(words: Words) -> tuple[Words, Ints]:
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
