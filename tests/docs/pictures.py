"""Take the pictures of the reports' page, and of those of `memctl ui`, that the documents show.

    python -m tests.docs.pictures DIR [--home DIR]

Without a home the demo's story is played first and the page is about it. What a telephone, a tablet
and a wide screen show of it, by day and by night, is written as PNG.
"""

from __future__ import annotations

import argparse
import io
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

import memctl
from memctl.base.home import usual_home
from memctl.drivers.browsers import find_browser
from memctl.reports.page.page import write_page
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import stores_at
from memctl_cli.demo.telling import tell
from tests.processes import serving

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser

_WIDTHS = {"phone": (390, 1700), "tablet": (820, 1500), "wide": (1440, 1500)}
# Further pictures of a wide screen: the id where each begins, and what is opened before.
_TABLES = {
    "tables": ("report-health", "#answer-health-stale, #answer-health-ambiguous"),
    "components": ("components", ".gallery-section:nth-of-type(2)"),
}
_SETTLED = 500  # milliseconds
# Pages of the ui: a page of the store, the size of the window, the theme.
_PAGES = {
    "waiting": ("waiting", (1280, 420), "light"),
    "components": ("components", (1280, 640), "light"),
    "facts": ("facts", (390, 844), "dark"),
    "recall": ("recall?q=when+do+reminders+go+out", (1280, 480), "dark"),
}


def main(words: Sequence[str] | None = None) -> None:
    """Write the page, and take its pictures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="stores to report on; else the demo's")
    parser.add_argument("pictures", type=Path, help="folder for the pictures")
    chosen = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memctl-page-") as folder, sync_playwright() as driver:
        # Where homes usually are: commands on the page need not name this one.
        os.environ["XDG_DATA_HOME"] = folder
        home = chosen.home or usual_home()
        if chosen.home is None:
            tell(home, progress=False)
        sources = stores_at(home)
        page = write_page(make_reports(REPORTS, sources), sources, Path(folder, "report.html"))
        browser = driver.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        _photograph(browser, page, chosen.pictures)
        _photograph_ui(browser, home, chosen.pictures)
        browser.close()


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


def _photograph_ui(browser: Browser, home: Path, folder: Path) -> None:
    with memctl.open("harbor", home) as memory:
        place = {"subject": "Ann", "attribute": "home"}
        memory.facts.store([{**place, "value": "Porto"}], category="relationship")
        memory.facts.store(
            [{**place, "value": "Lisbon"}], category="relationship", confidence="low"
        )
        memory.facts.store("We deploy on Fridays after the stand-up", category="decision")
        memory.facts.store("We deploy on Mondays after the stand-up", category="decision")
    with serving("--home", home, "--app", "harbor", "ui", "--no-open") as (address, _):
        for name, (path, (width, height), theme) in _PAGES.items():
            view = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme=theme,  # type: ignore[arg-type]
            )
            view.goto(address)
            view.goto(view.url + path)
            for why in view.locator(".rows summary").all()[:1]:
                why.click()
            _write(folder / f"ui-{name}.png", view.screenshot())
            view.close()


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
    _write(path, view.screenshot())
    view.close()


def _write(path: Path, png: bytes) -> None:
    taken = Image.open(io.BytesIO(png)).convert("RGB")
    taken.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        path, optimize=True
    )
    print(f"{path}  {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
