"""Brute force: one template over the whole search area. Slow, plain, and the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.matching.checks import correlation, objection
from memctl.visual.matching.findings import Place, Refusal
from memctl.visual.matching.learnable import MIN_CONTRAST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.matching.settings import Settings
    from memctl.visual.matching.template import Template

__all__ = ["best_place", "climb", "judge", "search", "thin"]

SLACK = 0.01
"""The score map is single precision: peaks this far below the threshold are looked at too."""

FLAT = 1.0
"""Windows of a smaller standard deviation score noise; they can never pass the contrast check."""


def search(
    frame: Frame, template: Template, area: Box, settings: Settings
) -> tuple[list[Place], Refusal]:
    """Find every place of one template.

    Parameters
    ----------
    frame
        The screenshot.
    area
        Part of it to search; the template must lie inside.

    Returns
    -------
    places
        Verified places, best first, none overlapping a better one (pixel-identical places
        all stay).
    refusal
        Why there is no place, for the case that there is none.
    """
    gray = template.gray
    if gray.shape[0] > area.h or gray.shape[1] > area.w:
        return [], Refusal("template larger than the screen")
    if float(gray.std()) < MIN_CONTRAST:
        return [], Refusal("template is flat")
    scores = score_map(frame.gray, gray, area)
    places = []
    refusal = _best_of(scores, area)
    for x, y in sorted(
        {climb(frame.gray, gray, at, area) for at in _peaks(scores, area, settings)}
    ):
        verdict = judge(frame, template, x, y, settings)
        if isinstance(verdict, Place):
            places.append(verdict)
        elif refusal.why.startswith("below") or (verdict.score or 0) > (refusal.score or 0):
            refusal = verdict
    return thin(places, settings), refusal


def best_place(frame: Frame, template: Template, area: Box) -> tuple[int, int, float] | None:
    """Return left, top and exact score of the best place, None if it does not fit or is flat."""
    gray = template.gray
    if gray.shape[0] > area.h or gray.shape[1] > area.w or float(gray.std()) == 0:
        return None
    scores = score_map(frame.gray, gray, area)
    top, left = np.unravel_index(int(scores.argmax()), scores.shape)
    x, y = climb(frame.gray, gray, (int(left) + area.x, int(top) + area.y), area)
    return x, y, correlation(gray, frame.gray[y : y + gray.shape[0], x : x + gray.shape[1]])


def score_map(screen: Pixels, template: Pixels, area: Box) -> NDArray[np.float32]:
    """Correlate at every place of the area; flat windows score -1, as their values are noise."""
    part = screen[area.y : area.bottom, area.x : area.right]
    scores = cv2.matchTemplate(part, template, cv2.TM_CCOEFF_NORMED).astype(np.float32)
    height, width = template.shape
    sums, squares = cv2.integral2(part, sdepth=cv2.CV_64F, sqdepth=cv2.CV_64F)
    totals, energies = (
        table[height:, width:]
        - table[:-height, width:]
        - table[height:, :-width]
        + table[:-height, :-width]
        for table in (sums, squares)
    )
    variance = energies / template.size - (totals / template.size) ** 2
    scores[(variance < FLAT**2) | ~np.isfinite(scores)] = -1.0
    return np.asarray(scores, dtype=np.float32)


def _peaks(scores: NDArray[np.float32], area: Box, settings: Settings) -> list[tuple[int, int]]:
    """Left and top of the local maxima (3 x 3) that may reach the threshold."""
    maxima = (scores >= settings.min_score - SLACK) & (
        scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8))
    )
    return [(int(x) + area.x, int(y) + area.y) for y, x in np.argwhere(maxima)]


def climb(
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


def judge(
    frame: Frame, template: Template, x: int, y: int, settings: Settings, *, how: str = "full"
) -> Place | Refusal:
    """Verify one place with exact sums."""
    height, width = template.gray.shape
    crop = frame.bgr[y : y + height, x : x + width]
    box = Box(x, y, width, height)
    names = (template.template_id, template.component_id)
    if np.array_equal(crop, template.bgr):
        return Place(*names, box, 1.0, identical=True, how=how)
    score = correlation(template.gray, frame.gray[y : y + height, x : x + width])
    if score < settings.min_score:
        return Refusal(f"below {settings.min_score:g}", score, x, y)
    why = objection(template.bgr, crop, settings)
    if why is not None:
        return Refusal(why, score, x, y)
    return Place(*names, box, score, identical=False, how=how)


def thin(places: list[Place], settings: Settings) -> list[Place]:
    """Keep, of overlapping places of one template, the best; keep every identical one."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: (not p.identical, -p.score, p.box.y, p.box.x)):
        if place.identical or all(place.box.iou(k.box) <= settings.max_overlap for k in kept):
            kept.append(place)
    return kept


def _best_of(scores: NDArray[np.float32], area: Box) -> Refusal:
    _, best, _, (x, y) = cv2.minMaxLoc(scores)
    return Refusal("below 0.8", float(best), x + area.x, y + area.y)
