"""Moves between two pictures: a part that scrolled, and single things that stand elsewhere."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.visual.differences.regions import Mask
    from memctl.visual.frame import Pixels

_PATCH = (64, 32)  # columns and rows that are looked for along a line
_DRAWN = 12.0  # standard deviation of the gray values of a patch that is worth looking for
_SURE = 0.98  # correlation at which a patch is the same
_MOVED = 0.95  # correlation at which a thing is the same elsewhere
_VOTES, _SHARE = 5, 0.4  # patches, and share of those found, that agree on one move


@dataclass(frozen=True, slots=True)
class Scroll:
    """A part of the first picture, and its move to where it stands in the second, in pixels."""

    area: Box
    move: tuple[int, int]


def scroll_between(a: Pixels, b: Pixels, mask: Mask) -> Scroll | None:
    """Return the part that moved up, down or sideways as one, if there is one.

    Parameters
    ----------
    a, b
        ``(H, W)`` uint8 of one size.
    mask
        True where they differ.
    """
    moves: dict[Box, tuple[int, int]] = {}
    for patch in _patches(a, mask):
        move = _move_of(patch, a, b)
        if move is not None:
            moves[patch] = move
    votes = Counter(move for move in moves.values() if move != (0, 0))
    if not votes:
        return None
    (move, count), *_ = sorted(votes.items(), key=lambda item: (-item[1], item[0]))
    if count < max(_VOTES, _SHARE * len(moves)):
        return None
    own = [patch for patch, its in moves.items() if its == move]
    x, y = min(one.x for one in own), min(one.y for one in own)
    area = Box(x, y, max(one.right for one in own) - x, max(one.bottom for one in own) - y)
    return Scroll(_grown(area, mask), move)


def place_of(thing: Pixels, b: Pixels, near: Sequence[Box]) -> tuple[Box, float] | None:
    """Return the best place of a thing in or around some boxes of a picture, and its correlation.

    ``None`` where it is at none of them.
    """
    height, width = thing.shape[:2]
    best: tuple[Box, float] | None = None
    for box in near:
        around = box.widened(width, height).clipped(b.shape[1], b.shape[0])
        if around.w < width or around.h < height:
            continue
        part = b[around.y : around.bottom, around.x : around.right]
        scores = cv2.matchTemplate(part, thing, cv2.TM_CCOEFF_NORMED)
        _, score, _, (x, y) = cv2.minMaxLoc(scores)
        place = Box(around.x + x, around.y + y, width, height)
        if score >= _MOVED and (best is None or score > best[1]) and place.overlap(box):
            best = place, float(score)
    return best


def _patches(a: Pixels, mask: Mask) -> Iterator[Box]:
    width, height = _PATCH
    for y in range(0, a.shape[0] - height + 1, height):
        for x in range(0, a.shape[1] - width + 1, width):
            changed = mask[y : y + height, x : x + width].any()
            if changed and float(a[y : y + height, x : x + width].std()) > _DRAWN:
                yield Box(x, y, width, height)


def _move_of(patch: Box, a: Pixels, b: Pixels) -> tuple[int, int] | None:
    """Return how far a patch moved along its column or its row; None where it is in neither."""
    own = a[patch.y : patch.bottom, patch.x : patch.right]
    column = cv2.matchTemplate(b[:, patch.x : patch.right], own, cv2.TM_CCOEFF_NORMED)[:, 0]
    row = cv2.matchTemplate(b[patch.y : patch.bottom], own, cv2.TM_CCOEFF_NORMED)[0]
    down, across = int(column.argmax()), int(row.argmax())
    if max(column[down], row[across]) < _SURE:
        return None
    if column[down] >= row[across]:
        return 0, down - patch.y
    return across - patch.x, 0


def _grown(area: Box, mask: Mask) -> Box:
    """Return an area grown to what changed in its rows and columns, a gap of 48 px ending it."""
    rows = np.asarray(mask[:, area.x : area.right].any(axis=1))
    columns = np.asarray(mask[area.y : area.bottom].any(axis=0))
    top, bottom = _reach(rows, area.y, area.bottom)
    left, right = _reach(columns, area.x, area.right)
    return Box(left, top, right - left, bottom - top)


def _reach(changed: Mask, start: int, end: int, gap: int = 48) -> tuple[int, int]:
    before = np.flatnonzero(changed[:start])[::-1]
    for at in before:
        if start - at > gap:
            break
        start = int(at)
    for at in np.flatnonzero(changed[end:]) + end:
        if at - end > gap:
            break
        end = int(at) + 1
    return start, end
