"""Ignored areas: parts of a screen that a person leaves out, such as a clock or a video.

They are kept with the state, as the columns of `state.ignored` say: in pixels at device-pixel
ratio 1, from the window's corner.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from memctl.base.errors import UsageError
from memctl.store import statements
from memctl.visual.boxes import Box, checked_box

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.store.store import Store
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

SQL = statements.load("store/state")

Area = tuple[int, int, int, int]


def checked_areas(areas: Iterable[Area], window: Box) -> list[Box]:
    """Return areas that a caller gave, cut to the window; none of them holds another.

    Raises
    ------
    UsageError
        When one is no four whole numbers, is empty or lies outside of the window, or when they
        leave nothing of it.
    """
    boxes = [_checked(area, window) for area in areas]
    free = np.ones((window.h, window.w), np.bool_)
    for box in boxes:
        free[box.y - window.y : box.bottom - window.y, box.x - window.x : box.right - window.x] = 0
    if not free.any():
        raise UsageError("all of the screen is ignored", hint="leave a part of it to be learned")
    return _outermost(boxes)


def _checked(area: object, window: Box) -> Box:
    box = checked_box(area, "the ignored area")
    if not box.overlap(window):
        place, size = ",".join(map(str, box.xywh)), f"{window.w} x {window.h}"
        raise UsageError(
            f"the ignored area {place} lies outside of the {size} screen",
            hint="give X,Y,W,H in image pixels",
        )
    return box.within(window)


def _outermost(boxes: Iterable[Box]) -> list[Box]:
    different = list(dict.fromkeys(boxes))
    return [
        box
        for box in different
        if not any(box != other and box.inside(other) for other in different)
    ]


def lies_in(box: Box, areas: Iterable[Box]) -> bool:
    """Return True if more than half of a box lies in one of these areas."""
    return any(2 * box.overlap(area) > box.area for area in areas)


def keep_ignored(
    store: Store,
    index: StateIndex,
    state_id: str,
    seen: Sightings,
    recognised: Recognised | None,
    areas: Sequence[Box],
) -> None:
    """Add ignored areas of a screenshot to its state. In a transaction.

    Parameters
    ----------
    recognised
        The state as it was known before; ``None`` for a new one.
    areas
        In pixels of the screenshot.
    """
    if not areas:
        return
    before = index.layouts[state_id].ignored if recognised else ()
    dx, dy = recognised.move if recognised else (0, 0)
    own = [seen.at_scale_one(area).moved(-dx, -dy) for area in areas]
    kept = json.dumps([box.xywh for box in _outermost([*before, *own])])
    store.execute(SQL.set_ignored, {"id": state_id, "ignored": kept})
