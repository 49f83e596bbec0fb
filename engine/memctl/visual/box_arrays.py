"""Bounding boxes as arrays: one box compared with many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from memctl.visual.boxes import Box


def as_array(boxes: Iterable[Box]) -> NDArray[np.int64]:
    """Return ``(n, 4)``: left, top, width and height in pixels."""
    return np.array([box.xywh for box in boxes], np.int64).reshape(-1, 4)


def shared_pixels(box: Box, boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return ``(n,)``: the pixels that a box shares with each of ``(n, 4)`` others."""
    right = np.minimum(boxes[:, 0] + boxes[:, 2], box.right)
    bottom = np.minimum(boxes[:, 1] + boxes[:, 3], box.bottom)
    wide, high = right - np.maximum(boxes[:, 0], box.x), bottom - np.maximum(boxes[:, 1], box.y)
    return np.asarray(np.maximum(wide, 0) * np.maximum(high, 0), np.int64)


def ious(box: Box, boxes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ``(n,)``: the IoU of a box with each of ``(n, 4)`` others, 0 to 1."""
    shared = shared_pixels(box, boxes)
    union = box.area + boxes[:, 2] * boxes[:, 3] - shared
    return np.asarray(shared / np.maximum(union, 1), np.float64)
