"""Repeats: which of several equal places is the component that was remembered.

Three "Delete" buttons look the same and are three components. Things that stand on the
screen only once say how far the layout has moved; the place nearest to where the component
should then be is the component, the others are its ``also_at``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memctl.visual.matching.findings import Hit, Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["NEAR", "choose", "offset_vote"]

NEAR = 4
"""Pixels within which two movements are the same movement."""

SAME_THING = 0.5
"""Boxes of two looks that share more than this (intersection over union) are one place."""

Spot = tuple[int, int]


def offset_vote(places: Mapping[int, Sequence[Place]], last: Mapping[int, Spot]) -> Spot:
    """Return the movement (dx, dy) that most unambiguous templates agree on.

    Parameters
    ----------
    places
        Verified places by template id.
    last
        Remembered left and top by template id, in pixels of this screenshot.

    Returns
    -------
    tuple of int
        (0, 0) if nothing votes.
    """
    moves = [
        (found[0].box.x - last[key][0], found[0].box.y - last[key][1])
        for key, found in places.items()
        if len(found) == 1 and key in last
    ]
    if not moves:
        return 0, 0
    counts = Counter(moves)
    return max(
        counts, key=lambda move: (_support(move, counts), counts[move], -_length(move), move)
    )


def _support(move: Spot, counts: Counter[Spot]) -> int:
    return sum(
        n for (dx, dy), n in counts.items() if max(abs(dx - move[0]), abs(dy - move[1])) <= NEAR
    )


def _length(move: Spot) -> int:
    return abs(move[0]) + abs(move[1])


def choose(found: Sequence[Place], last: Mapping[int, Spot], vote: Spot) -> Hit:
    """Make one hit of all places of one component.

    Parameters
    ----------
    found
        At least one place; of any of the component's templates.
    last, vote
        As in `offset_vote`.
    """
    remembered = [place for place in found if place.template_id in last] or list(found)

    def order(place: Place) -> tuple[float, bool, float, int, int]:
        away = float("inf")
        if place.template_id in last:
            x, y = last[place.template_id]
            away = float(abs(place.box.x - x - vote[0]) + abs(place.box.y - y - vote[1]))
        near = 0.0 if away <= NEAR else away
        return near, not place.identical, -place.score, place.box.y, place.box.x

    first = min(remembered, key=order)
    others = sorted(found, key=lambda p: (not p.identical, -p.score, p.box.y, p.box.x))
    also = {
        (place.box.x, place.box.y): None
        for place in others
        if place.identical or place.box.iou(first.box) <= SAME_THING
    }
    also.pop((first.box.x, first.box.y), None)
    return Hit(
        first.template_id,
        first.component_id,
        first.box,
        first.score,
        first.identical,
        first.how,
        tuple(also),
    )
