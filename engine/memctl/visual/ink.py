"""What is drawn on a screen outside of its known components, as a coarse grid.

Two short pages inside one large navigation share nearly every component. What tells them
apart is drawn where no component is: a headline, a paragraph, a chart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame

__all__ = ["CELL", "Ink", "uncovered_ink"]

CELL = 16
"""Side of a grid cell, in pixels: about the height of a line of text."""

_EDGE = 20  # gray levels between neighbours that make an edge; shadows and gradients have less
_SHARE = 0.02  # of a cell's pixels on an edge that make it drawn: 5 of 256

Cells = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Ink:
    """Cells of a screen that are drawn on: ``(rows, columns)`` uint8, 0 or 1."""

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

    def agreement(self, remembered: Ink, move: tuple[int, int]) -> tuple[int, int, int]:
        """Count the cells that two screens share and do not share.

        Parameters
        ----------
        remembered
            The other screen.
        move
            How far the page was scrolled since, ``(dx, dy)`` in pixels. A cell may have moved
            with it or, like fixed chrome, have stayed; a scroll by a part of a cell smears it
            over two.

        Returns
        -------
        common, missing, extra
            Cells drawn on both; on the remembered one only, and still on the screen; on this
            one only, where the remembered one could see.
        """
        shape = self.cells.shape
        dx, dy = round(move[0] / CELL), round(move[1] / CELL)
        moved = _shifted(remembered.cells, dx, dy, shape)
        before = _smeared(moved, move) | _shifted(remembered.cells, 0, 0, shape)
        known = _shifted(np.ones_like(remembered.cells), dx, dy, shape)
        here = self.cells & known
        common = int(np.count_nonzero(here & before))
        extra = int(np.count_nonzero(here)) - common
        missing = int(np.count_nonzero(moved & (1 - _smeared(self.cells, move))))
        return common, missing, extra


def uncovered_ink(frame: Frame, window: Box, covered: Iterable[Box], *, scale: float = 1.0) -> Ink:
    """Return what is drawn in `window` outside of the `covered` boxes.

    A cell is 16 pixels at device-pixel ratio 1, so `scale` times that on the screenshot.
    """
    gray = frame.gray[window.y : window.bottom, window.x : window.right]
    height, width = (max(int(side / (CELL * scale)), 1) for side in gray.shape)
    drawn = _edges(gray)
    for box in covered:
        top, left = max(box.y - window.y - 1, 0), max(box.x - window.x - 1, 0)
        drawn[top : box.bottom - window.y + 1, left : box.right - window.x + 1] = 0
    used = drawn[: max(round(height * CELL * scale), 1), : max(round(width * CELL * scale), 1)]
    share = cv2.resize(used, (width, height), interpolation=cv2.INTER_AREA)
    return Ink((share > _SHARE).astype(np.uint8))


def _edges(gray: NDArray[np.uint8]) -> NDArray[np.float32]:
    steps = np.zeros(gray.shape, dtype=np.uint8)
    if gray.shape[1] > 1:
        steps[:, 1:] = cv2.absdiff(gray[:, 1:], gray[:, :-1]).reshape(gray[:, 1:].shape)
    if gray.shape[0] > 1:
        down = cv2.absdiff(gray[1:], gray[:-1]).reshape(gray[1:].shape)
        steps[1:] = np.maximum(steps[1:], down)
    return (steps > _EDGE).astype(np.float32)


def _shifted(cells: Cells, dx: int, dy: int, shape: tuple[int, ...]) -> Cells:
    """Return the cells moved by whole cells into a grid of another shape, 0 where none were."""
    made = np.zeros(shape, dtype=np.uint8)
    rows, columns = shape
    top, left = max(dy, 0), max(dx, 0)
    part = cells[max(-dy, 0) : max(-dy, 0) + max(rows - top, 0)]
    part = part[:, max(-dx, 0) : max(-dx, 0) + max(columns - left, 0)]
    made[top : top + part.shape[0], left : left + part.shape[1]] = part
    return made


def _smeared(cells: Cells, move: tuple[int, int]) -> Cells:
    """Return the cells, each widened along an axis that was not scrolled by whole cells."""
    kernel = np.ones((3 if move[1] % CELL else 1, 3 if move[0] % CELL else 1), dtype=np.uint8)
    return np.asarray(cv2.dilate(cells, kernel), dtype=np.uint8)
