"""Renders the example app's screenshots and their manifest with headless Chromium.

Run ``python -m tests.docs.demo.render`` after a change to ``pages/``. It needs an installed
Chromium and writes ``screens/*.png`` and ``screens.json`` of ``memctl_cli.demo``. Twice in the same
environment gives the same bytes; another Chromium or other fonts may draw letters differently,
which is why the pictures are bundled and not made on demand.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cv2
import numpy as np

from memctl.drivers.browsers import find_browser

PAGES = Path(__file__).parent / "pages"
DEMO = Path(__file__).parents[3] / "cli" / "memctl_cli" / "demo"
# What makes a browser draw a page the same everywhere.
DRAWING_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    # One tile for the whole window: letters and icons on a seam are drawn a little differently.
    "--default-tile-width=4096",
    "--default-tile-height=4096",
    "--hide-scrollbars",
)
FLAGS = (
    "--headless",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    *DRAWING_FLAGS,
    "--virtual-time-budget=1000",
)
# The page's screen is a box of fixed size at the top left. The window is larger because some
# versions take the room of a title bar from it; what is outside the screen is cut off.
MARGIN = 240
TIMEOUT_SECONDS = 60
# Flat surfaces and repeated letters: unfiltered rows are a fifth smaller than filtered ones.
SMALLEST = (
    cv2.IMWRITE_PNG_COMPRESSION,
    9,
    cv2.IMWRITE_PNG_STRATEGY,
    cv2.IMWRITE_PNG_STRATEGY_DEFAULT,
    cv2.IMWRITE_PNG_FILTER,
    cv2.IMWRITE_PNG_FILTER_NONE,
)
BOXES = re.compile(r'<script type="application/json" id="boxes">(.*?)</script>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class ShotPlan:
    """One screenshot to take: a page, in a look, at a device scale."""

    name: str
    page: str
    look: str
    url: str
    dpr: float = 1

    @property
    def file(self) -> str:
        """Path below the demo folder."""
        return f"screens/{self.name}.png"


@dataclass(frozen=True, slots=True)
class Plan:
    """The shots of ``pages/plan.json``, and the story that is told on them."""

    width: int
    height: int
    shots: tuple[ShotPlan, ...]
    story: list[dict[str, Any]]
    path: dict[str, str]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A screenshot and what stands on it.

    Parameters
    ----------
    png
        The encoded picture, 8-bit RGB, ``width * dpr`` by ``height * dpr`` pixels.
    boxes
        Boxes in the boxes-file format: CSS pixels and ``scale`` = device scale.
    """

    plan: ShotPlan
    png: bytes
    boxes: list[dict[str, Any]]


def read_plan() -> Plan:
    """Read the plan of the screenshots."""
    written = json.loads((PAGES / "plan.json").read_text(encoding="utf-8"))
    viewport = written["viewport"]
    shots = tuple(ShotPlan(**shot) for shot in written["shots"])
    return Plan(viewport["w"], viewport["h"], shots, written["story"], written["path"])


def page_url(url: str) -> str:
    """Return the file address of ``page.html?query``, with the query escaped."""
    page, _, query = url.partition("?")
    address = (PAGES / page).as_uri()
    return f"{address}?{quote(query, safe='=&')}" if query else address


def browse(shot: ShotPlan, plan: Plan, folder: Path) -> tuple[bytes, str]:
    """Open the page in a fresh profile; return the window's picture and the dumped document."""
    picture = folder / "window.png"
    finished = subprocess.run(  # a fixed browser on our own pages
        [
            find_browser(),
            *FLAGS,
            f"--force-device-scale-factor={shot.dpr}",
            f"--user-data-dir={folder / 'profile'}",
            f"--window-size={plan.width + MARGIN},{plan.height + MARGIN}",
            f"--screenshot={picture}",
            "--dump-dom",
            page_url(shot.url),
        ],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # it complains about a missing desktop
        timeout=TIMEOUT_SECONDS,
    )
    return picture.read_bytes(), finished.stdout.decode("utf-8")


def cut(picture: bytes, width: int, height: int) -> bytes:
    """Return the top left ``width`` x ``height`` pixels as an 8-bit RGB PNG.

    Raises
    ------
    ValueError
        The picture cannot be decoded or is smaller than that.
    """
    window = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    if window is None or window.shape[0] < height or window.shape[1] < width:
        raise ValueError(f"the browser's picture is not at least {width}x{height} pixels")
    _, encoded = cv2.imencode(".png", window[:height, :width], SMALLEST)
    return encoded.tobytes()


def boxes_of(document: str, shot: ShotPlan) -> list[dict[str, Any]]:
    """Read the boxes that the page listed in its own document.

    Raises
    ------
    ValueError
        The page lists none, or reports an error of its own.
    """
    found = BOXES.search(document)
    listed: dict[str, Any] = json.loads(found.group(1)) if found else {"error": "no list of boxes"}
    if "error" in listed:
        raise ValueError(f"page {shot.url!r}: {listed['error']}")
    return [with_ident(box, shot) for box in listed["boxes"]]


def with_ident(box: dict[str, Any], shot: ShotPlan) -> dict[str, Any]:
    """Shorten the description of an element to eight digits: same ident, same look."""
    drawn = hashlib.sha256(box.pop("drawn").encode()).hexdigest()[:8]
    return {**box, "scale": shot.dpr, "source": "dom", "ident": f"{box['element']}|{drawn}"}


def render(shot: ShotPlan, plan: Plan) -> Rendered:
    """Take one screenshot and list its boxes."""
    with tempfile.TemporaryDirectory(prefix="memctl-demo-") as folder:
        picture, document = browse(shot, plan, Path(folder))
    width, height = round(plan.width * shot.dpr), round(plan.height * shot.dpr)
    return Rendered(shot, cut(picture, width, height), boxes_of(document, shot))


def shot_entry(rendered: Rendered, plan: Plan) -> dict[str, Any]:
    """Return the manifest's entry for one screenshot."""
    shot = rendered.plan
    return {
        "name": shot.name,
        "file": shot.file,
        "page": shot.page,
        "look": shot.look,
        "dpr": shot.dpr,
        "viewport": {"w": plan.width, "h": plan.height},
        "sha256": hashlib.sha256(rendered.png).hexdigest(),
        "boxes": rendered.boxes,
    }


def manifest_text(entries: list[dict[str, Any]], plan: Plan) -> str:
    """Return the manifest as JSON, one box or story step a line, so that a diff can be read."""

    def one_a_line(rows: list[dict[str, Any]], indent: str) -> str:
        lines = (f"{indent}{json.dumps(row, ensure_ascii=False)}" for row in rows)
        return "[\n" + ",\n".join(lines) + "\n" + indent[:-2] + "]"

    shots = ",\n".join(
        json.dumps({**entry, "boxes": 0}, ensure_ascii=False)
        .removesuffix("0}")
        .join(["    ", one_a_line(entry["boxes"], " " * 6) + "}"])
        for entry in entries
    )
    story = one_a_line(plan.story, " " * 4)
    path = json.dumps(plan.path)
    return f'{{\n  "shots": [\n{shots}\n  ],\n  "story": {story},\n  "path": {path}\n}}\n'


def main(arguments: list[str] | None = None) -> int:
    """Render every screenshot of the plan, or those named, and write the manifest.

    With names, only their pictures are rewritten and the manifest is left alone: its entries
    belong to one run.
    """
    parser = argparse.ArgumentParser(description="Render the example app's screenshots.")
    parser.add_argument("names", nargs="*", help="screenshots to render (default: all)")
    parser.add_argument("--out", type=Path, default=DEMO, help="folder to write to")
    chosen = parser.parse_args(arguments)
    plan = read_plan()
    (chosen.out / "screens").mkdir(parents=True, exist_ok=True)
    entries = []
    for shot in plan.shots:
        if chosen.names and shot.name not in chosen.names:
            continue
        rendered = render(shot, plan)
        (chosen.out / shot.file).write_bytes(rendered.png)
        entries.append(shot_entry(rendered, plan))
        sys.stdout.write(f"{shot.file}  {len(rendered.png):,} bytes  {len(rendered.boxes)} boxes\n")
    if not chosen.names:
        (chosen.out / "screens.json").write_text(manifest_text(entries, plan), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
