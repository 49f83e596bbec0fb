"""The ink of a picture: its glyphs, without the frame and the padding around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_FLAT = 8  # gray levels that neighbours differ by at most inside of a frame
_FRAMED = 0.4  # share of the picture that the inside of its frame takes at least
_LEAST_MASK = 40  # pixels
_LEAST_CONTRAST = 12.0  # gray levels between ink and background that count as ink
_INK = 0.35  # share of the ink's contrast from which a pixel belongs to it


def ink_of(gray: Pixels) -> tuple[Mask, Mask, float]:
    """Find the ink of a ``(h, w)`` uint8 picture.

    Returns
    -------
    mask
        ``(h, w)`` bool: the pixels that a comparison may look at.
    ink
        ``(h, w)`` bool: those of them that are drawn.
    unit
        Gray levels between ink and background, 12 at least.
    """
    inside = _inside_of_frame(gray)
    away, unit = _contrast(gray, inside)
    if inside is not None and unit < _LEAST_CONTRAST:
        inside = None  # nothing is written there: the frame itself is compared
        away, unit = _contrast(gray, None)
    mask = np.ones(gray.shape, np.bool_) if inside is None else inside
    unit = max(unit, _LEAST_CONTRAST)
    ink = (away > _INK * unit) & mask
    # A short label in a wide frame takes less than two hundredths of it.
    unit = max(unit, quantile(away[ink], 0.9)) if ink.any() else unit
    if inside is None:
        ink, mask = _without_edges(ink, mask)
        mask &= _around(ink)
    mask &= _margin(gray.shape, ink)
    if not mask.any():
        mask[:] = True
    return mask, ink, unit


def _contrast(gray: Pixels, inside: Mask | None) -> tuple[Floats, float]:
    """Return each pixel's distance from the usual gray, and what 2 % of them exceed."""
    values = gray.ravel() if inside is None else gray[inside]
    away = np.abs(gray.astype(np.float32) - usual(values))
    return away, quantile(away.ravel() if inside is None else away[inside], 0.98)


def _inside_of_frame(gray: Pixels) -> Mask | None:
    """Return the largest flat area that no edge of the picture touches, with its holes filled."""
    height, width = gray.shape
    kernel = np.ones((3, 3), np.uint8)
    flat = (cv2.dilate(gray, kernel) - cv2.erode(gray, kernel) <= _FLAT).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    best, area = 0, 0
    for number in range(1, count):
        x, y, w, h, pixels = stats[number].tolist()
        free = x > 0 and y > 0 and x + w < width and y + h < height
        if free and w * h >= _FRAMED * gray.size and pixels > area:
            best, area = number, pixels
    if not best:
        return None
    one = labels == best
    filled = _hull(one) | _hull(one.T).T
    inner = cv2.erode(
        filled.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    mask = inner.astype(np.bool_)
    return mask if int(mask.sum()) >= _LEAST_MASK else None


def _hull(area: Mask) -> Mask:
    """Fill each row from its first pixel to its last."""
    before = np.logical_or.accumulate(area, axis=1)
    after = np.logical_or.accumulate(area[:, ::-1], axis=1)[:, ::-1]
    return before & after


def usual(values: Pixels) -> float:
    """Return the most frequent gray value, counted in windows of five."""
    counts = np.bincount(values, minlength=256)
    return float(np.convolve(counts, np.ones(5, int), mode="same").argmax())


def _without_edges(ink: Mask, mask: Mask) -> tuple[Mask, Mask]:
    """Drop ink that reaches the edge of the picture: the frame, or a neighbour."""
    count, labels = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    rim = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    touching = np.zeros(count, np.bool_)
    touching[rim] = True
    touching[0] = False
    dropped = touching[labels]
    left = ink & ~dropped
    if int(left.sum()) < max(6.0, 0.3 * int(ink.sum())):
        return ink, mask
    wide = cv2.dilate(dropped.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(np.bool_)
    return left, mask & ~wide


def _around(ink: Mask) -> Mask:
    """Return the ink's rectangle, a little wider, in which a longer label would show."""
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    near = np.ones(ink.shape, np.bool_)
    if rows.size:
        aside = round(0.7 * (int(rows[-1]) - int(rows[0]) + 1)) + 1
        near[:] = False
        near[
            max(int(rows[0]) - 2, 0) : int(rows[-1]) + 3,
            max(int(columns[0]) - aside, 0) : int(columns[-1]) + 1 + aside,
        ] = True
    return near


def _margin(shape: tuple[int, ...], ink: Mask) -> Mask:
    """Leave out the outer two pixels, one where there is ink in the second."""
    inner = np.zeros(shape, np.bool_)
    reach = 1 if _ring(ink, 2) else 2
    inner[reach : shape[0] - reach, reach : shape[1] - reach] = True
    return inner


def _ring(ink: Mask, width: int) -> bool:
    inner = ink[width : ink.shape[0] - width, width : ink.shape[1] - width]
    return int(ink.sum()) > int(inner.sum())


def extent(marked: Mask, around: int) -> Box:
    """Return the rectangle of the marked pixels and some around it, all of it for none."""
    rows, columns = np.flatnonzero(marked.any(axis=1)), np.flatnonzero(marked.any(axis=0))
    height, width = marked.shape
    if not rows.size:
        return Box(0, 0, width, height)
    left, top = max(int(columns[0]) - around, 0), max(int(rows[0]) - around, 0)
    right = min(int(columns[-1]) + 1 + around, width)
    bottom = min(int(rows[-1]) + 1 + around, height)
    return Box(left, top, right - left, bottom - top)


def quantile(values: Floats, share: float) -> float:
    """Return the value that this share of the values reaches at most."""
    number = int(share * (values.size - 1))
    return float(np.partition(values, number)[number])
