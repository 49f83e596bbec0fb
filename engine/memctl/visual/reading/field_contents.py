"""Fields: boxes whose contents a person types or chooses, and a screenshot without these contents.

Contents are somebody's data and change with every visit. So they are painted over before anything
of a screenshot is remembered: no template, word, row key or kept screenshot shows them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Pixels

INSIDE_FIELD = 0.7
"""Share of a box that lies in a field from which on it is a part of the contents."""

_RIM = 3  # pixels: a frame as browsers and desktops draw it
_PLAIN = 24  # gray levels by which the pixels along one side of a frame differ at most


def emptied(frame: Frame, fields: Iterable[Box]) -> Frame:
    """Return a screenshot with the contents of fields painted in each field's commonest colour.

    A field's frame stays, unless something is written across it.

    Parameters
    ----------
    frame
        The screenshot; it is not changed.
    fields
        Bounding boxes of fields, inside the screenshot.
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
