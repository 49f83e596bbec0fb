"""Runs of ink: the words and pictures that stand in the cells of twins."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from memctl.visual.identity.cells import Edges

_WORDS_APART = 15  # pixels between words of one run
_LINES_APART = 4  # pixels between parts of one line of text
_LONGEST = 90  # pixels: what is longer and thin is a line
_LEAST, _MOST = 6, 64  # height of a run, in pixels
_NARROWEST = 3  # pixels: a digit is a run


class InkRuns:
    """The runs of ink of one screenshot.

    Parameters
    ----------
    edges
        The screenshot's pixels that are not flat.
    hidden
        Boxes that no picture may be taken of.
    """

    def __init__(self, edges: Edges, hidden: Iterable[Box] = ()) -> None:
        self._edges = edges
        self._hidden = tuple(hidden)

    @cached_property
    def _drawn(self) -> NDArray[np.uint8]:
        """``(H, W)``: 1 where there is ink and neither a line nor a hidden box."""
        drawn = self._edges.drawn.astype(np.uint8)
        for shape in ((_LONGEST, 1), (1, _LONGEST)):
            lines = cv2.morphologyEx(drawn, cv2.MORPH_OPEN, np.ones(shape[::-1], np.uint8))
            drawn[cv2.dilate(lines, np.ones((3, 3), np.uint8)) > 0] = 0
        for box in self._hidden:
            drawn[max(box.y, 0) : box.bottom, max(box.x, 0) : box.right] = 0
        return drawn

    def within(self, cell: Box, twins: Iterable[Box]) -> list[Box]:
        """Return the runs in a cell without the twins themselves, in reading order."""
        drawn = self._drawn[cell.y : cell.bottom, cell.x : cell.right].copy()
        for box in twins:
            drawn[
                max(box.y - cell.y - 1, 0) : max(box.bottom - cell.y + 1, 0),
                max(box.x - cell.x - 1, 0) : max(box.right - cell.x + 1, 0),
            ] = 0
        joined = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, np.ones((1, _WORDS_APART), np.uint8))
        joined = cv2.morphologyEx(joined, cv2.MORPH_CLOSE, np.ones((_LINES_APART, 1), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        found = [Box(*stats[i, :4].tolist()) for i in range(1, len(stats)) if _counts(stats[i])]
        return sorted((box.moved(cell.x, cell.y) for box in found), key=lambda box: (box.y, box.x))


def _counts(stats: NDArray[np.int32]) -> bool:
    width, height = int(stats[cv2.CC_STAT_WIDTH]), int(stats[cv2.CC_STAT_HEIGHT])
    return _LEAST <= height <= _MOST and width >= _NARROWEST
