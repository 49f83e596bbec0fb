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

__all__ = [
    "ALIGNMENTS",
    "BRIEF_BITS",
    "ODD",
    "SIDE",
    "brief",
    "corner_map",
    "edges",
    "fingerprint",
    "windows",
]

SIDE = 8
"""Columns and rows of the window, in pixels."""

ALIGNMENTS = ((3, 3), (0, 0), (0, 6), (6, 0), (6, 6))
"""Row and column of the corner in its window. The first serves wherever it can; a check box has
corners only at its rim, and needs windows that reach inwards from them."""

STEP = 4
"""Least change of the step, in gray levels."""

SIEVE = 3
"""The first of the two rows that `brief` looks at."""

BRIEF_BITS = 20

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
        ``(h, w)`` uint8, contiguous.

    Returns
    -------
    ndarray
        ``(h, w)``: whether the 2 x 2 pixels that start there are a corner. The pixel after the
        last of a row is the first of the next: what that marks or hides at the right edge, no
        window there has inside.
    """
    height, width = gray.shape
    marked = np.zeros(gray.size, bool)
    if min(gray.shape) >= SIDE:
        flat = gray.reshape(-1)
        steps = cv2.absdiff(flat[:-1], flat[1:]).reshape(-1)
        change = cv2.absdiff(steps[:-width], steps[width:]).reshape(-1)
        np.greater_equal(change, STEP, out=marked[: change.size])
    return marked.reshape(height, width)


def edges(gray: Pixels) -> int:
    """Count the pixels that differ from the next one to the right or below."""
    marked = np.zeros(gray.shape, bool)
    marked[:, :-1] |= cv2.absdiff(gray[:, :-1], gray[:, 1:]).reshape(gray[:, 1:].shape) >= STEP
    marked[:-1] |= cv2.absdiff(gray[:-1], gray[1:]).reshape(gray[1:].shape) >= STEP
    return int(marked.sum())


def windows(corners: NDArray[np.intp], alignment: int, shape: tuple[int, ...]) -> NDArray[np.intp]:
    """Return where the windows around corners start.

    Parameters
    ----------
    corners
        Flat places in the image, rising.
    alignment
        Number in `ALIGNMENTS`: where in the window the corner is.
    shape
        Height and width of the image.

    Returns
    -------
    ndarray
        Flat places of the image. Windows that stick out to the left or right are among them
        and hold pixels of both edges; those that stick out above or below are not.
    """
    height, width = shape
    down, across = ALIGNMENTS[alignment]
    places = corners - (down * width + across)
    last = (height - SIDE) * width + width - SIDE
    first, end = np.searchsorted(places, [0, last + 1])
    return np.asarray(places[first:end], np.intp)


def brief(gray: Pixels, places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Mix two rows of windows, to `BRIEF_BITS` bits: a first, cheap sieve.

    Parameters
    ----------
    gray
        ``(h, w)`` uint8, contiguous.
    places
        Flat places of windows.
    """
    words, first = _words(gray), places + SIEVE * gray.shape[1]
    mixed = words[first] * ODD[0]
    mixed += words[first + gray.shape[1]] * ODD[1]
    return np.asarray(mixed >> np.uint64(64 - BRIEF_BITS), np.intp)


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
