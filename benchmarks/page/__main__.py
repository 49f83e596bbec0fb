"""Measure the reports' page, and take its pictures.

    python -m benchmarks.page [--home DIR] [--components N] [--pictures DIR]

Without a home the demo's story is played first and the page is about it; ``--components`` fills a
store with so many instead. Prints processor time of the reports and of the page, the page's size,
and when Chromium has painted it first. ``--pictures`` writes what a telephone, a tablet and a wide
screen show of it, by day and by night, as PNG.
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from memctl.base.home import usual_home
from memctl.drivers.browsers import find_browser
from memctl.reports.page.page import write_page
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import stores_at
from memctl_cli.demo.telling import tell
from tests.reports.page.made import Size, fill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser

_WIDTHS = {"phone": (390, 1700), "tablet": (820, 1500), "wide": (1440, 1500)}
# Further pictures of a wide screen: the id where each begins, and what is opened before.
_TABLES = {
    "tables": ("report-health", "#answer-health-stale, #answer-health-ambiguous"),
    "components": ("components", ".gallery-section:nth-of-type(2)"),
}
_LOADS = 7
_SETTLED = 500  # milliseconds


def main(words: Sequence[str] | None = None) -> None:
    """Write the page, print its figures, and take the pictures that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page")
    parser.add_argument("--home", type=Path, help="stores to report on; else the demo's")
    parser.add_argument("--components", type=int, help="a store of so many instead")
    parser.add_argument("--pictures", type=Path, help="folder for the pictures")
    chosen = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memctl-page-") as folder:
        # Where homes usually are: commands on the page need not name this one.
        os.environ["XDG_DATA_HOME"] = folder
        home = chosen.home or usual_home()
        if chosen.home is None and chosen.components:
            fill(home, "large", Size(states=60, components=chosen.components, links=140))
        elif chosen.home is None:
            tell(home, progress=False)
        page = _measured(home, Path(folder, "report.html"))
        _open(page, chosen.pictures)


def _measured(home: Path, target: Path) -> Path:
    sources = stores_at(home)
    started = time.process_time()
    reports = make_reports(REPORTS, sources)
    asked = time.process_time()
    page = write_page(reports, sources, target)
    written = time.process_time()
    write_page(reports, sources, target, force=True)
    again = time.process_time()
    print(f"stores                       {len(sources)}")
    print(f"reports, processor time      {asked - started:.2f} s")
    print(f"page, processor time         {written - asked:.2f} s, imports included")
    print(f"page again, processor time   {again - written:.2f} s")
    print(f"page, size                   {page.stat().st_size / 1e6:.2f} MB")
    return page


def _open(page: Path, pictures: Path | None) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        painted = statistics.median(_painted(browser, page) for _ in range(_LOADS))
        print(f"first paint, Chromium        {painted / 1000:.2f} s, median of {_LOADS}")
        if pictures is not None:
            _photograph(browser, page, pictures)
        browser.close()


def _painted(browser: Browser, page: Path) -> float:
    """Return the milliseconds from asking for the page to the first thing seen of it."""
    view = browser.new_page(viewport={"width": 1440, "height": 900})
    view.goto(page.as_uri())
    script = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    while (painted := view.evaluate(script)) is None:
        view.wait_for_timeout(50)
    view.close()
    return float(painted)


def _photograph(browser: Browser, page: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for device, size in _WIDTHS.items():
        for theme in ("light", "dark"):
            scene = "overview", ""
            _keep(folder / f"report-{device}-{theme}.png", browser, page, size, theme, scene)
        _keep(
            folder / f"report-{device}-screens.png", browser, page, size, "light", ("screens", "")
        )
    for name, scene in _TABLES.items():
        _keep(folder / f"report-wide-{name}.png", browser, page, _WIDTHS["wide"], "light", scene)


def _keep(
    path: Path,
    browser: Browser,
    page: Path,
    size: tuple[int, int],
    theme: str,
    scene: tuple[str, str],
) -> None:
    """Write what a window of this size shows from a section on, as a small PNG."""
    view = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    view.goto(page.as_uri())
    place, opened = scene
    if opened:
        script = "all => { for (const one of all) one.open = true }"
        view.locator(opened).evaluate_all(script)
    if place != "overview":
        view.evaluate("id => document.getElementById(id).scrollIntoView()", place)
    view.wait_for_timeout(_SETTLED)  # pictures are unpacked once they come into sight
    taken = Image.open(io.BytesIO(view.screenshot())).convert("RGB")
    view.close()
    taken.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        path, optimize=True
    )
    print(f"{path}  {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
