"""Two screenshots in a row: search only where they differ.

Whether a template stands at a place depends on the pixels under it alone. Places that no
changed pixel touches therefore keep their verdict, and everything else can only stand in
the changed rectangle widened by the largest template.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.matching.findings import Findings, Place

__all__ = ["Previous", "changed_boxes", "mostly_changed", "touched", "widened"]

GAP = 24
"""Changes nearer to each other than this are one, in pixels."""


SAMPLE = 16
"""Every so many rows are compared first."""

MOSTLY = 0.6
"""Share of the screen, rows that differ times columns that do, that is another screen."""


@dataclass(frozen=True, eq=False)
class Previous:
    """A screenshot that was searched before, and the answer."""

    frame: Frame
    findings: Findings


def changed_boxes(old: Frame, new: Frame) -> list[Box]:
    """Return rectangles that together hold every pixel that differs; sizes must be equal."""
    before, after = (_as_words(frame.bgr) for frame in (old, new))
    rows = (before != after).any(axis=1)
    boxes = []
    for top, bottom in _runs(rows):
        differs = cv2.absdiff(old.bgr[top:bottom], new.bgr[top:bottom]).reshape(bottom - top, -1)
        columns = differs.max(axis=0).reshape(new.width, 3).max(axis=1) > 0
        boxes += [Box(left, top, right - left, bottom - top) for left, right in _runs(columns)]
    return boxes


def mostly_changed(old: Frame, new: Frame) -> bool:
    """Whether a sample of rows differs nearly everywhere, so that a close look is not worth it."""
    before, after = (_as_words(frame.bgr)[::SAMPLE] for frame in (old, new))
    differs = before != after
    share = differs.any(axis=1).mean() * differs.any(axis=0).mean()
    return bool(share > MOSTLY)


def _as_words(bgr: Pixels) -> NDArray[Any]:
    """Look at the rows of a picture as long numbers, which compare faster than bytes."""
    rows = bgr.reshape(bgr.shape[0], -1)
    return rows.view(np.uint64) if rows.shape[1] % 8 == 0 else rows


def _runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and end of the runs of True, short gaps bridged."""
    places = np.flatnonzero(marked)
    if not places.size:
        return []
    breaks = np.flatnonzero(np.diff(places) > GAP)
    starts = places[np.concatenate([[0], breaks + 1])]
    ends = places[np.concatenate([breaks, [places.size - 1]])] + 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def widened(box: Box, width: int, height: int, area: Box) -> Box:
    """Return where a template of at most this size stands if it touches the box."""
    left, top = max(box.x - width + 1, area.x), max(box.y - height + 1, area.y)
    right = min(box.right + width - 1, area.right)
    bottom = min(box.bottom + height - 1, area.bottom)
    return Box(left, top, max(right - left, 0), max(bottom - top, 0))


def touched(place: Place, boxes: Iterable[Box]) -> bool:
    """Whether any changed rectangle reaches into a place."""
    return any(place.box.overlap(box) for box in boxes)
