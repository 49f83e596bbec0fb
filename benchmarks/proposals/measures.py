"""How proposals are compared with boxes that are known to be there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Score", "compare", "edges"]

IOU_FOUND = 0.5
INSIDE = 0.8
LEAST_AREA = 0.05
LEAST_HEIGHT = 0.25


@dataclass(frozen=True)
class Score:
    """What became of every true box and every proposal of one screenshot.

    Parameters
    ----------
    found
        Per true box: a proposal with IoU >= .5.
    usable
        Per true box: found, or a proposal whose middle and 80 % of whose area lie inside, which
        covers 5 % of it and a quarter of its height: enough to be remembered and clicked.
    right
        Per proposal: IoU >= .5 with a true box.
    fitting
        Per proposal: right, or usable for a true box that is at most 20 times its size.
    """

    found: NDArray[np.bool_]
    usable: NDArray[np.bool_]
    right: NDArray[np.bool_]
    fitting: NDArray[np.bool_]


def edges(boxes: list[tuple[float, float, float, float]]) -> NDArray[np.float64]:
    """Turn ``(x, y, w, h)`` into an ``(N, 4)`` array of left, top, right, bottom."""
    array = np.asarray(boxes, dtype=float).reshape(-1, 4).copy()
    array[:, 2:] += array[:, :2]
    return array


def compare(truth: NDArray[np.float64], proposed: NDArray[np.float64]) -> Score:
    """Compare ``(N, 4)`` true boxes with ``(M, 4)`` proposals, both as edges."""
    t, p = truth[:, None], proposed[None]
    width = np.minimum(t[..., 2], p[..., 2]) - np.maximum(t[..., 0], p[..., 0])
    height = np.minimum(t[..., 3], p[..., 3]) - np.maximum(t[..., 1], p[..., 1])
    shared = np.clip(width, 0, None) * np.clip(height, 0, None)
    true_area = (t[..., 2] - t[..., 0]) * (t[..., 3] - t[..., 1])
    area = (p[..., 2] - p[..., 0]) * (p[..., 3] - p[..., 1])
    iou = shared / (true_area + area - shared)
    x, y = (p[..., 0] + p[..., 2]) / 2, (p[..., 1] + p[..., 3]) / 2
    usable = (
        (shared >= INSIDE * area)
        & (area >= LEAST_AREA * true_area)
        & (p[..., 3] - p[..., 1] >= LEAST_HEIGHT * (t[..., 3] - t[..., 1]))
        & (x > t[..., 0])
        & (x < t[..., 2])
        & (y > t[..., 1])
        & (y < t[..., 3])
    ) | (iou >= IOU_FOUND)
    found = iou >= IOU_FOUND
    return Score(found.any(1), usable.any(1), found.any(0), usable.any(0))
