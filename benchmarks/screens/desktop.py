"""A real desktop: marked areas found again, and screens learned without boxes, met in other dresses."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import memctl
from benchmarks.screens.shots import DATE, half_of, versions_of
from memctl.visual.boxes import Box
from memctl.visual.reading.image import load_frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.screens.shots import DesktopShot
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels


def own_areas(shots: Sequence[DesktopShot]) -> dict[str, Any]:
    """Learn each area on its own shot and look for it there; count, and say why some are refused."""
    refused: Counter[str] = Counter()
    counts = dict.fromkeys(("learned", "found", "elsewhere"), 0)
    for shot in shots:
        with tempfile.TemporaryDirectory() as home, memctl.open("desktop", home=home) as memory:
            lesson = memory.learn(shot.path, shot.boxes)
            refused.update(one.why for one in lesson.refused)
            match = memory.match(shot.path, record=False)
            found = {one.component_id: Box(one.x, one.y, one.w, one.h) for one in match.sightings}
            for one in lesson.learned:
                place = found.get(one.component_id)
                there = place and place.iou(Box(one.x, one.y, one.w, one.h)) >= SAME_PLACE
                counts["learned"] += 1
                counts["found"] += bool(there)
                counts["elsewhere"] += bool(place and not there)
    return {**counts, "refused": dict(refused)}


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


SAME = 0.0005  # share of pixels up to which two shots are one screen, which is learned once
CHANGED = 20  # gray levels that make a pixel another one
STRANGERS = 30

CLOCKS: Mapping[str, tuple[int, int, int, int]] = {
    "gnome": (430, 4, 164, 24),
    "text-editor": (430, 4, 164, 24),
    "calculator": (430, 4, 164, 24),
    "kde": (938, 732, 62, 34),
}
"""Where the clock stands on the shots of a folder: left, top, width and height."""

TIMES = ("Mon 1 Dec 07:58", "31 May 23:14", "Oct 30 4:07 PM")


def met_again(
    shots: Sequence[DesktopShot],
    strangers: Sequence[DesktopShot],
    *,
    seed: int,
    components: bool = True,
) -> list[dict[str, Any]]:
    """Learn a folder's different screens without boxes, and match them in other dresses.

    Parameters
    ----------
    components
        False: words and looks alone are learned, which is quicker.
    """
    chance = random.Random(seed)
    learned = _different(shots)
    wallpaper = _wallpaper(shots)
    rows: list[dict[str, Any]] = []
    boxes = None if components else ()
    with tempfile.TemporaryDirectory() as home, memctl.open("desktop", home=home) as memory:
        names = {}
        for shot in learned:
            state = memory.learn(shot.path, boxes, page=shot.path.stem).state
            if state is not None:
                names[state.id] = shot.path.stem
        for shot in learned:
            for dress, image in _dresses(shot, wallpaper, chance):
                rows.append(_met(memory, names, shot, dress, image, stranger=False))
        for shot in chance.sample(list(strangers), min(STRANGERS, len(strangers))):
            for dress, image in (("as it was", _pixels(shot)), ("JPEG 80", _jpeg(_pixels(shot)))):
                rows.append(_met(memory, names, shot, dress, image, stranger=True))
    return rows


def _met(
    memory: Memory,
    names: Mapping[str, str],
    shot: DesktopShot,
    dress: str,
    image: Pixels,
    *,
    stranger: bool,
) -> dict[str, Any]:
    match = memory.match(image, record=False)
    taken = names[match.state.id] if match.state else None
    answer = "none" if taken is None else "right" if taken == shot.path.stem else "other"
    return {
        "shot": shot.path.stem,
        "half": half_of(shot.path.stem),
        "look": dress,
        "stranger": stranger,
        "answer": answer,
        "taken for": taken,
        "similarity": match.state.similarity if match.state else None,
        "identify ms": match.ms.get("identify"),
        "ms": sum(match.ms.values()),
    }


def _different(shots: Sequence[DesktopShot]) -> list[DesktopShot]:
    """Return the oldest shot of each name; of shots of one screen the first."""
    oldest: dict[str, DesktopShot] = {}
    for shot in sorted(shots, key=lambda one: one.path.stem):
        oldest.setdefault(DATE.sub("", shot.path.stem), shot)
    chosen: list[tuple[DesktopShot, Pixels]] = []
    for shot in oldest.values():
        gray = load_frame(shot.path).gray
        if not any(_share(gray, other) <= SAME for _, other in chosen):
            chosen.append((shot, gray))
    return [shot for shot, _ in chosen]


def _share(one: Pixels, other: Pixels) -> float:
    if one.shape != other.shape:
        return 1.0
    return float((cv2.absdiff(one, other) > CHANGED).mean())


def _dresses(
    shot: DesktopShot, wallpaper: Pixels | None, chance: random.Random
) -> Iterator[tuple[str, Pixels]]:
    image = _pixels(shot)
    yield "as it was", image
    yield "JPEG 80", _jpeg(image)
    for factor in (1.25, 1.5):
        made = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
        yield f"scale {factor}", np.asarray(made, np.uint8)
    if clock := CLOCKS.get(shot.path.parent.name):
        yield "clock", _with_text(image, clock, chance.choice(TIMES))
    covered = _covered(image, wallpaper)
    if covered is not None:
        for name, make in (("smooth wallpaper", _smooth), ("busy wallpaper", _busy)):
            made = image.copy()
            made[covered] = make(image.shape, chance)[covered]
            yield name, made


def _jpeg(image: Pixels) -> Pixels:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _with_text(image: Pixels, place: tuple[int, int, int, int], text: str) -> Pixels:
    """Return a shot with another text in the middle of a place, in the place's own colours."""
    x, y, w, h = place
    part = Image.fromarray(image[y : y + h, x : x + w].copy())
    colours = image[y : y + h, x : x + w].reshape(-1, 3)
    paper = tuple(int(one) for one in np.median(colours, axis=0))
    bright = np.mean(paper) < 128
    draw = ImageDraw.Draw(part)
    draw.rectangle((0, 0, w, h), fill=paper)
    font = ImageFont.truetype("DejaVuSans.ttf", 11)
    ink = (230, 230, 230) if bright else (40, 40, 40)
    draw.text((w / 2, h / 2), text, fill=ink, font=font, anchor="mm")
    made = image.copy()
    made[y : y + h, x : x + w] = np.asarray(part)
    return made


def _wallpaper(shots: Sequence[DesktopShot]) -> Pixels | None:
    """Return the wallpaper, from the shots of a bare desktop; ``None`` where there are none."""
    bare = [_pixels(one) for one in shots if "desktop" in one.path.stem]
    bare = [one for one in bare if one.shape == bare[0].shape]
    if len(bare) < 3:
        return None
    return np.asarray(np.median(np.stack(bare), axis=0), np.uint8)


def _covered(image: Pixels, wallpaper: Pixels | None) -> np.ndarray[Any, Any] | None:
    """Return which pixels show the wallpaper; ``None`` where they are few."""
    if wallpaper is None or wallpaper.shape != image.shape:
        return None
    near = (np.abs(image.astype(int) - wallpaper).max(axis=2) <= 6).astype(np.uint8)
    near[int(0.94 * image.shape[0]) :] = 0  # the task bar
    opened = cv2.morphologyEx(near, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)) > 0
    return opened if opened.mean() > 0.05 else None


def _smooth(shape: tuple[int, ...], chance: random.Random) -> Pixels:
    coarse = np.array([[chance.randrange(256) for _ in range(3)] for _ in range(12)], np.uint8)
    made = cv2.resize(coarse.reshape(3, 4, 3), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(made, np.uint8)


def _busy(shape: tuple[int, ...], chance: random.Random) -> Pixels:
    made = _smooth(shape, chance)
    for _ in range(400):
        at = chance.randrange(shape[1]), chance.randrange(shape[0])
        size = chance.randrange(4, 60), chance.randrange(4, 30)
        colour = [chance.randrange(256) for _ in range(3)]
        cv2.ellipse(made, at, size, chance.randrange(180), 0, 360, colour, -1, cv2.LINE_AA)
    return made


def _pixels(shot: DesktopShot) -> Pixels:
    return load_frame(shot.path).bgr
