"""Pages to draw, and what the system's Chromium drew of them, with the marked boxes."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from tests.docs.demo.render import DRAWING_FLAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


# -- pages -------------------------------------------------------

Picture = np.ndarray[Any, np.dtype[np.uint8]]
Place = tuple[int, int, int, int]
"""Left, top, width and height in pixels of the screenshot."""


@dataclass(frozen=True, slots=True)
class Page:
    """HTML and how it is looked at.

    Parameters
    ----------
    scroll
        CSS pixels scrolled down, in the element with the id ``scroller`` or else the window.
    """

    name: str
    html: str
    width: int = 1000
    height: int = 660
    dpr: float = 1.0
    scroll: int = 0


@dataclass(frozen=True, slots=True)
class Box:
    """One marked element on a screenshot, in its pixels.

    Parameters
    ----------
    record, name
        Which thing it belongs to, and which of the thing's elements it is.
    shown
        The share of it that can be seen: 0 below the fold, under 1 where something covers it.
    """

    role: str
    record: str
    name: str
    label: str
    place: Place
    shown: float

    @property
    def key(self) -> tuple[str, str]:
        """What it is, wherever it stands."""
        return self.record, self.name


@dataclass(frozen=True)
class Shot:
    """A screenshot with its marked elements.

    Parameters
    ----------
    encoded
        Another encoding to ask with, such as a JPEG; else the file's own bytes are used.
    """

    page: Page
    path: Path
    boxes: tuple[Box, ...]
    encoded: bytes = field(default=b"", repr=False)

    @cached_property
    def bgr(self) -> Picture:
        """The decoded picture."""
        raw = np.frombuffer(self.encoded or self.path.read_bytes(), np.uint8)
        decoded = cv2.imdecode(raw, cv2.IMREAD_COLOR)
        if decoded is None:
            raise ValueError(f'"{self.path}" is no picture')
        return decoded.astype(np.uint8, copy=False)

    def crop(self, place: Place) -> Picture:
        """Return the pixels of a place."""
        x, y, w, h = place
        return self.bgr[max(y, 0) : y + h, max(x, 0) : x + w]

    def as_jpeg(self, quality: int) -> Shot:
        """Return the same screenshot as a JPEG."""
        _, raw = cv2.imencode(".jpg", self.bgr, (cv2.IMWRITE_JPEG_QUALITY, quality))
        return Shot(self.page, self.path, self.boxes, raw.tobytes())


@dataclass(frozen=True)
class Learned:
    """What was learned: a place of a screenshot, and its pixels."""

    path: Path
    place: Place
    picture: Picture = field(repr=False)


def iou(one: Place, other: Place) -> float:
    """Return intersection over union."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    shared = max(wide, 0) * max(high, 0)
    return shared / (one[2] * one[3] + other[2] * other[3] - shared) if shared else 0.0


# -- browser -----------------------------------------------------

BOXES = (Path(__file__).parent / "boxes.js").read_text(encoding="utf-8")
SCROLL = """by => { const box = document.getElementById("scroller");
  if (box) box.scrollTop = by; else scrollTo(0, by); }"""


@contextmanager
def studio(executable: str, cache: Path) -> Iterator[Studio]:
    """Start a browser that draws pages, and end it."""
    from playwright.sync_api import sync_playwright

    cache.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=list(DRAWING_FLAGS))
        try:
            yield Studio(browser, cache)
        finally:
            browser.close()


class Studio:
    """Draws a page once: the same page of the same browser comes from the cache after that."""

    def __init__(self, browser: Browser, cache: Path) -> None:
        self._browser = browser
        self._cache = cache

    def shoot(self, page: Page) -> Shot:
        """Return the screenshot of a page."""
        key = hashlib.sha256(
            json.dumps([asdict(page), BOXES, DRAWING_FLAGS, self._browser.version]).encode()
        ).hexdigest()[:20]
        picture = self._cache / f"{key}.png"
        listed = picture.with_suffix(".json")
        if not listed.is_file():
            boxes = self._draw(page, picture)
            listed.write_text(json.dumps(boxes), encoding="utf-8")
        boxes = json.loads(listed.read_text(encoding="utf-8"))
        return Shot(page, picture, tuple(_box(box, page.dpr) for box in boxes))

    def _draw(self, page: Page, picture: Path) -> list[dict[str, Any]]:
        context = self._browser.new_context(
            viewport={"width": page.width, "height": page.height}, device_scale_factor=page.dpr
        )
        try:
            tab = context.new_page()
            tab.set_content(page.html)
            tab.evaluate("document.fonts.ready.then(() => 0)")
            tab.evaluate(SCROLL, page.scroll)
            tab.screenshot(path=picture, caret="hide", animations="disabled")
            boxes: list[dict[str, Any]] = tab.evaluate(BOXES)
            return boxes
        finally:
            context.close()


def _box(box: dict[str, Any], dpr: float) -> Box:
    left, top = round(box["x"] * dpr), round(box["y"] * dpr)
    right, bottom = round((box["x"] + box["w"]) * dpr), round((box["y"] + box["h"]) * dpr)
    place = (left, top, right - left, bottom - top)
    return Box(box["role"], box["record"], box["name"], box["label"], place, box["shown"])
