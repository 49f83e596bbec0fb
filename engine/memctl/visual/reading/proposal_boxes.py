"""Boxes of a screenshot: which belong together, of which kind they are, which are components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.reading.proposal_masks import area, sizes

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels
    from memctl.visual.reading.proposal_masks import Boxes

__all__ = [
    "BLOCK_GAP",
    "Pairs",
    "blocks",
    "inside",
    "line_kinds",
    "near_pairs",
    "rectangle_kinds",
    "spread",
    "squarish",
    "strongest",
    "text_lines",
    "worth_having",
]


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
    _, height = sizes(words)
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
    """Mark blobs whose bounding box holds another one of some size: a frame, an outline."""
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
    """Return the boxes that stay if none may overlap an earlier one by more than ``overlap`` (IoU).

    The boxes come strongest first (greedy non-maximum suppression).
    """
    pairs = near_pairs(boxes, -1)
    shared = np.maximum(-pairs.gap_x, 0).astype(np.int64) * np.maximum(-pairs.gap_y, 0)
    own = area(boxes)
    same = pairs.where(shared > overlap * (own[pairs.i] + own[pairs.j] - shared))
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


Flags = NDArray[np.bool_]

ICON_SIDES = (11, 96)
"""Pixels: a letter's stem is narrower than 11; 96 is a 48-pixel icon at twice the density."""

ICON_ASPECT = 2.2
TEXT_ASPECT = 1.4
"""Width over height; the shortest words ("OK", "to") have 1.6 and more."""

BUTTON_HEIGHTS = (14, 96)
BUTTON_ASPECT = 1.2
FIELD_ASPECT = 4.0

CENTRED = 0.12
"""Share of a rectangle's width by which the middle of its label may be off."""

BAR_ASPECT = 8.0
"""Width over height of the bar of a window, and of the rows of a list."""

TOUCHING = 3
"""Pixels between two rectangles that touch."""

ALIGNED = 8
"""Pixels by which the sides of a bar and of its window are off; a field keeps more from both."""

FIELD_HEIGHT = 3.5
"""Most height of a field that holds a text and, at its end, an icon; in heights of the two."""

PAIR = 2
"""Lines in such a field."""

EMPTY_HEIGHT = 14
"""Pixels; what is lower and has no label is a progress bar or the gap between two lines."""

AREA_HEIGHT = 96
"""Pixels; taller rectangles are cards, whose content changes."""

MOST_LINES = 6
"""Lines of text inside a component; a container of more is no component."""


def line_kinds(lines: Boxes) -> NDArray[np.str_]:
    """Return the kind of each line: text, or an icon or image if about as tall as wide."""
    width, height = sizes(lines)
    longer, shorter = np.maximum(width, height), np.minimum(width, height)
    alone = (longer <= TEXT_ASPECT * shorter) & (shorter >= ICON_SIDES[0])
    return np.where(alone, np.where(longer <= ICON_SIDES[1], "icon", "image"), "text")


def squarish(boxes: Boxes) -> Flags:
    """Mark the boxes of the size and shape of an icon."""
    width, height = sizes(boxes)
    longer, shorter = np.maximum(width, height), np.minimum(width, height)
    least, most = ICON_SIDES
    return (shorter >= least) & (longer <= most) & (longer <= ICON_ASPECT * shorter)


def inside(inner: Boxes, outer: Boxes) -> Flags:
    """Compare all with all: element ``(i, j)`` tells whether ``inner[i]`` is in ``outer[j]``."""
    return np.asarray(
        (inner[:, None, 0] >= outer[:, 0])
        & (inner[:, None, 1] >= outer[:, 1])
        & (inner[:, None, 2] <= outer[:, 2])
        & (inner[:, None, 3] <= outer[:, 3])
    )


def worth_having(boxes: Boxes, held: Flags) -> Flags:
    """Mark the rectangles that are components rather than containers or empty slots.

    Parameters
    ----------
    held
        ``(lines, boxes)``: which lines of text are inside of which boxes.
    """
    count = held.sum(axis=0)
    tall_enough = (sizes(boxes)[1] >= EMPTY_HEIGHT) | (count > 0)
    return np.asarray(tall_enough & (sizes(boxes)[1] <= AREA_HEIGHT) & (count <= MOST_LINES))


def rectangle_kinds(
    boxes: Boxes, lines: Boxes, held: Flags, outlines: Boxes, screen: tuple[int, int]
) -> NDArray[np.str_]:
    """Return the kind of each rectangle, by its shape and the place of its label.

    A button has one label, an icon beside it at most, in the middle or nearly filling it. A field
    is long, clear of the sides of the screen, and has no label, or one that is not in the middle,
    and at its end perhaps an icon. Bars of windows and rows of lists are neither.
    """
    width, height = sizes(boxes)
    count = held.sum(axis=0)
    most = np.iinfo(np.int32).max
    first, bottom = (_least(lines[:, at], held) for at in (0, 3))
    last, top = (-_least(-lines[:, at], held) for at in (2, 1))
    one_row = (top < bottom) & (count > 0)
    blank = np.where(one_row, last - first - (sizes(lines)[0][:, None] * held).sum(axis=0), most)
    together = one_row & (blank <= height)
    off = np.abs((first + last) - (boxes[:, 0] + boxes[:, 2])) / 2
    centred = off <= CENTRED * width
    shape = (height >= BUTTON_HEIGHTS[0]) & (height <= BUTTON_HEIGHTS[1]) & ~_bars(boxes, outlines)
    field = shape & (width >= FIELD_ASPECT * height)
    field &= (boxes[:, 0] > 0) & (boxes[:, 2] < screen[0])
    ended = (count == PAIR) & one_row & ~together & (height <= FIELD_HEIGHT * (bottom - top))
    ended &= (first - boxes[:, 0] <= height) & (boxes[:, 2] - last <= height)
    kinds = np.full(len(boxes), "area", dtype="<U6")
    kinds[field & ((count == 0) | ((count == 1) & ~centred) | ended)] = "input"
    kinds[shape & together & centred & (width >= BUTTON_ASPECT * height)] = "button"
    return kinds


def _least(values: NDArray[np.int32], held: Flags) -> NDArray[np.int64]:
    """Return the least value of the lines inside of each box; a large one where there is none."""
    nothing = np.iinfo(np.int32).max
    return np.asarray(np.where(held, values[:, None], nothing).min(axis=0, initial=nothing))


def _bars(boxes: Boxes, outlines: Boxes) -> Flags:
    """Mark long boxes that touch a rectangle of their width above or below, or are in one."""
    width, height = sizes(boxes)
    one, other = boxes[:, None], outlines[None]
    off = np.abs(one - other)
    apart = np.maximum(one, other)[..., 1] - np.minimum(one, other)[..., 3]
    touching = (off[..., [0, 2]] <= ALIGNED).all(axis=2) & (apart <= TOUCHING)
    touching &= (off[..., [1, 3]] > 2 * TOUCHING).any(axis=2)
    return np.asarray((width >= BAR_ASPECT * height) & touching.any(axis=1))


def spread(boxes: Boxes, gray: Pixels) -> NDArray[np.float64]:
    """Return the standard deviation of the gray levels in each box."""
    crops = (gray[top:bottom, left:right] for left, top, right, bottom in boxes.tolist())
    return np.array([cv2.meanStdDev(crop)[1].item() for crop in crops], dtype=np.float64)
