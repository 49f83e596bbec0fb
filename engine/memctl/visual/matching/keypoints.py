"""Corners, windows and keypoints: the places of an image that are worth comparing.

Most of a user interface is flat or runs in straight lines. A corner is where the step from one
column to the next changes from one row to the next; at 1080p some fifty thousand places of two
million are one. Only 8 x 8 windows around corners are fingerprinted, eight pixels at a time,
as whole numbers modulo 2**64: the value does not depend on where the window stands.

A keypoint serves where no window is exactly equal. It is a local extremum of the difference
between a 3 x 3 Gauss and a 5 x 5 box taken twice: stroke ends, dots, crossings. Its description
is a grid of samples of the smoothed image around it, without mean and of unit length, so that a
dot product of two descriptions is the correlation of the two patches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Pixels

SIDE = 8
"""Columns and rows of the window, in pixels."""

ALIGNMENTS = ((3, 3), (0, 0), (0, 6), (6, 0), (6, 6))
"""Row and column of the corner in its window. The first serves wherever it can; a check box has
corners only at its rim, and needs windows that reach inwards from them."""

STEP = 4
"""Least change of the step, in gray levels."""

SIEVE = 3
"""The first of the two rows that `brief` mixes."""

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
    """Mark the corners of an image.

    ``gray``: ``(h, w)`` uint8, contiguous. Returns ``(h, w)``: true where the 2 x 2 pixels that
    start there are a corner. The pixel after the last of a row is the first of the next: what that
    marks or hides at the right edge, no window there has inside.
    """
    height, width = gray.shape
    marked = np.zeros(gray.size, bool)
    if min(gray.shape) >= SIDE:
        flat = gray.reshape(-1)
        steps = cv2.absdiff(flat[:-1], flat[1:]).reshape(-1)
        change = cv2.absdiff(steps[:-width], steps[width:]).reshape(-1)
        np.greater_equal(change, STEP, out=marked[: change.size])
    return marked.reshape(height, width)


def windows(corners: NDArray[np.intp], alignment: int, shape: tuple[int, ...]) -> NDArray[np.intp]:
    """Return where the windows around corners start.

    ``corners``: flat places in the image, rising. ``alignment``: number in `ALIGNMENTS`: where in
    the window the corner is. ``shape``: height and width of the image. Returns flat places of the
    image. Windows that stick out to the left or right are among them and hold pixels of both edges;
    those that stick out above or below are not.
    """
    height, width = shape
    down, across = ALIGNMENTS[alignment]
    places = corners - (down * width + across)
    last = (height - SIDE) * width + width - SIDE
    first, end = np.searchsorted(places, [0, last + 1])
    return np.asarray(places[first:end], np.intp)


def brief(gray: Pixels, places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Mix two rows of windows, to `BRIEF_BITS` bits: a first, cheap sieve.

    ``gray``: ``(h, w)`` uint8, contiguous. ``places``: flat places of windows.
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
    """Crop at eight pixels from each place on as one number."""
    return np.ndarray((max(gray.size - SIDE + 1, 0),), "<u8", gray.data, strides=(1,))


CONTEXT = 8
"""Pixels around a crop that decide where its keypoints are."""

OFFSETS_X = np.arange(-5, 6, 2)
OFFSETS_Y = np.arange(-3, 4, 2)
DIMENSIONS = OFFSETS_X.size * OFFSETS_Y.size
REACH_X = 5
REACH_Y = 3
"""Reach of the samples of a description from its keypoint, in pixels."""

EDGE = 8
"""No keypoints this near to the edge of the image, in pixels."""

AROUND = np.ones((7, 7), np.uint8)
"""The highest of so many pixels is an extremum."""

LEAST_HEIGHT = 7
"""Least height of an extremum, in gray levels."""


MIX = ODD[: DIMENSIONS // SIDE]
"""Multipliers for eight samples each; the sums, modulo 2**64, tell keypoints apart."""

MOST = 30_000
"""Keypoints of one screen; a dense page at 1080p has 10,000, noise has 40,000."""


@dataclass(frozen=True)
class Described:
    """Descriptions of keypoints."""

    vectors: NDArray[np.float32]  # ``(n, DIMENSIONS)`` float32, mean 0, length 1
    # mean, spread: ``(n,)`` float32: mean and standard deviation of the samples, in gray levels
    mean: NDArray[np.float32]
    spread: NDArray[np.float32]


@dataclass(frozen=True)
class Keypoints:
    """The keypoints of a screen, equal ones merged, in order of their patch mean."""

    described: Described  # the distinct descriptions, ``mean`` rising
    # first, rows, columns: keypoints of description ``i`` stand at ``rows[first[i] : first[i +
    # 1]]`` and ``columns[...]``
    first: NDArray[np.intp]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    dropped: int = 0  # keypoints beyond the cap


Peaks = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint8]]
"""Rows, columns and heights of keypoints, line by line; heights in gray levels."""


class Structure:
    """Corners and keypoints of a picture: searched as a whole, cut out for each learned box.

    Whatever is computed at a pixel comes from pixels less than `CONTEXT` away.
    """

    def __init__(self, gray: Pixels) -> None:
        self.gray = gray

    @classmethod
    def of(cls, frame: Frame) -> Structure:
        """Return that of a whole screenshot, computed once."""
        return cast("Structure", frame.derived.setdefault("structure", cls(frame.gray)))

    @cached_property
    def corners(self) -> NDArray[np.bool_]:
        """``(h, w)``: true on corners."""
        return corner_map(self.gray)

    @cached_property
    def smoothed(self) -> Pixels:
        """``(h, w)`` uint8: the 3 x 3 Gauss that keypoints and descriptions are taken from."""
        return np.asarray(cv2.GaussianBlur(self.gray, (3, 3), 0))

    @cached_property
    def peaks(self) -> Peaks:
        """The extrema that are far enough inside to be described.

        A ridge along a straight line, with no corner near, is no keypoint.
        """
        if min(self.gray.shape) < 2 * SIDE:
            empty = np.zeros(0, np.intp)
            return empty, empty, empty.astype(np.uint8)
        wide = cv2.blur(cv2.blur(self.gray, (5, 5)), (5, 5))
        relief = cv2.absdiff(self.smoothed, wide)
        # Where the highest around is at least LEAST_HEIGHT high: one comparison in place of two.
        peaks = np.asarray(relief == np.maximum(cv2.dilate(relief, AROUND), np.uint8(LEAST_HEIGHT)))
        peaks &= cv2.dilate(self.corners.view(np.uint8), AROUND).view(bool)
        peaks[:EDGE] = peaks[-EDGE:] = False
        peaks[:, :EDGE] = peaks[:, -EDGE:] = False
        rows, columns = np.divmod(np.flatnonzero(peaks), self.gray.shape[1])
        return rows, columns, np.asarray(relief, np.uint8)[rows, columns]

    def keypoints(self, box: Box) -> Peaks:
        """Return the keypoints inside a box."""
        rows, columns, heights = self.peaks
        first, last = np.searchsorted(rows, [box.y, box.bottom])
        across = columns[first:last]
        inside = first + np.flatnonzero((across >= box.x) & (across < box.right))
        return rows[inside], columns[inside], heights[inside]


def sample(
    smoothed: Pixels, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.uint8]:
    """Return ``(n, DIMENSIONS)``: the gray values on the grid around each keypoint.

    ``rows``, ``columns``: at least `REACH_Y` and `REACH_X` pixels from the edges.
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


def find_keypoints(structure: Structure) -> Keypoints:
    """Describe the keypoints of a picture of any size."""
    rows, columns, heights = structure.peaks
    if not rows.size:
        none = describe(sample(structure.gray, rows, columns))
        return Keypoints(none, np.zeros(1, np.intp), rows, columns)
    dropped = max(rows.size - MOST, 0)
    if dropped:
        highest = np.sort(np.argsort(-heights.astype(np.int16), kind="stable")[:MOST])
        rows, columns = rows[highest], columns[highest]
    samples = sample(structure.smoothed, rows, columns)
    order, first = _group_equal(samples)
    described = describe(samples[order[first[:-1]]])
    return _sort_by_mean(described, first, rows[order], columns[order], dropped)


def _group_equal(samples: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Put keypoints with the same samples together.

    Returns ``order``: the keypoints, equal ones adjacent. Returns ``first``: where each group
    starts in ``order``, and its end.
    """
    keys = (samples.view("<u8") * MIX).sum(axis=1)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    fresh = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: order.size])
    return order, np.append(fresh, order.size)


def _sort_by_mean(
    described: Described,
    first: NDArray[np.intp],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    dropped: int,
) -> Keypoints:
    """Order groups of keypoints by the mean of their patch."""
    by_mean = np.argsort(described.mean, kind="stable")
    counts = np.diff(first)[by_mean]
    starts = np.concatenate([[0], np.cumsum(counts)])
    members = np.repeat(first[by_mean] - starts[:-1], counts) + np.arange(rows.size)
    ordered = Described(
        described.vectors[by_mean], described.mean[by_mean], described.spread[by_mean]
    )
    return Keypoints(ordered, starts, rows[members], columns[members], dropped)
