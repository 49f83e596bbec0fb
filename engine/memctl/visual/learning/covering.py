"""Covered components: those whose place lies under a popup, or where the page is dimmed.

They are absent, but nothing says that they are gone: such an absence is no miss.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.matching.scale import enlarged_box
from memctl.visual.reading.image import decode_png
from memctl.visual.reading.word_shapes import boxes_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.learning.recognition import Recognised
    from memctl.visual.learning.sightings import Sightings
    from memctl.visual.learning.state_index import StateIndex

__all__ = ["with_covered"]

TEMPLATES = statements.load("store/template")

Ints = NDArray[np.int64]

_ALIKE = 0.8  # correlation of a template with its own place, seen through a veil
_DIM = 0.85  # share of its contrast that is left there
_VEIL = 8  # gray levels by which the mean may differ from what a veil makes of it
_STEP = 4  # gray levels between neighbours that a frame has
_LONG = 61  # pixels of its shortest side
_SLACK = 3  # pixels that a word in place may be off
_CUT = (0.1, 0.9)  # share of a remembered thing that an edge leaves on one side


def with_covered(
    store: Store,
    index: StateIndex,
    frame: Frame,
    seen: Sightings,
    missed: Iterable[int],
    recognised: Recognised | None,
) -> Sightings:
    """Return the sightings with the reason "covered" for missed components that are.

    Parameters
    ----------
    missed
        The expected components that were not found.
    """
    if recognised is None:
        return seen
    places = index.places(recognised.state_id)
    asked = {
        key: place.clipped(frame.width, frame.height)
        for key in missed
        if key in places
        for place in [on_screen(seen, places[key].moved(*recognised.move))]
    }
    why: dict[int, str] = {}
    covers = _covers(index, frame, seen, recognised) if asked else []
    for key, place in asked.items():
        if 2 * sum(map(place.overlap, covers)) > place.area:
            x, y, w, h = max(covers, key=place.overlap).xywh
            why[key] = f"covered by something at {x}, {y}, {w}, {h}"
    rest = asked.keys() - why.keys()
    dimmed = [
        key for key in rest if _dimmed(store, seen.misses[key].template_id, frame, asked[key])
    ]
    if 2 * len(dimmed) > len(rest):
        why |= dict.fromkeys(dimmed, "covered: the page is dimmed here")
    covered = {key: replace(seen.misses[key], why=why[key], counted=False) for key in why}
    return replace(seen, misses={**seen.misses, **covered})


def on_screen(seen: Sightings, box: Box) -> Box:
    """Return a remembered place in pixels of the screenshot."""
    return enlarged_box(box, seen.scale).moved(seen.window.x, seen.window.y)


def _dimmed(store: Store, template_id: int, frame: Frame, place: Box) -> bool:
    """Return True if a component stands at its place with less contrast than it has."""
    if not place.area:
        return False
    crop = decode_png(store.value(TEMPLATES.pixels, {"id": template_id}))
    own = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    if own.shape != (place.h, place.w):
        own = cv2.resize(own, (place.w, place.h), interpolation=cv2.INTER_AREA)
    there = np.ascontiguousarray(frame.gray[place.y : place.bottom, place.x : place.right])
    left = float(there.std()) / max(float(own.std()), 1.0)
    # What a black or a white veil makes of the mean, if it leaves this share of the contrast.
    veiled = (left * float(own.mean()) + (1 - left) * white for white in (0, 255))
    if not 0 < left < _DIM or min(abs(float(there.mean()) - one) for one in veiled) > _VEIL:
        return False
    return float(cv2.matchTemplate(there, own, cv2.TM_CCOEFF_NORMED)[0, 0]) >= _ALIKE


def _covers(
    index: StateIndex, frame: Frame, seen: Sightings, recognised: Recognised
) -> Sequence[Box]:
    """Return the framed areas that lie above the page.

    Nothing remembered is left in such an area and something else stands there; and its edge
    cuts through things that the page had, as nothing does that belongs to the page.
    """
    layout = index.layouts[recognised.state_id]
    before = boxes_of(layout.words) + np.array([*recognised.move, 0, 0])
    here = boxes_of(words_of(frame, seen.window, seen.scale))
    close = np.abs(before[:, None] - here).max(axis=2) <= _SLACK
    places = {
        key: on_screen(seen, box.moved(*recognised.move))
        for key, box in index.places(recognised.state_id).items()
    }
    kept = _boxes(seen, before[close.any(axis=1)])
    kept += [
        hit.box for key, hit in seen.hits.items() if key in places and hit.box.iou(places[key]) > 0
    ]
    new = _boxes(seen, here[~close.any(axis=0)])
    known = [*_boxes(seen, before), *places.values()]
    free = [area for area in _framed(frame.gray) if not any(_inside(box, area) for box in kept)]
    strange = {area for area in free if any(_inside(box, area) for box in new)}
    cutting = {area for area in free if any(_cut(box, area) for box in known)}
    # A popup's own lines part it: one part cuts through the page, its neighbours need not.
    return [
        area
        for area in free
        if area in strange | cutting and any(area.overlap(other) for other in strange & cutting)
    ]


def _boxes(seen: Sightings, boxes: Ints) -> list[Box]:
    return [on_screen(seen, Box(*box)) for box in boxes.tolist()]


def _inside(box: Box, area: Box) -> bool:
    return 2 * box.overlap(area) > box.area


def _cut(box: Box, area: Box) -> bool:
    return _CUT[0] * box.area < box.overlap(area) < _CUT[1] * box.area


def _framed(gray: Pixels) -> list[Box]:
    """Return the areas that straight edges enclose, the outer frame alone left out."""
    lines = np.zeros_like(gray)
    for axis, size in ((1, (_LONG, 1)), (0, (1, _LONG))):
        ahead = gray[:, 1:] if axis == 0 else gray[1:]
        steps = cv2.absdiff(ahead, gray[: ahead.shape[0], : ahead.shape[1]])
        edges = np.asarray(cv2.compare(steps, np.full_like(steps, _STEP), cv2.CMP_GT))
        line = cv2.morphologyEx(edges, cv2.MORPH_OPEN, np.ones(size[::-1], np.uint8))
        part = lines[: line.shape[0], : line.shape[1]]
        np.maximum(part, line, out=part)
    # Round corners interrupt a frame by a few pixels.
    closed = cv2.dilate(lines, np.ones((7, 7), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.bitwise_not(closed), connectivity=4, ltype=cv2.CV_16U
    )
    boxes = [Box(x - 3, y - 3, w + 6, h + 6) for x, y, w, h, _ in stats[1:].tolist()]
    whole = gray.shape[0] * gray.shape[1]
    return [box for box in boxes if min(box.w, box.h) >= _LONG and 2 * box.area < whole]
