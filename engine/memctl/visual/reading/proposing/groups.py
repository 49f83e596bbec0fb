"""Boxes that belong together: words of a line, parts of a picture, the same box twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.reading.proposing.shapes import Boxes

__all__ = ["BLOCK_GAP", "Pairs", "blocks", "near_pairs", "strongest", "text_lines"]

WORD_GAP = 0.5
"""Widest gap between words of one line, in heights of the taller one: a blank is a third of an
em, entries of a menu stand at least one em apart."""

SAME_ROW = 0.6
"""Share of the lower one's height that two words of a line share."""

HEIGHT_RATIO = 2.5
"""Most by which heights in one line differ: a capital with descender against a dash-less x."""

FRAMED_SHARE = (0.15, 0.35)
"""Least width and height of what a frame holds, in shares of its own; a dot or a descender
inside a word's bounding box is less."""

TALLEST_TEXT = 80
"""Pixels; what is taller is a picture."""

BLOCK_GAP = (12, 8)
"""Columns and rows between parts of one picture, icon or paragraph."""


@dataclass(frozen=True)
class Pairs:
    """Boxes ``i < j`` that are close, with the gap between them; negative where they overlap."""

    i: NDArray[np.intp]
    j: NDArray[np.intp]
    gap_x: NDArray[np.int32]
    gap_y: NDArray[np.int32]

    def where(self, chosen: NDArray[np.bool_]) -> Pairs:
        """Keep some of the pairs."""
        return Pairs(self.i[chosen], self.j[chosen], self.gap_x[chosen], self.gap_y[chosen])


def near_pairs(boxes: Boxes, within: int) -> Pairs:
    """Return every pair of boxes with at most ``within`` rows between them.

    Boxes are swept from top to bottom, so that only neighbours are compared.
    """
    order = np.argsort(boxes[:, 1], kind="stable")
    tops, bottoms = boxes[order, 1], boxes[order, 3]
    first = np.arange(len(boxes))
    last = np.searchsorted(tops, bottoms + within, side="right")
    counts = np.maximum(last - first - 1, 0)
    i = np.repeat(first, counts)
    j = np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts) + i + 1
    a, b = boxes[order[i]], boxes[order[j]]
    gap = np.maximum(a[:, :2], b[:, :2]) - np.minimum(a[:, 2:], b[:, 2:])
    low, high = np.minimum(order[i], order[j]), np.maximum(order[i], order[j])
    return Pairs(low, high, gap[:, 0], gap[:, 1])


def text_lines(words: Boxes, pairs: Pairs) -> Boxes:
    """Join words that stand in one row, a blank apart, and are about as tall.

    A blob around another is a frame or an icon's outline and joins no line.
    """
    frames = _around(words, pairs)
    height = words[:, 3] - words[:, 1]
    taller = np.maximum(height[pairs.i], height[pairs.j])
    lower = np.minimum(height[pairs.i], height[pairs.j])
    same_line = (
        (-pairs.gap_y >= SAME_ROW * lower)
        & (pairs.gap_x <= WORD_GAP * taller)
        & (taller <= HEIGHT_RATIO * lower)
        & (taller <= TALLEST_TEXT)
        & ~(frames[pairs.i] | frames[pairs.j])
    )
    group = _connected(len(words), pairs.where(same_line))
    lines = _united(words[~frames], group[~frames])
    return lines[lines[:, 3] - lines[:, 1] <= TALLEST_TEXT]


def _around(words: Boxes, pairs: Pairs) -> NDArray[np.bool_]:
    """Whether each blob's bounding box holds another one of some size: a frame, an outline."""
    one, other = words[pairs.i], words[pairs.j]
    framing = np.zeros(len(words), dtype=bool)
    framing[pairs.i[_frames(one, other)]] = True
    framing[pairs.j[_frames(other, one)]] = True
    return framing


def _frames(outer: Boxes, inner: Boxes) -> NDArray[np.bool_]:
    inside = (outer[:, :2] <= inner[:, :2]) & (outer[:, 2:] >= inner[:, 2:])
    share = (inner[:, 2:] - inner[:, :2]) / (outer[:, 2:] - outer[:, :2])
    return np.asarray((inside & (share >= FRAMED_SHARE)).all(axis=1))


def blocks(words: Boxes, pairs: Pairs) -> Boxes:
    """Join whatever is close in both directions: the parts of an icon, a picture, a paragraph."""
    close = (pairs.gap_x <= BLOCK_GAP[0]) & (pairs.gap_y <= BLOCK_GAP[1])
    return _united(words, _connected(len(words), pairs.where(close)))


def strongest(boxes: Boxes, overlap: float) -> NDArray[np.intp]:
    """Return which boxes stay if none may overlap an earlier one by more than ``overlap`` (IoU).

    The boxes come strongest first (greedy non-maximum suppression).
    """
    pairs = near_pairs(boxes, -1)
    shared = np.maximum(-pairs.gap_x, 0).astype(np.int64) * np.maximum(-pairs.gap_y, 0)
    area = (boxes[:, 2] - boxes[:, 0]).astype(np.int64) * (boxes[:, 3] - boxes[:, 1])
    same = pairs.where(shared > overlap * (area[pairs.i] + area[pairs.j] - shared))
    stays = np.ones(len(boxes), dtype=bool)
    for rank in np.argsort(same.i, kind="stable"):
        if stays[same.i[rank]]:
            stays[same.j[rank]] = False
    return np.flatnonzero(stays)


def _connected(count: int, pairs: Pairs) -> NDArray[np.intp]:
    """Return for each of ``count`` boxes the lowest index among those that it is paired with."""
    group = np.arange(count)
    while True:
        lowest = group.copy()
        joint = np.minimum(group[pairs.i], group[pairs.j])
        np.minimum.at(lowest, pairs.i, joint)
        np.minimum.at(lowest, pairs.j, joint)
        lowest = lowest[lowest]
        if np.array_equal(lowest, group):
            return group
        group = lowest


def _united(boxes: Boxes, group: NDArray[np.intp]) -> Boxes:
    """Return the bounding box of each group."""
    _, first, member_of = np.unique(group, return_index=True, return_inverse=True)
    united = boxes[first]
    np.minimum.at(united[:, 0], member_of, boxes[:, 0])
    np.minimum.at(united[:, 1], member_of, boxes[:, 1])
    np.maximum.at(united[:, 2], member_of, boxes[:, 2])
    np.maximum.at(united[:, 3], member_of, boxes[:, 3])
    return united
