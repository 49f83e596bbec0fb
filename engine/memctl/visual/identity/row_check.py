"""Whether what stood beside a component stands beside one of its places on another screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.identity.cells import neighbours
from memctl.visual.identity.glyphs import GlyphRun, resized
from memctl.visual.identity.strangeness import BESIDE, RESIZED, strangeness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.visual.frame import Frame, Pixels

_OFF = 3  # pixels by which what stands beside may have moved by itself
_ALIKE = 0.7  # least correlation of a place that is compared stroke by stroke
_TRIES = 3  # places of one column that are compared


@dataclass(frozen=True, eq=False)
class RowPicture:
    """A row key as it is kept: the picture, and where it stands from its component's corner.

    ``reach`` is where its row or card began and ended, from there.

    ``load`` returns the ``(h, w)`` uint8 picture, ``scale`` is the device-pixel ratio of it
    and of the offset.
    """

    load: Callable[[], Pixels]
    dx: int
    dy: int
    twin: bool
    reach: tuple[int, int]
    scale: float = 1.0
    _runs: dict[float, tuple[Pixels, GlyphRun]] = field(default_factory=dict)

    def at(self, ratio: float) -> tuple[Pixels, GlyphRun]:
        """Return the picture and its ink with the sides multiplied; computed once."""
        if ratio not in self._runs:
            picture = resized(self.load(), ratio)
            self._runs[ratio] = picture, GlyphRun.of(picture, max(ratio, 1.0))
        return self._runs[ratio]


@dataclass(frozen=True, eq=False)
class RowCheck:
    """Looks beside the places of components on one screenshot.

    Parameters
    ----------
    scale
        The screenshot's device-pixel ratio.
    """

    frame: Frame
    scale: float = 1.0

    def agreeing(self, keys: Sequence[RowPicture], places: Sequence[Box]) -> list[Box]:
        """Return the places beside which all keys stand.

        What stands exactly where it stood is believed before what was laid out anew.
        """
        equal = [place for place in places if all(self._equal(key, place) for key in keys)]
        if len(equal) == 1:
            return equal
        near = [place for place in places if all(self._near(key, place) for key in keys)]
        if near:
            return near
        return [place for place in places if all(self._far(key, place, places) for key in keys)]

    def _equal(self, key: RowPicture, place: Box) -> bool:
        if key.scale != self.scale:
            return False
        picture, _ = key.at(1.0)
        x, y, (height, width) = place.x + key.dx, place.y + key.dy, picture.shape
        if x < 0 or y < 0:
            return False
        return np.array_equal(self.frame.gray[y : y + height, x : x + width], picture)

    def _near(self, key: RowPicture, place: Box) -> bool:
        """Return True if a key stands where it stood, to a few pixels."""
        expected = self._expected(key, place)
        off = round(_OFF * max(self.scale / key.scale, 1))
        return self._stands(key, expected.widened(off, off), 1)

    def _far(self, key: RowPicture, place: Box, places: Sequence[Box]) -> bool:
        """Return True if a key stands elsewhere in its row: columns move with the window."""
        expected = self._expected(key, place)
        off = round(_OFF * max(self.scale / key.scale, 1))
        reach = [place.x + round(side * self.scale / key.scale) for side in key.reach]
        between = _row(place, places, self.frame.width)
        left, right = max(between[0], reach[0]), min(between[1], reach[1])
        strip = Box(left, expected.y - off, right - left, expected.h + 2 * off)
        return self._stands(key, strip, _TRIES)

    def _expected(self, key: RowPicture, place: Box) -> Box:
        ratio = self.scale / key.scale
        picture, _ = key.at(ratio)
        height, width = picture.shape
        return Box(place.x + round(key.dx * ratio), place.y + round(key.dy * ratio), width, height)

    def _stands(self, key: RowPicture, area: Box, tries: int) -> bool:
        """Return True if a key stands in an area of the screenshot, by its best places there."""
        picture, run = key.at(self.scale / key.scale)
        area = area.within(self.frame.part(None))
        height, width = picture.shape
        if area.w < width or area.h < height:
            return False
        shown = self.frame.gray[area.y : area.bottom, area.x : area.right]
        scores = np.nan_to_num(cv2.matchTemplate(shown, picture, cv2.TM_CCOEFF_NORMED))
        allowance = BESIDE if key.scale == self.scale else RESIZED
        for _ in range(tries):
            _, best, _, (x, y) = cv2.minMaxLoc(scores)
            if best < _ALIKE:
                return False
            place = Box(area.x + x, area.y + y, width, height)
            if strangeness(run, self.frame.gray, place, allowance) <= 1:
                return True
            scores[:, max(x - width // 2, 0) : x + width // 2 + 1] = -1
        return False


def _row(place: Box, places: Sequence[Box], width: int) -> tuple[int, int]:
    """Return how far a place's row reaches: midway to the equal places in the same row."""
    left, right = neighbours(place, places)
    return (
        0 if left is None else (left + place.x) // 2,
        width if right is None else (place.right + right) // 2,
    )
