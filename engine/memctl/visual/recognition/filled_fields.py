"""Filled fields: a field is known by its frame, since what is typed into it is not remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2

from memctl.store import statements
from memctl.visual.matching import ComponentHit
from memctl.visual.reading.field_contents import emptied
from memctl.visual.reading.image import decode_png
from memctl.visual.recognition.neighbours import undisturbed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.recognition.sightings import Sightings

__all__ = ["with_filled_fields"]

TEMPLATES = statements.load("store/template")

_ALIKE = 0.8  # correlation of a remembered field with one whose contents are painted over


def with_filled_fields(
    store: Store, frame: Frame, seen: Sightings, places: dict[int, Box], fields: Iterable[int]
) -> Sightings:
    """Return the sightings with the fields of a recognised state that are filled in now.

    A field is looked for where it stood alone, and only where the components around it stand
    where they stood: without its contents it looks like any other field.

    Parameters
    ----------
    places
        Component id to where it stood, in pixels of the screenshot.
    fields
        Components whose contents are typed or chosen.
    """
    hits, misses = dict(seen.hits), dict(seen.misses)
    for key in fields:
        if key not in misses or key not in places or not undisturbed(seen, places, key):
            continue
        template_id = misses[key].template_id
        score = _score(store, frame, places[key], template_id)
        if score >= _ALIKE:
            hits[key] = ComponentHit(
                template_id, key, places[key], round(score, 4), identical=False, how="emptied"
            )
            del misses[key]
    return replace(seen, hits=hits, misses=misses)


def _score(store: Store, frame: Frame, place: Box, template_id: int) -> float:
    own = decode_png(store.value(TEMPLATES.pixels, {"id": template_id}))
    crop = emptied(frame, [place]).crop(place)
    if own.shape != crop.shape:
        return 0.0
    return float(cv2.matchTemplate(crop, own, cv2.TM_CCOEFF_NORMED)[0, 0])
