"""Cells: which part of a screenshot belongs to each of some look-alikes, and its contents.

Ten equal buttons stand in ten rows of a table or on ten cards. The cell of each is cut from
its neighbours' where a line is drawn between them, and where none is, where most is blank.
"""

from __future__ import annotations

from functools import cached_property
from itertools import compress
from statistics import median_low
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np

from memctl.visual.box_arrays import as_array
from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels

Key = TypeVar("Key")
_Span = tuple["int | None", "int | None"]

_EDGE = 16  # gray levels between neighbours (3 x 3) that are not flat
_DOWN, _ACROSS = 0.85, 0.60  # share of a vertical and of a horizontal line that is not flat
_PANEL = 0.9  # share of the window's height that the edge of a panel takes
_AROUND = 10  # pixels above and below a component in which a vertical line must run
_FARTHEST = 240  # pixels that the cell of one without a neighbour on that side reaches
_WORDS_APART = 15  # pixels between words of one run
_LINES_APART = 4  # pixels between parts of one line of text
_LONGEST = 90  # pixels: what is longer and thin is a line
_LEAST, _MOST = 6, 64  # height of a run, in pixels
_NARROWEST = 3  # pixels: a digit is a run


class Edges:
    """The pixels of a screenshot that are not flat: its lines and its runs of ink.

    ``gray``: ``(H, W)`` uint8. ``hidden``: boxes that no picture may be taken of.
    """

    def __init__(self, gray: Pixels, hidden: Iterable[Box] = ()) -> None:
        self._gray = gray
        self._hidden = tuple(hidden)
        self.height, self.width = gray.shape

    @cached_property
    def drawn(self) -> NDArray[np.bool_]:
        """``(H, W)``: True where a pixel's neighbours differ."""
        kernel = np.ones((3, 3), np.uint8)
        return np.asarray(
            cv2.dilate(self._gray, kernel) - cv2.erode(self._gray, kernel) > _EDGE, np.bool_
        )

    @cached_property
    def _ink(self) -> NDArray[np.uint8]:
        """``(H, W)``: 1 where there is ink and neither a line nor a hidden box."""
        drawn = self.drawn.astype(np.uint8)
        for shape in ((_LONGEST, 1), (1, _LONGEST)):
            lines = cv2.morphologyEx(drawn, cv2.MORPH_OPEN, np.ones(shape[::-1], np.uint8))
            drawn[cv2.dilate(lines, np.ones((3, 3), np.uint8)) > 0] = 0
        for box in self._hidden:
            drawn[max(box.y, 0) : box.bottom, max(box.x, 0) : box.right] = 0
        return drawn

    @cached_property
    def _panels(self) -> NDArray[np.intp]:
        """The columns of panels' edges."""
        return np.flatnonzero(self.drawn.mean(axis=0) >= _PANEL)

    def panel(self, box: Box) -> tuple[int, int]:
        """Return left and right of the panel around a box.

        The edges of panels, such as a side bar's, run down (nearly) the whole window; the
        lines of a table do not.
        """
        left, right = (
            self._panels[self._panels < box.x],
            self._panels[self._panels >= box.right],
        )
        return int(left[-1]) + 1 if left.size else 0, int(right[0]) if right.size else self.width

    def cut_across(self, top: int, bottom: int, left: int, right: int) -> int:
        """Return the row that separates the part above from the part below."""
        return top + _cut(self.drawn[top:bottom, left:right], 1, _ACROSS)

    def cut_down(self, top: int, bottom: int, left: int, right: int) -> int:
        """Return the column that separates the left part from the right part."""
        return left + _cut(self.drawn[top:bottom, left:right], 0, _DOWN)

    def runs(self, area: Box, without: Iterable[Box]) -> list[Box]:
        """Return the runs of ink in an area, such as words, from the top.

        ``without``: boxes in it that are no runs: the look-alikes themselves.
        """
        ink = self._ink[area.y : area.bottom, area.x : area.right].copy()
        for box in without:
            ink[
                max(box.y - area.y - 1, 0) : max(box.bottom - area.y + 1, 0),
                max(box.x - area.x - 1, 0) : max(box.right - area.x + 1, 0),
            ] = 0
        joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, _WORDS_APART), np.uint8))
        joined = cv2.morphologyEx(joined, cv2.MORPH_CLOSE, np.ones((_LINES_APART, 1), np.uint8))
        # Their outlines are found in a fifth of the time that labelling every pixel takes.
        lines, tree = cv2.findContours(joined, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        outer = tree[0, :, 3] < 0 if lines else ()
        result = [
            Box(x + area.x, y + area.y, w, h)
            for line in compress(lines, outer)
            for x, y, w, h in [cv2.boundingRect(line)]
            if _LEAST <= h <= _MOST and w >= _NARROWEST
        ]
        return sorted(result, key=lambda box: (box.y, box.x))


def _cut(drawn: NDArray[np.bool_], axis: int, least: float) -> int:
    """Return where to cut: midway between the outer lines, or in the longest blank run."""
    counts = drawn.sum(axis=axis)
    lines = np.flatnonzero(counts >= least * max(drawn.shape[axis], 1))
    if lines.size:
        return int(lines[0] + lines[-1] + 1) // 2
    blank = np.flatnonzero(counts == 0)
    if not blank.size:
        return int(drawn.shape[1 - axis]) // 2
    ends = np.flatnonzero(np.diff(blank) > 1)
    starts = np.concatenate(([0], ends + 1))
    stops = np.concatenate((ends, [blank.size - 1]))
    longest = int((stops - starts).argmax())
    return int(blank[starts[longest]] + blank[stops[longest]] + 1) // 2


def cells_of(edges: Edges, alike: Mapping[int, Box], window: Box) -> dict[int, Box]:
    """Return the cell of each look-alike: the part of the window that belongs to it.

    ``alike``: component id to its place; of one look.
    """
    if len(alike) == 1:
        return {key: box.widened(_FARTHEST, _AROUND).within(window) for key, box in alike.items()}
    boxes = [*alike.values()]
    left, above, right, below = neighbours(boxes)
    columns: list[_Span] = []
    for box, before, after in zip(boxes, left, right, strict=True):
        top, bottom = max(box.y - _AROUND, 0), box.bottom + _AROUND
        columns.append(
            (
                None if before is None else edges.cut_down(top, bottom, before, box.x),
                None if after is None else edges.cut_down(top, bottom, box.right, after),
            )
        )
    panels = [edges.panel(box) for box in boxes]
    sides = _completed(columns, [(box.x, box.right) for box in boxes], panels)
    rows: list[_Span] = []
    for box, before, after, (start, end) in zip(boxes, above, below, sides, strict=True):
        left_end = max(start, 0)
        rows.append(
            (
                None if before is None else edges.cut_across(before, box.y, left_end, end),
                None if after is None else edges.cut_across(box.bottom, after, left_end, end),
            )
        )
    reach = [(box.y - _FARTHEST, box.bottom + _FARTHEST) for box in boxes]
    spans = _completed(rows, [(box.y, box.bottom) for box in boxes], reach)
    return {
        key: Box(x, y, max(end - x, 1), max(bottom - y, 1)).within(window)
        for key, (x, end), (y, bottom) in zip(alike, sides, spans, strict=True)
    }


def in_line(boxes: Mapping[Key, Box], alike: Iterable[Box]) -> dict[Key, Box]:
    """Return the boxes above and below some that are as large: in rows between theirs.

    A switch that is on has a row between two that are off, and looks like them once it is off.
    """
    columns = {(box.x, box.w, box.h) for box in alike}
    return {key: box for key, box in boxes.items() if (box.x, box.w, box.h) in columns}


def neighbours(boxes: Sequence[Box]) -> list[list[int | None]]:
    """Return how far it is to the nearest box on each side: left, above, right and below.

    To the left that box's right edge, above its bottom, to the right its left edge, below its top,
    for each box; only boxes that share pixel rows (or columns) count; None where there is none.
    """
    x, y, w, h = as_array(boxes).T
    right, bottom = x + w, y + h
    result: list[list[int | None]] = [[], [], [], []]
    for box in boxes:
        row = (y < box.bottom) & (bottom > box.y)
        column = (x < box.right) & (right > box.x)
        ends = (
            right[row & (right <= box.x)],
            bottom[column & (bottom <= box.y)],
            x[row & (x >= box.right)],
            y[column & (y >= box.bottom)],
        )
        for side, values in enumerate(ends):
            nearest = values.max if side < 2 else values.min  # noqa: PLR2004  (left and above)
            result[side].append(int(nearest()) if values.size else None)
    return result


def _completed(
    spans: Sequence[_Span],
    starts: Sequence[tuple[int, int]],
    limits: Sequence[tuple[int, int]],
) -> list[tuple[int, int]]:
    """Give those without a neighbour on a side the usual reach of the others, or their limit."""
    result = []
    for side in (0, 1):
        cuts = [span[side] for span in spans]
        known = [
            cut - start[side] for cut, start in zip(cuts, starts, strict=True) if cut is not None
        ]
        usual = median_low(known) if known else None
        result.append(
            [
                cut if cut is not None else limit[side] if usual is None else start[side] + usual
                for cut, start, limit in zip(cuts, starts, limits, strict=True)
            ]
        )
    return list(zip(*result, strict=True))
