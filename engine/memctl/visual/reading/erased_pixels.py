"""Erased pixels: a picture is found again by a keyed digest, without being kept."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from memctl.visual.frame import Frame, Pixels

_MARK = 0xFFFF  # the bits of a mark

Sums = NDArray[np.uint32]
"""Sums modulo 2 ** 32: a mark needs no more of them."""


def fingerprint(bgr: Pixels, key: bytes) -> tuple[int, bytes]:
    """Return a picture's mark (16 bits) and its HMAC-SHA-256 under a key.

    The mark is a keyed sum of its gray values: it can be computed for every place of a
    screenshot at once, and only where it agrees is the digest.
    """
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint32)
    sums, squares = (np.asarray([one.sum(dtype=np.uint32)]) for one in (gray, gray * gray))
    return int(_mark(sums, squares, key)[0]), _digest(bgr, key)


class GraySums:
    """Sums of gray values and of their squares, of every window of a screenshot."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        sums, squares = cv2.integral2(frame.gray, sdepth=cv2.CV_64F)
        self._sums = np.asarray(sums, np.uint64).astype(np.uint32)
        self._squares = np.asarray(squares, np.uint64).astype(np.uint32)

    def places_of(self, w: int, h: int, key: bytes, mark: int, digest: bytes) -> list[Box]:
        """Return the places of a picture of this size, mark and digest, image pixels."""
        if w > self._frame.width or h > self._frame.height:
            return []
        sums, squares = _windows(self._sums, w, h), _windows(self._squares, w, h)
        found = _mark(sums, squares, key) == mark
        # All of a flat ground may have the mark.
        found[found] = sums[found] * sums[found] != squares[found] * np.uint32(w * h)
        boxes = [Box(int(x), int(y), w, h) for y, x in np.argwhere(found)]
        return [box for box in boxes if _digest(self._frame.crop(box), key) == digest]


def _windows(integral: Sums, w: int, h: int) -> Sums:
    return integral[h:, w:] - integral[:-h, w:] - integral[h:, :-w] + integral[:-h, :-w]


def _mark(sums: Sums, squares: Sums, key: bytes) -> Sums:
    factor = np.uint32(int.from_bytes(key[:2], "big") | 1)
    return np.asarray((sums * factor + squares) & np.uint32(_MARK), np.uint32)


def _digest(bgr: Pixels, key: bytes) -> bytes:
    height, width = bgr.shape[:2]
    return hmac.digest(key, f"{width}x{height}:".encode() + bgr.tobytes(), "sha256")
