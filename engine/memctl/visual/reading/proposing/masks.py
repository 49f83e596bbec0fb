"""Where a screenshot changes and where it is flat, pixel by pixel.

Every threshold is fixed: one taken from the whole screenshot (Otsu's, say) would move every box
when something changes in one corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels

__all__ = ["change", "flat_mask", "ink_mask", "joined"]

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
