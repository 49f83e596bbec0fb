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
        best, owner = SAME_PLACE, None
        # Two boxes with an IoU above 0.8 have corners within a quarter of a side of each other.
        wide, high = box.w // 4 + 1, box.h // 4 + 1
        rows = range((box.y - high) // _CELL, (box.y + high) // _CELL + 1)
        for column in range((box.x - wide) // _CELL, (box.x + wide) // _CELL + 1):
            for row in rows:
                for other, holder in self._cells.get((column, row), ()):
                    if abs(other.x - box.x) <= wide and abs(other.y - box.y) <= high:
                        shared = box.iou(other)
                        if shared > best:
                            best, owner = shared, holder
        return owner
