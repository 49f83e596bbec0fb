"""Small user interfaces drawn with a seed: what the matching tests look at."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Pixels
from memctl.visual.matching.template import Template


@dataclass(frozen=True)
class Screen:
    frame: Frame
    boxes: tuple[Box, ...]

    def crop(self, index: int) -> Pixels:
        box = self.boxes[index]
        return self.frame.bgr[box.y : box.bottom, box.x : box.right].copy()

    def templates(self, *, remember: bool = False) -> list[Template]:
        return [
            Template(i, 100 + i, self.crop(i), last=(box.x, box.y) if remember else None)
            for i, box in enumerate(self.boxes)
        ]


def widget(rng: np.random.Generator, w: int, h: int) -> Pixels:
    """Draw something button-like: a frame, an icon of shapes, strokes that look like words."""
    light = int(rng.integers(170, 256))
    picture = np.full((h, w, 3), light, np.uint8)
    dark = tuple(int(c) for c in rng.integers(0, 110, 3))
    cv2.rectangle(picture, (0, 0), (w - 1, h - 1), dark, 1)
    cv2.circle(picture, (h // 2, h // 2), h // 4, dark, -1, cv2.LINE_AA)
    x = h
    while x < w - 6:
        kind = int(rng.integers(0, 3))
        top, bottom = int(rng.integers(4, h // 2)), int(rng.integers(h // 2, h - 3))
        if kind == 0:
            cv2.line(picture, (x, top), (x, bottom), dark, 1)
        elif kind == 1:
            cv2.line(picture, (x, top), (x + 4, bottom), dark, 1, cv2.LINE_AA)
        else:
            cv2.circle(picture, (x + 2, (top + bottom) // 2), 3, dark, 1, cv2.LINE_AA)
        x += int(rng.integers(4, 8))
    return picture


def paint(picture: Pixels, crop: Pixels, x: int, y: int) -> Pixels:
    picture[y : y + crop.shape[0], x : x + crop.shape[1]] = crop
    return picture


def draw(seed: int, *, width: int = 400, height: int = 260, shift: int = 0) -> Screen:
    """Lay seeded widgets out in rows; ``shift`` moves all of them down."""
    rng = np.random.default_rng(seed)
    picture = np.full((height + 200, width, 3), int(rng.integers(225, 256)), np.uint8)
    boxes = []
    y = 10
    while y < height - 50:
        x = 8
        while x < width - 110:
            w, h = int(rng.integers(30, 100)), int(rng.integers(18, 34))
            paint(picture, widget(rng, w, h), x, y + shift)
            boxes.append(Box(x, y + shift, w, h))
            x += w + int(rng.integers(6, 30))
        y += 42
    screen = np.ascontiguousarray(picture[:height])
    return Screen(Frame(screen), tuple(b for b in boxes if b.bottom <= height))
