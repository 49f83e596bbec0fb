"""Word shapes: what a page says, as contrast-normalised blobs of ink, wherever they stand.

A word keeps its shape when the page is scrolled, laid out anew, shown in another theme, dimmed
or enlarged, and needs no box to be seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Pixels

WORD = np.dtype([("bits", "<u8", 3), ("x", "<i2"), ("y", "<i2"), ("w", "<i2"), ("h", "<i2")])
"""A word: its shape of 24 x 8 bits, and its box in pixels at device-pixel ratio 1; 32 bytes."""

Words = NDArray[Any]
"""``(n,)`` of `WORD`."""

_BITS = (24, 8)  # columns and rows of a shape

_FAINT = 10  # gray levels between neighbours that no stroke has
_SHARE = 0.3  # of the strongest step within 4 pixels: a stroke, not the soft rim of one
_REACH = np.ones((9, 9), np.uint8)
_LINES = (np.ones((1, 41), np.uint8), np.ones((41, 1), np.uint8))
_JOIN = np.ones((3, 3), np.uint8)
_WIDE, _HIGH = (6, 400), (6, 120)  # pixels; smaller is dirt, larger a picture


def words_in(gray: Pixels) -> Words:
    """Return the words of a ``(H, W)`` uint8 picture."""
    if min(gray.shape) < _HIGH[0]:
        return np.zeros(0, WORD)
    ink = _ink(gray)
    joined = cv2.dilate(ink, _JOIN)
    # A third of the time of labelling every pixel; blobs inside of others have no parent either.
    outlines, levels = cv2.findContours(joined, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    blobs = [
        cv2.boundingRect(outline)
        for outline, (*_, parent) in zip(outlines, levels[0] if outlines else (), strict=True)
        if parent < 0
    ]
    # The blob is a pixel wider than its ink on every side.
    boxes = np.array(blobs, np.int64).reshape(-1, 4) + np.array([1, 1, -2, -2])
    wide, high = boxes[:, 2], boxes[:, 3]
    fits = (wide >= _WIDE[0]) & (wide <= _WIDE[1]) & (high >= _HIGH[0]) & (high <= _HIGH[1])
    boxes = boxes[fits]
    words = np.zeros(len(boxes), WORD)
    for name, column in zip("xywh", boxes.T, strict=True):
        words[name] = column
    words["bits"] = _shapes(ink, boxes)
    return words


def unpacked(blob: bytes | None) -> Words:
    """Return the words that were kept as bytes; of a blob that was cut short, the whole ones."""
    whole = len(blob or b"") // WORD.itemsize * WORD.itemsize
    return np.frombuffer((blob or b"")[:whole], WORD)


def boxes_of(words: Words) -> NDArray[np.int64]:
    """Return ``(n, 4)``: left, top, width and height."""
    return np.stack([words[name].astype(np.int64) for name in "xywh"], axis=1)


def outside(words: Words, boxes: Iterable[Box]) -> Words:
    """Return the words that touch none of these boxes."""
    other = np.array([box.xywh for box in boxes], np.int64).reshape(-1, 4)
    own = boxes_of(words)[:, None]
    # Two boxes meet if they meet on both axes.
    meet = (own[..., :2] < other[:, :2] + other[:, 2:]) & (
        other[:, :2] < own[..., :2] + own[..., 2:]
    )
    kept = np.asarray(np.logical_not(np.any(np.all(meet, axis=2), axis=1)), np.bool_)
    return np.asarray(words[kept], WORD)


def _ink(gray: Pixels) -> Pixels:
    """Return 255 where a stroke is, dark on bright or bright on dark; long lines are none."""
    steps = np.zeros_like(gray)
    steps[:, :-1] = cv2.absdiff(gray[:, 1:], gray[:, :-1])
    steps[:-1] = cv2.max(steps[:-1], cv2.absdiff(gray[1:], gray[:-1]))
    strongest = cv2.dilate(steps, _REACH)
    least = cv2.max(cv2.convertScaleAbs(strongest, alpha=_SHARE), np.full_like(gray, _FAINT))
    ink = cv2.compare(steps, least, cv2.CMP_GT)
    lines = [cv2.morphologyEx(ink, cv2.MORPH_OPEN, line) for line in _LINES]
    return np.asarray(cv2.subtract(ink, cv2.max(*lines)), np.uint8)


def _shapes(ink: Pixels, boxes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the ink of each box as 24 x 8 bits, set where there is more than on average."""
    small = np.zeros((len(boxes), _BITS[1], _BITS[0]), np.uint8)
    for shape, (x, y, w, h) in zip(small, boxes.tolist(), strict=True):
        cv2.resize(ink[y : y + h, x : x + w], _BITS, dst=shape, interpolation=cv2.INTER_AREA)
    flat = small.reshape(len(boxes), _BITS[0] * _BITS[1])
    bits = np.packbits(flat > flat.mean(axis=1, keepdims=True), axis=1)
    return np.ascontiguousarray(bits).view("<u8").reshape(-1, 3)
