"""Whether two screenshots of one page get the same boxes where their pixels are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from benchmarks.proposals.rivals import Found
    from memctl.visual.frame import Frame

__all__ = ["agreement"]

MARGIN = 24


def agreement(first: Frame, second: Frame, one: Found, other: Found, dy: int) -> tuple[int, int]:
    """Count boxes of ``one`` that recur in ``other``, moved up by ``dy`` rows.

    Returns
    -------
    tuple
        How many recur exactly, of how many whose surroundings (24 pixels) are pixel-identical.
    """
    there = {tuple(map(int, box)) for box in other}
    same = comparable = 0
    for x, y, w, h in ((int(a), int(b), int(c), int(d)) for a, b, c, d in one):
        left, right = max(x - MARGIN, 0), min(x + w + MARGIN, first.width)
        top, bottom = y - MARGIN, y + h + MARGIN
        if top - dy < 0 or top < 0 or bottom > first.height or bottom - dy > second.height:
            continue
        before = first.bgr[top:bottom, left:right]
        if not np.array_equal(before, second.bgr[top - dy : bottom - dy, left:right]):
            continue
        comparable += 1
        same += (x, y - dy, w, h) in there
    return same, comparable
