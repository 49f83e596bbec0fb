"""A template's picture as verification needs it, whether from a blob or from pixels."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels

__all__ = ["Look", "digest"]


def digest(bgr: Pixels) -> bytes:
    """Return eight bytes that differ if any colour value differs (BLAKE2b)."""
    return hashlib.blake2b(np.ascontiguousarray(bgr).data, digest_size=8).digest()


@dataclass(frozen=True, eq=False)
class Look:
    """What is compared with a place on the screen.

    Parameters
    ----------
    load_gray
        Returns the ``(h, w)`` uint8 luma.
    colour
        Mean of the blue, green and red channel, 0 to 255.
    contrast
        Standard deviation of the luma.
    fingerprint
        `digest` of the colour pixels.
    """

    load_gray: Callable[[], Pixels]
    colour: tuple[float, float, float]
    contrast: float
    fingerprint: bytes

    @classmethod
    def of(cls, bgr: Pixels) -> Look:
        """Measure a picture."""
        gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        blue, green, red = cv2.mean(bgr)[:3]
        return cls(lambda: gray, (blue, green, red), contrast_of(gray), digest(bgr))

    @cached_property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8 luma."""
        return self.load_gray()

    @cached_property
    def unit(self) -> NDArray[np.float32]:
        """The luma as a flat vector of mean 0 and length 1; zeros if it is constant."""
        values = self.gray.ravel().astype(np.float64)
        values -= values.mean()
        length = float(np.sqrt(values @ values))
        return (values / max(length, 1e-9)).astype(np.float32)


def contrast_of(gray: Pixels) -> float:
    """Return the standard deviation of the gray values."""
    return float(cv2.meanStdDev(gray)[1][0, 0])
