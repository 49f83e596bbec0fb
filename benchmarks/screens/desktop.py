"""A real desktop: marked areas learned and found again, and states made of proposals alone."""

from __future__ import annotations

import random
import tempfile
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import cv2

import memctl
from memctl.visual.boxes import Box
from memctl.visual.reading.image import load_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.screens.shots import DesktopShot
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from memctl.visual.match_results import Learn, Sighting

__all__ = ["areas_again", "states_again"]

APP = "desktop"
SAME_PLACE = 0.5
CHANGED = 20  # gray levels between two shots that make a pixel another one
SAME_PIXELS = 0.001  # share of such pixels up to which two crops show the same
ONE_SCREEN = 0.02  # share of such pixels below which two shots show one screen


def areas_again(shots: Sequence[DesktopShot], *, unrelated: int, seed: int) -> dict[str, Any]:
    """Learn each area on its own shot; look for it there, on shots of its tag, on others.

    Parameters
    ----------
    unrelated
        How many shots of other tags each shot's areas are looked for on.
    """
    chance = random.Random(seed)
    learned = []
    refused = []
    looks = []
    for shot in shots:
        with tempfile.TemporaryDirectory() as home, memctl.open(APP, home=home) as memory:
            lesson = memory.learn(shot.path, shot.boxes)
            learned += [{"shot": shot.path.stem, "box": _box(one)} for one in lesson.learned]
            refused += [
                {"shot": shot.path.stem, "box": one.box, "why": one.why} for one in lesson.refused
            ]
            related = [o for o in shots if o is not shot and o.tags & shot.tags]
            strangers = [o for o in shots if not o.tags & shot.tags]
            sample = chance.sample(strangers, min(unrelated, len(strangers)))
            for kind, others in (("own", [shot]), ("same tag", related), ("unrelated", sample)):
                for other in others:
                    looks += _looked_for(memory, lesson, shot, other, kind)
    return {"learned": learned, "refused": refused, "looks": looks}


def states_again(shots: Sequence[DesktopShot], *, unrelated: int, seed: int) -> dict[str, Any]:
    """Learn shots by proposals alone: pairs in a store of their own, then all in one store."""
    chance = random.Random(seed)
    pairs = [(a, b, "same tag") for a in shots for b in shots if a is not b and a.tags & b.tags]
    strangers = [(a, b, "unrelated") for a in shots for b in shots if not a.tags & b.tags]
    pairs += chance.sample(strangers, min(unrelated, len(strangers)))
    return {"pairs": [_pair(*pair) for pair in pairs], "one_store": _one_store(shots)}


def _looked_for(
    memory: Memory, lesson: Learn, shot: DesktopShot, other: DesktopShot, kind: str
) -> list[dict[str, Any]]:
    started = time.perf_counter()
    match = memory.match(other.path, record=False)
    ms = (time.perf_counter() - started) * 1000
    found = {one.component_id: one for one in match.sightings}
    return [
        {
            "kind": kind,
            "shot": shot.path.stem,
            "other": other.path.stem,
            "ms": round(ms, 1),
            "there": _same_pixels(shot, other, _box(one), _box(one)),
            **_found(shot, other, _box(one), found.get(one.component_id)),
        }
        for one in lesson.learned
    ]


def _found(
    shot: DesktopShot, other: DesktopShot, learned: tuple[int, ...], found: Sighting | None
) -> dict[str, Any]:
    if found is None:
        return {"found": False}
    place = _box(found)
    return {
        "found": True,
        "score": found.score,
        "same_place": Box(*place).iou(Box(*learned)) >= SAME_PLACE,
        "same_pixels": _same_pixels(shot, other, learned, place),
    }


def _pair(one: DesktopShot, other: DesktopShot, kind: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home, memctl.open(APP, home=home) as memory:
        memory.learn(one.path)
        state = memory.match(other.path, record=False).state
    return {
        "kind": kind,
        "one": one.path.stem,
        "other": other.path.stem,
        "recognised": state is not None,
        "similarity": state.similarity if state else None,
        "changed": _changed(one, other),
    }


def _one_store(shots: Sequence[DesktopShot]) -> list[dict[str, Any]]:
    """Learn every shot in one store: what each was taken for, and how much that differs."""
    first: dict[str, DesktopShot] = {}
    steps = []
    with tempfile.TemporaryDirectory() as home, memctl.open(APP, home=home) as memory:
        for shot in shots:
            started = time.perf_counter()
            lesson = memory.learn(shot.path)
            ms = (time.perf_counter() - started) * 1000
            state = lesson.state
            twins = [s for s in first.values() if _changed(s, shot) <= ONE_SCREEN]
            step = {
                "shot": shot.path.stem,
                "ms": round(ms, 1),
                "created": lesson.state_created,
                "similarity": state.similarity if state else None,
                "seen_before": bool(twins),
            }
            if state is not None and not lesson.state_created:
                taken = first.get(state.id)
                step |= {
                    "taken_for": taken.path.stem if taken else None,
                    "same_tag": bool(taken and taken.tags & shot.tags),
                    "changed": _changed(taken, shot) if taken else None,
                }
            elif state is not None:
                first[state.id] = shot
            steps.append(step)
    return steps


def _box(one: Any) -> tuple[int, int, int, int]:
    return one.x, one.y, one.w, one.h


def _same_pixels(
    shot: DesktopShot, other: DesktopShot, here: tuple[int, ...], there: tuple[int, ...]
) -> bool:
    crops = []
    for one, (x, y, w, h) in ((shot, here), (other, there)):
        crops.append(_gray(one)[y : y + h, x : x + w])
    if crops[0].shape != crops[1].shape:
        return False
    return _share_changed(*crops) <= SAME_PIXELS


def _changed(one: DesktopShot, other: DesktopShot) -> float:
    """Return the share of pixels that differ, 1 for shots of different sizes."""
    left, right = _gray(one), _gray(other)
    if left.shape != right.shape:
        return 1.0
    return round(_share_changed(left, right), 4)


def _share_changed(left: Pixels, right: Pixels) -> float:
    return float((cv2.absdiff(left, right) > CHANGED).mean())


@cache
def _gray(shot: DesktopShot) -> Pixels:
    return load_frame(shot.path).gray
