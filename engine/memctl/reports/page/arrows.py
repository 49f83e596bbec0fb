"""The lines of arrows, as paths of SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Point", "back_and_forth", "rounded"]

Point = tuple[float, float]

_RADIUS = 7.0  # of an arrow's corners, in pixels
_SWING = 80.0  # how far a curve leaves its screen before it turns


def rounded(points: Sequence[Point]) -> str:
    """Return a path along two or more `points` whose corners are rounded off."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        enter, leave = _towards(corner, before), _towards(corner, after)
        parts.append(
            f"L{enter[0]:.1f} {enter[1]:.1f}"
            f"Q{corner[0]:.1f} {corner[1]:.1f} {leave[0]:.1f} {leave[1]:.1f}"
        )
    parts.append(f"L{points[-1][0]:.1f} {points[-1][1]:.1f}")
    return "".join(parts)


def back_and_forth(tail: Point, tip: Point, *, forward: bool) -> tuple[str, Point]:
    """Return a curve from the right side of a screen, and its middle.

    `forward`: to the left side of a screen further right; else it turns back to a right side.
    """
    swing = _SWING if forward else -_SWING
    one, other = (tail[0] + _SWING, tail[1]), (tip[0] - swing, tip[1])
    path = (
        f"M{tail[0]:.1f} {tail[1]:.1f}"
        f"C{one[0]:.1f} {one[1]:.1f} {other[0]:.1f} {other[1]:.1f} {tip[0]:.1f} {tip[1]:.1f}"
    )
    # Where a cubic Bezier curve is at one half.
    x, y = ((tail[axis] + 3 * one[axis] + 3 * other[axis] + tip[axis]) / 8 for axis in range(2))
    return path, (x, y)


def _towards(corner: Point, other: Point) -> Point:
    """Return the point on the way from a corner to another where its rounding begins."""
    across, down = other[0] - corner[0], other[1] - corner[1]
    length = max(abs(across), abs(down), 1e-9)
    part = min(_RADIUS, length / 2) / length
    return corner[0] + across * part, corner[1] + down * part
