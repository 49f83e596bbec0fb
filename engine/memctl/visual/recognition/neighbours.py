"""Neighbours: whether the components around a place of a known state stand where they stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.visual.recognition.covering import on_screen

if TYPE_CHECKING:
    from memctl.visual.boxes import Box
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

__all__ = ["remembered_places", "undisturbed"]

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


def undisturbed(seen: Sightings, places: dict[int, Box], key: int) -> bool:
    """Return True if two of the three components nearest to a component stand where they stood.

    Only there does another look at its place mean that the place shows something else: where
    the neighbours have moved as well, the component has moved with them.
    """
    x, y = places[key].center
    others = [one for one in places if one != key and places[one] != places[key]]
    others.sort(key=lambda one: abs(places[one].center[0] - x) + abs(places[one].center[1] - y))
    still = [
        one
        for one in others[:_ASKED]
        if one in seen.hits
        and abs(seen.hits[one].box.x - places[one].x) <= _OFF
        and abs(seen.hits[one].box.y - places[one].y) <= _OFF
    ]
    return len(still) >= _STILL
