"""A decoded screenshot, the input of every part of the visual memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.base.errors import UsageError
from memctl.store.results import Result
from memctl.visual.boxes import Box, checked_box

Pixels = NDArray[np.uint8]
Ints = NDArray[np.intp]

MIN_CONTRAST = 6.0
"""Least standard deviation of the gray values; flatter crops match hundreds of places."""

PATCH = 8
CORNER = 8.0
"""Least root of the smaller eigenvalue of a patch's gradient matrix, in gray levels a pixel."""


@dataclass(frozen=True)
class Frame(Result):
    """One screenshot in memory."""

    bgr: Pixels  # ``(H, W, 3)`` uint8, blue-green-red, C-contiguous. Never written to.
    # areas that do not count: what is there is no evidence of anything
    ignored: tuple[Box, ...] = ()
    # what was computed of it, kept as long as it is: `Structure`
    derived: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def width(self) -> int:
        """Columns, in image pixels."""
        return int(self.bgr.shape[1])

    @property
    def height(self) -> int:
        """Rows, in image pixels."""
        return int(self.bgr.shape[0])

    @cached_property
    def gray(self) -> Pixels:
        """``(H, W)`` uint8 luma (ITU-R BT.601, as OpenCV computes it)."""
        return np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

    @cached_property
    def sha256(self) -> str:
        """Hex digest of size and gray values: frames that differ have different digests.

        Colours that share a gray value are the exception; a third of the bytes, and of the time.
        """
        digest = hashlib.sha256(f"{self.width}x{self.height}:".encode())
        digest.update(self.gray.data)
        return digest.hexdigest()

    def crop(self, box: Box) -> Pixels:
        """Return the colour pixels of a box inside the screenshot, not copied."""
        return self.bgr[box.y : box.bottom, box.x : box.right]

    def resized(self, ratio: float) -> Frame:
        """Return the screenshot with its sides multiplied."""
        if ratio == 1:
            return self
        size = (max(round(self.width * ratio), 1), max(round(self.height * ratio), 1))
        how = cv2.INTER_AREA if ratio < 1 else cv2.INTER_LINEAR
        return Frame(np.asarray(cv2.resize(self.bgr, size, interpolation=how), dtype=np.uint8))

    def part(self, window: Box | None) -> Box:
        """Return the part of the screenshot inside a window; all of it for ``None``."""
        if window is None:
            return Box(0, 0, self.width, self.height)
        return window.clipped(self.width, self.height)

    def window(self, window: tuple[int, int, int, int] | None) -> Box:
        """Return a window that a user gave as a box, the whole screenshot for ``None``.

        Raises UsageError when it is no four whole numbers, is empty or reaches beyond the
        screenshot.
        """
        if window is None:
            return self.part(None)
        box = checked_box(window, "window")
        if not box.inside(self.part(None)):
            place = ",".join(map(str, box.xywh))
            raise UsageError(
                f"window {place} is not inside the {self.width} x {self.height} screenshot",
                hint="give X,Y,W,H in image pixels",
            )
        return box


def is_learnable(bgr: Pixels) -> str | None:
    """Return the reason why a crop cannot serve as a template, None if it can.

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
