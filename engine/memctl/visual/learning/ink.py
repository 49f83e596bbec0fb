"""Ink: a coarse grid of the cells that a screen draws on outside of its known components.

Two short pages inside one large navigation share nearly every component. They differ
where no component is: by a headline, a paragraph, a chart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame

__all__ = ["CELL", "EdgeMap", "Ink", "uncovered_edges"]

CELL = 16
"""Side of a grid cell, in pixels: about the height of a line of text."""

_EDGE = 20  # gray levels between neighbours that make an edge; shadows and gradients have less
_SHARE = 0.02  # of a cell's pixels on an edge that make it drawn: 5 of 256
# A cell near that share is drawn on one rendering and not on the next: it is missing only below
# half of it, and new only above twice.
_GONE, _NEW = _SHARE / 2, _SHARE * 2
_TILE = 8  # cells a side that scroll, or stay, together

Cells = NDArray[np.uint8]
Move = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Ink:
    """Cells of a remembered screen that are drawn on: ``(rows, columns)`` uint8, 0 or 1."""

    cells: Cells

    def packed(self) -> bytes:
        """Return the grid as bytes: rows and columns, two bytes each, then its bits."""
        rows, columns = self.cells.shape
        return b"".join((rows.to_bytes(2), columns.to_bytes(2), np.packbits(self.cells).tobytes()))

    @classmethod
    def unpacked(cls, packed: bytes) -> Ink:
        """Return the grid that `packed` wrote. Raises ValueError when it is cut short."""
        rows, columns = int.from_bytes(packed[:2]), int.from_bytes(packed[2:4])
        bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8, offset=4))
        return cls(bits[: rows * columns].reshape(rows, columns))


@dataclass(frozen=True, eq=False)
class EdgeMap:
    """The edges of a screen, to be compared with remembered grids of ink.

    Parameters
    ----------
    edges
        ``(H, W)`` uint8, 1 where a pixel is on an edge.
    scale
        Pixels of `edges` to a pixel at device-pixel ratio 1.
    """

    edges: Cells
    scale: float = 1.0
    _shares: dict[Move, NDArray[np.float32]] = field(default_factory=dict)

    @property
    def ink(self) -> Ink:
        """The grid to remember."""
        return Ink((self._share((0, 0)) > _SHARE).astype(np.uint8))

    def agreement(self, remembered: Ink, move: Move) -> tuple[int, int, int]:
        """Count the cells that this screen and a remembered one share and do not share.

        Parameters
        ----------
        remembered
            The other screen.
        move
            How far the page was scrolled since, ``(dx, dy)`` in pixels.

        Returns
        -------
        common, missing, extra
            Cells drawn on both; on the remembered one only, and still on the screen; on this
            one only, where the remembered one could see.

        Notes
        -----
        A page scrolls and the bars around it stay, so each tile of 128 pixels is compared at
        both places, and the place that fits better counts. The grid is laid anew for the
        scroll, so that a cell holds the same pixels as the remembered one did.
        """
        still = self._compared(remembered, (0, 0))
        if move == (0, 0):
            chosen = still
        else:
            moved = self._compared(remembered, move)
            chosen = np.where(_fit(moved) >= _fit(still), moved, still)
        common, missing, extra = (int(count) for count in chosen.sum(axis=(1, 2)))
        return common, missing, extra

    def _compared(self, remembered: Ink, move: Move) -> NDArray[np.int64]:
        """Return common, missing and extra cells of each tile: ``(3, rows, columns)``."""
        (dx, left), (dy, top) = (divmod(side, CELL) for side in move)
        share = self._share((left, top))
        before = _shifted(remembered.cells, dx, dy, share.shape)
        known = _shifted(np.ones_like(remembered.cells), dx, dy, share.shape)
        here = share > _GONE
        counts = (before & here, before & ~here, known & ~before & (share > _NEW))
        tiles = tuple(-(-side // _TILE) for side in self._share((0, 0)).shape)
        return _tiled(counts, tiles)

    @cached_property
    def _sums(self) -> NDArray[np.int32]:
        """Summed-area table of the edges."""
        return np.asarray(cv2.integral(self.edges, sdepth=cv2.CV_32S))

    def _share(self, start: Move) -> NDArray[np.float32]:
        """Return the share of edge pixels in each cell of a grid that starts at ``(x, y)``."""
        if start not in self._shares:
            down, across = (self._lines(start[axis], self.edges.shape[1 - axis]) for axis in (1, 0))
            corners = self._sums[np.ix_(down, across)]
            drawn = np.diff(np.diff(corners, axis=0), axis=1)
            size = np.diff(down)[:, None] * np.diff(across)
            self._shares[start] = (drawn / np.maximum(size, 1)).astype(np.float32)
        return self._shares[start]

    def _lines(self, start: int, length: int) -> NDArray[np.intp]:
        """Return where the cells of one axis begin, and the last one ends, in pixels."""
        side, first = CELL * self.scale, round(start * self.scale)
        cells = max(int((length - first) / side), 1)
        lines = first + np.rint(np.arange(cells + 1) * side).astype(np.intp)
        return np.asarray(np.minimum(lines, length))


def uncovered_edges(
    frame: Frame, window: Box, covered: Iterable[Box], *, scale: float = 1.0
) -> EdgeMap:
    """Return the edges in `window` outside of the `covered` boxes.

    A cell is 16 pixels at device-pixel ratio 1, so `scale` times that on the screenshot.
    """
    gray = frame.gray[window.y : window.bottom, window.x : window.right]
    drawn = _edges(gray)
    # The outline of a component and, at a larger ratio, its soft edge and a place off by one.
    rim = math.ceil(scale)
    for box in covered:
        top, left = max(box.y - window.y - rim, 0), max(box.x - window.x - rim, 0)
        drawn[top : box.bottom - window.y + rim, left : box.right - window.x + rim] = 0
    return EdgeMap(drawn, scale)


def _edges(gray: NDArray[np.uint8]) -> Cells:
    steps = np.zeros(gray.shape, dtype=np.uint8)
    if gray.shape[1] > 1:
        steps[:, 1:] = cv2.absdiff(gray[:, 1:], gray[:, :-1]).reshape(gray[:, 1:].shape)
    if gray.shape[0] > 1:
        down = cv2.absdiff(gray[1:], gray[:-1]).reshape(gray[1:].shape)
        np.maximum(steps[1:], down, out=steps[1:])
    return (steps > _EDGE).view(np.uint8)


def _shifted(cells: Cells, dx: int, dy: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the cells moved by whole cells into a grid of another shape, 0 where none were."""
    made = np.zeros(shape, dtype=np.bool_)
    rows, columns = shape
    top, left = max(dy, 0), max(dx, 0)
    part = cells[max(-dy, 0) : max(-dy, 0) + max(rows - top, 0)]
    part = part[:, max(-dx, 0) : max(-dx, 0) + max(columns - left, 0)]
    made[top : top + part.shape[0], left : left + part.shape[1]] = part
    return made


def _tiled(grids: Sequence[NDArray[np.bool_]], tiles: tuple[int, ...]) -> NDArray[np.int64]:
    """Return how many cells of each tile are set, in each of some grids."""
    rows, columns = grids[0].shape
    whole = np.zeros((len(grids), tiles[0] * _TILE, tiles[1] * _TILE), dtype=np.uint8)
    for cells, grid in zip(whole, grids, strict=True):
        cells[:rows, :columns] = grid
    across = whole.reshape(len(grids), -1, tiles[1], _TILE).sum(axis=3, dtype=np.uint8)
    down = across.reshape(len(grids), tiles[0], _TILE, tiles[1])
    return np.asarray(down.sum(axis=2, dtype=np.int64))


def _fit(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the Jaccard index of each tile; one on which nothing is drawn fits."""
    drawn = counts.sum(axis=0)
    return np.where(drawn > 0, counts[0] / np.maximum(drawn, 1), 1.0)
