"""The pixel checks: whether what stands at a place really is the template.

Normalised cross-correlation is blind to brightness and contrast: an active and an inactive
menu item score 0.9999. Comparing the contrast (the gray standard deviation) and the mean of
each colour channel afterwards costs microseconds and takes away four false places of five.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels
    from memctl.visual.matching.settings import Settings

__all__ = ["correlation", "objection", "structural_similarity"]

SMALLEST_SIDE = 3
"""Least window of the structural similarity, in pixels; smaller crops are only correlated."""


def correlation(one: Pixels, other: Pixels) -> float:
    """Normalised cross-correlation of two gray images of one size.

    Parameters
    ----------
    one, other
        ``(h, w)`` uint8.

    Returns
    -------
    float
        Pearson's r of the pixel values, -1 to 1; 0 if either is constant. Sums are exact
        (integers below 2**53 in double precision), so that the threshold decides the same
        whichever search proposed the place.
    """
    a = one.ravel().astype(np.float64)
    b = other.ravel().astype(np.float64)
    n = a.size
    sum_a, sum_b = float(a.sum()), float(b.sum())
    spread = (n * float(a @ a) - sum_a * sum_a) * (n * float(b @ b) - sum_b * sum_b)
    if spread <= 0:
        return 0.0
    return (n * float(a @ b) - sum_a * sum_b) / math.sqrt(spread)


def objection(template: Pixels, crop: Pixels, settings: Settings) -> str | None:
    """Say which check refuses ``crop`` as a picture of ``template``, None if none does.

    Parameters
    ----------
    template, crop
        ``(h, w, 3)`` uint8, blue-green-red, of one size.
    settings
        Bounds on contrast and colour; the correlation is the caller's business.

    Returns
    -------
    str or None
        "contrast differs", "colour differs" or None.
    """
    contrasts = [_contrast(template), _contrast(crop)]
    if min(contrasts) <= 0 or abs(math.log(contrasts[1] / contrasts[0])) > settings.max_contrast:
        return "contrast differs"
    difference = np.abs(np.subtract(cv2.mean(template)[:3], cv2.mean(crop)[:3]))
    return "colour differs" if float(difference.max()) > settings.max_colour else None


def _contrast(bgr: Pixels) -> float:
    _, deviation = cv2.meanStdDev(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY))
    return float(deviation[0, 0])


def structural_similarity(one: Pixels, other: Pixels) -> float:
    """Mean structural similarity of two colour images, -1 to 1.

    Used only where two templates both pass for one place: it is forty times the price of
    the other checks.

    References
    ----------
    Wang, Bovik, Sheikh, Simoncelli: Image quality assessment: from error visibility to
    structural similarity, IEEE Transactions on Image Processing 13 (2004).
    """
    from skimage.metrics import structural_similarity as ssim

    side = min(7, (min(one.shape[:2]) - 1) // 2 * 2 + 1)
    if side < SMALLEST_SIDE:
        return correlation(
            cv2.cvtColor(one, cv2.COLOR_BGR2GRAY).astype(np.uint8),
            cv2.cvtColor(other, cv2.COLOR_BGR2GRAY).astype(np.uint8),
        )
    similarity = ssim(one, other, channel_axis=2, win_size=side)  # type: ignore[no-untyped-call]
    return float(similarity)
