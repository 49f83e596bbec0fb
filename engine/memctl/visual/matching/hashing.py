"""An exact fingerprint of the 8 x 8 window at every place of an image.

One separable filter with two integer kernels of eight taps. Each kernel sums to zero, so
flat areas and all horizontal and vertical lines, most of a user interface, hash to exactly
0 and drop out. Sums stay below 2**24, so single precision is exact and the value does not
depend on where the window stands or in which order the processor adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels

__all__ = ["SIDE", "hash_map"]

SIDE = 8
"""Columns and rows of the window, in pixels."""

ACROSS = np.array([13, -37, 29, 41, -31, 23, -43, 5], np.float32)
DOWN = np.array([-19, 47, -7, -33, 37, -41, 11, 5], np.float32)
"""Sum zero; the product of their absolute sums times 255 is 11.3 million, below 2**24."""


def hash_map(gray: Pixels) -> NDArray[np.float32]:
    """Hash the window whose top left pixel stands at each place.

    Parameters
    ----------
    gray
        ``(h, w)`` uint8, at least 8 x 8.

    Returns
    -------
    ndarray
        ``(h, w)`` whole numbers as float32; 0 where the window has no structure and in the
        last seven rows and columns, where no window fits.
    """
    hashes = np.asarray(
        cv2.sepFilter2D(
            gray, cv2.CV_32F, ACROSS, DOWN, anchor=(0, 0), borderType=cv2.BORDER_REPLICATE
        )
    )
    hashes[-SIDE + 1 :] = 0
    hashes[:, -SIDE + 1 :] = 0
    return np.asarray(hashes, dtype=np.float32)
