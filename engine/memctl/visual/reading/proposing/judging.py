"""What a box looks like, and whether it would make a template worth keeping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels
    from memctl.visual.reading.proposing.shapes import Boxes

__all__ = [
    "Content",
    "clipped",
    "content",
    "rectangle_kinds",
    "sizes",
    "spread",
    "squarish",
    "within",
    "worth_having",
]

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


EMPTY_HEIGHT = 14
"""Pixels; what is lower and has no label is a progress bar or the gap between two lines."""

AREA_HEIGHT = 96
"""Pixels; taller rectangles are cards, whose content changes."""

MOST_LINES = 6
"""Lines of text inside a component; a container of more is no component."""


@dataclass(frozen=True)
class Content:
    """The lines of text inside each of N boxes.

    Parameters
    ----------
    count
        ``(N,)``: how many.
    only
        ``(N,)``: the index of one of them; meaningless where there is none.
    """

    count: NDArray[np.intp]
    only: NDArray[np.intp]


def line_kinds(lines: Boxes) -> NDArray[np.str_]:
    """Tell words from what stands alone and is about as tall as wide: icons and pictures."""
    width, height = sizes(lines)
    longer, shorter = np.maximum(width, height), np.minimum(width, height)
    alone = (longer <= TEXT_ASPECT * shorter) & (shorter >= ICON_SIDES[0])
    return np.where(alone, np.where(longer <= ICON_SIDES[1], "icon", "image"), "text")


def sizes(boxes: Boxes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return widths and heights."""
    return boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]


def clipped(boxes: Boxes, width: int, height: int) -> Boxes:
    """Keep boxes inside a screenshot of that size."""
    return np.clip(boxes, 0, np.array([width, height, width, height], dtype=np.int32))


def squarish(boxes: Boxes) -> Flags:
    """Whether each box has the size and shape of an icon."""
    width, height = sizes(boxes)
    longer, shorter = np.maximum(width, height), np.minimum(width, height)
    least, most = ICON_SIDES
    return (shorter >= least) & (longer <= most) & (longer <= ICON_ASPECT * shorter)


def content(boxes: Boxes, lines: Boxes) -> Content:
    """Find which lines lie inside which boxes."""
    if not len(lines):
        return Content(np.zeros(len(boxes), np.intp), np.zeros(len(boxes), np.intp))
    inside = _inside(lines, boxes)
    return Content(inside.sum(axis=0), inside.argmax(axis=0))


def within(boxes: Boxes, lines: Boxes) -> Flags:
    """Whether each box lies inside a line of text: the hole of a letter, a cursor."""
    return np.asarray(_inside(boxes, lines).any(axis=1))


def worth_having(boxes: Boxes, inside: Content) -> Flags:
    """Whether rectangles are components rather than containers or empty slots."""
    _, height = sizes(boxes)
    tall_enough = (height >= EMPTY_HEIGHT) | (inside.count > 0)
    return tall_enough & (height <= AREA_HEIGHT) & (inside.count <= MOST_LINES)


def rectangle_kinds(boxes: Boxes, lines: Boxes, inside: Content) -> NDArray[np.str_]:
    """Tell buttons from fields from other areas, by their shape and where their label stands.

    A button has one label, in the middle or nearly filling it; a field is long and has none, or
    one that starts at its left.
    """
    width, height = sizes(boxes)
    button_like = (
        (height >= BUTTON_HEIGHTS[0])
        & (height <= BUTTON_HEIGHTS[1])
        & (width >= BUTTON_ASPECT * height)
    )
    kinds = np.full(len(boxes), "area", dtype="<U6")
    kinds[button_like & (inside.count == 0) & (width >= FIELD_ASPECT * height)] = "input"
    if len(lines):
        label = lines[inside.only]
        off = np.abs((label[:, 0] + label[:, 2]) - (boxes[:, 0] + boxes[:, 2])) / 2
        single = button_like & (inside.count == 1)
        centred = off <= CENTRED * width
        kinds[single & centred] = "button"
        kinds[single & ~centred & (width >= FIELD_ASPECT * height)] = "input"
    return kinds


def _inside(inner: Boxes, outer: Boxes) -> Flags:
    """Compare all with all: element ``(i, j)`` tells whether ``inner[i]`` is in ``outer[j]``."""
    return (
        (inner[:, None, 0] >= outer[:, 0])
        & (inner[:, None, 1] >= outer[:, 1])
        & (inner[:, None, 2] <= outer[:, 2])
        & (inner[:, None, 3] <= outer[:, 3])
    )


def spread(boxes: Boxes, gray: Pixels) -> NDArray[np.float64]:
    """Return the standard deviation of the gray levels in each box."""
    crops = (gray[top:bottom, left:right] for left, top, right, bottom in boxes.tolist())
    return np.array([cv2.meanStdDev(crop)[1].item() for crop in crops], dtype=np.float64)
