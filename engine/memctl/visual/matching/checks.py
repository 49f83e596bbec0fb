"""The pixel checks: whether what stands at a place really is the template.

Normalised cross-correlation is blind to brightness and contrast: an active and an inactive
menu item score 0.9999. Comparing the contrast (the gray standard deviation) and the mean of
each colour channel afterwards costs microseconds and takes away four false places of five.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.matching.findings import Place, Refusal
from memctl.visual.matching.look import digest, moments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.matching.look import Look
    from memctl.visual.matching.settings import Settings
    from memctl.visual.matching.template import Template

__all__ = [
    "Measured",
    "climb",
    "correlate",
    "judge",
    "structural_similarity",
    "thin",
    "verdict",
]

SSIM_SIDE = 7
"""Window of the structural similarity, in pixels."""


def judge(
    frame: Frame,
    template: Template,
    look: Look,
    spot: tuple[int, int],
    settings: Settings,
    how: str,
) -> Place | Refusal:
    """Verify one place with the template's own pixels.

    Parameters
    ----------
    look
        The template's picture.
    spot
        Left and top in the screenshot; the template must fit there.
    how
        The stage that proposed the place.
    """
    x, y = spot
    height, width = look.gray.shape
    gray = frame.gray[y : y + height, x : x + width]
    total, power = moments(gray)
    difference = cv2.norm(gray, look.gray, cv2.NORM_L2SQR)
    score, contrast = (
        float(value)
        for value in correlate(gray.size, total, power, look.total, look.power, difference)
    )
    return verdict(
        frame, template, look, spot, settings, how, Measured(score, contrast, difference == 0)
    )


@dataclass(frozen=True, slots=True)
class Measured:
    """Correlation and contrast (standard deviation) of a place, and whether its luma is equal."""

    score: float
    contrast: float
    equal: bool


def verdict(
    frame: Frame,
    template: Template,
    look: Look,
    spot: tuple[int, int],
    settings: Settings,
    how: str,
    measured: Measured,
) -> Place | Refusal:
    """Decide about a place that was measured. Every search ends here, so that all agree."""
    x, y = spot
    height, width = look.gray.shape
    crop = frame.bgr[y : y + height, x : x + width]
    same = measured.equal and digest(crop) == look.fingerprint
    why = None if same else _objection(look, crop, measured, settings)
    if why is not None:
        return Refusal(why, measured.score, x, y)
    box = Box(x, y, width, height)
    score = 1.0 if same else measured.score
    return Place(template.template_id, template.component_id, box, score, same, how)


def correlate(
    size: Any, total: Any, power: Any, own_total: Any, own_power: Any, difference: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Correlate gray values by their sums, of one place or of many at once.

    Whole numbers that double precision holds exactly, so that whoever asks gets the same.

    Parameters
    ----------
    size
        Pixels of the template.
    total, power
        `moments` of the place; ``own_total`` and ``own_power`` of the template.
    difference
        Sum of the squared differences of the two.

    Returns
    -------
    score
        Pearson's r, at most 1; 0 where one side is constant.
    contrast
        Standard deviation of the place.
    """
    product = (power + own_power - difference) / 2
    variance = np.maximum(size * power - total**2, 0.0)
    own = np.maximum(size * own_power - own_total**2, 0.0)
    scale = np.sqrt(variance * own)
    score = (size * product - total * own_total) / np.where(scale > 0, scale, np.inf)
    return np.minimum(score, 1.0), np.sqrt(variance) / size


def _objection(look: Look, crop: Pixels, measured: Measured, settings: Settings) -> str | None:
    if measured.score < settings.min_score:
        return f"below {settings.min_score:g}"
    if abs(math.log(measured.contrast / look.contrast)) > settings.max_contrast:
        return "contrast differs"
    seen = cv2.mean(crop)[:3]
    worst = max(abs(a - b) for a, b in zip(seen, look.colour, strict=True))
    return "colour differs" if worst > settings.max_colour else None


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


def thin(places: list[Place], settings: Settings) -> list[Place]:
    """Keep, of overlapping places of one template, the best; keep every identical one."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: (not p.identical, -p.score, p.box.y, p.box.x)):
        if place.identical or all(place.box.iou(k.box) <= settings.max_overlap for k in kept):
            kept.append(place)
    return kept


def structural_similarity(one: Pixels, other: Pixels) -> float:
    """Mean structural similarity of two images, -1 to 1.

    The same figure as scikit-image's with a uniform window of 7 x 7, the mean over the
    channels; done with OpenCV's box filter because it is asked for inside a match, where
    importing SciPy would cost more than the match.

    Parameters
    ----------
    one, other
        ``(h, w[, channels])`` uint8 of one shape; below 7 x 7 the window reaches over the edge.

    References
    ----------
    Wang, Bovik, Sheikh, Simoncelli: Image quality assessment: from error visibility to
    structural similarity, IEEE Transactions on Image Processing 13 (2004).
    """
    a, b = one.astype(np.float32), other.astype(np.float32)
    mean_a, mean_b, power_a, power_b, product = (
        cv2.blur(values, (SSIM_SIDE, SSIM_SIDE)) for values in (a, b, a * a, b * b, a * b)
    )
    sample = SSIM_SIDE**2 / (SSIM_SIDE**2 - 1)
    variance = sample * (power_a - mean_a**2 + power_b - mean_b**2)
    covariance = sample * (product - mean_a * mean_b)
    low, high = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    similarity = (2 * mean_a * mean_b + low) * (2 * covariance + high)
    similarity /= (mean_a**2 + mean_b**2 + low) * (variance + high)
    edge = min(SSIM_SIDE // 2, (min(one.shape[:2]) - 1) // 2)
    rows, columns = (slice(edge, side - edge) for side in one.shape[:2])
    return float(similarity[rows, columns].mean())
