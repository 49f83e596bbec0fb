"""Moves that things on a screen agree on: a scroll, or a window elsewhere."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Point = tuple[int, int]

_STEP = 4  # pixels within which moves vote together


def agreed_moves(moves: Sequence[Point], least: float) -> list[Point]:
    """Return the moves, ``(dx, dy)`` in pixels, that at least so many agree on: most votes first.

    Each is the median of those that vote for it. Fixed chrome does not move when a page scrolls,
    so a caller leaves out what stood still: it does not outvote a scroll.
    """
    counts = Counter((round(dx / _STEP), round(dy / _STEP)) for dx, dy in moves)
    found = []
    for (across, down), _ in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        near = [
            (dx, dy)
            for dx, dy in moves
            if abs(dx - across * _STEP) <= _STEP and abs(dy - down * _STEP) <= _STEP
        ]
        if len(near) >= least:
            middle = len(near) // 2
            median = sorted(dx for dx, _ in near)[middle], sorted(dy for _, dy in near)[middle]
            found.append(median)
    return found
