"""The device-pixel ratio of a screenshot, by a vote of distinctive templates.

One ratio holds for a whole screenshot, so it is settled once, by a few templates, and the
memory is then resized for it, once. Never are several sizes searched for on every frame.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.matching.cascade import search_area
from memctl.visual.matching.prepared import TemplateSet
from memctl.visual.matching.stopwatch import Stopwatch

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels
    from memctl.visual.matching.screen import Screen
    from memctl.visual.matching.settings import Settings
    from memctl.visual.matching.template import Template

__all__ = ["SCALES", "at_scale", "vote"]

SCALES = (1.0, 1.25, 1.5, 1.75, 2.0)
"""Ratios that displays have."""

VOTERS = 64
"""Templates that are asked."""

QUORUM = 3
"""Votes a ratio needs."""

SMALLEST = 6
"""A template resized below this many pixels says nothing."""


def vote(screen: Screen, known: TemplateSet, settings: Settings) -> float | None:
    """Return the ratio that most voters are found at, None if hardly any is found at any."""
    counts = {}
    for scale in SCALES:
        voters = known.cached(("voters", scale), partial(_voters, known, scale))
        found = search_area(screen, voters, settings, Stopwatch(), audited=False).places
        counts[scale] = len(found)
    best = max(SCALES, key=lambda scale: (counts[scale], scale == known.scale))
    return best if counts[best] >= QUORUM else None


def _voters(known: TemplateSet, scale: float) -> TemplateSet:
    """Resize the largest templates with contrast; one of each size, so that many kinds vote."""
    worth = known.contrast * np.minimum(known.w * known.h, 200 * 60) * known.usable
    order = np.argsort(-worth, kind="stable")[: 4 * VOTERS]
    chosen = order[:: max(order.size // VOTERS, 1)][:VOTERS]
    return TemplateSet([_resized(known.templates[i], scale) for i in chosen])


def at_scale(known: TemplateSet, scale: float) -> TemplateSet:
    """Return the memory for screenshots of one device-pixel ratio; made once, then kept.

    A component that was learned at this ratio is looked for as it was; of the others every
    look is resized.
    """
    if all(template.scale == scale for template in known.templates):
        return known
    return known.cached(("scale", scale), partial(_at_scale, known, scale))


def _at_scale(known: TemplateSet, scale: float) -> TemplateSet:
    native = {t.component_id for t in known.templates if t.scale == scale}
    return TemplateSet(
        [
            _resized(template, scale)
            for template in known.templates
            if template.scale == scale or template.component_id not in native
        ]
    )


def _resized(template: Template, scale: float) -> Template:
    if template.scale == scale:
        return template
    ratio = scale / template.scale
    last = template.last and (round(template.last[0] * ratio), round(template.last[1] * ratio))
    pixels = _resize(template.bgr, ratio)
    return replace(template, pixels=pixels, features=None, scale=scale, last=last, resized=True)


def _resize(bgr: Pixels, ratio: float) -> Pixels:
    height, width = (max(round(side * ratio), SMALLEST) for side in bgr.shape[:2])
    how = cv2.INTER_AREA if ratio < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(bgr, (width, height), interpolation=how), dtype=np.uint8)
