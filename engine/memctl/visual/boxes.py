"""Axis-aligned bounding boxes in image pixels."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Box"]


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
        """Whether ``other`` covers this box completely."""
        return (
            self.x >= other.x
            and self.y >= other.y
            and self.right <= other.right
            and self.bottom <= other.bottom
        )

    def moved(self, dx: int, dy: int) -> Box:
        """Return the same rectangle, ``dx`` columns to the right and ``dy`` rows down."""
        return Box(self.x + dx, self.y + dy, self.w, self.h)
