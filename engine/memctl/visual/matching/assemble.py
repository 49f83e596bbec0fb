"""From verified places to hits and misses of components.

Correlation, contrast and colour together still let a button pass for one with another label.
So the label of each place is compared stroke by stroke, and where two templates claim one
place, the nearer one has it.

Three "Delete" buttons look the same and are three components. Things that stand on the screen
only once say how far the layout has moved; the place nearest to where the component should then
be is the component, the others are its ``also_at``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.boxes import Box, PlaceIndex, agreed_moves
from memctl.visual.identity.dress import blank_beside, goes_on, is_plain, reach_of
from memctl.visual.identity.glyphs import ANOTHER_LABEL, OWN, RESIZED, strangeness, surroundings_of
from memctl.visual.match_results import NOT_PROPOSED, ComponentHit, SearchResult
from memctl.visual.matching.checks import thin

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.visual.frame import Frame
    from memctl.visual.match_results import MatchSettings, Miss
    from memctl.visual.matching.template import Template
    from memctl.visual.matching.template_set import TemplateSet


MOST_SPOTS = 1_000
"""Places of one picture, beside its last ones: a pattern of dots has tens of thousands."""

NEAR = 4
"""Pixels within which two movements are the same movement."""

SAME_THING = 0.5
"""Boxes of two templates that share more than this (intersection over union) are one place."""

_MOST = 99.0  # the strangeness of what is no likeness at all


@dataclass(frozen=True, eq=False)
class LabelJudge:
    """Compares places of one search with the labels of their templates."""

    # the screenshot as it was given: a copy resized to the templates' scale has lost the strokes
    # that tell labels apart, so templates are resized to the screenshot's
    frame: Frame
    known: TemplateSet  # the templates that were searched for
    ratio: float = 1.0  # pixels of the screenshot to a pixel of the searched copy

    def judged(self, place: ComponentHit) -> ComponentHit:
        """Return the place with its strangeness; a place that was judged before as it is."""
        if place.strangeness is not None:
            return place
        if self.ratio == 1 and self._longer(place):
            return replace(place, strangeness=_MOST, identical=False)
        if place.identical:
            return place
        return replace(place, strangeness=min(self._strangeness(place), _MOST))

    def _longer(self, place: ComponentHit) -> bool:
        """Return True if the label goes on beyond its box, where it did not when learned."""
        blank = self.known.templates[self.known.index[place.template_id]].blank
        if blank is None or is_plain(blank, self.frame.gray, place.box):
            return False
        gray, box = self.frame.gray, place.box
        # Buttons of a column, days of a calendar: with all that is beside them the same again.
        beside = box.widened(reach_of(box), 0).within(self.frame.part(None))
        pixels = gray[beside.y : beside.bottom, beside.x : beside.right].tobytes()
        key = "ends", beside.w, box.w, box.x - beside.x, pixels
        return goes_on(blank, self.known.remembered(key, lambda: blank_beside(gray, box)))

    def _strangeness(self, place: ComponentHit) -> float:
        run = self.known.glyphs(place.template_id, self.ratio)
        x, y = round(place.box.x * self.ratio), round(place.box.y * self.ratio)
        height, width = run.size
        allowance = OWN if self.ratio == 1 else RESIZED
        box = Box(x, y, width, height)
        # Cells of a calendar, buttons of rows: the same pixels again and again.
        key = place.template_id, self.ratio, surroundings_of(self.frame.gray, box).tobytes()
        return self.known.remembered(key, lambda: strangeness(run, self.frame.gray, box, allowance))


def assemble(
    judge: LabelJudge,
    known: TemplateSet,
    verified: Mapping[int, list[ComponentHit]],
    refusals: Mapping[int, Miss],
    settings: MatchSettings,
    twins: AbstractSet[int] = frozenset(),
) -> SearchResult:
    """Make one hit or one miss of every component.

    ``judge``: compares the labels of places, unless the settings say that identity is not asked.
    ``verified``, ``refusals``: places of different pictures, by template id, and the best refused
    one; whoever has an equal picture shares its places. ``twins``: as
    in `find`.
    """
    _, others = known.distinct()
    holders: Holders = {
        key: [known.templates[known.index[key]], *others.get(key, ())]
        for key in {*verified, *refusals}
    }
    places = [one for found in verified.values() for one in thin(found, settings)]
    # An equal picture has the place: a label is only compared where there is none.
    free, claimed = _split_by_fit(places, holders, twins, lambda rival, _: rival.identical)
    judged = [judge.judged(place) for place in free] if settings.identity else free
    own = [place for place in judged if (place.strangeness or 0.0) <= 1.0]
    siblings = [place for place in judged if (place.strangeness or 0.0) > 1.0]
    kept, beaten = _split_by_fit(own, holders, twins, _fits_better)
    outranked = claimed + beaten
    remaining: dict[int, list[ComponentHit]] = {}
    for place in kept:
        remaining.setdefault(place.template_id, []).append(place)
    explained = dict(refusals)
    for why, some in ((ANOTHER_LABEL, siblings), ("a look-alike fits better", outranked)):
        for place in sorted(some, key=lambda place: place.score):
            explained[place.template_id] = place.missed(why)
    hits = _hits(known, remaining, holders)
    return SearchResult(
        tuple(hits.values()),
        _misses(known, hits, explained, holders),
        tuple(outranked),
        places=(*judged, *claimed),
    )


Holders = dict[int, list["Template"]]
"""By the id of a picture: the templates that have it, the one of this id first."""


def _hits(
    known: TemplateSet, remaining: Mapping[int, Sequence[ComponentHit]], holders: Holders
) -> dict[int, ComponentHit]:
    """Return one hit of each component that has a place left."""
    last_by_id = known.last_by_id
    moves = [
        (places[0].box.x - last[0], places[0].box.y - last[1])
        for key, places in remaining.items()
        if len(places) == 1
        for holder in holders[key]
        if (last := last_by_id.get(holder.template_id)) is not None
    ]
    vote = next(agreed_moves(moves, 1), (0, 0))
    chosen: dict[int, list[tuple[tuple[float, bool, float], ComponentHit]]] = {}
    for key, places in remaining.items():
        # First those that are surely it: a place is chosen among equals by how near it is.
        found = sorted(places, key=lambda p: (not p.identical, -p.score, p.box.y, p.box.x))
        if len(found) > MOST_SPOTS:
            lasts = {last_by_id.get(holder.template_id) for holder in holders[key]}
            kept = [place for place in found[MOST_SPOTS:] if place.corner in lasts]
            found = [*found[:MOST_SPOTS], *kept]
        corners = np.array([place.corner for place in found], np.int64)
        spots = tuple(place.corner for place in found)
        for one in holders[key]:
            last, at, near = last_by_id.get(one.template_id), 0, math.inf
            if last is not None:
                away = np.abs(corners - (last[0] + vote[0], last[1] + vote[1])).sum(axis=1)
                away[away <= NEAR] = 0
                at = int(away.argmin())
                near = float(away[at])
            first = found[at]
            hit = ComponentHit(
                one.template_id,
                one.component_id,
                first.box,
                first.score,
                first.identical,
                "last" if first.corner == last else first.how,
                first.strangeness or 0.0,
                spots[:at] + spots[at + 1 :],
            )
            order = near, not first.identical, -first.score
            chosen.setdefault(one.component_id, []).append((order, hit))
    return {key: _joined(some) for key, some in chosen.items()}


def _joined(found: Sequence[tuple[tuple[float, bool, float], ComponentHit]]) -> ComponentHit:
    """Return the nearest hit of a component's templates, with the places of the others as its own."""
    if len(found) == 1:
        return found[0][1]
    first, *others = (hit for _, hit in sorted(found, key=lambda pair: pair[0]))
    own, also = PlaceIndex(SAME_THING), dict.fromkeys(first.also_at)
    for box in first.places:
        own.add(box, first.template_id)
    for hit in others:
        for box in hit.places:
            if own.owner(box) is None:
                own.add(box, hit.template_id)
                also[box.x, box.y] = None
    return replace(first, also_at=tuple(also))


def _misses(
    known: TemplateSet, found: Container[int], explained: Mapping[int, Miss], holders: Holders
) -> dict[int, Miss]:
    """Explain each component that was not found by the template that came closest."""
    misses = {key: NOT_PROPOSED for key in known.components if key not in found}
    for key, miss in explained.items():
        for component in {holder.component_id for holder in holders[key]} & misses.keys():
            best = misses[component]
            if best is NOT_PROPOSED or (miss.best_score or -1.0) > (best.best_score or -1.0):
                misses[component] = miss
    return misses


def _fits_better(rival: ComponentHit, place: ComponentHit) -> bool:
    """Return True if a rival's label is the nearer one; where none was compared, by the score."""
    if rival.identical or place.identical:
        return rival.identical
    if rival.strangeness is None or place.strangeness is None:
        return rival.score > place.score
    return rival.strangeness < place.strangeness


def _split_by_fit(
    places: Sequence[ComponentHit],
    holders: Holders,
    twins: AbstractSet[int],
    better: Callable[[ComponentHit, ComponentHit], bool],
) -> tuple[list[ComponentHit], list[ComponentHit]]:
    """Separate the places that a picture keeps from those a look-alike fits better.

    A pixel-identical place is always kept. Pictures of one component do not compete here:
    they show the same thing. Nor do twins, which stand at each other's places.

    ``better``: tells whether the first of two claims to one place fits better. Returns kept,
    outranked.
    """
    spots, numbers = PlaceIndex(), dict[Box, int]()
    rivals: dict[int, list[ComponentHit]] = {}
    for place in sorted(places, key=lambda one: (not one.identical, -one.score)):
        if place.box not in numbers:
            known = spots.owner(place.box)
            numbers[place.box] = len(numbers) if known is None else known
            if known is None:
                spots.add(place.box, numbers[place.box])
        rivals.setdefault(numbers[place.box], []).append(place)
    owners = {
        key: frozenset(holder.component_id for holder in holders[key])
        for key in {place.template_id for place in places}
    }
    kept: list[ComponentHit] = []
    outranked: list[ComponentHit] = []
    for place in places:
        own = owners[place.template_id]
        lost = not place.identical and any(
            better(rival, place)
            for rival in rivals[numbers[place.box]]
            if own.isdisjoint(owners[rival.template_id])
            and not (own <= twins and owners[rival.template_id] <= twins)
        )
        (outranked if lost else kept).append(place)
    return kept, outranked
