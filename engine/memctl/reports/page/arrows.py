"""Arrows of the graph's picture, as paths of SVG, and room for their labels."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Point = tuple[float, float]

_RADIUS = 7.0  # of an arrow's corners, in pixels
_SWING = 80.0  # how far a curve leaves its screen before it turns

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_BESIDE = 5.0  # pixels between a line and a label beside it
_FRACTIONS = (0.5, 0.3, 0.7, 0.15, 0.85)  # where along a stretch a label may stand
# What a square pixel over something else costs, what another arrow through the label costs, and
# each further choice: the middle of the longest stretch comes first.
_COVERED, _CROSSED, _LATER = 3.0, 60.0, 4.0


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
    """Return the point on the line from a corner to another where its rounding begins."""
    across, down = other[0] - corner[0], other[1] - corner[1]
    length = max(abs(across), abs(down), 1e-9)
    part = min(_RADIUS, length / 2) / length
    return corner[0] + across * part, corner[1] + down * part


def place_labels(
    lines: Sequence[Sequence[Point]],
    sizes: Sequence[Point],
    taken: Sequence[Box],
    inside: Box,
) -> list[Point]:
    """Return where the middle of each arrow's label goes.

    Parameters
    ----------
    lines
        The corners of each arrow, two or more; the first arrow chooses first.
    sizes
        Width and height of its label.
    taken
        The screens.
    inside
        The picture.

    Notes
    -----
    Greedy: each label takes the candidate at its arrow that covers least of what is there.
    """
    full = list(taken)
    middles = []
    for number, (line, size) in enumerate(zip(lines, sizes, strict=True)):
        others = [part for n, each in enumerate(lines) if n != number for part in _stretches(each)]
        best, middle = inf, (0.0, 0.0)
        for rank, candidate in enumerate(_candidates(line, size)):
            if _LATER * rank >= best:
                break  # a further choice costs more, whatever it covers
            box = _box(candidate, size)
            cost = _covered(box, full, others) + _COVERED * _outside(box, inside) + _LATER * rank
            if cost < best:
                best, middle = cost, candidate
        full.append(_box(middle, size))
        middles.append(middle)
    return middles


def _candidates(line: Sequence[Point], size: Point) -> Iterator[Point]:
    stretches = sorted(_stretches(line), key=_length, reverse=True)
    for (x1, y1), (x2, y2) in stretches:
        upright = abs(y2 - y1) > abs(x2 - x1)
        aside, above = size[0] / 2 + _BESIDE, size[1] / 2 + _BESIDE
        for fraction in _FRACTIONS:
            x, y = x1 + (x2 - x1) * fraction, y1 + (y2 - y1) * fraction
            yield from (
                ((x + aside, y), (x - aside, y), (x, y))
                if upright
                else ((x, y), (x, y - above), (x, y + above))
            )


def _stretches(line: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(pairwise(line))


def _length(stretch: tuple[Point, Point]) -> float:
    (x1, y1), (x2, y2) = stretch
    return abs(x2 - x1) + abs(y2 - y1)


def _box(middle: Point, size: Point) -> Box:
    (x, y), (width, height) = middle, size
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _covered(box: Box, full: Sequence[Box], others: Sequence[tuple[Point, Point]]) -> float:
    overlap = sum(_overlap(box, other) for other in full)
    # Arrows run along the axes: a stretch is a box without an inside.
    crossed = sum(
        min(x1, x2) < box[2]
        and max(x1, x2) > box[0]
        and min(y1, y2) < box[3]
        and max(y1, y2) > box[1]
        for (x1, y1), (x2, y2) in others
    )
    return _COVERED * overlap + _CROSSED * crossed


def _outside(box: Box, inside: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, inside)


def _overlap(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)
