"""What is drawn on a screen outside of its known components, as a coarse grid.

Two short pages inside one large navigation share nearly every component. What tells them
apart is drawn where no component is: a headline, a paragraph, a chart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame

__all__ = ["CELL", "Drawing", "Ink", "uncovered_ink"]

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
        """Return what `packed` made. Raises ValueError when it is cut short."""
        rows, columns = int.from_bytes(packed[:2]), int.from_bytes(packed[2:4])
        bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8, offset=4))
        return cls(bits[: rows * columns].reshape(rows, columns))


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn on a screen, to be compared with remembered grids.

    Parameters
    ----------
    edges
        ``(H, W)`` float32, 1 where a pixel is on an edge.
    scale
        Pixels of `edges` to a pixel at device-pixel ratio 1.
    """

    edges: NDArray[np.float32]
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
        return np.stack([_tiled(cells, tiles) for cells in counts])

    def _share(self, start: Move) -> NDArray[np.float32]:
        """Return the share of edge pixels in each cell of a grid that starts at ``(x, y)``."""
        if start not in self._shares:
            side = CELL * self.scale
            left, top = (round(part * self.scale) for part in start)
            edges = self.edges[top:, left:]
            rows, columns = (max(int(length / side), 1) for length in edges.shape)
            used = edges[: max(round(rows * side), 1), : max(round(columns * side), 1)]
            share = cv2.resize(used, (columns, rows), interpolation=cv2.INTER_AREA)
            self._shares[start] = np.asarray(share, dtype=np.float32)
        return self._shares[start]


def uncovered_ink(
    frame: Frame, window: Box, covered: Iterable[Box], *, scale: float = 1.0
) -> Drawing:
    """Return what is drawn in `window` outside of the `covered` boxes.

    A cell is 16 pixels at device-pixel ratio 1, so `scale` times that on the screenshot.
    """
    gray = frame.gray[window.y : window.bottom, window.x : window.right]
    drawn = _edges(gray)
    # The outline of a component and, at a larger ratio, its soft edge and a place off by one.
    rim = math.ceil(scale)
    for box in covered:
        top, left = max(box.y - window.y - rim, 0), max(box.x - window.x - rim, 0)
        drawn[top : box.bottom - window.y + rim, left : box.right - window.x + rim] = 0
    return Drawing(drawn, scale)


def _edges(gray: NDArray[np.uint8]) -> NDArray[np.float32]:
    steps = np.zeros(gray.shape, dtype=np.uint8)
    if gray.shape[1] > 1:
        steps[:, 1:] = cv2.absdiff(gray[:, 1:], gray[:, :-1]).reshape(gray[:, 1:].shape)
    if gray.shape[0] > 1:
        down = cv2.absdiff(gray[1:], gray[:-1]).reshape(gray[1:].shape)
        steps[1:] = np.maximum(steps[1:], down)
    return (steps > _EDGE).astype(np.float32)


def _shifted(cells: Cells, dx: int, dy: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the cells moved by whole cells into a grid of another shape, 0 where none were."""
    made = np.zeros(shape, dtype=np.bool_)
    rows, columns = shape
    top, left = max(dy, 0), max(dx, 0)
    part = cells[max(-dy, 0) : max(-dy, 0) + max(rows - top, 0)]
    part = part[:, max(-dx, 0) : max(-dx, 0) + max(columns - left, 0)]
    made[top : top + part.shape[0], left : left + part.shape[1]] = part
    return made


def _tiled(cells: NDArray[np.bool_], tiles: tuple[int, ...]) -> NDArray[np.int64]:
    """Return how many cells of each tile are set."""
    whole = np.zeros((tiles[0] * _TILE, tiles[1] * _TILE), dtype=np.int64)
    whole[: cells.shape[0], : cells.shape[1]] = cells
    counts = whole.reshape(tiles[0], _TILE, tiles[1], _TILE).sum(axis=(1, 3))
    return np.asarray(counts, dtype=np.int64)


def _fit(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the Jaccard index of each tile; one on which nothing is drawn fits."""
    drawn = counts.sum(axis=0)
    return np.where(drawn > 0, counts[0] / np.maximum(drawn, 1), 1.0)
