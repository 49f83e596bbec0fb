"""Learned desktop screens met again in other dresses: JPEG, other sizes, clocks and wallpapers."""

from __future__ import annotations

import random
import tempfile
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import memctl
from benchmarks.screens.shots import DATE, half_of
from memctl.visual.reading.image import load_frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.visual.frame import Pixels


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
    shots: Sequence[Path],
    strangers: Sequence[Path],
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
            state = memory.learn(shot, boxes, page=shot.stem).state
            if state is not None:
                names[state.id] = shot.stem
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
    shot: Path,
    dress: str,
    image: Pixels,
    *,
    stranger: bool,
) -> dict[str, Any]:
    match = memory.match(image, record=False)
    taken = names[match.state.id] if match.state else None
    answer = "none" if taken is None else "right" if taken == shot.stem else "other"
    return {
        "shot": shot.stem,
        "half": half_of(shot.stem),
        "look": dress,
        "stranger": stranger,
        "answer": answer,
        "taken for": taken,
        "similarity": match.state.similarity if match.state else None,
        "identify ms": match.ms.get("identify"),
        "ms": sum(match.ms.values()),
    }


def _different(shots: Sequence[Path]) -> list[Path]:
    """Return the oldest shot of each name; of shots of one screen the first."""
    oldest: dict[str, Path] = {}
    for shot in sorted(shots, key=lambda one: one.stem):
        oldest.setdefault(DATE.sub("", shot.stem), shot)
    chosen: list[tuple[Path, Pixels]] = []
    for shot in oldest.values():
        gray = load_frame(shot).gray
        if not any(_share(gray, other) <= SAME for _, other in chosen):
            chosen.append((shot, gray))
    return [shot for shot, _ in chosen]


def _share(one: Pixels, other: Pixels) -> float:
    if one.shape != other.shape:
        return 1.0
    return float((cv2.absdiff(one, other) > CHANGED).mean())


def _dresses(
    shot: Path, wallpaper: Pixels | None, chance: random.Random
) -> Iterator[tuple[str, Pixels]]:
    image = _pixels(shot)
    yield "as it was", image
    yield "JPEG 80", _jpeg(image)
    for factor in (1.25, 1.5):
        made = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
        yield f"scale {factor}", np.asarray(made, np.uint8)
    if clock := CLOCKS.get(shot.parent.name):
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


def _wallpaper(shots: Sequence[Path]) -> Pixels | None:
    """Return the wallpaper, from the shots of a bare desktop; ``None`` where there are none."""
    bare = [_pixels(one) for one in shots if "desktop" in one.stem]
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


def _pixels(shot: Path) -> Pixels:
    return load_frame(shot).bgr
