"""Which crops can be found again at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels

__all__ = ["MIN_CONTRAST", "is_learnable"]

MIN_CONTRAST = 6.0
"""Least standard deviation of the gray values; flatter crops match hundreds of places."""

PATCH = 8
CORNER = 8.0
"""Least root of the smaller eigenvalue of a patch's gradient matrix, in gray levels a pixel."""


def is_learnable(bgr: Pixels) -> str | None:
    """Say why a crop cannot serve as a template, None if it can.

    Parameters
    ----------
    bgr
        ``(h, w, 3)`` uint8.

    Returns
    -------
    str or None
        A reason: it is smaller than 8 x 8 pixels, it is flat (standard deviation of the
        gray values below 6), or it has no 8 x 8 patch with structure in two directions
        (a straight line fits at every place along itself).

    References
    ----------
    Shi, Tomasi: Good features to track, CVPR 1994 (the smaller eigenvalue).
    """
    height, width = bgr.shape[:2]
    if min(height, width) < PATCH:
        return f"smaller than {PATCH} x {PATCH} pixels"
    gray = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    deviation = float(cv2.meanStdDev(gray)[1][0, 0])
    if deviation < MIN_CONTRAST:
        return f"flat: contrast {deviation:.1f} is below {MIN_CONTRAST:g}"
    return (
        None if _corner_strength(np.asarray(gray)) >= CORNER else "no structure in two directions"
    )


def _corner_strength(gray: Pixels) -> float:
    """Return the best patch's root of the smaller eigenvalue of its mean gradient matrix."""
    values = gray.astype(np.float32)
    right = values[:-1, 1:] - values[:-1, :-1]
    down = values[1:, :-1] - values[:-1, :-1]
    side = PATCH - 1
    inside = (slice(0, values.shape[0] - PATCH + 1), slice(0, values.shape[1] - PATCH + 1))
    xx, yy, xy = (
        cv2.boxFilter(product, -1, (side, side), anchor=(0, 0))[inside]
        for product in (right * right, down * down, right * down)
    )
    smaller = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    return float(np.sqrt(max(float(smaller.max()), 0.0)))
