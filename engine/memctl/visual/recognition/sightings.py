"""Sightings: the known components on one screenshot, each at a place of its own.

Three "Delete" buttons are three components with the same pixels. Each is found at all three
places; which is which is decided by what stands beside them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.boxes import Box, PlaceIndex, agreed_moves, lies_in
from memctl.visual.identity.row_check import AskedRow
from memctl.visual.identity.row_keys import CONTROL
from memctl.visual.ignored_areas import IGNORED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.visual.identity.row_check import RowAnswer, RowCheck, RowPicture
    from memctl.visual.match_results import ComponentHit, Miss


Point = tuple[int, int]

NO_ROW = "its row is not here"
TWO_ROWS = "two rows look like its own"
UNSETTLED = "several places look like it, and nothing beside them says which is its own"
NEVER_LOOKED = "several places look like it; learn its page again, so that its row is known"

STAYED = "it looks otherwise in its row"
ROW_CHANGED = "row changed"

_STILL = 3  # pixels from where a component stood, that are no movement
_VOTES = 3  # a scroll needs so many components that moved alike ...
_SHARE = 0.1  # ... and this share of those found


@dataclass(frozen=True, slots=True)
class Sightings:
    """The known components of a store on one screenshot."""

    window: Box  # the searched part of the screenshot; positions are remembered from its corner
    hits: Mapping[int, ComponentHit]  # component id to its place
    misses: Mapping[int, Miss]  # component id to the reason why it was not found
    scale: float = 1.0  # device-pixel ratio of the screenshot against the memory
    ms: Mapping[str, float] = field(default_factory=dict)  # milliseconds by stage
    # template id to the device-pixel ratio it was learned at
    scales: Mapping[int, float] = field(default_factory=dict)
    # component id to every place that looks like it, whether one of them is settled or not: the box
    # of one, the others in ``also_at``
    claims: Mapping[int, ComponentHit] = field(default_factory=dict)
    ignored: tuple[Box, ...] = ()  # areas of the screenshot that do not count

    def counting(self) -> Sightings:
        """Return the sightings without what was found in areas that do not count."""
        if not self.ignored:
            return self
        inside = {k: hit for k, hit in self.hits.items() if lies_in(hit.box, self.ignored)}
        hits, claims = (
            {k: left for k, hit in all_.items() if (left := hit.outside(self.ignored))}
            for all_ in (self.hits, self.claims)
        )
        return replace(
            self,
            hits={key: hit for key, hit in hits.items() if key not in inside},
            misses={**self.misses, **{k: hit.missed(IGNORED) for k, hit in inside.items()}},
            claims=claims,
        )

    def at_scale_one(self, box: Box) -> Box:
        """Return a box of the screenshot from the window's corner, at device-pixel ratio 1."""
        return Box(
            round((box.x - self.window.x) / self.scale),
            round((box.y - self.window.y) / self.scale),
            max(round(box.w / self.scale), 1),
            max(round(box.h / self.scale), 1),
        )

    @property
    def places(self) -> dict[int, Box]:
        """Component id to its place, from the window's corner, at device-pixel ratio 1."""
        return {key: self.at_scale_one(hit.box) for key, hit in self.hits.items()}

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window at device-pixel ratio 1."""
        window = self.at_scale_one(self.window)
        return window.w, window.h


def assign(
    hits: Sequence[ComponentHit],
    last: Mapping[int, Point],
    keys: Mapping[int, Sequence[Sequence[RowPicture]]],
    twins: Mapping[int, int | None],
    check: RowCheck,
    *,
    learning: bool = False,
) -> tuple[list[ComponentHit], dict[int, Miss]]:
    """Give each component a place that no other component has, where that place is settled.

    What stands beside a component settles it. Where nothing does, a component of several equal
    places, or one that has rivals for its place, is believed where it stood before (moved with
    the rest of the screen), as long as its look-alikes stand as they stood, too.

    ``hits``: found components, each with all its places. ``last``: component id to where it was
    last seen, in pixels of this screenshot. ``keys``: component id to what stands beside it, a set
    for each of its templates. ``twins``: component id to the number of its look-alikes, where it has
    any; None where an earlier memctl learned it and did not look. ``check``: looks beside places.
    ``learning``: whether equal components that nothing tells apart take any free place, the nearest
    first: they are numbered by their places, and a learn numbers them anew. Returns ``hits``,
    ``misses``: the components with a place of their own, and those that are not here or not
    settled.
    """
    return _Assignment(hits, last, twins, check, learning=learning).settled(keys)


class _Assignment:
    """Places of one screenshot, given out one by one."""

    def __init__(
        self,
        hits: Sequence[ComponentHit],
        last: Mapping[int, Point],
        twins: Mapping[int, int | None],
        check: RowCheck,
        *,
        learning: bool,
    ) -> None:
        self._hits = hits
        self._last = last
        self._twins = twins
        self._check = check
        self._learning = learning
        away = [
            (hit.box.x - last[hit.component_id][0], hit.box.y - last[hit.component_id][1])
            for hit in hits
            if hit.component_id in last and not hit.also_at
        ]
        moved = [(dx, dy) for dx, dy in away if abs(dx) > 1 or abs(dy) > 1]
        self._move = next(agreed_moves(moved, max(_VOTES, _SHARE * len(away))), (0, 0))
        self._claims = _shared_claims(hits, twins)
        self._taken = PlaceIndex()
        self._placed: list[ComponentHit] = []
        self._misses: dict[int, Miss] = {}
        self._disturbed: set[Point] = set()

    def settled(
        self, keys: Mapping[int, Sequence[Sequence[RowPicture]]]
    ) -> tuple[list[ComponentHit], dict[int, Miss]]:
        """Settle components by their rows first, then the rest by place."""
        asked = {
            hit.component_id: AskedRow(own, self._claims[hit.component_id].boxes)
            for hit in self._hits
            for own in [keys.get(hit.component_id, ())]
            if self._asks(hit, own)
        }
        answers = self._check.settle(asked)
        rest: list[ComponentHit] = []
        for hit in self._hits:
            if hit.component_id in answers:
                self._settle_by_row(hit, asked[hit.component_id], answers[hit.component_id])
            else:
                rest.append(hit)
        rest.sort(key=lambda hit: (self._away(hit).min(), not hit.identical, -hit.score))
        for hit in rest:
            self._settle_by_place(hit)
        return self._placed, self._misses

    def _asks(self, hit: ComponentHit, keys: Sequence[Sequence[RowPicture]]) -> bool:
        """Return True if a component's row is asked for: its picture is elsewhere, or may be.

        A switch that is on looks like any other that is on, wherever it stands.
        """
        if not keys or keys[0][0].twin or hit.also_at:
            return bool(keys)
        small = max(hit.box.w, hit.box.h) <= CONTROL and hit.component_id in self._last
        return small and not (self._away(hit) <= _STILL).any()

    def _settle_by_row(self, hit: ComponentHit, asked: AskedRow, answer: RowAnswer) -> None:
        if len(answer.places) == 1:
            own = answer.places[0]
            claims = self._claims[hit.component_id].boxes
            if self._away(hit)[claims.index(own)] > _STILL:
                self._disturb(asked.places)
            self._place(replace(hit, changed=ROW_CHANGED) if answer.changed else hit, own)
            return
        self._disturb(asked.places)
        self._miss(hit, TWO_ROWS if answer.places else self._why_not(hit, asked))

    def _why_not(self, hit: ComponentHit, asked: AskedRow) -> str:
        """Return why no place is in the component's row: it may look otherwise in its own."""
        last = self._last.get(hit.component_id)
        if last is None:
            return NO_ROW
        places = hit.box.placed(*last), hit.box.placed(*last).moved(*self._move)
        there = (self._check.agreeing(keys, [place]) for keys in asked.keys for place in places)
        return STAYED if any(there) else NO_ROW

    def _settle_by_place(self, hit: ComponentHit) -> None:
        claims = self._claims[hit.component_id].boxes
        twins = self._twins.get(hit.component_id, 0)
        away = self._away(hit)
        still = np.flatnonzero(away <= _STILL)
        expected = [claims[at] for at in still[np.argsort(away[still], kind="stable")].tolist()]
        wanted: Iterable[Box] = expected
        if self._learning or not expected:
            wanted = (claims[at] for at in np.argsort(away, kind="stable").tolist())
        free = next((place for place in wanted if self._taken.owner(place) is None), None)
        moved = twins != 0 and (
            twins is None
            or len(claims) != twins + 1
            or not self._disturbed.isdisjoint(self._claims[hit.component_id].corners)
        )
        if free is None:
            owner = self._taken.owner((expected or claims)[0])
            self._miss(hit, f"its place is component {owner}, which looks the same")
        elif (len(claims) == 1 and not twins) or (expected and not moved) or self._learning:
            self._place(hit, free)
        else:
            self._miss(hit, UNSETTLED if twins is not None else NEVER_LOOKED)

    def _away(self, hit: ComponentHit) -> NDArray[np.float64]:
        """Return how far its places are from where a component was, moved or, like chrome, still."""
        spots = self._claims[hit.component_id].spots
        last = self._last.get(hit.component_id)
        if last is None:
            return np.full(len(spots), np.inf)
        still = spots - last
        moved = still - self._move
        return np.asarray(np.minimum(np.hypot(*still.T), np.hypot(*moved.T)), np.float64)

    def _disturb(self, claims: Iterable[Box]) -> None:
        self._disturbed.update((place.x, place.y) for place in claims)

    def _place(self, hit: ComponentHit, place: Box) -> None:
        self._taken.add(place, hit.component_id)
        self._placed.append(hit.placed(place))

    def _miss(self, hit: ComponentHit, why: str) -> None:
        self._misses[hit.component_id] = replace(hit, strangeness=None).missed(why)


@dataclass(frozen=True, eq=False)
class _Claims:
    """Places that look like a component; of equal ones the same object."""

    boxes: list[Box]

    @cached_property
    def spots(self) -> NDArray[np.int64]:
        """``(n, 2)``: left and top."""
        return np.array([(box.x, box.y) for box in self.boxes], np.int64)

    @cached_property
    def corners(self) -> frozenset[Point]:
        """Left and top of each."""
        return frozenset((box.x, box.y) for box in self.boxes)


def _shared_claims(
    hits: Sequence[ComponentHit], twins: Mapping[int, int | None]
) -> dict[int, _Claims]:
    """Return the places of each component; of twins, those that any of them was found at.

    A search that saves work may find each of ten equal buttons at nine of ten places.
    """
    same: dict[tuple[int, int, frozenset[Point]], _Claims] = {}
    claims: dict[int, _Claims] = {}
    for hit in hits:
        key = hit.box.w, hit.box.h, frozenset((hit.corner, *hit.also_at))
        if key not in same:
            same[key] = _Claims(hit.places)
        claims[hit.component_id] = same[key]
    asked = {id(claims[key]): claims[key] for key in sorted(claims.keys() & twins.keys())}
    spots = PlaceIndex()
    boxes: list[Box] = []
    groups: dict[int, set[int]] = {}
    own: dict[int, dict[int, Box]] = {}
    for number, one in asked.items():
        own[number] = {}
        for place in one.boxes:
            spot = spots.owner(place)
            if spot is None:
                spot = len(boxes)
                boxes.append(place)
                spots.add(place, spot)
            own[number].setdefault(spot, place)
        together = set(own[number]).union(*(groups.get(spot, ()) for spot in own[number]))
        groups |= dict.fromkeys(together, together)
    joined = {
        number: _Claims([places.get(spot, boxes[spot]) for spot in sorted(groups[min(places)])])
        for number, places in own.items()
    }
    return {key: joined[id(claim)] if key in twins else claim for key, claim in claims.items()}
