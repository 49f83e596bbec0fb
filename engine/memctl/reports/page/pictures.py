"""Small pictures for the page: templates of components, screens, and how both have changed."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.base.errors import StoreDamagedError
from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.ignored_areas import IgnoredArea
from memctl.visual.reading.image import decode_png
from memctl.visual.recognition.shown_screen import unpacked_words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Hashable, Iterable

    from numpy.typing import NDArray

    from memctl.store.store import Store
    from memctl.visual.frame import Pixels

SQL = statements.load("store/page")
STATES = statements.load("store/state")

CROP_SIZE = (176, 64)
"""Largest width and height of a component's picture: most buttons and labels fit unscaled."""
SCREEN_SIZE = (320, 200)
"""Largest width and height of a screen's picture: twice its size in the graph, for dense displays."""

_QUALITY = 60  # of WebP, 0 to 100: text of 10 px stays readable, a crop is half a kilobyte
_INK = (128, 128, 128, 64)  # a neutral grey that shows on light and on dark
_LINE = (128, 128, 128, 255)  # of what does not count
_HATCH = 6  # pixels from one line to the next
_CHANNELS = 4
_MOST_CROPS = 200  # components that make up a screen's picture: the largest
_REMEMBERED = 1_000  # unpacked crops, some ten kilobytes each


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the page: a ``data:`` address and its size in CSS pixels."""

    address: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ShownLook:
    """A picture of a component or screen, what it shows, and when it looked so."""

    picture: Picture
    alt: str
    when: str = ""


class Pictures:
    """The page's pictures, as many as fit into a number of bytes.

    Attributes
    ----------
    left_out
        How many pictures no longer fitted.
    """

    def __init__(self, most_bytes: int) -> None:
        self._room = most_bytes
        self._made: dict[Hashable, Picture | None] = {}
        self._screenshot: tuple[int, Pixels | None] = (0, None)
        self.left_out = 0

    def crop(self, png: bytes | None, largest: tuple[int, int] = CROP_SIZE) -> Picture | None:
        """Return a component's template; ``None`` where there is none, it is broken or no room."""
        return None if png is None else self._once((png, largest), lambda: _decoded(png), largest)

    def part(self, number: int, png: bytes, place: Box) -> Picture | None:
        """Return a part of a kept screenshot; ``None`` where it lies outside of it.

        The screenshot is unpacked once for all parts that are asked for one after another;
        `number` tells it from others.
        """
        if self._screenshot[0] != number:
            self._screenshot = number, _decoded.__wrapped__(png)
        pixels = self._screenshot[1]
        shown = pixels is not None and place.clipped(pixels.shape[1], pixels.shape[0])
        if pixels is None or not shown or not shown.area:
            return None
        part = pixels[shown.y : shown.bottom, shown.x : shown.right]
        return self._once((number, shown), lambda: part, CROP_SIZE)

    def screen(
        self,
        store: Store,
        state_id: str,
        *,
        kept: bool = True,
        newest: bool = False,
        largest: tuple[int, int] = SCREEN_SIZE,
    ) -> Picture | None:
        """Return a screen as it was kept, or else as the templates of its components make it up.

        Parameters
        ----------
        kept
            Whether a screenshot that was kept is shown.
        newest
            The newest templates instead of the first ones: of a screen seen in two themes, a
            mixture.
        largest
            Most width and height, in CSS pixels.
        """
        return self._once(
            (store.path, state_id, kept, newest, largest),
            lambda: _screen(store, state_id, largest, kept=kept, newest=newest),
            largest,
        )

    def _once(
        self, key: Hashable, make: Callable[[], NDArray[np.uint8] | None], largest: tuple[int, int]
    ) -> Picture | None:
        if key not in self._made:
            pixels = make()
            self._made[key] = None if pixels is None else _packed(pixels, largest)
        picture = self._made[key]
        if picture is None:
            return None
        if len(picture.address) > self._room:
            self.left_out += 1
            return None
        self._room -= len(picture.address)
        return picture


def component_looks(
    store: Store, component_id: int, pictures: Pictures, *, changed: bool = True
) -> tuple[ShownLook, ...]:
    """Return how a component looks: a picture before and one after it changed, one, or none.

    A stale one is shown with what stands at its place now, where a screenshot was kept; of others
    the first template and the last differ. With `changed` false the newest template alone.
    """
    asked, day = {"component_id": component_id}, store.zone.day
    row = store.row(SQL.newest_look, asked)
    if row is None:
        return ()
    name = row["name"]
    now = store.row(SQL.there_now, asked) if changed and row["misses"] else None
    last = store.row(SQL.drifted_look, asked) if changed and now is None else None
    first = store.row(SQL.first_look, asked) if last else None
    both: tuple[ShownLook, ...] = ()
    if now is not None:
        place = Box(now["x"], now["y"], now["w"], now["h"])
        there = pictures.part(now["observation_id"], now["png"], place)
        when = f"last seen {day(row['last_seen_at'])}", f"there on {day(now['observed_at'])}"
        both = _pair(name, pictures.crop(row["png"]), there, when)
    elif first is not None and last is not None:
        when = f"first look {day(first['learned_at'])}", f"last look {day(last['learned_at'])}"
        both = _pair(name, pictures.crop(first["png"]), pictures.crop(last["png"]), when)
    newest = None if both else pictures.crop(row["png"])
    return both or ((ShownLook(newest, name),) if newest else ())


def _pair(
    name: str, before: Picture | None, after: Picture | None, when: tuple[str, str]
) -> tuple[ShownLook, ...]:
    if before is None or after is None:
        return ()
    return ShownLook(before, f"{name}, {when[0]}", when[0]), ShownLook(
        after, f"{name}, {when[1]}", when[1]
    )


def screen_looks(
    store: Store, state_id: str, name: str, pictures: Pictures
) -> tuple[ShownLook, ...]:
    """Return a screen as it was learned and as it was seen last, where that differs."""
    before = pictures.screen(store, state_id, kept=False)
    after = pictures.screen(store, state_id, newest=True)
    both = _pair(name, before, after, ("as learned", "as seen last"))
    if both and both[0].picture.address != both[1].picture.address:
        return both
    return tuple(ShownLook(picture, name) for picture in (before or after,) if picture)


@dataclass(frozen=True, slots=True)
class PlacedComponent:
    """A component of a screen, and where it was, at device-pixel ratio 1."""

    id: int
    name: str
    box: Box


def screen_places(store: Store, state_id: str) -> tuple[tuple[int, int], list[PlacedComponent]]:
    """Return a state's width and height in pixels at device-pixel ratio 1, and its largest components.

    Nothing for a state whose size is not known.
    """
    screen = store.row(SQL.screen, {"state_id": state_id})
    if screen is None or not screen["img_w"]:
        return (0, 0), []
    rows = store.rows(SQL.places, {"state_id": state_id, "order": 1, "most": _MOST_CROPS})
    places = [
        PlacedComponent(
            row["component_id"], row["name"], Box(*(round(row[side]) for side in "xywh"))
        )
        for row in rows
    ]
    return (screen["img_w"], screen["img_h"]), places


def _screen(
    store: Store, state_id: str, largest: tuple[int, int], *, kept: bool, newest: bool
) -> NDArray[np.uint8] | None:
    asked = {"state_id": state_id}
    png = store.value(SQL.screenshot, asked) if kept else None
    pixels = _decoded.__wrapped__(png)
    screen = store.row(SQL.screen, asked)
    areas = [IgnoredArea.of(row).box for row in store.rows(STATES.ignored, {"id": state_id})]
    if pixels is not None:
        alike = screen is not None and pixels.shape[:2] == (screen["img_h"], screen["img_w"])
        return _hatched(pixels, areas if alike else ())
    order = {"order": -1 if newest else 1, "most": _MOST_CROPS}
    crops = [row for row in store.rows(SQL.places, {**asked, **order}) if row["png"] is not None]
    if screen is None or not crops:
        return None
    factor = _factor(screen["img_w"], screen["img_h"], largest)
    return _hatched(_composed(screen, crops, largest), [area.times(factor) for area in areas])


def _hatched(pixels: NDArray[np.uint8], areas: Iterable[Box]) -> NDArray[np.uint8]:
    """Return a picture with slanting lines across the areas that do not count."""
    hatched = pixels.copy()
    every = max(_HATCH, round(_HATCH * pixels.shape[1] / SCREEN_SIZE[0]))
    for area in areas:
        shown = area.clipped(pixels.shape[1], pixels.shape[0])
        rows, columns = np.indices((shown.h, shown.w))
        part = hatched[shown.y : shown.bottom, shown.x : shown.right]
        part[(rows + columns) % every < every // _HATCH] = _LINE[: pixels.shape[2]]
    return hatched


def _composed(
    screen: sqlite3.Row, crops: Iterable[sqlite3.Row], largest: tuple[int, int]
) -> NDArray[np.uint8]:
    """Put a screen together from what is remembered of it.

    Templates of its components stand at their places, its words as grey bars where no component
    stands; the rest is transparent, and what is outside of the screen is cut off.
    """
    width, height = screen["img_w"], screen["img_h"]
    factor = _factor(width, height, largest)
    size = max(round(height * factor), 1), max(round(width * factor), 1)
    made = np.zeros((*size, _CHANNELS), np.uint8)
    for word in unpacked_words(screen["words"]):
        left, top, right, bottom = (
            round(int(side) * factor)
            for side in (word["x"], word["y"], word["x"] + word["w"], word["y"] + word["h"])
        )
        made[top : max(bottom, top + 1), left : max(right, left + 1)] = _INK
    for crop in crops:  # the large ones first: a badge on a button stays in sight
        pixels = _decoded(crop["png"])
        if pixels is not None:
            _lay(made, pixels, crop, factor)
    return made


def _lay(made: NDArray[np.uint8], pixels: Pixels, crop: sqlite3.Row, factor: float) -> None:
    left, top = round(crop["x"] * factor), round(crop["y"] * factor)
    width, height = max(round(crop["w"] * factor), 1), max(round(crop["h"] * factor), 1)
    small = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    x, y = max(left, 0), max(top, 0)
    place = made[y : top + height, x : left + width]
    if place.size:
        place[..., :3] = small[y - top :, x - left :][: place.shape[0], : place.shape[1]]
        place[..., 3] = 255


@lru_cache(maxsize=_REMEMBERED)
def _decoded(png: bytes | None) -> Pixels | None:
    """Return a picture's pixels: most crops are asked for twice, for a screen and for themselves."""
    try:
        return None if png is None else decode_png(png)
    except StoreDamagedError:
        return None


def _packed(whole: NDArray[np.uint8], largest: tuple[int, int]) -> Picture | None:
    height, width = whole.shape[:2]
    factor = _factor(width, height, largest)
    small = (max(round(width * factor), 1), max(round(height * factor), 1))
    pixels = cv2.resize(whole, small, interpolation=cv2.INTER_AREA) if factor < 1 else whole
    done, packed = cv2.imencode(".webp", pixels, (cv2.IMWRITE_WEBP_QUALITY, _QUALITY))
    address = f"data:image/webp;base64,{base64.b64encode(packed.tobytes()).decode()}"
    return Picture(address, *small) if done else None


def _factor(width: int, height: int, largest: tuple[int, int]) -> float:
    """Return the factor, at most 1, by which a picture fits."""
    return min(1.0, largest[0] / width, largest[1] / height)
