"""The differences of two screenshots by the components on them, and of a component's two looks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.base.errors import NotFoundError
from memctl.visual.boxes import Box
from memctl.visual.differences.comparing import compare_pictures
from memctl.visual.frame import Frame
from memctl.visual.graph.components import Components
from memctl.visual.reading.image import DEFAULT_MAX_PIXELS, decode_png, load_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.store.store import Store
    from memctl.visual.differences.comparing import ComparedPictures
    from memctl.visual.differences.diff_results import PictureChange
    from memctl.visual.frame import Pixels
    from memctl.visual.match_results import Sighting
    from memctl.visual.reading.image import ImageSource

_ONE_LOOK = "it has one look only"


def compare_screens(
    first: ImageSource,
    second: ImageSource,
    look: Callable[[Frame], Sequence[Sighting]] | None = None,
    *,
    max_pixels: int = DEFAULT_MAX_PIXELS,
) -> ComparedPictures:
    """Compare two screenshots; changes are named by the components that stand there.

    Parameters
    ----------
    look
        Finds the known components of a screenshot.
    """
    frames = [load_frame(one, max_pixels=max_pixels) for one in (first, second)]
    compared = compare_pictures(*frames)
    changes = compared.difference.changes
    if look is None or not changes:
        return compared
    before, after = (look(frame) for frame in frames)
    named = [_named(one, before, after) for one in changes]
    return replace(compared, difference=replace(compared.difference, changes=named))


def compare_looks(store: Store, key: str | int) -> ComparedPictures:
    """Compare the first look of a component with its last, at the larger of their scales.

    Raises
    ------
    NotFoundError
        When there is no such component, or it has no picture.
    """
    components = Components(store)
    looks = components.templates(key)
    if not looks:
        raise NotFoundError(
            f'"{components.get(key).name}" has no picture', hint="learn a screenshot that shows it"
        )
    first, last = looks[0], looks[-1]
    scale = max(first.scale, last.scale)
    pictures = [
        Frame(decode_png(components.picture(one.id))).resized(scale / one.scale).bgr
        for one in (first, last)
    ]
    width, height = (max(one.shape[side] for one in pictures) for side in (1, 0))
    framed = [Frame(_padded(one, width, height)) for one in pictures]
    compared = compare_pictures(*framed)
    if first.id != last.id:
        return compared
    return replace(compared, difference=replace(compared.difference, notes=[_ONE_LOOK]))


def _named(
    change: PictureChange, before: Sequence[Sighting], after: Sequence[Sighting]
) -> PictureChange:
    """Return a change with the component that stands there, or stood there before."""
    asked = [(change.box, before if change.kind == "went" else after)]
    if change.was is not None:
        asked.append((Box(*change.was), before))
    if change.kind == "scrolled":
        return change
    for box, sightings in asked:
        near = {Box(one.x, one.y, one.w, one.h): one for one in sightings}
        own = [one for one in near if 2 * one.overlap(box) > min(one.area, box.area)]
        best = max(own, key=box.iou, default=None)
        if best is not None:
            return replace(change, name=near[best].name, component_id=near[best].component_id)
    return change


def _padded(bgr: Pixels, width: int, height: int) -> Pixels:
    below, right = height - bgr.shape[0], width - bgr.shape[1]
    return np.asarray(cv2.copyMakeBorder(bgr, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
