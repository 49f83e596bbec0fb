"""Small screens drawn with a seed, and the boxes on them: what the visual memory is tested on.

A widget is drawn from its label alone, so the same label looks the same on every screen, and two
labels never look alike.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from tests.visual.matching.screens import widget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.frame import Pixels

BACKGROUND = 240


@dataclass(frozen=True)
class Widget:
    """A button: where it is, what it says and how it looks."""

    label: str
    x: int
    y: int
    w: int = 90
    h: int = 28
    type: str = "button"
    look: str = ""
    """What its picture is drawn from; its label where empty."""

    def picture(self) -> Pixels:
        return _drawn(self.look or self.label, self.w, self.h)

    def moved(self, dx: int, dy: int) -> Widget:
        return replace(self, x=self.x + dx, y=self.y + dy)

    def box(self) -> dict[str, Any]:
        return {
            "x": self.x,
            "y": self.y,
            "w": self.w,
            "h": self.h,
            "label": self.label,
            "type": self.type,
        }


@cache
def _drawn(look: str, w: int, h: int) -> Pixels:
    """Draw a widget once: hundreds of screens show the same ones."""
    return widget(np.random.default_rng(zlib.crc32(look.encode())), w, h)


@dataclass(frozen=True)
class Drawn:
    """A screen of widgets."""

    widgets: tuple[Widget, ...] = field(default_factory=tuple)
    width: int = 480
    height: int = 320

    @property
    def image(self) -> Pixels:
        picture = np.full((self.height, self.width, 3), BACKGROUND, np.uint8)
        for one in self.widgets:
            crop = one.picture()[max(-one.y, 0) :, max(-one.x, 0) :]
            part = picture[max(one.y, 0) :, max(one.x, 0) :][: crop.shape[0], : crop.shape[1]]
            part[:] = crop[: part.shape[0], : part.shape[1]]
        return picture

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """The boxes of the widgets that are whole on the screen."""
        return [one.box() for one in self.widgets if self._shows(one)]

    def _shows(self, one: Widget) -> bool:
        right, bottom = one.x + one.w, one.y + one.h
        return one.x >= 0 and one.y >= 0 and right <= self.width and bottom <= self.height

    @property
    def given(self) -> tuple[Pixels, list[dict[str, Any]]]:
        """The two arguments of ``learn``."""
        return self.image, self.boxes

    def without(self, label: str) -> Drawn:
        return replace(self, widgets=tuple(one for one in self.widgets if one.label != label))

    def plus(self, *widgets: Widget) -> Drawn:
        return replace(self, widgets=(*self.widgets, *widgets))

    def moved(self, dx: int, dy: int) -> Drawn:
        return replace(self, widgets=tuple(one.moved(dx, dy) for one in self.widgets))


def rows(*labels: str, left: int = 20, top: int = 20) -> Drawn:
    """Lay widgets out in three columns, from the left top corner."""
    places = [(left + 150 * (at % 3), top + 50 * (at // 3)) for at in range(len(labels))]
    return Drawn(tuple(Widget(label, x, y) for label, (x, y) in zip(labels, places, strict=True)))


def numbered(prefix: str, count: int = 6) -> Drawn:
    """Return a screen of widgets that no other prefix shares."""
    return rows(*(f"{prefix} {letter}" for letter in "abcdefghijklmnopqr"[:count]))


def named(sightings: Iterable[Any]) -> dict[str, tuple[int, int]]:
    """Return name to left top corner."""
    return {one.name: (one.x, one.y) for one in sightings}


def enlarged(image: Pixels, factor: float) -> Pixels:
    """Draw a screen as a display of another density would: every pixel larger, edges sharp."""
    height, width = image.shape[:2]
    size = round(width * factor), round(height * factor)
    fine = image.repeat(6, axis=0).repeat(6, axis=1)
    return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
