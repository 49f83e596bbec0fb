"""Templates: the stored pictures of components, and which crops can serve as one."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.visual.frame import Pixels

__all__ = ["MIN_CONTRAST", "Crop", "Template", "digest", "is_learnable", "moments"]


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


def digest(bgr: Pixels) -> int:
    """Return the CRC-32 of the colour values, taken where all gray values are equal already."""
    return zlib.crc32(np.ascontiguousarray(bgr).data)


def moments(gray: Pixels) -> tuple[float, float]:
    """Return the sum of the gray values and of their squares: whole numbers."""
    return cv2.sumElems(gray)[0], cv2.norm(gray, cv2.NORM_L2SQR)


@dataclass(frozen=True, eq=False)
class Crop:
    """Pixels cut out of a screenshot, with the sums that a comparison needs.

    Parameters
    ----------
    load_gray
        Returns the ``(h, w)`` uint8 luma.
    colour
        Mean of the blue, green and red channel, 0 to 255.
    total, power
        `moments` of the luma.
    contrast
        Standard deviation of the luma.
    fingerprint
        `digest` of the colour pixels.
    """

    load_gray: Callable[[], Pixels]
    colour: tuple[float, float, float]
    total: float
    power: float
    contrast: float
    fingerprint: int

    @classmethod
    def of(cls, bgr: Pixels) -> Crop:
        """Measure a picture."""
        gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        blue, green, red = cv2.mean(bgr)[:3]
        total, power = moments(gray)
        contrast = float(np.sqrt(max(gray.size * power - total**2, 0.0)) / gray.size)
        return cls(lambda: gray, (blue, green, red), total, power, contrast, digest(bgr))

    @cached_property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8 luma, contiguous."""
        return self.load_gray()


@dataclass(frozen=True, eq=False)
class Template:
    """A picture to search for.

    Parameters
    ----------
    template_id, component_id
        Names in the answers. Several templates of one component are its variants.
    pixels
        ``(h, w, 3)`` uint8 blue-green-red, or a function that returns them: then they are
        decoded only if a stored feature blob cannot answer.
    features
        What `extract` returned when the template was learned; None, or a blob that is cut
        short or of another version, is made again from the pixels.
    scale
        Device-pixel ratio of the screenshot it was learned on.
    last
        Left and top where it was last seen, in image pixels at its own scale.
    """

    template_id: int
    component_id: int
    pixels: Pixels | Callable[[], Pixels]
    features: bytes | None = None
    scale: float = 1.0
    last: tuple[int, int] | None = None

    @cached_property
    def bgr(self) -> Pixels:
        """``(h, w, 3)`` uint8, blue-green-red."""
        return self.pixels() if callable(self.pixels) else self.pixels

    @cached_property
    def crop(self) -> Crop:
        """The picture as the checks compare it."""
        return Crop.of(self.bgr)

    @property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8 luma."""
        return self.crop.gray
