"""What hides a page or stands behind it: popups and open menus above, another wallpaper below.

A desktop on another wallpaper has the same windows. What several states have in common, and what
is different now in one large region, is left out of a comparison; what is left must agree well.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.boxes import Box
from memctl.visual.recognition.shown_screen import HIDDEN, SAME, boxes_of
from memctl.visual.recognition.views import in_open

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Pixels
    from memctl.visual.recognition.shown_screen import Look, Words
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex
    from memctl.visual.recognition.word_index import Mask


Point = tuple[int, int]
Ints = NDArray[np.int64]

_STEP = 4  # gray levels between neighbours that a frame has
_LONG = 61  # pixels of its shortest side
_SLACK = 3  # pixels that a word in place may be off
_CUT = (0.1, 0.9)  # share of a remembered thing that an edge leaves on one side


def overlays(
    index: StateIndex,
    framed: Sequence[Box],
    seen: Sightings,
    words: Words,
    state_id: str,
    move: Point,
) -> list[Box]:
    """Return the framed areas of a screen that lie above the page of a state, image pixels.

    Nothing remembered is left in such an area and something else stands there; and its edge
    cuts through things that the page had, as nothing does that belongs to the page.

    ``framed``: the `framed_areas` of the screen. ``words``: the screen's. ``move``: how far the
    page has moved.
    """
    before = boxes_of(index.layouts[state_id].words) + np.array([*move, 0, 0])
    here = boxes_of(words)
    close = np.abs(before[:, None] - here).max(axis=2) <= _SLACK
    places = {key: on_screen(seen, box.moved(*move)) for key, box in index.places(state_id).items()}
    kept = _boxes(seen, before[close.any(axis=1)])
    kept += [
        hit.box for key, hit in seen.hits.items() if key in places and hit.box.iou(places[key]) > 0
    ]
    new = _boxes(seen, here[~close.any(axis=0)])
    known = [*_boxes(seen, before), *places.values()]
    free = [area for area in framed if not any(map(area.holds_most_of, kept))]
    strange = {area for area in free if any(map(area.holds_most_of, new))}
    cutting = {
        area
        for area in free
        if any(_CUT[0] * b.area < b.overlap(area) < _CUT[1] * b.area for b in known)
    }
    # A popup's own lines part it: one part cuts through the page, its neighbours need not.
    return [
        area
        for area in free
        if area in strange | cutting and any(area.overlap(other) for other in strange & cutting)
    ]


def on_screen(seen: Sightings, box: Box) -> Box:
    """Return a remembered place in pixels of the screenshot."""
    return box.times(seen.scale).moved(seen.window.x, seen.window.y)


def _boxes(seen: Sightings, boxes: Ints) -> list[Box]:
    return [on_screen(seen, Box(*box)) for box in boxes.tolist()]


def framed_areas(gray: Pixels) -> list[Box]:
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


_EQUAL = 3  # gray levels by which the wallpaper of two states may differ
_SHARED = 2  # other states that must have it
_ASKED = 64  # states that are looked at: a wallpaper is behind many
_LARGE = 0.1  # of the screen that must have changed
_OWN, _KEPT = 3, 0.4  # words that few other states have: how many must be left, and what share
_RIM = np.ones((5, 5), np.uint8)  # cells around it that a shadow reaches


def without_backdrop(index: StateIndex, state_id: str, mask: Look, shown: Look) -> Look | None:
    """Return a state's look without a wallpaper that is another one now.

    ``mask``: the state's look, without what is not compared. ``shown``: the screen's. Returns
    ``None`` where no large region that other states share has changed, or where too little is left
    of what the state alone has.
    """
    if mask.shape != shown.shape:
        return None
    changed = (cv2.absdiff(mask, shown) > SAME) & (mask != HIDDEN) & (shown != HIDDEN)
    backdrop = (changed & _shared(index, state_id)).astype(np.uint8)
    # A closed region: on a busy wallpaper some cells are alike by chance.
    backdrop = np.asarray(cv2.morphologyEx(backdrop, cv2.MORPH_CLOSE, _RIM), np.uint8)
    if np.count_nonzero(backdrop) < _LARGE * backdrop.size:
        return None
    left = mask.copy()
    left[cv2.dilate(backdrop, _RIM) > 0] = HIDDEN
    words = index.layouts[state_id].words
    own = index.words.rare(state_id)
    kept = in_open(words, left) & own
    return left if kept.sum() >= max(_OWN, _KEPT * own.sum()) else None


def _shared(index: StateIndex, state_id: str) -> Mask:
    """Mark the cells of a state that look the same in several states of other pages."""
    layout, page = index.layouts[state_id], index.states[state_id].page
    own = layout.look
    assert own is not None  # noqa: S101  (only such states are asked)
    others = (
        other.look
        for key, other in index.layouts.items()
        if key != state_id and (page is None or index.states[key].page != page)
        if other.look is not None and other.look.shape == own.shape
    )
    counts = np.zeros(own.shape, np.int32)
    for look in islice(others, _ASKED):
        counts += (cv2.absdiff(look, own) <= _EQUAL) & (look != HIDDEN)
    return np.asarray(counts >= _SHARED)
