"""Boxes found by place, so that ten thousand of them need no fifty million comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.visual.boxes import Box

__all__ = ["SAME_PLACE", "PlaceIndex"]

# Boxes whose IoU is above this are one place on the screen. A link and the text in it stay two.
SAME_PLACE = 0.8
_CELL = 32


class PlaceIndex:
    """Boxes in a coarse grid of their corners, each with the number of who has it."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[Box, int]]] = {}

    def add(self, box: Box, owner: int) -> None:
        """Note that `owner` has this place."""
        self._cells.setdefault((box.x // _CELL, box.y // _CELL), []).append((box, owner))

    def owner(self, box: Box) -> int | None:
        """Return who has the same place as `box`, ``None`` for nobody."""
        found = self._around(box)
        best = max(found, key=lambda pair: box.iou(pair[0]), default=None)
        return best[1] if best and box.iou(best[0]) > SAME_PLACE else None

    def _around(self, box: Box) -> list[tuple[Box, int]]:
        # Two boxes with an IoU above 0.8 have corners within a quarter of a side of each other.
        column, row = box.x // _CELL, box.y // _CELL
        wide, high = 1 + box.w // 4 // _CELL, 1 + box.h // 4 // _CELL
        return [
            pair
            for x in range(column - wide, column + wide + 1)
            for y in range(row - high, row + high + 1)
            for pair in self._cells.get((x, y), ())
        ]
