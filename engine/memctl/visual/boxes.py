"""Bounding boxes in image pixels, moves that they agree on, and a grid that finds them by place."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.arguments import shown
from memctl.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Move = tuple[int, int]
_STEP = 4  # pixels within which moves vote together


@dataclass(frozen=True, slots=True, order=True)
class Box:
    """A rectangle: left, top, width, height; whole image pixels.

    ``x`` grows to the right and ``y`` downwards; the box covers the columns
    ``x .. x + w - 1`` and the rows ``y .. y + h - 1``.
    """

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """First column to the right of the box."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """First row below the box."""
        return self.y + self.h

    @property
    def xywh(self) -> tuple[int, int, int, int]:
        """Left, top, width and height."""
        return self.x, self.y, self.w, self.h

    @property
    def area(self) -> int:
        """Pixels covered."""
        return self.w * self.h

    @property
    def center(self) -> tuple[float, float]:
        """Middle of the box, in pixels."""
        return self.x + self.w / 2, self.y + self.h / 2

    def overlap(self, other: Box) -> int:
        """Pixels that both boxes cover."""
        width = min(self.right, other.right) - max(self.x, other.x)
        height = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(width, 0) * max(height, 0)

    def iou(self, other: Box) -> float:
        """Intersection over union (the Jaccard index of the two areas), 0 to 1."""
        shared = self.overlap(other)
        return shared / (self.area + other.area - shared) if shared else 0.0

    def inside(self, other: Box) -> bool:
        """Return True if ``other`` covers this box completely."""
        return (
            self.x >= other.x
            and self.y >= other.y
            and self.right <= other.right
            and self.bottom <= other.bottom
        )

    def holds_middle(self, other: Box) -> bool:
        """Return True if the middle of ``other`` lies in this box."""
        x, y = other.center
        return self.x <= x < self.right and self.y <= y < self.bottom

    def gap(self, other: Box) -> tuple[int, int]:
        """Return the pixels between two boxes, across and down; negative where they overlap."""
        across = max(self.x, other.x) - min(self.right, other.right)
        down = max(self.y, other.y) - min(self.bottom, other.bottom)
        return across, down

    def clipped(self, width: int, height: int) -> Box:
        """Return the part inside an image of this size; without pixels if there is none."""
        return self.within(Box(0, 0, width, height))

    def moved(self, dx: int, dy: int) -> Box:
        """Return the same rectangle, ``dx`` columns to the right and ``dy`` rows down."""
        return Box(self.x + dx, self.y + dy, self.w, self.h)

    def widened(self, across: int, down: int) -> Box:
        """Return a box that reaches so many pixels further on each side."""
        return Box(self.x - across, self.y - down, self.w + 2 * across, self.h + 2 * down)

    def within(self, other: Box) -> Box:
        """Return the part inside of another box; without pixels if there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(x, y, max(right - x, 0), max(bottom - y, 0))

    def placed(self, x: int, y: int) -> Box:
        """Return a box of the same size with its left top corner here."""
        return Box(x, y, self.w, self.h)

    def times(self, ratio: float) -> Box:
        """Return a box with its corner and its sides multiplied."""
        return Box(*(round(side * ratio) for side in self.xywh))

    def holds_most_of(self, other: Box) -> bool:
        """Return True if more than half of another box lies in this one."""
        return 2 * self.overlap(other) > other.area


def bounds_of(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all of some."""
    boxes = list(boxes)
    x, y = min(one.x for one in boxes), min(one.y for one in boxes)
    return Box(x, y, max(one.right for one in boxes) - x, max(box.bottom for box in boxes) - y)


def lies_in(box: Box, areas: Iterable[Box]) -> bool:
    """Return True if more than half of a box lies in one of these areas."""
    return any(area.holds_most_of(box) for area in areas)


def agreed_moves(moves: Sequence[Move], least: float) -> Iterator[Move]:
    """Yield the moves, ``(dx, dy)`` in pixels, that at least so many agree on: most votes first.

    Each is the median of those that vote for it. Fixed chrome does not move when a page scrolls,
    so a caller leaves out what stood still: it does not outvote a scroll.
    """
    counts = Counter((round(dx / _STEP), round(dy / _STEP)) for dx, dy in moves)
    for (across, down), _ in sorted(counts.items(), key=lambda count: (-count[1], count[0])):
        near = [
            (dx, dy)
            for dx, dy in moves
            if abs(dx - across * _STEP) <= _STEP and abs(dy - down * _STEP) <= _STEP
        ]
        if len(near) >= least:
            middle = len(near) // 2
            yield sorted(dx for dx, _ in near)[middle], sorted(dy for _, dy in near)[middle]


def checked_box(given: object, what: str) -> Box:
    """Return a box that a user gave as four numbers.

    Raises
    ------
    UsageError
        When it is no four whole numbers, or empty.
    """
    try:
        x, y, w, h = map(operator.index, given)  # type: ignore[call-overload]
    except (TypeError, ValueError) as error:
        raise UsageError(
            f"{what} {shown(given)} is not X,Y,W,H", hint="four whole numbers"
        ) from error
    if w < 1 or h < 1:
        raise UsageError(f"{what} {x},{y},{w},{h} is empty", hint="give X,Y,W,H in image pixels")
    return Box(x, y, w, h)


# Boxes whose IoU is above this are one place on the screen. A link and the text in it stay two.
SAME_PLACE = 0.8
_CELL = 32


class PlaceIndex:
    """Boxes in a coarse grid of their corners, each with the number of who has it.

    Parameters
    ----------
    least
        IoU above which two boxes are one place.
    """

    def __init__(self, least: float = SAME_PLACE) -> None:
        self._least = least
        self._cells: dict[tuple[int, int], list[tuple[Box, int]]] = {}

    def add(self, box: Box, owner: int) -> None:
        """Note that `owner` has this place."""
        self._cells.setdefault((box.x // _CELL, box.y // _CELL), []).append((box, owner))

    def owner(self, box: Box) -> int | None:
        """Return who has the same place as `box`, ``None`` for nobody."""
        best, owner = self._least, None
        # Two boxes with an IoU above 0.8 have corners within a quarter of a side of each other.
        part = 4 if self._least >= SAME_PLACE else 1
        wide, high = box.w // part + 1, box.h // part + 1
        rows = range((box.y - high) // _CELL, (box.y + high) // _CELL + 1)
        for column in range((box.x - wide) // _CELL, (box.x + wide) // _CELL + 1):
            for row in rows:
                for other, holder in self._cells.get((column, row), ()):
                    if abs(other.x - box.x) <= wide and abs(other.y - box.y) <= high:
                        shared = box.iou(other)
                        if shared > best:
                            best, owner = shared, holder
        return owner
