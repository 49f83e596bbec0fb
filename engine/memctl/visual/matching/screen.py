"""One screenshot as the stages see it; each view of it is computed when first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.matching.hashing import SIDE, hash_map
from memctl.visual.matching.keypoints import Described, describe, keypoints, smooth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Pixels

__all__ = ["Keypoints", "Screen"]

UP = 4
ASIDE = (-6, -1)
"""Where the two windows start that tell keypoints apart: 13 x 8 pixels around a keypoint."""

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
    def integrals(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Summed-area tables of the gray values and of their squares.

        The first may wrap around on screens beyond 8 megapixels; differences of it do not.
        """
        sums, squares = cv2.integral2(self.gray, sdepth=cv2.CV_32S, sqdepth=cv2.CV_64F)
        return np.asarray(sums), np.asarray(squares)

    def window_stats(
        self,
        x: NDArray[np.intp],
        y: NDArray[np.intp],
        w: NDArray[np.intp],
        h: NDArray[np.intp],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and standard deviation of the gray values of many windows at once."""
        stride = self.gray.shape[1] + 1
        corners = [row * stride + column for row in (y, y + h) for column in (x, x + w)]
        size = (w * h).astype(np.float64)
        sums, squares = (table.reshape(-1) for table in self.integrals)
        mean, power = (
            (t[corners[3]] - t[corners[2]] - t[corners[1]] + t[corners[0]]) / size
            for t in (sums, squares)
        )
        return mean, np.sqrt(np.maximum(power - mean**2, 0))

    @cached_property
    def hashes(self) -> NDArray[np.float32]:
        """``(h, w)`` of `hash_map`."""
        if min(self.gray.shape) < SIDE:
            return np.zeros(self.gray.shape, np.float32)
        return hash_map(self.gray)

    @cached_property
    def hashed(self) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """Flat places whose window has structure, and their hashes."""
        places = np.flatnonzero(self.hashes != 0)
        return places, self.hashes.reshape(-1)[places].astype(np.int32)

    @cached_property
    def keypoints(self) -> Keypoints:
        """What the fuzzy stage compares with."""
        if min(self.gray.shape) < 2 * SIDE:
            empty = np.zeros(0, np.intp)
            return Keypoints(describe(self.gray, empty, empty), np.zeros(1, np.intp), empty, empty)
        smoothed = smooth(self.gray)
        rows, columns, heights = keypoints(self.gray, smoothed, self.hashes)
        dropped = max(rows.size - MOST, 0)
        if dropped:
            highest = np.sort(np.argsort(-heights.astype(np.int16), kind="stable")[:MOST])
            rows, columns = rows[highest], columns[highest]
        order, first = group_equal(self.hashes, smoothed, rows, columns)
        lead = order[first[:-1]]
        described = describe(smoothed, rows[lead], columns[lead])
        return sort_by_mean(described, first, rows[order], columns[order], dropped)


def group_equal(
    hashes: NDArray[np.float32],
    smoothed: Pixels,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Put keypoints with the same surroundings together, by the hashes of two windows.

    Returns
    -------
    order
        The keypoints, equal ones adjacent.
    first
        Where each group starts in ``order``, and its end.
    """
    place = rows * hashes.shape[1] + columns
    above = (rows - UP) * hashes.shape[1] + columns
    flat = hashes.reshape(-1)
    left, right = (flat[above + shift].astype(np.int64) for shift in ASIDE)
    keys = (left * 7919 + right) * 257 + smoothed.reshape(-1)[place]
    order = np.argsort(keys)
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
