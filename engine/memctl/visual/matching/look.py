"""A template's picture as verification needs it, whether from a blob or from pixels."""

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

__all__ = ["Look", "digest", "moments"]


def digest(bgr: Pixels) -> int:
    """Return the CRC-32 of the colour values, taken where all gray values are equal already."""
    return zlib.crc32(np.ascontiguousarray(bgr).data)


def moments(gray: Pixels) -> tuple[float, float]:
    """Return the sum of the gray values and of their squares: whole numbers."""
    return cv2.sumElems(gray)[0], cv2.norm(gray, cv2.NORM_L2SQR)


@dataclass(frozen=True, eq=False)
class Look:
    """What is compared with a place on the screen.

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
    def of(cls, bgr: Pixels) -> Look:
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
