"""Marked areas on newer versions of a screen: the older learned, the newer asked for each area."""

from __future__ import annotations

import tempfile
import time
from typing import TYPE_CHECKING, Any

import cv2

import memctl
from benchmarks.screens.versions import versions_of
from memctl.visual.boxes import Box
from memctl.visual.reading.image import load_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.screens.shots import DesktopShot
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels

__all__ = ["areas_on_newer"]

SAME_PLACE = 0.5
RIVAL = 0.8
"""Correlation from which on plain template matching takes a place for the area."""

SURE = 0.88  # correlation at which an area is there although nobody has marked it
NEARBY = 12  # pixels around its place where that is looked for
SIDE = 0.25  # share of a side that the same area's may differ by in another version


def areas_on_newer(shots: Sequence[DesktopShot]) -> list[dict[str, Any]]:
    """Learn the oldest shot of each name in one store, ask for its areas on the newer ones.

    An area is there where the newer version's own file marks one of nearly its size, and where
    its pixels stand within a few pixels of its place.
    """
    rows = []
    versions = versions_of(shots)
    with tempfile.TemporaryDirectory() as home, memctl.open("desktop", home=home) as memory:
        learned = {name: _learned(memory, name, some[0]) for name, some in versions.items()}
        for name, (oldest, *newer) in versions.items():
            for shot in newer:
                rows += [
                    _asked(memory, oldest, shot, area, learned[name].get(area))
                    for area in map(_as_box, oldest.areas)
                ]
    return rows


def _learned(memory: Memory, name: str, shot: DesktopShot) -> dict[Box, int]:
    """Learn a shot; return which component each of its areas is."""
    lesson = memory.learn(shot.path, shot.boxes, page=name)
    known = [(Box(one.x, one.y, one.w, one.h), one.component_id) for one in lesson.sightings]
    known += [(Box(one.x, one.y, one.w, one.h), one.component_id) for one in lesson.learned]
    return {
        area: key
        for area in map(_as_box, shot.areas)
        for box, key in known
        if box.iou(area) > RIVAL
    }


def _asked(
    memory: Memory, oldest: DesktopShot, shot: DesktopShot, area: Box, key: int | None
) -> dict[str, Any]:
    truth = _truth(oldest, shot, area)
    rival, score = _plainly(oldest, shot, area)
    row = {
        "shot": shot.path.stem,
        "area": area.xywh,
        "there": bool(truth),
        "cv2": _outcome(rival, truth),
        "cv2 score": round(score, 3),
    }
    if key is None:
        return row | {"memctl": "not learned"}
    started = time.perf_counter()
    found = memory.locate(key, shot.path)
    ms = round((time.perf_counter() - started) * 1000, 1)
    place = None if found.x is None or found.y is None else Box(found.x, found.y, found.w, found.h)
    return row | {"memctl": _outcome(place, truth), "how": found.how, "ms": ms}


def _outcome(place: Box | None, truth: Sequence[Box]) -> str:
    if place is None:
        return "absent" if truth else "rightly absent"
    return "right" if any(place.iou(one) >= SAME_PLACE for one in truth) else "wrong"


def _truth(oldest: DesktopShot, shot: DesktopShot, area: Box) -> list[Box]:
    truth = [
        box
        for box in map(_as_box, shot.areas)
        if abs(box.w - area.w) <= SIDE * area.w and abs(box.h - area.h) <= SIDE * area.h
    ]
    place, score = _best(_gray(shot), _crop(oldest, area), area.widened(NEARBY, NEARBY))
    return [*truth, place] if score >= SURE else truth


def _as_box(area: tuple[int, int, int, int]) -> Box:
    return Box(*area)


def _plainly(oldest: DesktopShot, shot: DesktopShot, area: Box) -> tuple[Box | None, float]:
    gray = _gray(shot)
    place, score = _best(gray, _crop(oldest, area), Box(0, 0, gray.shape[1], gray.shape[0]))
    return (place if score >= RIVAL else None), score


def _best(gray: Pixels, crop: Pixels, around: Box) -> tuple[Box, float]:
    around = around.clipped(gray.shape[1], gray.shape[0])
    part = gray[around.y : around.bottom, around.x : around.right]
    if part.shape[0] < crop.shape[0] or part.shape[1] < crop.shape[1]:
        return around, 0.0
    _, best, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(part, crop, cv2.TM_CCOEFF_NORMED))
    return Box(around.x + x, around.y + y, crop.shape[1], crop.shape[0]), best


def _crop(shot: DesktopShot, area: Box) -> Pixels:
    return _gray(shot)[area.y : area.bottom, area.x : area.right]


def _gray(shot: DesktopShot) -> Pixels:
    return load_frame(shot.path).gray
