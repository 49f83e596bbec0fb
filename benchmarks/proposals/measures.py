"""How proposals are compared with boxes that are known to be there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Score", "compare", "edges", "ink_table"]

IOU_FOUND = 0.5
INSIDE = 0.8
LEAST_INK = 0.5
INK = 24


@dataclass(frozen=True)
class Score:
    """What became of every true box and every proposal of one screenshot.

    Parameters
    ----------
    found
        Per true box: a proposal with IoU >= .5.
    usable
        Per true box: found, or a proposal which lies inside with 80 % of its area and holds half
        of what is drawn there: enough to be remembered and clicked. A link's box is mostly
        padding, so that areas alone say little.
    right
        Per proposal: IoU >= .5 with a true box.
    fitting
        Per proposal: right, or usable for a true box.
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


def ink_table(gray: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Sum up, from the top left corner, the pixels whose 3 x 3 neighbourhood varies by 24."""
    change = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.integral((change > INK).astype(np.uint8)), dtype=np.int64)


def compare(
    truth: NDArray[np.float64], proposed: NDArray[np.float64], ink: NDArray[np.int64]
) -> Score:
    """Compare ``(N, 4)`` true boxes with ``(M, 4)`` proposals, both as edges.

    Parameters
    ----------
    truth, proposed
        See :func:`edges`.
    ink
        What :func:`ink_table` made of the screenshot.
    """
    t, p = truth[:, None], proposed[None]
    shared = np.concatenate((np.maximum(t, p)[..., :2], np.minimum(t, p)[..., 2:]), axis=-1)
    shared[..., 2:] = np.maximum(shared[..., 2:], shared[..., :2])
    common, area = _area(shared), _area(p)
    found = common >= IOU_FOUND * (_area(t) + area - common)
    drawn = _ink(shared, ink) >= LEAST_INK * np.maximum(_ink(t, ink), 1)
    usable = found | ((common >= INSIDE * area) & drawn)
    flags = (found.any(1), usable.any(1), found.any(0), usable.any(0))
    return Score(*map(np.asarray, flags))


def _area(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def _ink(boxes: NDArray[np.float64], table: NDArray[np.int64]) -> NDArray[np.int64]:
    rows, columns = table.shape
    limits = [columns - 1, rows - 1, columns - 1, rows - 1]
    whole = np.clip(np.round(boxes), 0, limits).astype(np.int64)
    left, top, right, bottom = np.moveaxis(whole, -1, 0)
    corners = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
    return np.asarray(corners)
