"""The exact look at many places at once: score, contrast, and the top of the hill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.matching.candidates import Candidates, Mask, fits
from memctl.visual.matching.checks import correlate
from memctl.visual.matching.probing import AROUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Ints
    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen

__all__ = ["Measures", "climb_all", "measure"]

STEPS = 4
"""Pixels that a place may climb."""


@dataclass(eq=False)
class Measures:
    """``(n,)`` each: correlation, contrast of the place, and whether its luma is equal."""

    score: NDArray[np.float64]
    contrast: NDArray[np.float64]
    equal: Mask

    def replace(self, at: Ints, other: Measures, chosen: Ints) -> None:
        """Take over some of another's."""
        self.score[at] = other.score[chosen]
        self.contrast[at] = other.contrast[chosen]
        self.equal[at] = other.equal[chosen]


def measure(c: Candidates, screen: Screen, known: TemplateSet) -> Measures:
    """Compare all pixels of templates with the places proposed for them."""
    w, h = known.w[c.owner], known.h[c.owner]
    screen_gray, gray, norm, squared = screen.gray, known.gray, cv2.norm, cv2.NORM_L2SQR
    found = np.empty((2, len(c)))
    places = zip(*(some.tolist() for some in (c.owner, c.x, c.y, w, h)), strict=True)
    for number, (owner, x, y, width, height) in enumerate(places):
        crop = screen_gray[y : y + height, x : x + width]
        found[0, number] = norm(crop, gray(owner), squared)
        found[1, number] = norm(crop, squared)
    difference, power = found
    total = screen.totals(c.x, c.y, w, h).astype(np.float64)
    own = known.total[c.owner], known.power[c.owner]
    score, contrast = correlate(w * h, total, power, *own, difference)
    return Measures(score, contrast, difference == 0)


def climb_all(
    c: Candidates, measures: Measures, moving: Ints, screen: Screen, known: TemplateSet
) -> Candidates:
    """Walk some places uphill, pixel by pixel, to a local maximum of the score.

    ``measures`` follow them.
    """
    x, y = c.x.copy(), c.y.copy()
    for _ in range(STEPS):
        if not moving.size:
            break
        here = Candidates(c.owner, x, y, c.stage).where(moving)
        around = here.where(np.repeat(np.arange(len(here)), len(AROUND)))
        around = around.moved(*np.tile(AROUND, (len(here), 1)).T)
        inside = np.flatnonzero(fits(around, screen, known))
        found = measure(around.where(inside), screen, known)
        number = np.full(len(around), -1)
        number[inside] = np.arange(inside.size)
        scores = np.full(len(around), -1.0)
        scores[inside] = found.score
        best = scores.reshape(-1, len(AROUND)).argmax(axis=1) + np.arange(len(here)) * len(AROUND)
        better = scores[best] > measures.score[moving]
        moving, best = moving[better], best[better]
        x[moving], y[moving] = around.x[best], around.y[best]
        measures.replace(moving, found, number[best])
    return Candidates(c.owner, x, y, c.stage)
