"""Look-alikes: which remembered templates may claim the places of a component."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.identity.strangeness import BESIDE, strangeness

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels
    from memctl.visual.matching.template_set import TemplateSet

_SIDE = 0.2  # share of a side that a rival for a place may be longer or shorter by
_ALIKE = 0.7  # least correlation of a rival's picture, which at 0.8 would be found there


def look_alikes(known: TemplateSet, component_id: int) -> list[int]:
    """Return the indices of a component's templates and of those that may be found there, too.

    Two boxes claim one place above an IoU of 0.8, so a rival's sides differ by a fifth at most.
    """
    own = [i for i, one in enumerate(known.templates) if one.component_id == component_id]
    found = set(own)
    for index in own:
        width, height = int(known.w[index]), int(known.h[index])
        near = (np.abs(known.w - width) <= _SIDE * width) & (
            np.abs(known.h - height) <= _SIDE * height
        )
        gray = known.gray(index)
        for other in np.flatnonzero(near & known.usable).tolist():
            if other not in found and _alike(gray, known.gray(other)):
                found.add(other)
    return sorted(found)


def twins_of(known: TemplateSet, component_id: int) -> set[int]:
    """Return a component and those of its size and label, whatever they stand on."""
    found = {component_id}
    some = look_alikes(known, component_id)
    own = [i for i in some if known.templates[i].component_id == component_id]
    for index in own:
        run = known.glyphs(known.templates[index].template_id, 1.0)
        for other in some:
            gray = known.gray(other)
            fits = all(abs(a - b) <= 1 for a, b in zip(gray.shape, run.size, strict=True))
            height, width = run.size
            if fits and strangeness(run, gray, Box(0, 0, width, height), BESIDE) <= 1:
                found.add(known.templates[other].component_id)
    return found


def _alike(one: Pixels, other: Pixels) -> bool:
    """Correlate two pictures where the smaller fits into the larger best."""
    height, width = (min(sides) for sides in zip(one.shape, other.shape, strict=True))
    part = one[(one.shape[0] - height) // 2 :, (one.shape[1] - width) // 2 :][:height, :width]
    whole = cv2.copyMakeBorder(other, 2, 2, 2, 2, cv2.BORDER_REPLICATE)
    scores = np.nan_to_num(cv2.matchTemplate(whole, part, cv2.TM_CCOEFF_NORMED))
    return float(scores.max()) >= _ALIKE
