"""One template compared with every place of an area.

Slow and plain: for the best place of a template that no check passes, and for templates that
no stage of the quick search can propose a place for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.frame import MIN_CONTRAST
from memctl.visual.matching.checks import Measured, correlate, thin, verdict
from memctl.visual.matching.search_result import (
    TOO_FLAT,
    TOO_LARGE,
    Detection,
    Refusal,
)
from memctl.visual.matching.template import moments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.matching.search_result import MatchSettings
    from memctl.visual.matching.stages import SearchArea
    from memctl.visual.matching.template import Crop, Template

__all__ = ["best_spot", "judge", "search"]


SLACK = 0.01
"""The score map is single precision: peaks this far below the threshold are looked at too."""

NOISE = 0.5
"""Scores up to this are not worth asking whether their window is flat."""

FLAT = 1.0
"""Windows of a smaller standard deviation score noise; they can never pass the contrast check."""


def search(
    area: SearchArea, template: Template, settings: MatchSettings, crop: Crop | None = None
) -> tuple[list[Detection], Refusal]:
    """Find every place of one template.

    Parameters
    ----------
    area
        Where to search; the template must lie inside.
    crop
        The template's picture, if it is at hand; else it is made from its pixels.

    Returns
    -------
    places
        Verified places, best first, none overlapping a better one (pixel-identical places
        all stay).
    refusal
        Why there is no place, for the case that there is none.
    """
    crop = crop or template.crop
    gray = crop.gray
    if not _fits(area, gray):
        return [], TOO_LARGE
    if crop.contrast < MIN_CONTRAST:
        return [], TOO_FLAT
    scores = _scores(area, gray)
    places = []
    refusal = _best_of(scores, area.box)
    for x, y in sorted(
        {_climb(area.frame.gray, gray, at, area.box) for at in _peaks(scores, area.box, settings)}
    ):
        answer = judge(area.frame, template, crop, (x, y), settings, "full")
        if isinstance(answer, Detection):
            places.append(answer)
        elif refusal.why.startswith("below") or (answer.score or 0) > (refusal.score or 0):
            refusal = answer
    return thin(places, settings), refusal


def best_spot(area: SearchArea, template: Template) -> tuple[int, int] | None:
    """Return left and top of the best place, None if the template is flat or does not fit."""
    gray = template.gray
    if not _fits(area, gray) or float(gray.std()) == 0:
        return None
    scores = _scores(area, gray)
    top, left = np.unravel_index(int(scores.argmax()), scores.shape)
    return _climb(area.frame.gray, gray, (int(left) + area.box.x, int(top) + area.box.y), area.box)


def _fits(area: SearchArea, gray: Pixels) -> bool:
    return bool(gray.shape[0] <= area.box.h and gray.shape[1] <= area.box.w)


def _peaks(
    scores: NDArray[np.float32], area: Box, settings: MatchSettings
) -> list[tuple[int, int]]:
    """Left and top of the local maxima (3 x 3) that may reach the threshold."""
    maxima = (scores >= settings.min_score - SLACK) & (
        scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8))
    )
    return [(int(x) + area.x, int(y) + area.y) for y, x in np.argwhere(maxima)]


def _best_of(scores: NDArray[np.float32], area: Box) -> Refusal:
    _, best, _, (x, y) = cv2.minMaxLoc(scores)
    return Refusal("below 0.8", float(best), x + area.x, y + area.y)


def _scores(area: SearchArea, template: Pixels) -> NDArray[np.float32]:
    """Correlate at every place; flat windows score -1, for their values are noise."""
    scores = np.asarray(cv2.matchTemplate(area.gray, template, cv2.TM_CCOEFF_NORMED))
    rows, columns = np.nonzero(~(scores <= NOISE))
    height, width = (np.full(rows.size, side) for side in template.shape)
    flat = area.variance(columns, rows, width, height) < FLAT**2
    scores[rows[flat], columns[flat]] = -1.0
    return np.asarray(scores, dtype=np.float32)


def judge(
    frame: Frame,
    template: Template,
    crop: Crop,
    spot: tuple[int, int],
    settings: MatchSettings,
    how: str,
) -> Detection | Refusal:
    """Verify one place with the template's own pixels.

    Parameters
    ----------
    crop
        The template's picture.
    spot
        Left and top in the screenshot; the template must fit there.
    how
        The stage that proposed the place.
    """
    x, y = spot
    height, width = crop.gray.shape
    gray = frame.gray[y : y + height, x : x + width]
    total, power = moments(gray)
    difference = cv2.norm(gray, crop.gray, cv2.NORM_L2SQR)
    score, contrast = (
        float(value)
        for value in correlate(gray.size, total, power, crop.total, crop.power, difference)
    )
    return verdict(
        frame, template, crop, spot, settings, how, Measured(score, contrast, difference == 0)
    )


def _climb(
    screen: Pixels, template: Pixels, at: tuple[int, int], area: Box, *, steps: int = 4
) -> tuple[int, int]:
    """Walk uphill, pixel by pixel, to the local maximum of the score."""
    height, width = template.shape
    x, y = at
    for _ in range(steps):
        left, top = max(x - 1, area.x), max(y - 1, area.y)
        right = min(x + width + 1, area.right)
        bottom = min(y + height + 1, area.bottom)
        around = cv2.matchTemplate(screen[top:bottom, left:right], template, cv2.TM_CCOEFF_NORMED)
        if around[y - top, x - left] >= around.max():
            break
        _, _, _, (dx, dy) = cv2.minMaxLoc(around)
        x, y = left + dx, top + dy
    return x, y
