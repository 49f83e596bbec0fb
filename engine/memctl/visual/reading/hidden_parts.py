"""Parts of a screenshot that nothing may be remembered of.

The contents of fields are somebody's data and change with every visit: they are painted over
before anything is kept. What a person erased is found again by a keyed digest, without being kept.
Areas that a person ignores, such as a clock or a video, are kept with the state, in pixels at
device-pixel ratio 1 from the window's corner.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.base.errors import UsageError
from memctl.visual.boxes import Box, checked_box
from memctl.visual.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.frame import Pixels


INSIDE_FIELD = 0.7
"""Share of a box that lies in a field from which on it is a part of the contents."""

_RIM = 3  # pixels: a frame as browsers and desktops draw it
_PLAIN = 24  # gray levels by which the pixels along one side of a frame differ at most


def emptied(frame: Frame, fields: Iterable[Box]) -> Frame:
    """Return a screenshot with the contents of fields painted in each field's commonest colour.

    A field's frame stays, unless something is written across it.

    ``frame``: the screenshot; it is not changed. ``fields``: bounding boxes of fields, inside the
    screenshot.
    """
    fields = list(fields)
    if not fields:
        return frame
    pixels = frame.bgr.copy()
    for box in fields:
        crop = pixels[box.y : box.bottom, box.x : box.right]
        rim = 0 if min(box.w, box.h) <= 2 * _RIM or not _framed(frame.crop(box)) else _RIM
        inside = crop[rim : box.h - rim, rim : box.w - rim]
        inside[:] = _commonest(inside)
    return Frame(pixels)


def in_field(box: Box, fields: Iterable[Box]) -> bool:
    """Return True if a box lies in one of these fields, and is not the field itself."""
    return any(
        box.overlap(one) > INSIDE_FIELD * box.area and box.iou(one) < INSIDE_FIELD for one in fields
    )


def _framed(crop: Pixels) -> bool:
    """Return True if nothing but a frame is drawn along the sides of a crop."""
    sides = (
        crop[:_RIM],
        crop[-_RIM:],
        crop[:, :_RIM].swapaxes(0, 1),
        crop[:, -_RIM:].swapaxes(0, 1),
    )
    # Round corners are no writing.
    lines = (line[2 * _RIM : -2 * _RIM].astype(np.int16) for side in sides for line in side)
    return all(int(np.ptp(line, axis=0).max()) <= _PLAIN for line in lines if len(line))


def _commonest(pixels: Pixels) -> Pixels:
    packed = pixels.reshape(-1, 3).astype(np.uint32) @ np.array([1, 256, 65536], np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    value = int(values[counts.argmax()])
    return np.array([value & 255, value >> 8 & 255, value >> 16], np.uint8)


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


Area = tuple[int, int, int, int]


def checked_areas(areas: Iterable[Area], window: Box) -> list[Box]:
    """Return areas that a caller gave, cut to the window, without those inside of another.

    Raises UsageError when one is no four whole numbers, is empty or lies outside of the window, or
    when they leave nothing of it.
    """
    boxes = [_checked(area, window) for area in areas]
    free = np.ones((window.h, window.w), np.bool_)
    for box in boxes:
        free[box.y - window.y : box.bottom - window.y, box.x - window.x : box.right - window.x] = 0
    if not free.any():
        raise UsageError("all of the screen is ignored", hint="leave a part of it to be learned")
    return outermost(boxes)


def _checked(area: object, window: Box) -> Box:
    box = checked_box(area, "the ignored area")
    if not box.overlap(window):
        place, size = ",".join(map(str, box.xywh)), f"{window.w} x {window.h}"
        raise UsageError(
            f"the ignored area {place} lies outside of the {size} screen",
            hint="give X,Y,W,H in image pixels",
        )
    return box.within(window)


def outermost(boxes: Iterable[Box]) -> list[Box]:
    """Return the boxes that lie in no other one."""
    different = list(dict.fromkeys(boxes))
    return [
        box
        for box in different
        if not any(box != other and box.inside(other) for other in different)
    ]
