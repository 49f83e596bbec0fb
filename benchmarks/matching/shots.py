"""Screenshots with known boxes, and the memory that is learned from them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, is_learnable
from memctl.visual.matching.template import Template, extract

if TYPE_CHECKING:
    from pathlib import Path

SMALLEST = 8
LARGEST = 400 * 400
"""Crops outside these bounds are no components: padding, whole pages."""


@dataclass(frozen=True)
class Shot:
    """One screenshot and the truth about it."""

    path: Path
    app: str
    page: str
    state: str
    scale: float

    @property
    def frame(self) -> Frame:
        """The pixels."""
        return Frame(np.asarray(cv2.imread(str(self.path)), dtype=np.uint8))

    def boxes(self, frame: Frame) -> list[tuple[Box, str]]:
        """Return boxes in image pixels with their identities.

        The boxes of a shot are CSS pixels or image pixels; if multiplying them by the ratio
        puts them outside the image, they are image pixels already.
        """
        rows: list[dict[str, Any]] = json.loads(self.path.with_suffix(".json").read_text())
        widest = max((row["x"] + row["w"] for row in rows), default=0)
        ratio = self.scale if widest * self.scale <= frame.width + 1 else 1.0
        return [(_rounded(row, ratio), row.get("ident", "")) for row in rows]


@dataclass(frozen=True)
class Crop:
    """A learnable component: where it was, what it looks like, what it is."""

    shot: Shot
    box: Box
    bgr: np.ndarray[Any, np.dtype[np.uint8]]
    features: bytes
    ident: str


def _rounded(row: dict[str, Any], ratio: float) -> Box:
    left, top = round(row["x"] * ratio), round(row["y"] * ratio)
    right, bottom = round((row["x"] + row["w"]) * ratio), round((row["y"] + row["h"]) * ratio)
    return Box(left, top, right - left, bottom - top)


def shots(folder: Path) -> list[Shot]:
    """Read the screenshots of a folder: ``app__page__state__WxH@ratio.png`` with boxes beside."""
    unusable = _unusable(folder / "manifest.json")
    found = []
    for path in sorted(folder.glob("*__*__*@*.png")):
        if path.name in unusable or not path.with_suffix(".json").exists():
            continue
        app, page, state, size = path.stem.split("__")
        found.append(Shot(path, app, page, state, float(size.split("@")[1])))
    return found


def _unusable(manifest: Path) -> set[str]:
    if not manifest.exists():
        return set()
    rows = json.loads(manifest.read_text())
    return {row["file"] for row in rows if not row.get("usable", True)}


def half_of(shot: Shot, listed: list[Shot]) -> str:
    """Return the half of a page: every other page of an app, by name, is for tuning."""
    pages = sorted({other.page for other in listed if other.app == shot.app})
    return "tune" if pages.index(shot.page) % 2 == 0 else "report"


def crops(listed: list[Shot]) -> list[Crop]:
    """Return the distinct learnable looks of the base shots of 1920 x 1080."""
    seen: dict[tuple[tuple[int, ...], bytes], Crop] = {}
    for shot in listed:
        if shot.state != "base" or shot.scale != 1.0 or "1920x1080" not in shot.path.name:
            continue
        frame = shot.frame
        for box, ident in shot.boxes(frame):
            crop = _crop(shot, frame, box, ident)
            if crop is not None:
                seen.setdefault((crop.bgr.shape, crop.bgr.tobytes()), crop)
    return list(seen.values())


def _crop(shot: Shot, frame: Frame, box: Box, ident: str) -> Crop | None:
    whole = Box(0, 0, frame.width, frame.height)
    if min(box.w, box.h) < SMALLEST or box.area > LARGEST or not box.inside(whole):
        return None
    bgr = np.ascontiguousarray(frame.bgr[box.y : box.bottom, box.x : box.right])
    if is_learnable(bgr) is not None:
        return None
    return Crop(shot, box, bgr, extract(frame, box), ident)


def filling(folder: Path, wanted: int) -> list[Crop]:
    """Cut learnable pieces of plain screenshots, to fill a memory; none is on the pages."""
    found: list[Crop] = []
    for path in sorted(folder.glob("*.png")) if wanted > 0 else []:
        shot = Shot(path, "filling", path.stem, "base", 1.0)
        frame = shot.frame
        for y in range(4, frame.height - 40, 36):
            for x in range(4, frame.width - 100, 97):
                crop = _crop(shot, frame, Box(x, y, 60 + (x * 7 + y) % 37, 30), "")
                if crop is not None:
                    found.append(crop)
                if len(found) == wanted:
                    return found
    return found


def templates(chosen: list[Crop], *, remember: bool) -> list[Template]:
    """Make a memory of crops; ``remember`` gives it their last places."""
    return [
        Template(
            index,
            index,
            crop.bgr,
            features=crop.features,
            scale=crop.shot.scale,
            last=(crop.box.x, crop.box.y) if remember else None,
        )
        for index, crop in enumerate(chosen)
    ]
