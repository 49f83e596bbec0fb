"""Measure the reports' page, and take its pictures.

    python -m benchmarks.page [--home DIR] [--pictures DIR]

Without a home the demo's story is played first and the page is about it. Prints processor time
of the reports and of the page, and its size. ``--pictures`` opens the page in the system's
Chromium and writes what a wide screen and a telephone show of it, by day and by night, as PNG.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.drivers.browsers import find_browser
from memctl.reports import REPORTS, make_reports, stores_at
from memctl.reports.page import write_page
from memctl_cli.demo.telling import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser

# Name, width and height of the window, theme, and where the picture begins.
_VIEWS = (
    ("report-wide-light", 1280, 1900, "light", "overview"),
    ("report-wide-dark", 1280, 1900, "dark", "screens"),
    ("report-phone-light", 390, 1700, "light", "overview"),
    ("report-phone-dark", 390, 1700, "dark", "screens"),
)


def main(words: Sequence[str] | None = None) -> None:
    """Write the page, print its figures, and take the pictures that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page")
    parser.add_argument("--home", type=Path, help="stores to report on; else the demo's")
    parser.add_argument("--pictures", type=Path, help="folder for the pictures")
    chosen = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memctl-page-") as folder:
        home = chosen.home or Path(folder) / "demo"
        if chosen.home is None:
            tell(home, progress=False)
        page = _measured(home, Path(folder) / "report.html")
        if chosen.pictures is not None:
            _photograph(page, chosen.pictures)


def _measured(home: Path, target: Path) -> Path:
    sources = stores_at(home)
    started = time.process_time()
    reports = make_reports(REPORTS, sources)
    asked = time.process_time()
    page = write_page(reports, sources, target)
    written = time.process_time()
    print(f"stores                       {len(sources)}")
    print(f"reports, processor time      {asked - started:.2f} s")
    print(f"page, processor time         {written - asked:.2f} s, imports and fonts included")
    print(f"page, size                   {page.stat().st_size / 1e6:.2f} MB")
    return page


def _photograph(page: Path, folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, width, height, theme, section in _VIEWS:
            path = folder / f"{name}.png"
            path.write_bytes(_picture(browser, page, width, height, theme, section))
            print(f"{path}  {path.stat().st_size / 1e3:.0f} kB")
        browser.close()


def _picture(
    browser: Browser, page: Path, width: int, height: int, theme: str, section: str
) -> bytes:
    """Return what a window of this size shows from a section on, as a PNG packed tightly."""
    size = {"width": width, "height": height}
    view = browser.new_page(viewport=size, color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    view.goto(f"{page.as_uri()}#{section}" if section != "overview" else page.as_uri())
    taken = view.screenshot()
    view.close()
    pixels = cv2.imdecode(np.frombuffer(taken, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None  # noqa: S101  (Chromium encoded it)
    return cv2.imencode(".png", pixels, (cv2.IMWRITE_PNG_COMPRESSION, 9))[1].tobytes()


if __name__ == "__main__":
    main()
