"""Brute force: one template over the whole search area. Slow, plain, and the reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.matching.checks import climb, judge, thin
from memctl.visual.matching.findings import TOO_FLAT, TOO_LARGE, Place, Refusal
from memctl.visual.matching.learnable import MIN_CONTRAST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.matching.look import Look
    from memctl.visual.matching.settings import Settings
    from memctl.visual.matching.template import Template

__all__ = ["Area", "best_spot", "search"]

SLACK = 0.01
"""The score map is single precision: peaks this far below the threshold are looked at too."""

NOISE = 0.5
"""Scores up to this are not worth asking whether their window is flat."""

FLAT = 1.0
"""Windows of a smaller standard deviation score noise; they can never pass the contrast check."""


def search(
    area: Area, template: Template, settings: Settings, look: Look | None = None
) -> tuple[list[Place], Refusal]:
    """Find every place of one template.

    Parameters
    ----------
    area
        Where to search; the template must lie inside.
    look
        The template's picture, if it is at hand; else it is made from its pixels.

    Returns
    -------
    places
        Verified places, best first, none overlapping a better one (pixel-identical places
        all stay).
    refusal
        Why there is no place, for the case that there is none.
    """
    look = look or template.look
    gray = look.gray
    if not area.holds(gray.shape):
        return [], TOO_LARGE
    if look.contrast < MIN_CONTRAST:
        return [], TOO_FLAT
    scores = area.scores(gray)
    places = []
    refusal = _best_of(scores, area.box)
    for x, y in sorted(
        {climb(area.frame.gray, gray, at, area.box) for at in _peaks(scores, area.box, settings)}
    ):
        verdict = judge(area.frame, template, look, (x, y), settings, "full")
        if isinstance(verdict, Place):
            places.append(verdict)
        elif refusal.why.startswith("below") or (verdict.score or 0) > (refusal.score or 0):
            refusal = verdict
    return thin(places, settings), refusal


def best_spot(area: Area, template: Template) -> tuple[int, int] | None:
    """Return left and top of the best place, None if the template is flat or does not fit."""
    gray = template.gray
    if not area.holds(gray.shape) or float(gray.std()) == 0:
        return None
    scores = area.scores(gray)
    top, left = np.unravel_index(int(scores.argmax()), scores.shape)
    return climb(area.frame.gray, gray, (int(left) + area.box.x, int(top) + area.box.y), area.box)


@dataclass(frozen=True, eq=False)
class Area:
    """The part of a screenshot that is searched, with what all templates need of it."""

    frame: Frame
    box: Box

    @cached_property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8."""
        return self.frame.gray[self.box.y : self.box.bottom, self.box.x : self.box.right]

    @cached_property
    def integrals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Summed-area tables of the gray values and of their squares, exact."""
        sums, squares = cv2.integral2(self.gray, sdepth=cv2.CV_64F, sqdepth=cv2.CV_64F)
        return np.asarray(sums), np.asarray(squares)

    def holds(self, shape: tuple[int, ...]) -> bool:
        """Whether something of this (height, width) fits in."""
        return shape[0] <= self.box.h and shape[1] <= self.box.w

    def scores(self, template: Pixels) -> NDArray[np.float32]:
        """Correlate at every place; flat windows score -1, for their values are noise."""
        scores = np.asarray(cv2.matchTemplate(self.gray, template, cv2.TM_CCOEFF_NORMED))
        rows, columns = np.nonzero(~(scores <= NOISE))
        flat = self._variance(rows, columns, template.shape) < FLAT**2
        scores[rows[flat], columns[flat]] = -1.0
        return np.asarray(scores, dtype=np.float32)

    def _variance(
        self, rows: NDArray[np.intp], columns: NDArray[np.intp], shape: tuple[int, ...]
    ) -> NDArray[np.float64]:
        """Variance of the windows with these top rows and left columns."""
        bottom, right, n = rows + shape[0], columns + shape[1], shape[0] * shape[1]
        mean, power = (
            (t[bottom, right] - t[rows, right] - t[bottom, columns] + t[rows, columns]) / n
            for t in self.integrals
        )
        return np.asarray(power - mean**2)


def _peaks(scores: NDArray[np.float32], area: Box, settings: Settings) -> list[tuple[int, int]]:
    """Left and top of the local maxima (3 x 3) that may reach the threshold."""
    maxima = (scores >= settings.min_score - SLACK) & (
        scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8))
    )
    return [(int(x) + area.x, int(y) + area.y) for y, x in np.argwhere(maxima)]


def _best_of(scores: NDArray[np.float32], area: Box) -> Refusal:
    _, best, _, (x, y) = cv2.minMaxLoc(scores)
    return Refusal("below 0.8", float(best), x + area.x, y + area.y)
