"""From masks to boxes: blobs of ink, and rectangles that a border or a fill makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Pixels

__all__ = ["Boxes", "blobs", "grown", "rectangles"]

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
