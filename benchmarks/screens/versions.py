"""A desktop in an older and a newer version: the older screens learned, the newer matched."""

from __future__ import annotations

import hashlib
import re
import tempfile
import time
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

import memctl
from memctl.visual.reading.image import load_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.screens.shots import DesktopShot

__all__ = ["newer_versions", "versions_of"]

ALIKE = 0.9  # correlation at which a marked area is on another screen
AROUND = 10  # pixels that it may have moved
DATE = re.compile(r"-(\d{8})(-\d+)?$")


def newer_versions(shots: Sequence[DesktopShot], *, with_boxes: bool) -> list[dict[str, Any]]:
    """Learn the oldest shot of each name in one store, match the others.

    A shot that also shows every marked area of the screen that it is taken for shows that
    screen as well ("right"): two names may stand for one.
    """
    versions = versions_of(shots)
    rows = []
    with tempfile.TemporaryDirectory() as home, memctl.open("desktop", home=home) as memory:
        learned = {}
        for name, some in versions.items():
            boxes = some[0].boxes if with_boxes else None
            state = memory.learn(some[0].path, boxes, page=name).state
            if state is not None:
                learned[state.id] = some[0]
        for name, some in versions.items():
            for shot in some[1:]:
                started = time.perf_counter()
                state = memory.match(shot.path, record=False).state
                ms = (time.perf_counter() - started) * 1000
                answer = "none"
                if state is not None:
                    taken = learned[state.id]
                    same = taken is some[0] or _shows(shot, taken)
                    answer = "right" if same else "other"
                rows.append(
                    {
                        "shot": shot.path.stem,
                        "half": half_of(name),
                        "look": "newer version",
                        "stranger": False,
                        "answer": answer,
                        "ms": round(ms, 1),
                    }
                )
    return rows


def versions_of(shots: Sequence[DesktopShot]) -> dict[str, list[DesktopShot]]:
    """Return the shots of each name, the oldest first."""
    versions: dict[str, list[DesktopShot]] = {}
    for shot in sorted(shots, key=_date):
        versions.setdefault(DATE.sub("", shot.path.stem), []).append(shot)
    return versions


def _date(shot: DesktopShot) -> str:
    found = DATE.search(shot.path.stem)
    return found.group(1) if found else ""


def half_of(name: str) -> str:
    return "held out" if hashlib.sha256(name.encode()).digest()[0] % 2 else "tuned on"


def _shows(shot: DesktopShot, other: DesktopShot) -> bool:
    """Return True if all marked areas of another shot stand on this one, nearly in place."""
    here, there = load_frame(shot.path).gray, load_frame(other.path).gray
    for x, y, w, h in other.areas:
        crop = there[y : y + h, x : x + w]
        around = here[max(y - AROUND, 0) : y + h + AROUND, max(x - AROUND, 0) : x + w + AROUND]
        if around.shape[0] < crop.shape[0] or around.shape[1] < crop.shape[1]:
            return False
        if np.max(cv2.matchTemplate(around, crop, cv2.TM_CCOEFF_NORMED)) < ALIKE:
            return False
    return True
