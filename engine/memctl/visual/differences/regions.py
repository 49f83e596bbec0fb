"""Regions of change: where two pictures of one size differ, by structure and by colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels

Mask = NDArray[np.bool_]
SimilarityMap = NDArray[np.float32]

_WINDOW = 7  # pixels of a side that structural similarity compares
_ALIKE = 0.8  # structural similarity above which nothing changed
_FAINT = 12  # levels of a channel below which a difference is noise, such as JPEG's
_STRONG = 40  # levels that are a change whatever the structure, such as another colour
_COARSE = 5  # pixels of a side that a strong difference is the mean of
_GAP = (11, 7)  # columns and rows between the parts of one thing, such as letters of a line
_LEAST = 12  # changed pixels of a region
_INK = 24  # levels of a channel by which a thing differs from its ground
_FITS = 4  # rounds of a fit, each without what the one before did not explain


def similarity_map(a: Pixels, b: Pixels) -> SimilarityMap:
    """Return the structural similarity around each pixel, ``(H, W)``, -1 to 1.

    Parameters
    ----------
    a, b
        ``(H, W, 3)`` uint8 of one size, at least 8 x 8.

    References
    ----------
    Wang, Bovik, Sheikh, Simoncelli: Image quality assessment, IEEE TIP 2004.
    """
    from skimage.metrics import structural_similarity

    grays: list[Any] = [cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (a, b)]
    measure: Any = structural_similarity  # it has no types
    _, full = measure(*grays, win_size=_WINDOW, full=True, data_range=255)
    return np.asarray(full, np.float32)


def changed_mask(a: Pixels, b: Pixels, alike: SimilarityMap) -> Mask:
    """Return ``(H, W)``, true where two pictures differ by more than noise."""
    apart = np.asarray(cv2.absdiff(a, b), np.uint8).max(axis=2)
    near = np.asarray(cv2.dilate(apart, np.ones((3, 3), np.uint8)), np.uint8)
    # The colours of a lossy format are coarse: beside an edge they err both ways.
    signed = cv2.blur(a.astype(np.float32) - b.astype(np.float32), (_COARSE, _COARSE))
    strong = np.abs(np.asarray(signed)).max(axis=2) > _STRONG
    return np.asarray(((alike < _ALIKE) & (near > _FAINT)) | (strong & (near > _STRONG)), np.bool_)


def regions_of(mask: Mask) -> list[Box]:
    """Return the boxes of connected changes, those close to each other joined."""
    ink = mask.astype(np.uint8)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones(_GAP[::-1], np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    weights = np.bincount(labels[mask], minlength=len(stats))
    boxes = [
        Box(x, y, w, h)
        for (x, y, w, h, _), weight in zip(stats[1:].tolist(), weights[1:], strict=True)
        if weight >= _LEAST
    ]
    return sorted(_merged(boxes), key=lambda box: (box.y, box.x))


def things_in(crop: Pixels) -> list[Box]:
    """Return the boxes of what is drawn on the ground of a region, in its own pixels."""
    ink = np.abs(crop.astype(np.int16) - ground_of(crop)).max(axis=2) > _INK
    return regions_of(ink)


def ground_of(crop: Pixels) -> NDArray[np.int16]:
    """Return the colour of a region's ground, ``(3,)``: the median of its rim."""
    rim = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    return np.asarray(np.median(rim, axis=0), np.int16)


def unveiled(a: Pixels, b: Pixels) -> Pixels:
    """Return the first picture as dim or as bright as most of the second one is.

    A veil, as lies below a dialog, changes every level alike: each channel is fitted by a line.
    """
    made = np.empty_like(a)
    for channel in range(3):
        x, y = a[::4, ::4, channel].ravel(), b[::4, ::4, channel].ravel()
        kept = np.ones(x.shape, np.bool_)
        for _ in range(_FITS):
            if kept.sum() < _LEAST or x[kept].std() < 1:
                return a
            slope, level = np.polyfit(x[kept].astype(float), y[kept].astype(float), 1)
            apart = np.abs(slope * x + level - y)
            kept = apart <= max(float(np.median(apart)), 1.0) * 2
        made[:, :, channel] = np.clip(np.rint(slope * a[:, :, channel] + level), 0, 255)
    return made


def _merged(boxes: list[Box]) -> list[Box]:
    """Join boxes that overlap, until none do."""
    done: list[Box] = []
    for box in boxes:
        while other := next((one for one in done if one.overlap(box)), None):
            done.remove(other)
            box = _around(box, other)  # noqa: PLW2901  (grows by what it touches)
        done.append(box)
    return done


def _around(one: Box, other: Box) -> Box:
    x, y = min(one.x, other.x), min(one.y, other.y)
    return Box(x, y, max(one.right, other.right) - x, max(one.bottom, other.bottom) - y)
