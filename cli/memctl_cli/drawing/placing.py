"""Places of labels and arrows on a marked screenshot: geometry only, no pixels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wish:
    """A label that wants a place beside a frame.

    Parameters
    ----------
    frame
        What it labels; the label never covers it.
    width, height
        Size of the label, in pixels.
    needed
        Whether it may stand on something else when no place is free; otherwise it is left out.
    """

    frame: Box
    width: int
    height: int
    needed: bool


def around(box: Box, distance: int) -> Box:
    """Return the rectangle that keeps ``distance`` pixels from the box on every side."""
    return Box(box.x - distance, box.y - distance, box.w + 2 * distance, box.h + 2 * distance)


def place(wishes: Sequence[Wish], taken: Iterable[Box], screen: Box) -> list[Box | None]:
    """Choose a place for every label, first come first served.

    Returns
    -------
    list of Box or None
        One entry for each wish: inside ``screen``, outside its own frame, and on nothing else
        unless it is needed; None where there is no such place.
    """
    occupied = list(taken)
    placed = []
    for wish in wishes:
        spot = _spot(wish, occupied, screen)
        placed.append(spot)
        if spot is not None:
            occupied.append(spot)
    return placed


def _spot(wish: Wish, occupied: Sequence[Box], screen: Box) -> Box | None:
    spots = [spot for spot in _beside(wish) if spot.inside(screen)]
    crowding = [sum(spot.overlap(other) for other in occupied) for spot in spots]
    least = min(crowding, default=1)
    return spots[crowding.index(least)] if spots and (wish.needed or least == 0) else None


def _beside(wish: Wish) -> Iterator[Box]:
    """Places for a label: above and below (flush left, flush right), right, left."""
    frame, w, h = wish.frame, wish.width, wish.height
    for x in (frame.x, frame.right - w):
        yield Box(x, frame.y - h, w, h)
        yield Box(x, frame.bottom, w, h)
    middle = frame.y + (frame.h - h) // 2
    yield Box(frame.right, middle, w, h)
    yield Box(frame.x - w, middle, w, h)


def route(start: Box, end: Box, screen: Box, distance: int) -> list[Point]:
    """Return the corners of a way from one frame to another that runs beside both.

    A straight line would strike through what stands between them, so the way leaves by one side,
    runs ``distance`` pixels beyond the farther frame and comes in by the same side.

    Returns
    -------
    list of (x, y)
        Four corners, the last on the frame of ``end``; empty when the frames stand closer than
        ``distance`` in both directions.
    """
    (x0, y0), (x1, y1) = _middle(start), _middle(end)
    gap_x = abs(x1 - x0) - (start.w + end.w) // 2
    gap_y = abs(y1 - y0) - (start.h + end.h) // 2
    if max(gap_x, gap_y) < distance:
        return []
    if gap_x >= gap_y:
        lane = max(start.bottom, end.bottom) + distance
        if lane < screen.bottom:
            return [(x0, start.bottom), (x0, lane), (x1, lane), (x1, end.bottom)]
        lane = min(start.y, end.y) - distance
        return [(x0, start.y), (x0, lane), (x1, lane), (x1, end.y)]
    lane = max(start.right, end.right) + distance
    if lane < screen.right:
        return [(start.right, y0), (lane, y0), (lane, y1), (end.right, y1)]
    lane = min(start.x, end.x) - distance
    return [(start.x, y0), (lane, y0), (lane, y1), (end.x, y1)]


def _middle(box: Box) -> Point:
    return box.x + box.w // 2, box.y + box.h // 2


def segments(corners: Sequence[Point], thickness: int) -> list[Box]:
    """Return the rectangles that a line through the corners covers."""
    covered = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        line = Box(min(x0, x1), min(y0, y1), abs(x1 - x0) + 1, abs(y1 - y0) + 1)
        covered.append(around(line, thickness))
    return covered
