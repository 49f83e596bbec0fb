"""Windows of an image that are worth remembering, and an exact fingerprint of each.

Most of a user interface is flat or runs in straight lines. A corner is where the step from one
column to the next changes from one row to the next; at 1080p some fifty thousand places of two
million are one. Only 8 x 8 windows around corners are fingerprinted, eight pixels at a time,
as whole numbers modulo 2**64: the value does not depend on where the window stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels

__all__ = ["ALIGNMENTS", "ODD", "SIDE", "brief", "corner_map", "fingerprint", "windows"]

SIDE = 8
"""Columns and rows of the window, in pixels."""

ALIGNMENTS = ((3, 3), (0, 0), (0, 6), (6, 0), (6, 6))
"""Row and column of the corner in its window. The first serves wherever it can; a check box has
corners only at its rim, and needs windows that reach inwards from them."""

STEP = 8
"""Least change of the step, in gray levels."""

SIEVE = 3
"""The first of the two rows that `brief` looks at."""

ODD = np.array(
    [
        0x9E3779B97F4A7C15,
        0xC2B2AE3D27D4EB4F,
        0x165667B19E3779F9,
        0xD6E8FEB86659FD93,
        0xFF51AFD7ED558CCD,
        0xC4CEB9FE1A85EC53,
        0xBF58476D1CE4E5B9,
        0x94D049BB133111EB,
    ],
    np.uint64,
)
"""A multiplier for each row: odd numbers with bits everywhere."""


def corner_map(gray: Pixels) -> NDArray[np.bool_]:
    """Tell which places are corners.

    Parameters
    ----------
    gray
        ``(h, w)`` uint8.

    Returns
    -------
    ndarray
        ``(h - 1, w - 1)``: whether the 2 x 2 pixels that start there are a corner.
    """
    if min(gray.shape) < SIDE:
        return np.zeros((max(gray.shape[0] - 1, 0), max(gray.shape[1] - 1, 0)), bool)
    steps = cv2.absdiff(gray[:, :-1], gray[:, 1:])
    return np.asarray(cv2.absdiff(steps[:-1], steps[1:]) >= STEP)


def windows(
    rows: NDArray[np.intp], columns: NDArray[np.intp], alignment: int, shape: tuple[int, ...]
) -> NDArray[np.intp]:
    """Return where the windows around corners start.

    Parameters
    ----------
    rows, columns
        Of the corners.
    alignment
        Number in `ALIGNMENTS`: where in the window the corner is.
    shape
        Height and width of the image; windows that stick out are left out.

    Returns
    -------
    ndarray
        Flat places of the image.
    """
    height, width = shape
    down, across = ALIGNMENTS[alignment]
    top, left = rows - down, columns - across
    inside = (top >= 0) & (left >= 0) & (top <= height - SIDE) & (left <= width - SIDE)
    return np.asarray((top * width + left)[inside], np.intp)


def brief(gray: Pixels, places: NDArray[np.intp]) -> NDArray[np.uint32]:
    """Mix two rows of windows: a first, cheap sieve.

    Parameters
    ----------
    gray
        ``(h, w)`` uint8, contiguous.
    places
        Flat places of windows.
    """
    words, width = _words(gray), gray.shape[1]
    mixed = words[places + SIEVE * width] * ODD[0] + words[places + (SIEVE + 1) * width] * ODD[1]
    return np.asarray(mixed >> np.uint64(32), np.uint32)


def fingerprint(gray: Pixels, places: NDArray[np.intp]) -> NDArray[np.uint64]:
    """Mix all pixels of windows, given as for `brief`."""
    words, width = _words(gray), gray.shape[1]
    mixed = np.zeros(places.size, np.uint64)
    for row, odd in enumerate(ODD):
        mixed += words[places + row * width] * odd
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _words(gray: Pixels) -> NDArray[np.uint64]:
    """Look at eight pixels from each place on as one number."""
    return np.ndarray((max(gray.size - SIDE + 1, 0),), "<u8", gray.data, strides=(1,))
