"""Where a label ends: what is blank beyond the edges of its box.

A box may stand tight around its word: "Ann" is in "Anna" and "Save" in "Save as" with every
pixel. What tells them apart stands outside of the box.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.identity.ink_mask import ink_of

if TYPE_CHECKING:
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Pixels

_FAR = 0.8  # of the height of the ink: a space, and the first stroke after it
_PLAIN = 12  # gray levels that blank paper differs by
_INK = 0.5  # share of the ink's contrast from which a pixel beyond the box is ink


def blank_beside(gray: Pixels, box: Box) -> tuple[int, int]:
    """Return the pixels without ink beyond the left and the right edge of a box.

    Counted from the edge to the first column with ink in the rows of the label, at most as far
    as another word of the same text would begin; nothing beyond the screenshot is ink.
    """
    crop = np.ascontiguousarray(gray[box.y : box.bottom, box.x : box.right])
    _, ink, unit = ink_of(crop)
    rows = np.flatnonzero(ink.any(axis=1))
    if not rows.size:
        return 0, 0
    columns = np.flatnonzero(ink.any(axis=0))
    far = round(_FAR * (int(rows[-1]) - int(rows[0]) + 1)) + 2
    top, bottom = box.y + int(rows[0]), box.y + int(rows[-1]) + 1
    left = gray[top:bottom, max(box.x - far, 0) : box.x][:, ::-1]
    right = gray[top:bottom, box.right : box.right + far]
    paper = float(np.median(crop[~ink])) if (~ink).any() else 0.0
    reach = far - int(columns[0]), far - (box.w - 1 - int(columns[-1]))
    return _blank(left, paper, unit, reach[0]), _blank(right, paper, unit, reach[1])


def reach_of(box: Box) -> int:
    """Return how many pixels beyond its edges a box is looked at, at most."""
    return round(_FAR * box.h) + 2


def goes_on(learned: tuple[int, int], now: tuple[int, int]) -> bool:
    """Return True if there is ink beyond a box where there was none when it was learned."""
    return any(here + 1 < then for here, then in zip(now, learned, strict=True))


def is_plain(learned: tuple[int, int], gray: Pixels, box: Box) -> bool:
    """Return True if nothing at all is drawn where it was blank: most boxes stand alone."""
    rows, (left, right) = gray[box.y : box.bottom], learned
    beyond = rows[:, max(box.x - left, 0) : box.x], rows[:, box.right : box.right + right]
    return all(part.size == 0 or int(part.max()) - int(part.min()) <= _PLAIN for part in beyond)


def _blank(beyond: Pixels, paper: float, unit: float, reach: int) -> int:
    """Count columns without ink, at most `reach`."""
    reach = max(reach, 0)
    drawn = (np.abs(beyond.astype(np.float32) - paper) > _INK * unit).any(axis=0)[:reach]
    first = np.flatnonzero(drawn)
    return int(first[0]) if first.size else reach
