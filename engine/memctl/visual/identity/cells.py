"""Cells: which part of a screenshot belongs to each of some twins.

Ten equal buttons stand in ten rows of a table or on ten cards. The cell of each is cut from
its neighbours' where a line is drawn between them, and where none is, where most is blank.
"""

from __future__ import annotations

from functools import cached_property
from statistics import median_low
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels

_Span = tuple["int | None", "int | None"]

_EDGE = 16  # gray levels between neighbours (3 x 3) that are not flat
_DOWN, _ACROSS = 0.85, 0.60  # share of a vertical and of a horizontal line that is not flat
_PANEL = 0.9  # share of the window's height that the edge of a panel takes
_AROUND = 10  # pixels above and below a twin in which a vertical line must run
_FARTHEST = 240  # pixels that the cell of a twin without a neighbour on that side reaches


class Edges:
    """The pixels of a screenshot that are not flat.

    Parameters
    ----------
    gray
        ``(H, W)`` uint8.
    """

    def __init__(self, gray: Pixels) -> None:
        self._gray = gray
        self.height, self.width = gray.shape

    @cached_property
    def drawn(self) -> NDArray[np.bool_]:
        """``(H, W)``: True where a pixel's neighbours differ."""
        kernel = np.ones((3, 3), np.uint8)
        return np.asarray(
            cv2.dilate(self._gray, kernel) - cv2.erode(self._gray, kernel) > _EDGE, np.bool_
        )

    @cached_property
    def _panels(self) -> NDArray[np.intp]:
        """The columns of panels' edges."""
        return np.flatnonzero(self.drawn.mean(axis=0) >= _PANEL)

    def panel(self, box: Box) -> tuple[int, int]:
        """Return left and right of the panel that a box stands in.

        The edges of panels, such as a side bar's, run down (nearly) the whole window; the
        lines of a table do not.
        """
        left, right = (
            self._panels[self._panels < box.x],
            self._panels[self._panels >= box.right],
        )
        return int(left[-1]) + 1 if left.size else 0, int(right[0]) if right.size else self.width

    def cut_across(self, top: int, bottom: int, left: int, right: int) -> int:
        """Return the row at which to part what is above from what is below."""
        part = self.drawn[top:bottom, left:right]
        return top + _cut(part, 1, _ACROSS)

    def cut_down(self, top: int, bottom: int, left: int, right: int) -> int:
        """Return the column at which to part what is left from what is right."""
        part = self.drawn[top:bottom, left:right]
        return left + _cut(part, 0, _DOWN)


def _cut(drawn: NDArray[np.bool_], axis: int, least: float) -> int:
    """Return where to cut: midway between the outer lines, or in the longest blank run."""
    lines = np.flatnonzero(drawn.mean(axis=axis) >= least)
    if lines.size:
        return int(lines[0] + lines[-1] + 1) // 2
    blank = np.flatnonzero(np.count_nonzero(drawn, axis=axis) == 0)
    if not blank.size:
        return int(drawn.shape[1 - axis]) // 2
    runs = np.split(blank, np.flatnonzero(np.diff(blank) > 1) + 1)
    longest = max(runs, key=len)
    return int(longest[0] + longest[-1] + 1) // 2


def cells_of(edges: Edges, twins: Mapping[int, Box], window: Box) -> dict[int, Box]:
    """Return the cell of each twin: the part of the window that belongs to it.

    Parameters
    ----------
    twins
        Component id to its place; of one look.
    """
    if len(twins) == 1:
        return {key: box.widened(_FARTHEST, _AROUND).within(window) for key, box in twins.items()}
    columns = {key: _columns(edges, box, twins.values()) for key, box in twins.items()}
    starts = {key: (box.x, box.right) for key, box in twins.items()}
    panels = {key: edges.panel(box) for key, box in twins.items()}
    sides = _completed(columns, starts, panels)
    rows = {key: _rows(edges, box, twins.values(), sides[key]) for key, box in twins.items()}
    starts = {key: (box.y, box.bottom) for key, box in twins.items()}
    reach = {key: (box.y - _FARTHEST, box.bottom + _FARTHEST) for key, box in twins.items()}
    spans = _completed(rows, starts, reach)
    return {key: _clipped(sides[key], spans[key], window) for key in twins}


def neighbours(box: Box, others: Iterable[Box]) -> tuple[int | None, int | None]:
    """Return where the nearest box to the left ends, and where the nearest to the right begins.

    Only boxes that share pixel rows count; None where there is none.
    """
    beside = [one for one in others if one.y < box.bottom and box.y < one.bottom]
    return (
        max((one.right for one in beside if one.right <= box.x), default=None),
        min((one.x for one in beside if one.x >= box.right), default=None),
    )


def _columns(edges: Edges, box: Box, twins: Iterable[Box]) -> _Span:
    """Return where to cut a twin from those to its left and to its right."""
    left, right = neighbours(box, twins)
    top, bottom = max(box.y - _AROUND, 0), box.bottom + _AROUND
    return (
        None if left is None else edges.cut_down(top, bottom, left, box.x),
        None if right is None else edges.cut_down(top, bottom, box.right, right),
    )


def _rows(edges: Edges, box: Box, twins: Iterable[Box], sides: tuple[int, int]) -> _Span:
    """Return where to cut a twin from those above and below it."""
    column = [one for one in twins if one.x < box.right and box.x < one.right]
    above = max((one.bottom for one in column if one.bottom <= box.y), default=None)
    below = min((one.y for one in column if one.y >= box.bottom), default=None)
    left, right = max(sides[0], 0), sides[1]
    return (
        None if above is None else edges.cut_across(above, box.y, left, right),
        None if below is None else edges.cut_across(box.bottom, below, left, right),
    )


def _completed(
    spans: Mapping[int, _Span],
    starts: Mapping[int, tuple[int, int]],
    limits: Mapping[int, tuple[int, int]],
) -> dict[int, tuple[int, int]]:
    """Give twins without a neighbour on a side the usual reach of the others, or their limit."""
    reach = []
    for side in (0, 1):
        cuts = [(span[side], starts[key][side]) for key, span in spans.items()]
        known = [cut - start for cut, start in cuts if cut is not None]
        reach.append(median_low(known) if known else None)

    def side_of(key: int, side: int) -> int:
        cut, usual = spans[key][side], reach[side]
        if cut is not None:
            return cut
        return limits[key][side] if usual is None else starts[key][side] + usual

    return {key: (side_of(key, 0), side_of(key, 1)) for key in spans}


def _clipped(sides: tuple[int, int], span: tuple[int, int], window: Box) -> Box:
    left, right, top, bottom = *sides, *span
    return Box(left, top, max(right - left, 1), max(bottom - top, 1)).within(window)
