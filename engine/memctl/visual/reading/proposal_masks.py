"""Masks of a screenshot, and the boxes in them: blobs of ink, and rectangles.

Every threshold is fixed: one taken from the whole screenshot (Otsu's, say) would move every box
when something changes in one corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Pixels

__all__ = ["Boxes", "blobs", "change", "flat_mask", "grown", "ink_mask", "joined", "rectangles"]


INK = 24
"""Gray levels, in the strongest channel, from which a change is taken for ink: the faint border
of a web form (#dee2e6 on white) has 33, a shadow stays under 10 a pixel."""

FLAT = 5
"""Gray levels below which a neighbourhood counts as flat: more than dithering, less than the
palest button on white (#f8f9fa, 7)."""

LINE = 40
"""Pixels from which a straight edge is a border: longer than a stem or a letter's bar."""


def change(bgr: Pixels) -> Pixels:
    """Return how much each 3 x 3 neighbourhood varies, in its strongest channel, ``(H, W)``."""
    return _strongest(cv2.morphologyEx(bgr, cv2.MORPH_GRADIENT, _bar(3, 3)))


def ink_mask(gray: Pixels, changes: Pixels) -> Pixels:
    """Mark letters, icons and pictures, but not the long straight borders around them.

    Parameters
    ----------
    gray
        The screenshot, ``(H, W)``.
    changes
        What :func:`change` made of it in colour.

    Returns
    -------
    Pixels
        ``(H, W)``, 1 on ink and one pixel around it, else 0.
    """
    ink = _above(changes, INK)
    across = cv2.morphologyEx(_steps(gray[1:], gray[:-1]), cv2.MORPH_OPEN, _bar(LINE, 1))
    down = cv2.morphologyEx(_steps(gray[:, 1:], gray[:, :-1]), cv2.MORPH_OPEN, _bar(1, LINE))
    ink[:-1][across > 0] = 0
    ink[1:][across > 0] = 0
    ink[:, :-1][down > 0] = 0
    ink[:, 1:][down > 0] = 0
    return ink


def flat_mask(changes: Pixels) -> Pixels:
    """Mark flat regions of at least 3 x 3 pixels, ``(H, W)``, 1 or 0."""
    flat = cv2.threshold(changes, FLAT, 1, cv2.THRESH_BINARY_INV)[1]
    return _u8(cv2.morphologyEx(flat, cv2.MORPH_OPEN, _bar(3, 3)))


def joined(mask: Pixels, gap: int) -> Pixels:
    """Close gaps of fewer than ``gap`` columns: letters become words."""
    return _u8(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _bar(gap, 1)))


def _steps(one: Pixels, other: Pixels) -> Pixels:
    """Mark where two neighbouring rows or columns differ: an edge as thin as it is."""
    return _above(_u8(cv2.absdiff(one, other)), INK // 2)


def _strongest(bgr: cv2.typing.MatLike) -> Pixels:
    blue, green, red = (cv2.extractChannel(bgr, index) for index in range(3))
    return _u8(cv2.max(cv2.max(blue, green), red))


def _above(values: Pixels, threshold: int) -> Pixels:
    return _u8(cv2.threshold(values, threshold, 1, cv2.THRESH_BINARY)[1])


def _bar(width: int, height: int) -> cv2.typing.MatLike:
    return cv2.getStructuringElement(cv2.MORPH_RECT, (width, height))


def _u8(pixels: cv2.typing.MatLike) -> Pixels:
    return np.asarray(pixels, dtype=np.uint8)


Boxes = NDArray[np.int32]
"""``(N, 4)``: left, top, right, bottom; right and bottom are the first pixels outside."""

SPECK = 4
"""Pixels below which, on both sides, a blob is noise: smaller than a full stop with its halo."""

LEAST_FILL = 0.85
"""Share of its bounding box that a region must enclose to be a rectangle; round corners of a
third of the height leave .92."""


def blobs(ink: Pixels) -> Boxes:
    """Return the bounding boxes of connected ink, without the one-pixel halo around it."""
    contours, _ = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    boxes = _bounds(contours)
    sides = boxes[:, 2:] - boxes[:, :2]
    return grown(boxes[(sides >= SPECK).all(axis=1)], -1)


def rectangles(flat: Pixels, *, least_width: int, least_height: int) -> Boxes:
    """Return regions that are rectangles, with their border: buttons, fields, cells, cards.

    A flat region counts by its outline, so that a label does not make a hole in its button; and
    what stands in a flat region counts by the hole that it leaves. The second is exact to the
    pixel; the first reaches two pixels out, over the border.
    """
    contours, hierarchy = cv2.findContours(flat, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    boxes = _bounds(contours)
    width, height = (boxes[:, 2:] - boxes[:, :2]).T
    large = np.flatnonzero((width >= least_width) & (height >= least_height))
    if not len(large):
        return boxes[:0]
    enclosed = np.array([cv2.contourArea(contours[index]) for index in large.tolist()])
    full = (width[large] - 1) * (height[large] - 1)
    large = large[enclosed >= LEAST_FILL * full]
    # The contour of a hole runs on the flat pixels around it; beyond them is the halo.
    is_hole = np.asarray(hierarchy).reshape(-1, 4)[large, 3] >= 0
    return np.concatenate((grown(boxes[large][is_hole], -2), grown(boxes[large][~is_hole], 2)))


def _bounds(contours: Sequence[cv2.typing.MatLike]) -> Boxes:
    boxes = np.array([cv2.boundingRect(each) for each in contours], dtype=np.int32).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    return boxes


def grown(boxes: Boxes, by: int) -> Boxes:
    """Move every edge ``by`` pixels outwards."""
    return boxes + np.array([-by, -by, by, by], dtype=np.int32)
