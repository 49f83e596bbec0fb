"""Look-alikes that claim one place: the better picture of it gets it.

Correlation, contrast and colour together still let a sidebar row pass for its neighbour.
Where the memory holds both, the place itself says which of them it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.visual.matching.checks import structural_similarity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.visual.frame import Frame
    from memctl.visual.matching.findings import Place
    from memctl.visual.matching.template import Template

__all__ = ["split_by_fit"]

SAME_PLACE = 0.8
"""Boxes sharing more than this (intersection over union) are claims to one place."""

CLEARLY = 0.02
"""Of two claims, scores closer than this are a tie that structure has to break."""

CELL = 64
"""Side of the grid that finds neighbours, in pixels."""


def split_by_fit(
    frame: Frame, places: Sequence[Place], templates: Mapping[int, Template]
) -> tuple[list[Place], list[Place]]:
    """Separate the places that a template keeps from those a look-alike fits better.

    A pixel-identical place is always kept. Templates of one component do not compete here:
    they are looks of the same thing.

    Returns
    -------
    kept, outranked
    """
    grid: dict[tuple[int, int], list[Place]] = {}
    for place in places:
        grid.setdefault(_cell(place), []).append(place)
    kept: list[Place] = []
    outranked: list[Place] = []
    for place in places:
        rivals = [] if place.identical else _rivals(place, grid)
        lost = any(_better(frame, rival, place, templates) for rival in rivals)
        (outranked if lost else kept).append(place)
    return kept, outranked


def _cell(place: Place) -> tuple[int, int]:
    x, y = place.box.center
    return int(x) // CELL, int(y) // CELL


def _rivals(place: Place, grid: Mapping[tuple[int, int], list[Place]]) -> list[Place]:
    column, row = _cell(place)
    reach = range(-1 - place.box.w // (4 * CELL), 2 + place.box.w // (4 * CELL))
    climb = range(-1 - place.box.h // (4 * CELL), 2 + place.box.h // (4 * CELL))
    near = (grid.get((column + dx, row + dy), ()) for dx in reach for dy in climb)
    return [
        rival
        for cell in near
        for rival in cell
        if rival.component_id != place.component_id and rival.box.iou(place.box) > SAME_PLACE
    ]


def _better(frame: Frame, rival: Place, place: Place, templates: Mapping[int, Template]) -> bool:
    """Whether ``rival`` is the better picture: identical, clearly higher, or more alike in structure."""
    if rival.identical:
        return True
    if abs(rival.score - place.score) >= CLEARLY:
        return rival.score > place.score
    return _structure(frame, rival, templates) > _structure(frame, place, templates)


def _structure(frame: Frame, place: Place, templates: Mapping[int, Template]) -> float:
    box = place.box
    crop = frame.bgr[box.y : box.bottom, box.x : box.right]
    return structural_similarity(templates[place.template_id].bgr, crop)
