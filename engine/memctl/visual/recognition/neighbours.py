"""Neighbours: whether the components around a place of a known state stand where they stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.visual.recognition.covering import on_screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.visual.boxes import Box
    from memctl.visual.matching import ComponentHit
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

_ASKED = 3  # components nearest to a place ...
_STILL = 2  # ... of which so many stand where they stood
_OFF = 3  # pixels


def remembered_places(index: StateIndex, seen: Sightings, recognised: Recognised) -> dict[int, Box]:
    """Return where the components of a recognised state stood, moved by its scroll.

    Returns
    -------
    dict
        Component id to its bounding box in pixels of the screenshot; those outside left out.
    """
    layout = index.layouts[recognised.state_id]
    known = {**layout.optional, **layout.defining, **layout.changing}
    places = {key: on_screen(seen, recognised.place(box)) for key, box in known.items()}
    return {key: box for key, box in places.items() if box.inside(seen.window)}


def undisturbed(
    hits: Mapping[int, ComponentHit],
    places: Mapping[int, Box],
    key: int,
    words: Iterable[tuple[Box, bool]] = (),
) -> bool:
    """Return True if two of the three things nearest to a component stand where they stood.

    Only there does another look at its place mean that the place shows something else: where
    the neighbours have moved as well, the component has moved with them.

    Parameters
    ----------
    hits, places
        Component id to what was found, and to where it stood.
    words
        Where words stood, and whether they do still: they are asked where few components are.
    """
    own = places[key]
    others = [
        (place, one in hits and _is_still(hits[one].box, place))
        for one, place in places.items()
        if one != key and place != own
    ]
    if len(others) < _ASKED:
        others += [(box, still) for box, still in words if not box.overlap(own)]
    x, y = own.center
    others.sort(key=lambda one: abs(one[0].center[0] - x) + abs(one[0].center[1] - y))
    nearest = others[:_ASKED]
    return bool(nearest) and sum(still for _, still in nearest) >= min(_STILL, len(nearest))


def _is_still(box: Box, place: Box) -> bool:
    return abs(box.x - place.x) <= _OFF and abs(box.y - place.y) <= _OFF
