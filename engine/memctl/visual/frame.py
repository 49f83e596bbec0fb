"""A decoded screenshot: what every part of the visual memory works on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Frame", "Ints", "Pixels"]

Pixels = NDArray[np.uint8]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Frame:
    """One screenshot in memory.

    Parameters
    ----------
    bgr
        ``(H, W, 3)`` uint8, blue-green-red, C-contiguous. Never written to.
    """

    bgr: Pixels

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
