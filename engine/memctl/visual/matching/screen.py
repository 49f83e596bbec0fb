"""One screenshot as the stages see it; each view of it is computed when first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from memctl.visual.matching.corners import ODD, SIDE, corner_map, windows
from memctl.visual.matching.keypoints import (
    DIMENSIONS,
    Described,
    describe,
    keypoints,
    sample,
    smooth,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Ints, Pixels

__all__ = ["Keypoints", "Screen"]

MIX = ODD[: DIMENSIONS // SIDE]
"""Multipliers for eight samples each; the sums, modulo 2**64, tell keypoints apart."""

MOST = 30_000
"""Keypoints of one screen; a dense page at 1080p has 10,000, noise has 40,000."""


@dataclass(frozen=True)
class Keypoints:
    """The keypoints of a screen, equal ones merged, in order of their patch mean.

    Parameters
    ----------
    described
        The distinct descriptions, ``mean`` rising.
    first, rows, columns
        Keypoints of description ``i`` stand at ``rows[first[i] : first[i + 1]]`` and
        ``columns[...]``.
    dropped
        Keypoints beyond the cap.
    """

    described: Described
    first: NDArray[np.intp]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    dropped: int = 0


@dataclass(frozen=True, eq=False)
class Screen:
    """The searched part of a screenshot.

    Parameters
    ----------
    frame
        The whole screenshot.
    area
        The part that is searched; every place inside is given relative to its corner.
    """

    frame: Frame
    area: Box

    @cached_property
    def bgr(self) -> Pixels:
        """``(h, w, 3)`` uint8."""
        return self.frame.bgr[self.area.y : self.area.bottom, self.area.x : self.area.right]

    @cached_property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8, contiguous."""
        part = self.frame.gray[self.area.y : self.area.bottom, self.area.x : self.area.right]
        return np.ascontiguousarray(part)

    @cached_property
    def sums(self) -> NDArray[np.int32]:
        """Summed-area table of the gray values.

        It may wrap around on screens beyond 8 megapixels; differences of it do not.
        """
        return np.asarray(cv2.integral(self.gray, sdepth=cv2.CV_32S))

    @cached_property
    def squares(self) -> NDArray[np.float64]:
        """Summed-area table of the squares of the gray values."""
        return np.asarray(cv2.integral2(self.gray, sdepth=cv2.CV_32S, sqdepth=cv2.CV_64F)[1])

    def totals(self, x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[np.int32]:
        """Add up the gray values of many windows at once."""
        return _windows(self.sums, x, y, w, h)

    def powers(self, x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[np.float64]:
        """Add up the squares of the gray values of many windows at once."""
        return _windows(self.squares, x, y, w, h)

    @cached_property
    def corner_map(self) -> NDArray[np.bool_]:
        """Which pixels are corners."""
        return corner_map(self.gray)

    @cached_property
    def corners(self) -> NDArray[np.intp]:
        """Flat places of the corners."""
        return np.flatnonzero(self.corner_map)

    def windows(self, alignments: Iterable[int]) -> NDArray[np.intp]:
        """Flat places of the windows around corners, at some of the `ALIGNMENTS`."""
        return np.concatenate(
            [windows(self.corners, alignment, self.gray.shape) for alignment in alignments]
            or [np.zeros(0, np.intp)]
        )

    @cached_property
    def keypoints(self) -> Keypoints:
        """What the fuzzy stage compares with."""
        if min(self.gray.shape) < 2 * SIDE:
            empty = np.zeros(0, np.intp)
            nothing = describe(sample(self.gray, empty, empty))
            return Keypoints(nothing, np.zeros(1, np.intp), empty, empty)
        smoothed = smooth(self.gray)
        rows, columns, heights = keypoints(self.gray, smoothed, self.corner_map)
        dropped = max(rows.size - MOST, 0)
        if dropped:
            highest = np.sort(np.argsort(-heights.astype(np.int16), kind="stable")[:MOST])
            rows, columns = rows[highest], columns[highest]
        samples = sample(smoothed, rows, columns)
        order, first = group_equal(samples)
        described = describe(samples[order[first[:-1]]])
        return sort_by_mean(described, first, rows[order], columns[order], dropped)


def _windows(table: NDArray[Any], x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[Any]:
    """Return the sums of windows by a summed-area table."""
    stride, sums = table.shape[1], table.reshape(-1)
    top = y * stride + x
    bottom = top + h * stride
    return np.asarray(sums[bottom + w] - sums[bottom] - sums[top + w] + sums[top])


def group_equal(samples: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Put keypoints with the same samples together.

    Returns
    -------
    order
        The keypoints, equal ones adjacent.
    first
        Where each group starts in ``order``, and its end.
    """
    keys = (samples.view("<u8") * MIX).sum(axis=1)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    fresh = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: order.size])
    return order, np.append(fresh, order.size)


def sort_by_mean(
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
