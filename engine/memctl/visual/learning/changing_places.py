"""Places that change: a clock, a price, a chat. What they show is no component of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.visual.match_results import Refused
from memctl.visual.recognition.expected import undisturbed

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.sightings import Sightings

_SHARED = 0.5  # of the smaller of two boxes: they are at one place ...
_LARGER = 4  # ... if one has at most so many times the other's area
_MOST = 0.5  # share of a state's components; where more are others, it is laid out anew

_TEXT = "text"
_NUMBER = re.compile(r"\d[\d.,:]*")
_WHY = "its place changes by itself"


@dataclass(frozen=True, slots=True)
class Changes:
    """The components whose places were seen to change now, the boxes left, and those refused."""

    components: list[int]
    new: list[GivenBox]
    refused: list[Refused]


def changes_on(
    seen: Sightings,
    places: dict[int, Box],
    missing: Collection[int],
    changing: Collection[int],
    about: Mapping[int, sqlite3.Row],
    new: Sequence[GivenBox],
) -> Changes:
    """Part the new boxes of a recognised state from those that are the next value of a place.

    A place changes where a component is missing, something else stands in its stead and the
    components around it stand where they stood. A control of another label is another thing; a
    text, or a label that differs in its numbers alone, is another value.

    Parameters
    ----------
    places
        Component id to where it stood, on the screenshot.
    missing
        Components that are neither found nor covered.
    changing
        Components whose places are known to change.
    about
        Component id to its row of ``component``.
    new
        Boxes that no component explains.
    """
    known = [places[key] for key in changing if key in places]
    values = {at for at, one in enumerate(new) if any(_at_one_place(one.box, box) for box in known)}
    found: dict[int, set[int]] = {}
    for key in missing:
        if key not in places or key in changing:
            continue
        instead = {
            at
            for at, one in enumerate(new)
            if _at_one_place(one.box, places[key]) and _is_value(one, about[key])
        }
        if instead and undisturbed(seen.hits, places, key):
            found[key] = instead
    if len(found) > _MOST * len(places):
        found = {}
    values = values.union(*found.values())
    return Changes(
        sorted(found),
        [one for at, one in enumerate(new) if at not in values],
        [Refused(new[at].box.xywh, _WHY) for at in sorted(values)],
    )


def _is_value(one: GivenBox, known: sqlite3.Row) -> bool:
    """Return True if a box in a component's stead may be its next value."""
    if not one.label or not known["label"]:
        return True
    texts = one.kind == known["type"] == _TEXT
    return texts or _NUMBER.sub("0", one.label) == _NUMBER.sub("0", known["label"])


def _at_one_place(one: Box, other: Box) -> bool:
    small, large = sorted((one.area, other.area))
    return one.overlap(other) > _SHARED * small and large <= _LARGER * small
