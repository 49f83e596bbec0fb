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
    from memctl.visual.frame import Pixels

__all__ = ["areas_on_newer"]

SAME_PLACE = 0.5
RIVAL = 0.8
"""Correlation from which on plain template matching takes a place for the area."""

SURE = 0.9  # correlation at which an area is there although nobody has marked it
NEARBY = 12  # pixels around its place where that is looked for
SIDE = 0.25  # share of a side that the same area's may differ by in another version


def areas_on_newer(shots: Sequence[DesktopShot]) -> list[dict[str, Any]]:
    """Learn the oldest shot of each name in one store, ask for its areas on the newer ones.

    An area is there where the newer version's own file marks one of nearly its size, the
    nearest; or where its pixels stand within a few pixels of its place.
    """
    rows = []
    versions = versions_of(shots)
    with tempfile.TemporaryDirectory() as home, memctl.open("desktop", home=home) as memory:
        learned = {}
        for name, (oldest, *_) in versions.items():
            lesson = memory.learn(oldest.path, oldest.boxes, page=name)
            boxes = {one.component_id: Box(one.x, one.y, one.w, one.h) for one in lesson.sightings}
            boxes |= {one.component_id: Box(one.x, one.y, one.w, one.h) for one in lesson.learned}
            learned[name] = {
                area: key
                for area in map(lambda area: Box(*area), oldest.areas)
                for key, box in boxes.items()
                if box.iou(area) > RIVAL
            }
        for name, (oldest, *newer) in versions.items():
            for shot in newer:
                match = memory.match(shot.path, record=False, page=name)
                found = {one.component_id: one for one in match.sightings}
                why = {one.component_id: one.why for one in match.absent}
                for area in map(lambda area: Box(*area), oldest.areas):
                    key = learned[name].get(area)
                    truth = _truth(oldest, shot, area)
                    row = {"shot": shot.path.stem, "area": area.xywh, "there": truth is not None}
                    rival, score = _plainly(oldest, shot, area)
                    row["cv2"] = _outcome(rival, truth, there=truth is not None)
                    row["score"] = round(score, 3)
                    if key is None:
                        rows.append(row | {"match": "not learned", "locate": "not learned"})
                        continue
                    started = time.perf_counter()
                    one = memory.locate(key, shot.path)
                    row["ms"] = round((time.perf_counter() - started) * 1000, 1)
                    place = Box(one.x, one.y, one.w, one.h) if one.found else None
                    row["locate"] = _outcome(place, truth, there=truth is not None)
                    row["how"] = one.how
                    seen = found.get(key)
                    place = Box(seen.x, seen.y, seen.w, seen.h) if seen else None
                    row["match"] = _outcome(place, truth, there=truth is not None)
                    row["why"] = seen.how if seen else why.get(key, "")
                    row["state"] = bool(match.state and match.state.page == name)
                    rows.append(row)
    return rows
def _outcome(place: Box | None, truth: Box | None, *, there: bool) -> str:
    if place is None:
        return "absent" if there else "rightly absent"
    return "right" if truth is not None and place.iou(truth) >= SAME_PLACE else "wrong"


def _truth(oldest: DesktopShot, shot: DesktopShot, area: Box) -> Box | None:
    own = [
        box
        for box in map(lambda one: Box(*one), shot.areas)
        if abs(box.w - area.w) <= SIDE * area.w and abs(box.h - area.h) <= SIDE * area.h
    ]
    x, y = area.center
    near = min(own, key=lambda one: abs(one.center[0] - x) + abs(one.center[1] - y), default=None)
    if near is not None:
        return near
    place, score = _best(_gray(shot), _crop(oldest, area), area.widened(NEARBY, NEARBY))
    return place if score >= SURE else None


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
