"""Twins: boxes of one screenshot that look alike, whatever they are labelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.identity.glyphs import GlyphRun
from memctl.visual.identity.strangeness import BESIDE, strangeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame

_ALIKE = 0.8
"""Least correlation of two boxes of one look."""


def twin_groups(frame: Frame, boxes: Mapping[int, Box]) -> list[dict[int, Box]]:
    """Group boxes of one look: equal sizes (to a pixel), NCC above 0.8, the same label.

    Parameters
    ----------
    boxes
        Component id to its place on the screenshot.

    Returns
    -------
    list
        The groups, each as component id to place; a box without a twin is a group of its own.
    """
    groups: list[_Look] = []
    sizes: dict[tuple[int, int], list[_Look]] = {}
    for key, box in sorted(boxes.items(), key=lambda item: (item[1].y, item[1].x, item[0])):
        near = [look for size in _sizes_near(box) for look in sizes.get(size, ())]
        look = next((look for look in near if look.shows(box)), None)
        if look is None:
            look = _Look(frame, box)
            groups.append(look)
            sizes.setdefault((box.w, box.h), []).append(look)
        look.members[key] = box
    return [look.members for look in groups]


def _sizes_near(box: Box) -> Iterable[tuple[int, int]]:
    return [(box.w + dw, box.h + dh) for dw in (0, -1, 1) for dh in (0, -1, 1)]


class _Look:
    """The look of a group's first box."""

    def __init__(self, frame: Frame, first: Box) -> None:
        self._frame = frame
        self._first = first
        self._pixels = frame.gray[first.y : first.bottom, first.x : first.right]
        self._run: GlyphRun | None = None
        self.members: dict[int, Box] = {}

    def shows(self, box: Box) -> bool:
        """Return True if a box of this size, to a pixel, looks alike."""
        gray = self._frame.gray
        place = gray[box.y : box.bottom, box.x : box.right]
        if place.shape == self._pixels.shape and np.array_equal(place, self._pixels):
            return True
        height, width = self._pixels.shape
        around = gray[max(box.y - 1, 0) : box.y + height + 1, max(box.x - 1, 0) : box.x + width + 1]
        if around.shape[0] < height or around.shape[1] < width:
            return False
        scores = cv2.matchTemplate(around, self._pixels, cv2.TM_CCOEFF_NORMED)
        _, best, _, (dx, dy) = cv2.minMaxLoc(scores)
        if best < _ALIKE:
            return False
        if self._run is None:
            self._run = GlyphRun.of(self._pixels)
        at = self._first.placed(max(box.x - 1, 0) + dx, max(box.y - 1, 0) + dy)
        return strangeness(self._run, self._frame.gray, at, BESIDE) <= 1
