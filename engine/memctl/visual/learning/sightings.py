"""Sightings: the known components on one screenshot, each at a place of its own.

Three "Delete" buttons are three components with the same pixels. Each is found at all three
places; which is which is decided by where they were, moved by what the rest of the screen did.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box, PlaceIndex
from memctl.visual.learning.similarity import scroll_vote
from memctl.visual.matching import ComponentHit, Miss

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Sightings", "assign"]

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sightings:
    """The known components of a store on one screenshot.

    Parameters
    ----------
    window
        The searched part of the screenshot; positions are remembered from its corner.
    hits
        Component id to its place.
    misses
        Component id to the reason why it was not found.
    scale
        Device-pixel ratio of the screenshot against the memory.
    ms
        Milliseconds by stage.
    scales
        Template id to the device-pixel ratio it was learned at.
    """

    window: Box
    hits: Mapping[int, ComponentHit]
    misses: Mapping[int, Miss]
    scale: float = 1.0
    ms: Mapping[str, float] = field(default_factory=dict)
    scales: Mapping[int, float] = field(default_factory=dict)

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
    hits: Sequence[ComponentHit], last: Mapping[int, Point]
) -> tuple[list[ComponentHit], list[Miss]]:
    """Give each component a place that no other component has.

    Parameters
    ----------
    hits
        Found components, each with all its places.
    last
        Component id to where it was last seen, in pixels of this screenshot.

    Returns
    -------
    hits, misses
        The components with a place of their own, and those whose every place is another's.
    """
    move = scroll_vote(
        (hit.box.x - last[hit.component_id][0], hit.box.y - last[hit.component_id][1])
        for hit in hits
        if hit.component_id in last and not hit.also_at
    )
    claims = sorted(
        (
            (_distance(place, last.get(hit.component_id), move), not hit.identical, -hit.score),
            hit.component_id,
            place,
        )
        for hit in hits
        for place in _places(hit)
    )
    placed: dict[int, Box] = {}
    taken = PlaceIndex()
    for _, component_id, place in claims:
        if component_id not in placed and taken.owner(place) is None:
            placed[component_id] = place
            taken.add(place, component_id)
    kept = [_moved(hit, placed[hit.component_id]) for hit in hits if hit.component_id in placed]
    lost = [_lost(hit, taken) for hit in hits if hit.component_id not in placed]
    return kept, lost


def _places(hit: ComponentHit) -> Iterable[Box]:
    yield hit.box
    for x, y in hit.also_at:
        yield Box(x, y, hit.box.w, hit.box.h)


def _distance(place: Box, last: Point | None, move: Point) -> float:
    """Return how far a place is from where the component was, moved or, like chrome, still."""
    if last is None:
        return float("inf")
    dx, dy = place.x - last[0], place.y - last[1]
    still = dx * dx + dy * dy
    moved = (dx - move[0]) ** 2 + (dy - move[1]) ** 2
    return float(min(still, moved))


def _moved(hit: ComponentHit, place: Box) -> ComponentHit:
    if place == hit.box:
        return hit
    others = [
        corner for corner in ((b.x, b.y) for b in _places(hit)) if corner != (place.x, place.y)
    ]
    return replace(hit, box=place, also_at=tuple(others))


def _lost(hit: ComponentHit, taken: PlaceIndex) -> Miss:
    why = f"its place is component {taken.owner(hit.box)}, which looks the same"
    corner = hit.box.x, hit.box.y
    return Miss(hit.template_id, hit.component_id, hit.score, *corner, why, counted=False)
