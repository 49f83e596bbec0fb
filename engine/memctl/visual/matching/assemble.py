"""From verified places to hits and misses of components.

Correlation, contrast and colour together still let a button pass for one with another label.
So the label of each place is compared stroke by stroke, and where two templates claim one
place, the nearer one has it.

Three "Delete" buttons look the same and are three components. Things that stand on the screen
only once say how far the layout has moved; the place nearest to where the component should then
be is the component, the others are its ``also_at``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.identity.strangeness import ANOTHER_LABEL
from memctl.visual.matching.checks import thin
from memctl.visual.matching.search_result import ComponentHit, Miss, SearchResult

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from memctl.visual.identity.judging import LabelJudge
    from memctl.visual.matching.search_result import MatchSettings, Verified
    from memctl.visual.matching.template_set import TemplateSet


def assemble(
    judge: LabelJudge,
    known: TemplateSet,
    verified: Verified,
    settings: MatchSettings,
    twins: AbstractSet[int] = frozenset(),
) -> SearchResult:
    """Make one hit or one miss of every component.

    Parameters
    ----------
    judge
        Compares the labels of places, unless the settings say that identity is not asked.
    twins
        As in `find`.
    """
    places = [one for found in verified.places.values() for one in thin(found, settings)]
    # An equal picture has the place: a label is only compared where there is none.
    free, claimed = split_by_fit(places, twins, lambda rival, _: rival.identical)
    judged = [judge.judged(place) for place in free] if settings.identity else free
    own = [place for place in judged if (place.strangeness or 0.0) <= 1.0]
    siblings = [place for place in judged if (place.strangeness or 0.0) > 1.0]
    kept, beaten = split_by_fit(own, twins, fits_better)
    outranked = claimed + beaten
    remaining: dict[int, list[ComponentHit]] = {}
    by_component: dict[int, list[ComponentHit]] = {}
    for place in kept:
        remaining.setdefault(place.template_id, []).append(place)
        by_component.setdefault(place.component_id, []).append(place)
    vote = offset_vote(remaining, known.last_by_id)
    explained = dict(verified.refusals)
    for why, some in ((ANOTHER_LABEL, siblings), ("a look-alike fits better", outranked)):
        for place in sorted(some, key=lambda place: place.score):
            explained[place.template_id] = place.missed(why)
    return SearchResult(
        tuple(choose(found, known.last_by_id, vote) for found in by_component.values()),
        _misses(known, by_component, explained),
        tuple(outranked),
        work=verified.work,
        places=(*judged, *claimed),
    )


def _misses(
    known: TemplateSet, found: Container[int], explained: Mapping[int, Miss]
) -> dict[int, Miss]:
    """Explain each component that was not found by the variant that came closest."""
    misses = {key: Miss("no candidate") for key in known.components if key not in found}
    for key, miss in explained.items():
        component = known.component_of[key]
        if component in misses and _nearness(miss) > _nearness(misses[component]):
            misses[component] = miss
    return misses


def _nearness(miss: Miss) -> float:
    if miss.why == "no candidate":
        return -2.0
    return -1.0 if miss.best_score is None else miss.best_score


SAME_PLACE = 0.8
"""Boxes sharing more than this (intersection over union) are claims to one place."""


def fits_better(rival: ComponentHit, place: ComponentHit) -> bool:
    """Return True if a rival's label is the nearer one; where none was compared, by the score."""
    if rival.identical or place.identical:
        return rival.identical
    if rival.strangeness is None or place.strangeness is None:
        return rival.score > place.score
    return rival.strangeness < place.strangeness


def split_by_fit(
    places: Sequence[ComponentHit],
    twins: AbstractSet[int],
    better: Callable[[ComponentHit, ComponentHit], bool],
) -> tuple[list[ComponentHit], list[ComponentHit]]:
    """Separate the places that a template keeps from those a look-alike fits better.

    A pixel-identical place is always kept. Templates of one component do not compete here:
    they are variants of the same thing. Nor do twins, which stand at each other's places.

    Parameters
    ----------
    better
        Tells whether the first of two claims to one place fits better.

    Returns
    -------
    kept, outranked
    """
    boxes = np.array([(p.box.x, p.box.y, p.box.right, p.box.bottom) for p in places], np.int64)
    components = np.array([place.component_id for place in places], np.int64)
    kept: list[ComponentHit] = []
    outranked: list[ComponentHit] = []
    for index, place in enumerate(places):
        lost = False
        if not place.identical:
            near = _overlap(boxes[index], boxes) > SAME_PLACE
            rivals = [
                places[i]
                for i in np.flatnonzero(near & (components != place.component_id)).tolist()
                if not {places[i].component_id, place.component_id} <= twins
            ]
            lost = any(better(rival, place) for rival in rivals)
        (outranked if lost else kept).append(place)
    return kept, outranked


def _overlap(one: NDArray[np.int64], boxes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Intersection over union of one box with many, as left, top, right, bottom."""
    width = np.minimum(one[2], boxes[:, 2]) - np.maximum(one[0], boxes[:, 0])
    height = np.minimum(one[3], boxes[:, 3]) - np.maximum(one[1], boxes[:, 1])
    shared = np.maximum(width, 0) * np.maximum(height, 0)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    own = (one[2] - one[0]) * (one[3] - one[1])
    return np.asarray(shared / (own + areas - shared))


NEAR = 4
"""Pixels within which two movements are the same movement."""

SAME_THING = 0.5
"""Boxes of two variants that share more than this (intersection over union) are one place."""

Spot = tuple[int, int]


def offset_vote(places: Mapping[int, Sequence[ComponentHit]], last: Mapping[int, Spot]) -> Spot:
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


def choose(found: Sequence[ComponentHit], last: Mapping[int, Spot], vote: Spot) -> ComponentHit:
    """Make one hit of all places of one component.

    Parameters
    ----------
    found
        At least one place; of any of the component's templates.
    last, vote
        As in `offset_vote`.
    """
    remembered = [place for place in found if place.template_id in last] or list(found)

    def order(place: ComponentHit) -> tuple[float, bool, float, int, int]:
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
    return replace(first, also_at=tuple(also), strangeness=first.strangeness or 0.0)
