"""A screenshot as states are compared with it: its words, its look and the labels on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.reading.screen_look import look_of, without
from memctl.visual.reading.word_shapes import outside, words_in
from memctl.visual.recognition.told_labels import labels_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.reading.screen_look import Look
    from memctl.visual.reading.word_shapes import Words
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_layout import StateLayout
    from memctl.visual.recognition.told_labels import ToldLabel


@dataclass(frozen=True, slots=True)
class ShownScreen:
    """What a window of a screenshot shows, at device-pixel ratio 1, from the window's corner.

    Parameters
    ----------
    words, look
        Without what is hidden.
    gray
        ``(H, W)`` uint8: its pixels, to look at a part of it.
    hidden
        Boxes of what does not belong to the page, and of what may not be kept.
    resized
        True for a screenshot of another device-pixel ratio than the memory's.
    labels
        What the page says of itself; empty where nobody told any.
    """

    words: Words
    look: Look
    gray: Pixels
    hidden: tuple[Box, ...] = ()
    resized: bool = False
    labels: frozenset[ToldLabel] = frozenset()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return int(self.gray.shape[1]), int(self.gray.shape[0])

    def hiding(self, boxes: Iterable[Box]) -> ShownScreen:
        """Return the screen with more boxes hidden."""
        more = tuple(boxes)
        if not more:
            return self
        return replace(
            self,
            words=outside(self.words, more),
            look=without(self.look, more),
            hidden=(*self.hidden, *more),
        )

    def part(self, area: Box) -> Look:
        """Return the look of an area of the screen; beyond its edge nothing is compared."""
        width, height = self.size
        inside = area.clipped(width, height)
        x, y, right, bottom = (
            inside.x - area.x,
            inside.y - area.y,
            inside.right - area.x,
            inside.bottom - area.y,
        )
        cut = np.zeros((area.h, area.w), np.uint8)
        cut[y:bottom, x:right] = self.gray[inside.y : inside.bottom, inside.x : inside.right]
        beyond = [
            Box(0, 0, x, area.h),
            Box(0, 0, area.w, y),
            Box(right, 0, area.w - right, area.h),
            Box(0, bottom, area.w, area.h - bottom),
        ]
        return look_of(cut, [*(one.moved(-area.x, -area.y) for one in self.hidden), *beyond])


def shown_screen(
    frame: Frame,
    seen: Sightings,
    hidden: Iterable[Box] = (),
    given: Sequence[GivenBox] = (),
) -> ShownScreen:
    """Return the searched window of a screenshot as states are compared with it.

    Parameters
    ----------
    hidden
        Boxes in pixels of the screenshot.
    given
        The boxes of a source that knows labels.
    """
    gray = _at_ratio_one(frame, seen)
    boxes = tuple(map(seen.at_scale_one, hidden))
    words = outside(words_in(gray), boxes)
    return ShownScreen(
        words, look_of(gray, boxes), gray, boxes, seen.scale != 1, labels_told(given)
    )


def _at_ratio_one(frame: Frame, seen: Sightings) -> Pixels:
    window, scale = seen.window, seen.scale
    gray = frame.gray[window.y : window.bottom, window.x : window.right]
    if scale == 1 or not gray.size:
        return gray
    size = max(round(window.w / scale), 1), max(round(window.h / scale), 1)
    how = cv2.INTER_LINEAR if scale > 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(gray, size, interpolation=how), np.uint8)


def as_screen(layout: StateLayout) -> ShownScreen:
    """Return a state whose look is known as if a screenshot showed it; its pixels are not known."""
    look = np.zeros((0, 0), np.uint8) if layout.look is None else layout.look
    gray = np.broadcast_to(np.uint8(0), (layout.height, layout.width))
    return ShownScreen(layout.words, look, gray)
