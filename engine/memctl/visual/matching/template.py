"""Templates: the stored pictures of components."""

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
    blank
        Pixels without ink beyond its left and right edge, where it was learned; None: unknown.
    """

    template_id: int
    component_id: int
    pixels: Pixels | Callable[[], Pixels]
    features: bytes | None = None
    scale: float = 1.0
    last: tuple[int, int] | None = None
    blank: tuple[int, int] | None = None

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
