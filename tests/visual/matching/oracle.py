"""Brute force written a second time, from the definition, to judge the matcher by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels

Spot = tuple[int, int]


def gray(bgr: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY))


def scores(screen: Pixels, template: Pixels) -> NDArray[np.float32]:
    """TM_CCOEFF_NORMED everywhere, windows that are flat (std < 1) taken out."""
    h, w = template.shape[:2]
    result = np.asarray(cv2.matchTemplate(gray(screen), gray(template), cv2.TM_CCOEFF_NORMED))
    image = gray(screen).astype(np.float64)
    mean = cv2.blur(image, (w, h), anchor=(0, 0))[: result.shape[0], : result.shape[1]]
    power = cv2.blur(image**2, (w, h), anchor=(0, 0))[: result.shape[0], : result.shape[1]]
    result[power - mean**2 < 1] = 0
    return np.asarray(result, dtype=np.float32)


def passes(screen: Pixels, template: Pixels, spot: Spot) -> bool:
    """NCC >= 0.8, log contrast ratio <= .15, channel means within 12."""
    x, y = spot
    h, w = template.shape[:2]
    crop = screen[y : y + h, x : x + w]
    if crop.shape != template.shape:
        return False
    a, b = gray(template).astype(float).ravel(), gray(crop).astype(float).ravel()
    if a.std() == 0 or b.std() == 0 or np.corrcoef(a, b)[0, 1] < 0.8:
        return False
    means = np.abs(template.mean(axis=(0, 1)) - crop.mean(axis=(0, 1)))
    return bool(abs(np.log(b.std() / a.std())) <= 0.15 and means.max() <= 12)


def identical(screen: Pixels, template: Pixels) -> set[Spot]:
    """Every place whose colours are the template's."""
    h, w = template.shape[:2]
    near = np.argwhere(scores(screen, template) > 0.99)
    equal = (np.array_equal(screen[y : y + h, x : x + w], template) for y, x in near)
    return {(int(x), int(y)) for (y, x), same in zip(near, equal, strict=True) if same}


def verified(screen: Pixels, template: Pixels) -> list[Spot]:
    """Local maxima of the score that pass, the better of two that overlap by a third."""
    result = scores(screen, template)
    h, w = template.shape[:2]
    candidates = [(float(result[y, x]), int(x), int(y)) for y, x in np.argwhere(result >= 0.799)]
    kept: list[Spot] = []
    for _, x, y in sorted(candidates, reverse=True):
        around = result[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2]
        clear = all(Box(x, y, w, h).iou(Box(*k, w, h)) <= 0.3 for k in kept)
        if result[y, x] >= around.max() and clear and passes(screen, template, (x, y)):
            kept.append((x, y))
    return kept
