"""Places worth comparing when no window is exactly equal, and a small description of each.

A keypoint is a local extremum of the difference between a 3 x 3 Gauss and a 5 x 5 box taken
twice: stroke ends, dots, corners, crossings. Its description is a grid of samples of the smoothed
image around it, without mean and of unit length, so that a dot product of two descriptions
is the correlation of the two patches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels

__all__ = [
    "CONTEXT",
    "DIMENSIONS",
    "REACH_X",
    "REACH_Y",
    "Described",
    "describe",
    "keypoints",
    "sample",
    "smooth",
]

CONTEXT = 8
"""Pixels around a crop that decide where its keypoints are."""

OFFSETS_X = np.arange(-5, 6, 2)
OFFSETS_Y = np.arange(-3, 4, 2)
DIMENSIONS = OFFSETS_X.size * OFFSETS_Y.size
REACH_X = 5
REACH_Y = 3
"""How far the samples of a description reach from its keypoint, in pixels."""

EDGE = 8
"""No keypoints this near to the edge of the image, in pixels."""

AROUND = np.ones((7, 7), np.uint8)
"""The highest of so many pixels is an extremum."""

STEP = 7
"""Least height of an extremum, in gray levels."""


@dataclass(frozen=True)
class Described:
    """Descriptions of keypoints.

    Parameters
    ----------
    vectors
        ``(n, DIMENSIONS)`` float32, mean 0, length 1.
    mean, spread
        ``(n,)`` float32: mean and standard deviation of the samples, in gray levels.
    """

    vectors: NDArray[np.float32]
    mean: NDArray[np.float32]
    spread: NDArray[np.float32]


def smooth(gray: Pixels) -> Pixels:
    """Return the 3 x 3 Gauss that keypoints and descriptions are taken from."""
    return np.asarray(cv2.GaussianBlur(gray, (3, 3), 0))


def keypoints(
    gray: Pixels, smoothed: Pixels, corners: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint8]]:
    """Find the extrema.

    Parameters
    ----------
    gray, smoothed
        ``(h, w)`` uint8, 16 x 16 at least; the second of `smooth`.
    corners
        Of `corner_map`: a ridge along a straight line, with no corner near, is no keypoint.

    Returns
    -------
    rows, columns, heights
        Places far enough inside to be described; heights in gray levels.
    """
    wide = cv2.blur(cv2.blur(gray, (5, 5)), (5, 5))
    relief = cv2.absdiff(smoothed, wide)
    # Where the highest around is at least STEP high: one comparison in place of two.
    peaks = np.asarray(relief == np.maximum(cv2.dilate(relief, AROUND), np.uint8(STEP)))
    peaks &= cv2.dilate(corners.view(np.uint8), AROUND).view(bool)
    peaks[:EDGE] = peaks[-EDGE:] = False
    peaks[:, :EDGE] = peaks[:, -EDGE:] = False
    rows, columns = np.divmod(np.flatnonzero(peaks), gray.shape[1])
    return rows, columns, np.asarray(relief, np.uint8)[rows, columns]


def sample(
    smoothed: Pixels, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.uint8]:
    """Return ``(n, DIMENSIONS)``: the gray values on the grid around each keypoint.

    Parameters
    ----------
    smoothed
        ``(h, w)`` uint8, of `smooth`.
    rows, columns
        At least `REACH_Y` and `REACH_X` pixels from the edges.
    """
    width = smoothed.shape[1]
    steps = (OFFSETS_Y[:, None] * width + OFFSETS_X[None]).ravel()
    places = (rows * width + columns).astype(np.int32)[:, None] + steps.astype(np.int32)
    return np.asarray(smoothed.reshape(-1)[places])


def describe(sampled: NDArray[np.uint8]) -> Described:
    """Describe keypoints by what `sample` returned of them."""
    samples = sampled.astype(np.float32)
    mean = samples.mean(axis=1)
    samples -= mean[:, None]
    length = np.sqrt(np.einsum("ij,ij->i", samples, samples))
    samples /= np.maximum(length, 1e-6)[:, None]
    return Described(samples, mean, length / np.float32(np.sqrt(DIMENSIONS)))
