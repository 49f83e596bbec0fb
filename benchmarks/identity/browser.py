"""Draws pages with the system's Chromium and keeps what it drew."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.demo.render import DRAWING_FLAGS
from benchmarks.identity.pages import Box, Page, Shot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

__all__ = ["Studio", "studio"]

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
