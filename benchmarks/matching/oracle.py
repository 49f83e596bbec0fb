"""Brute force from the definition, independent of the engine, with its time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

Picture = np.ndarray[Any, np.dtype[np.uint8]]
Spot = tuple[int, int]


@dataclass(frozen=True)
class Truth:
    """What one template has on one screenshot, and what asking for it cost.

    ``ms`` is matchTemplate and minMaxLoc alone, as every plain matcher calls them.
    """

    verified: frozenset[Spot]
    identical: frozenset[Spot]
    ms: float


def brute_force(screen: Picture, gray: Picture, template: Picture) -> Truth:
    """Find the verified and the pixel-identical places of one template."""
    wanted = cv2.cvtColor(template, cv2.COLOR_BGR2GRAY)
    started = time.perf_counter()
    scores = cv2.matchTemplate(gray, wanted, cv2.TM_CCOEFF_NORMED)
    cv2.minMaxLoc(scores)
    ms = (time.perf_counter() - started) * 1000
    peaks = (scores >= 0.799) & (scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8)))
    spots = [(float(scores[y, x]), int(x), int(y)) for y, x in np.argwhere(peaks)]
    h, w = template.shape[:2]
    verified: list[Spot] = []
    identical: set[Spot] = set()
    for _, x, y in sorted(spots, reverse=True):
        if np.array_equal(screen[y : y + h, x : x + w], template):
            identical.add((x, y))
        apart = all(_overlap((x, y), other, w, h) <= 0.3 for other in verified)
        if apart and passes(screen, template, (x, y)):
            verified.append((x, y))
    return Truth(frozenset(verified), frozenset(identical), ms)


def passes(screen: Picture, template: Picture, spot: Spot) -> bool:
    """NCC >= 0.8, |ln contrast ratio| <= 0.15, channel means within 12 gray levels."""
    x, y = spot
    h, w = template.shape[:2]
    crop = screen[y : y + h, x : x + w]
    if crop.shape != template.shape:
        return False
    a, b = (
        cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).ravel().astype(np.float64) for p in (template, crop)
    )
    if a.std() == 0 or b.std() == 0 or np.corrcoef(a, b)[0, 1] < 0.8:
        return False
    means = np.abs(template.mean(axis=(0, 1)) - crop.mean(axis=(0, 1)))
    return bool(abs(np.log(b.std() / a.std())) <= 0.15 and means.max() <= 12)


def _overlap(one: Spot, other: Spot, w: int, h: int) -> float:
    shared = max(w - abs(one[0] - other[0]), 0) * max(h - abs(one[1] - other[1]), 0)
    return shared / (2 * w * h - shared)
