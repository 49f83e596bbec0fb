"""The look of a screen: the mean gray of its cells.

Cells are coarse enough to outlive JPEG, resizing and another anti-aliasing, and fine enough to
show a highlighted line, another picture or an open menu where the words are the same.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Pixels

CELL = 8
"""Pixels of a cell's side, at device-pixel ratio 1."""

HIDDEN = 0
"""Value of a cell that may not be compared: something covers it, or it may not be kept."""

SAME = 8
"""Gray levels up to which two cells look the same."""

_DRAWN = 4  # gray levels from the background beyond which a cell shows something
_APART = 4  # gray levels between two looks that make a cell worth asking
_NOISE = 2  # gray levels that JPEG and resizing change ...
_TIMES = 2  # ... and beyond them, how much nearer a cell must be to one than to the other
_MOST = 1 << 26  # bytes that a look can have: a screen of four gigapixels

Look = NDArray[np.uint8]
"""``(rows, columns)``, row by row from the left top corner; 1 to 255, or `HIDDEN`."""


def look_of(gray: Pixels, hidden: Iterable[Box] = ()) -> Look:
    """Return the look of a ``(H, W)`` picture; cells that reach beyond its edge are left out."""
    rows, columns = gray.shape[0] // CELL, gray.shape[1] // CELL
    if not rows or not columns:
        return np.zeros((rows, columns), np.uint8)
    whole = gray[: rows * CELL, : columns * CELL]
    cells = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA)
    return without(np.maximum(np.asarray(cells, np.uint8), 1), hidden)


def without(look: Look, boxes: Iterable[Box]) -> Look:
    """Return a look with every cell hidden that one of these boxes touches, pixels at ratio 1."""
    left = look.copy()
    for box in boxes:
        if box.area:
            top, bottom = max(box.y // CELL, 0), max(-(-box.bottom // CELL), 0)
            first, last = max(box.x // CELL, 0), max(-(-box.right // CELL), 0)
            left[top:bottom, first:last] = HIDDEN
    return left


def packed(look: Look) -> bytes:
    """Return a look as it is kept in a store."""
    return zlib.compress(look.tobytes())


def unpacked(blob: bytes | None, size: tuple[int, int]) -> Look | None:
    """Return the look of a screen of this width and height; ``None`` for a damaged blob."""
    shape = size[1] // CELL, size[0] // CELL
    try:
        cells = zlib.decompressobj().decompress(blob or b"", _MOST)
    except zlib.error:
        return None
    if len(cells) != shape[0] * shape[1] or not cells:
        return None
    return np.frombuffer(cells, np.uint8).reshape(shape)


def likeness(one: Look, other: Look) -> float | None:
    """Return the share of cells that look the same, 0 to 1, of those where one shows something.

    A cell shows something where it differs from the background, the most frequent gray. ``None``
    where nothing can be compared: no cell shows anything, or all of them are hidden.
    """
    one, other = _common(one, other)
    seen = (one != HIDDEN) & (other != HIDDEN)
    seen &= _drawn(one) | _drawn(other)
    compared = int(np.count_nonzero(seen))
    if not compared:
        return None
    return float(np.count_nonzero(seen & (cv2.absdiff(one, other) <= SAME))) / compared


def nearer(shown: Look, one: Look, other: Look) -> tuple[int, int, int]:
    """Return how many cells of a screen look like one of two looks and not like the other.

    Returns
    -------
    one, other, asked
        Cells that are like the one, like the other, and all in which the two differ: the rest
        of these shows something third.
    """
    shown, one = _common(shown, one)
    shown, other = _common(shown, other)
    one = one[: shown.shape[0], : shown.shape[1]]
    asked = (shown != HIDDEN) & (one != HIDDEN) & (other != HIDDEN)
    asked &= cv2.absdiff(one, other) >= _APART
    to_one, to_other = (cv2.absdiff(shown, look).astype(np.int16) for look in (one, other))
    like_one, like_other = (
        (near < far) & ((near <= _NOISE) | (_TIMES * near < far))
        for near, far in ((to_one, to_other), (to_other, to_one))
    )
    first, second, all_ = (
        int(np.count_nonzero(asked & one)) for one in (like_one, like_other, asked)
    )
    return first, second, all_


def differing(one: Look, other: Look, levels: int) -> NDArray[np.bool_]:
    """Return which cells that both looks have differ by more than so many gray levels."""
    one, other = _common(one, other)
    return np.asarray(cv2.absdiff(one, other) > levels)


def alike_in(one: Look, other: Look, box: Box) -> bool:
    """Return True if all cells of a box, in pixels at ratio 1, look the same."""
    rows = slice(max(box.y // CELL, 0), -(-box.bottom // CELL))
    columns = slice(max(box.x // CELL, 0), -(-box.right // CELL))
    return not differing(one, other, SAME)[rows, columns].any()


def framed_alike(one: Look, other: Look, box: Box) -> bool:
    """Return True if most cells along the edge of a box look the same: both have that frame."""
    one, other = _common(one, other)
    top, bottom = max(box.y // CELL, 0), min(-(-box.bottom // CELL), one.shape[0])
    first, last = max(box.x // CELL, 0), min(-(-box.right // CELL), one.shape[1])
    edge = np.zeros(one.shape, np.bool_)
    edge[top:bottom, first:last] = True
    edge[top + 1 : bottom - 1, first + 1 : last - 1] = False
    edge &= (one != HIDDEN) & (other != HIDDEN)
    same = edge & (cv2.absdiff(one, other) <= _NOISE)
    return 2 * int(np.count_nonzero(same)) > int(np.count_nonzero(edge))


def _common(one: Look, other: Look) -> tuple[Look, Look]:
    """Return the parts of two looks that both have: sizes differ by a cell after resizing."""
    rows, columns = (min(sides) for sides in zip(one.shape, other.shape, strict=True))
    return np.ascontiguousarray(one[:rows, :columns]), np.ascontiguousarray(other[:rows, :columns])


def _drawn(look: Look) -> NDArray[np.bool_]:
    counts = np.bincount(look.ravel(), minlength=256)
    counts[HIDDEN] = 0
    # Noise spreads a background over neighbouring levels.
    near = np.convolve(counts, np.ones(5, np.int64), mode="same")
    background = int(np.argmax(near))
    return np.abs(look.astype(np.int16) - background) > _DRAWN
