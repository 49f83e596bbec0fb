"""The screenshots: rendered pages with their DOM boxes, a real desktop with marked areas."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.proposals.measures import edges
from memctl.visual.reading.image import load_frame
from memctl.visual.reading.proposals import LARGEST_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.visual.frame import Frame

__all__ = ["Shot", "areas", "folder", "rendered"]

LEAST_SIDE = 8
LEAST_STD = 2.0
"""Gray levels; an element below (an icon whose font is missing) is not on the picture at all."""


@dataclass(frozen=True)
class Shot:
    """One screenshot with what is known to be on it.

    Parameters
    ----------
    truth
        ``(N, 4)``: left, top, right, bottom.
    """

    name: str
    page: str
    state: str
    half: str
    frame: Frame
    truth: np.ndarray[Any, np.dtype[np.float64]]
    kinds: list[str]


def folder(screens: Path, name: str) -> Path | None:
    """Find one of the two sets in a folder that holds both, or is itself one of them."""
    for candidate in (screens / name, screens):
        rendered_set = (candidate / "manifest.json").is_file()
        if candidate.is_dir() and rendered_set == (name == "rendered"):
            return candidate
    return None


def rendered(path: Path) -> Iterator[Shot]:
    """Yield the rendered shots; every other page, by name, belongs to the half tuned on."""
    entries = json.loads((path / "manifest.json").read_text())
    entries = [e for e in entries if e.get("usable", True) and (path / e["file"]).is_file()]
    pages = sorted({(e["app"], e["page"]) for e in entries})
    for entry in sorted(entries, key=lambda e: str(e["file"])):
        page = (entry["app"], entry["page"])
        half = "tuned on" if pages.index(page) % 2 == 0 else "held out"
        frame = load_frame(path / entry["file"])
        boxes = json.loads((path / entry["file"]).with_suffix(".json").read_text())
        truth, kinds = _visible(frame, boxes, entry["dpr"])
        viewport = f"{entry['vw']}x{entry['vh']}@{entry['dpr']}"
        name = f"{page[0]}/{page[1]} {viewport}"
        yield Shot(entry["file"], name, entry["state"], half, frame, truth, kinds)


def areas(path: Path) -> Iterator[Shot]:
    """Yield the desktop shots with their areas to match."""
    for image in sorted(path.glob("*.png")):
        listed = json.loads(image.with_suffix(".json").read_text())["area"]
        matched = [area for area in listed if area.get("type", "match") == "match"]
        boxes = [(a["xpos"], a["ypos"], a["width"], a["height"]) for a in matched]
        frame = load_frame(image)
        limit = LARGEST_SHARE * frame.width * frame.height
        kinds = ["component" if w * h <= limit else "window" for _, _, w, h in boxes]
        yield Shot(image.name, image.stem, "", "held out", frame, edges(boxes), kinds)


def _visible(
    frame: Frame, boxes: list[dict[str, Any]], scale: float
) -> tuple[np.ndarray[Any, np.dtype[np.float64]], list[str]]:
    truth = edges([tuple(box[key] * scale for key in "xywh") for box in boxes])
    truth = np.clip(truth, 0, [frame.width, frame.height] * 2)
    kept = [index for index, box in enumerate(truth) if _can_be_seen(frame, box)]
    return truth[kept], [str(boxes[index]["kind"]) for index in kept]


def _can_be_seen(frame: Frame, box: np.ndarray[Any, np.dtype[np.float64]]) -> bool:
    left, top, right, bottom = box
    if right - left < LEAST_SIDE or bottom - top < LEAST_SIDE:
        return False
    crop = frame.gray[int(top) : int(bottom) + 1, int(left) : int(right) + 1]
    return bool(crop.std() >= LEAST_STD)
