"""Looks of a page that were not photographed: made of its screenshot and of other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memctl.visual.frame import Pixels

__all__ = ["LOOKS", "made_looks", "popup_place"]

POPUP = (560, 320)  # pixels of a popup's width and height
DESKTOP = (2560, 1440)


def _enlarged(factor: float) -> Callable[[Pixels, Pixels], Pixels]:
    def look(page: Pixels, _: Pixels) -> Pixels:
        return _bytes(cv2.resize(page, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC))

    return look


def _inverted(page: Pixels, _: Pixels) -> Pixels:
    return _bytes(255 - page)


def _night(page: Pixels, _: Pixels) -> Pixels:
    """Return the page in a dark theme of low contrast: as bright as it was dark."""
    return _bytes(36 + (255 - page.astype(np.float32)) * 0.75)


def _stark(page: Pixels, _: Pixels) -> Pixels:
    """Return the page in high contrast."""
    return _bytes((page.astype(np.float32) - 150) * 1.9 + 150)


def _accent(page: Pixels, _: Pixels) -> Pixels:
    """Return the page with every colour turned by a third of the circle."""
    hsv = cv2.cvtColor(page, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + 60) % 180
    return _bytes(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))


def _popup(page: Pixels, other: Pixels) -> Pixels:
    """Return the page under a popup that shows the middle of another page."""
    made = page.copy()
    x, y, w, h = popup_place(page)
    made[y : y + h, x : x + w] = other[h : 2 * h, w : 2 * w]
    cv2.rectangle(made, (x, y), (x + w - 1, y + h - 1), (120, 120, 120), 1)
    return made


def _dimmed(page: Pixels, other: Pixels) -> Pixels:
    """Return the page dimmed to half, with a popup above."""
    shown = _popup(page, other)
    x, y, w, h = popup_place(page)
    made = _bytes(page * 0.5)
    made[y : y + h, x : x + w] = shown[y : y + h, x : x + w]
    return made


def _moved(page: Pixels, _: Pixels) -> Pixels:
    """Return a desktop with the page in a window of its own."""
    width, height = DESKTOP
    made = np.zeros((height, width, 3), np.uint8)
    made[..., 0] = np.linspace(60, 140, width, dtype=np.uint8)
    made[..., 1] = np.linspace(40, 110, height, dtype=np.uint8)[:, None]
    made[211 : 211 + page.shape[0], 389 : 389 + page.shape[1]] = page[: height - 211, : width - 389]
    return made


def _two(page: Pixels, other: Pixels) -> Pixels:
    """Return two monitors: another page left, this one right."""
    return np.ascontiguousarray(np.hstack([other, page]))


LOOKS: Mapping[str, Callable[[Pixels, Pixels], Pixels]] = {
    "scale 1.25": _enlarged(1.25),
    "scale 3": _enlarged(3),
    "dark, inverted": _inverted,
    "dark, pale": _night,
    "contrast": _stark,
    "accent": _accent,
    "popup": _popup,
    "dimmed popup": _dimmed,
    "moved window": _moved,
    "two monitors": _two,
}


def popup_place(page: Pixels) -> tuple[int, int, int, int]:
    """Return where a popup lies: left, top, width and height."""
    height, width = page.shape[:2]
    return (width - POPUP[0]) // 2, (height - POPUP[1]) // 3, *POPUP


def made_looks(page: Pixels, other: Pixels) -> Mapping[str, Pixels]:
    """Return every look of a page; popup and second monitor show the other page."""
    return {name: look(page, other) for name, look in LOOKS.items()}


def _bytes(values: Any) -> Pixels:
    return np.asarray(np.clip(values, 0, 255), np.uint8)
