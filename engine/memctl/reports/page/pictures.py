"""Small pictures for the page: crops of components, and screens put together from them."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.base.errors import StoreDamagedError
from memctl.visual.reading.image import decode_png

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from numpy.typing import NDArray

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Pixels
    from memctl.visual.recognition.shown_screen import Words

CROP_SIZE = (176, 64)
"""Largest width and height of a component's picture: most buttons and labels fit unscaled."""
SCREEN_SIZE = (320, 200)
"""Largest width and height of a screen's picture: twice its size in the graph, for dense displays."""
COARSE = 0.55
"""What sizes are multiplied by where there are many pictures."""

# WebP, 0 to 100: text of 10 px stays readable, and a crop is about half a kilobyte; where there
# are many, a third of one.
_QUALITY, _COARSE_QUALITY = 72, 40
_INK = (128, 128, 128, 64)  # a neutral grey that shows on light and on dark
_CHANNELS = 4
_REMEMBERED = 1_000  # unpacked crops, some ten kilobytes each


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it stands in the page: a ``data:`` address and its size in CSS pixels."""

    address: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PlacedCrop:
    """One component's look and where it stood on the screen, in pixels at scale 1."""

    png: bytes
    x: int
    y: int
    w: int
    h: int


class PictureBudget:
    """Makes the page's pictures, as many as fit into a number of bytes.

    Parameters
    ----------
    budget
        Bytes that all addresses together may have in the page.
    coarse
        Make them smaller: there are many.
    made
        Pictures that were made before, by what they were made of: equal ones, and those of a page
        that was too large, are not packed again.

    Attributes
    ----------
    left_out
        How many pictures no longer fitted.
    """

    def __init__(
        self,
        budget: int,
        *,
        coarse: bool = False,
        made: dict[Hashable, Picture | None] | None = None,
    ) -> None:
        self._budget = budget
        self._coarse = coarse
        self._made = {} if made is None else made
        self._quality = _COARSE_QUALITY if coarse else _QUALITY
        self._factor = COARSE if coarse else 1.0
        self._screenshot: tuple[int, Pixels | None] = (0, None)
        self.left_out = 0

    def crop(self, png: bytes | None) -> Picture | None:
        """Return a component's look; ``None`` where there is none, it is broken or no room."""
        return None if png is None else self._once(png, lambda: _decoded(png), CROP_SIZE)

    def part(self, number: int, png: bytes, place: Box) -> Picture | None:
        """Return a part of a kept screenshot; ``None`` where it lies outside of it.

        The screenshot is unpacked once for all parts that are asked for one after another;
        `number` tells it from others.
        """
        if self._screenshot[0] != number:
            self._screenshot = number, _decoded.__wrapped__(png)
        pixels = self._screenshot[1]
        if pixels is None:
            return None
        shown = place.clipped(pixels.shape[1], pixels.shape[0])
        if not shown.area:
            return None
        part = pixels[shown.y : shown.bottom, shown.x : shown.right]
        return self._once((number, shown), lambda: part, CROP_SIZE)

    def screen(self, key: Hashable, make: Callable[[], NDArray[np.uint8] | None]) -> Picture | None:
        """Return a screen of ``(H, W, 3)`` BGR or ``(H, W, 4)`` BGRA pixels, at its size here.

        `key` tells it from others: it is made once for all pages that are tried.
        """
        return self._once(key, make, SCREEN_SIZE)

    def _once(
        self,
        key: Hashable,
        make: Callable[[], NDArray[np.uint8] | None],
        largest: tuple[int, int],
    ) -> Picture | None:
        kind = key, self._coarse
        if kind not in self._made:
            pixels = make()
            self._made[kind] = None if pixels is None else self._packed(pixels, largest)
        picture = self._made[kind]
        if picture is None:
            return None
        if len(picture.address) > self._budget:
            self.left_out += 1
            return None
        self._budget -= len(picture.address)
        return picture

    def _packed(self, whole: NDArray[np.uint8], largest: tuple[int, int]) -> Picture | None:
        pixels = _fitted(whole, largest, self._factor)
        done, packed = cv2.imencode(".webp", pixels, (cv2.IMWRITE_WEBP_QUALITY, self._quality))
        address = f"data:image/webp;base64,{base64.b64encode(packed.tobytes()).decode()}"
        return Picture(address, int(pixels.shape[1]), int(pixels.shape[0])) if done else None


def screen_of_screenshot(png: bytes) -> Pixels | None:
    """Return a kept screenshot's pixels, ``None`` where somebody broke it."""
    return _decoded.__wrapped__(png)


def screen_of_crops(
    size: tuple[int, int], crops: Iterable[PlacedCrop], words: Words
) -> NDArray[np.uint8]:
    """Put a screen together from what is remembered of it.

    Parameters
    ----------
    size
        Width and height of the screen at scale 1.
    crops
        Looks of its components and their places; what is outside of the screen is cut off.
    words
        Its words: shown as grey bars where no component stands.

    Returns
    -------
    ndarray
        ``(H, W, 4)`` uint8 BGRA at the size the page shows it in, transparent where nothing is
        known.
    """
    width, height = size
    factor = _factor(width, height, SCREEN_SIZE)
    made = np.zeros(
        (max(round(height * factor), 1), max(round(width * factor), 1), _CHANNELS), np.uint8
    )
    for word in words:
        left, top, right, bottom = (
            round(int(side) * factor)
            for side in (word["x"], word["y"], word["x"] + word["w"], word["y"] + word["h"])
        )
        made[top : max(bottom, top + 1), left : max(right, left + 1)] = _INK
    # The large ones first: a badge on a button stays in sight.
    for crop in sorted(crops, key=lambda one: -one.w * one.h):
        pixels = _decoded(crop.png)
        if pixels is not None:
            _lay(made, pixels, crop, factor)
    return made


def _lay(made: NDArray[np.uint8], pixels: Pixels, crop: PlacedCrop, factor: float) -> None:
    left, top = round(crop.x * factor), round(crop.y * factor)
    width, height = max(round(crop.w * factor), 1), max(round(crop.h * factor), 1)
    small = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    x, y = max(left, 0), max(top, 0)
    place = made[y : top + height, x : left + width]
    if place.size:
        part = small[y - top : y - top + place.shape[0], x - left : x - left + place.shape[1]]
        place[..., :3] = part
        place[..., 3] = 255


@lru_cache(maxsize=_REMEMBERED)
def _decoded(png: bytes | None) -> Pixels | None:
    """Return a picture's pixels: most crops are asked for twice, for a screen and for themselves."""
    if png is None:
        return None
    try:
        return decode_png(png)
    except StoreDamagedError:
        return None


def _fitted(
    pixels: NDArray[np.uint8], largest: tuple[int, int], smaller: float
) -> NDArray[np.uint8]:
    height, width = pixels.shape[:2]
    factor = _factor(width, height, (largest[0] * smaller, largest[1] * smaller))
    if factor == 1:
        return pixels
    small = (max(round(width * factor), 1), max(round(height * factor), 1))
    return np.asarray(cv2.resize(pixels, small, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _factor(width: int, height: int, largest: tuple[float, float]) -> float:
    """Return the factor, at most 1, by which a picture fits."""
    return min(1.0, largest[0] / width, largest[1] / height)
