"""Word match: how alike the words of a screen and of a remembered page are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.reading.word_shapes import boxes_of
from memctl.visual.recognition.similarity import SCROLL_STEP, median_move, rarities, scroll_vote
from memctl.visual.recognition.word_index import Ints, PageWords, distinct

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from memctl.visual.boxes import Box
    from memctl.visual.reading.word_shapes import Words
    from memctl.visual.recognition.word_index import WordIndex, WordSlack

__all__ = ["WordMatch"]

Point = tuple[int, int]
Size = tuple[int, int]

_LIKELY = 8  # states that are compared in full, by each of two orders
_WIDEST, _USUAL = 80, 40  # pixels of width that count, and that count as one word
_LINE = 13  # pixels of height of usual text: a headline counts more, up to four times


class WordMatch:
    """The words of one screen, compared with those of every remembered page.

    Parameters
    ----------
    index
        The remembered pages.
    words
        The screen's.
    slack
        How far two words may differ and be one.
    """

    def __init__(self, index: WordIndex, words: Words, slack: WordSlack) -> None:
        self._index = index
        shapes, number = distinct(words)
        self._screen = PageWords(words, number)
        self._owners, self._alike, _ = index.alike(shapes, slack)
        self._held = index.holders(self._owners, self._alike)
        holding = np.bincount(self._held[0], minlength=len(shapes))
        self._weights = _weights(shapes, holding, len(index.pages))

    def likely(self, allowed: Collection[str]) -> list[str]:
        """Return the states that share most with the screen: the others cannot be the best."""
        words, states = self._held
        number = len(self._index.pages)
        weight = self._weights * self._screen.count(len(self._weights))
        shared = np.bincount(states, weights=weight[words], minlength=number)
        sizes = np.array([len(page.words) for page in self._index.pages.values()])
        shared[[name not in allowed for name in self._index.pages]] = 0
        # A page of few words may still be alike if it is small.
        orders = (np.argsort(-shared, kind="stable"), np.argsort(-shared / np.maximum(sizes, 1)))
        chosen = dict.fromkeys(np.concatenate([order[:_LIKELY] for order in orders]).tolist())
        names = list(self._index.pages)
        return [names[one] for one in chosen if shared[one] > 0]

    def jaccard(
        self,
        state_id: str,
        move: Point,
        size: Size,
        known: Size,
        *,
        extras: bool = True,
        part: bool = False,
        hidden: Sequence[Box] = (),
    ) -> float:
        """Return the weighted Jaccard of the words of the screen and a state, 0 to 1.

        Parameters
        ----------
        move
            How far the page has moved since it was remembered, ``(dx, dy)`` in pixels.
        size, known
            Width and height of the screen, and of the screen that is remembered.
        extras
            Whether words count that the remembered screen has not.
        part
            Compare with the part of the screen alone that the remembered one would cover.
        hidden
            Areas of the screen where neither counts.

        Notes
        -----
        Words are multisets: a page that was laid out anew has them elsewhere. Missing is what
        the screen would show whole after the move; extra, what the remembered one would have
        shown.
        """
        page = self._index.pages[state_id]
        inside = _corner_on(self._screen.words, (-move[0], -move[1]), known)
        open_here = _apart(self._screen.words, (0, 0), hidden)
        open_there = _apart(page.words, move, hidden)
        new = self._screen.count(len(self._weights), inside & open_here)
        there = new if part else self._screen.count(len(self._weights), open_here)
        whole = _whole_on(page.words, move, size)
        expected = page.count(len(self._index.shapes), whole & open_there)
        found, used = self._paired(page.count(len(self._index.shapes), open_there), there)
        shapes = np.unique(page.shape)
        weights = self._remembered_weights(shapes)
        common = float(found[shapes] @ weights)
        missing = float(np.maximum(expected - found, 0)[shapes] @ weights)
        extra = float(np.maximum(new - used, 0) @ self._weights) if extras else 0.0
        total = common + missing + extra
        return common / total if total else 0.0

    def move(self, state_id: str, *, across: bool, down: bool) -> Point:
        """Return how far the words that both have once have scrolled, by their vote."""
        moves = self._moves(state_id) * np.array([across, down], np.int64)
        return scroll_vote([(dx, dy) for dx, dy in moves.tolist()])

    def displacements(self, state_id: str, *, most: int, votes: int) -> Sequence[Point]:
        """Return the moves that most words agree on, with at least so many votes each."""
        moves = [(dx, dy) for dx, dy in self._moves(state_id).tolist()]
        counts = Counter((round(dx / SCROLL_STEP), round(dy / SCROLL_STEP)) for dx, dy in moves)
        ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        return [median_move(moves, winner) for winner, count in ranked[:most] if count >= votes]

    def _moves(self, state_id: str) -> Ints:
        """Return ``(n, 2)``: from and to where each word went that occurs once on both."""
        page = self._index.pages[state_id]
        once = page.count(len(self._index.shapes)) == 1
        single = self._screen.count(len(self._weights)) == 1
        chosen = once[self._alike] & single[self._owners]
        words, shapes = self._owners[chosen], self._alike[chosen]
        # The most alike pair of each comes first.
        first = np.intersect1d(
            np.unique(words, return_index=True)[1], np.unique(shapes, return_index=True)[1]
        )
        here = self._screen.words[_places(self._screen.shape, len(single))[words[first]]]
        before = page.words[_places(page.shape, len(once))[shapes[first]]]
        return np.stack([here[axis].astype(np.int64) - before[axis] for axis in ("x", "y")], axis=1)

    def left(self, state_id: str, move: Point, hidden: Sequence[Box]) -> float:
        """Return the share of a state's words, by weight, that stands outside of some areas."""
        page = self._index.pages[state_id]
        weights = self._remembered_weights(page.shape)
        return float(weights @ _apart(page.words, move, hidden)) / float(weights.sum() or 1)

    def _paired(self, known: Ints, there: Ints) -> tuple[Ints, Ints]:
        """Pair words, the most alike first: how many of each remembered and each own shape."""
        held = np.flatnonzero(known[self._alike] > 0)
        some = np.flatnonzero(known)
        left = there.tolist()
        rest = dict(zip(some.tolist(), known[some].tolist(), strict=True))
        for own, shape in zip(self._owners[held].tolist(), self._alike[held].tolist(), strict=True):
            pairs = min(left[own], rest[shape])
            if pairs:
                left[own] -= pairs
                rest[shape] -= pairs
        found = known.copy()
        found[list(rest)] -= np.array(list(rest.values()), np.int64)
        return found, there - np.array(left, np.int64)

    def _remembered_weights(self, shapes: Ints) -> NDArray[np.float64]:
        index = self._index
        return _weights(index.shapes[shapes], index.holding(shapes), len(index.pages))


def _weights(shapes: Words, holding: Ints, states: int) -> NDArray[np.float64]:
    """Return the weight of each word: how rare, how wide and how high it is."""
    wide = np.minimum(shapes["w"], _WIDEST) / _USUAL
    high = np.clip(shapes["h"] / _LINE, 0.5, 4.0)
    return np.asarray(rarities(states, holding) * wide * high, np.float64)


def _places(shape: Ints, shapes: int) -> Ints:
    """Return the index of a word for each shape: of one word that has it."""
    at = np.zeros(shapes, np.int64)
    at[shape] = np.arange(len(shape))
    return at


def _apart(words: Words, move: Point, areas: Sequence[Box]) -> NDArray[np.bool_]:
    """Return a mask: True for words whose middle is outside of all areas, after a move."""
    boxes = boxes_of(words)
    x, y = (boxes[:, :2] + boxes[:, 2:] // 2 + np.array(move)).T
    apart = np.ones(len(words), np.bool_)
    for area in areas:
        apart &= (x < area.x) | (x >= area.right) | (y < area.y) | (y >= area.bottom)
    return apart


def _corner_on(words: Words, move: Point, size: Size) -> NDArray[np.bool_]:
    x, y = words["x"].astype(np.int64) + move[0], words["y"].astype(np.int64) + move[1]
    return np.asarray((x >= 0) & (y >= 0) & (x < size[0]) & (y < size[1]))


def _whole_on(words: Words, move: Point, size: Size) -> NDArray[np.bool_]:
    x, y = words["x"].astype(np.int64) + move[0], words["y"].astype(np.int64) + move[1]
    return np.asarray(
        (x >= 0) & (y >= 0) & (x + words["w"] <= size[0]) & (y + words["h"] <= size[1])
    )
