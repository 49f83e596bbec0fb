"""The screenshots: rendered pages with their DOM boxes, a real desktop with marked areas."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


BASE_VIEWPORT = (1920, 1080)
BEYOND = 1.1  # times the viewport's width: a page may be a little wider than its viewport


@dataclass(frozen=True)
class PageShot:
    """One rendered screenshot.

    Parameters
    ----------
    kind
        What became of the page: base, scrolled, hover, dark, collapsed, drop-down, viewport
        (another one) or scaled (another device-pixel ratio).
    width, dpr
        Of the viewport in CSS pixels, and image pixels to a CSS pixel.
    half
        ``"tuned on"`` or ``"held out"``: every other page of an app, by name.
    """

    path: Path
    app: str
    page: str
    kind: str
    width: int
    dpr: float
    half: str

    @cached_property
    def dom(self) -> list[dict[str, Any]]:
        """The DOM's boxes as they are in their file."""
        return list(json.loads(self.path.with_suffix(".json").read_text()))

    @cached_property
    def unit(self) -> float:
        """What turns the file's numbers into image pixels.

        They are CSS pixels, or image pixels already: then some lie beyond the viewport, which
        is `width` CSS pixels wide.
        """
        right = max((box["x"] + box["w"] for box in self.dom), default=0)
        return 1.0 if right > BEYOND * self.width else self.dpr

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """The DOM's boxes as `learn` takes them."""
        return [box | {"scale": self.unit, "label": box["text"]} for box in self.dom]


@dataclass(frozen=True)
class DesktopShot:
    """One screenshot of the desktop; `areas` are ``(x, y, w, h)`` marked as worth matching."""

    path: Path
    tags: frozenset[str]
    areas: tuple[tuple[int, int, int, int], ...]

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """The areas as `learn` takes them."""
        return [dict(zip("xywh", area, strict=True)) for area in self.areas]


def page_shots(folder: Path) -> list[PageShot]:
    """Return the rendered shots in the order of their manifest."""
    entries = json.loads((folder / "manifest.json").read_text())
    entries = [e for e in entries if e.get("usable", True) and (folder / e["file"]).is_file()]
    pages: dict[str, list[str]] = {}
    for entry in entries:
        pages.setdefault(entry["app"], []).append(entry["page"])
    order = {app: sorted(set(names)) for app, names in pages.items()}
    return [
        PageShot(
            folder / entry["file"],
            entry["app"],
            entry["page"],
            _kind(entry),
            entry["vw"],
            entry["dpr"],
            "tuned on" if order[entry["app"]].index(entry["page"]) % 2 == 0 else "held out",
        )
        for entry in entries
    ]


def desktop_shots(folder: Path) -> list[DesktopShot]:
    """Return the desktop shots in the order of their names."""
    shots = []
    for path in sorted(folder.glob("*.png")):
        about = json.loads(path.with_suffix(".json").read_text())
        areas = tuple(
            (int(area["xpos"]), int(area["ypos"]), int(area["width"]), int(area["height"]))
            for area in about["area"]
            if area.get("type", "match") == "match"
        )
        shots.append(DesktopShot(path, frozenset(about["tags"]), areas))
    return shots


def _kind(entry: dict[str, Any]) -> str:
    state = str(entry["state"])
    if state == "base" and entry["dpr"] != 1:
        return "scaled"
    if state == "base" and (entry["vw"], entry["vh"]) != BASE_VIEWPORT:
        return "viewport"
    for start, kind in (("scroll", "scrolled"), ("dropdown", "drop-down")):
        if state.startswith(start):
            return kind
    return state


DATE = re.compile(r"-(\d{8})(-\d+)?$")


def versions_of(shots: Sequence[DesktopShot]) -> dict[str, list[DesktopShot]]:
    """Return the shots of each name, the oldest first."""
    versions: dict[str, list[DesktopShot]] = {}
    for shot in sorted(shots, key=_date):
        versions.setdefault(DATE.sub("", shot.path.stem), []).append(shot)
    return versions


def _date(shot: DesktopShot) -> str:
    found = DATE.search(shot.path.stem)
    return found.group(1) if found else ""


def half_of(name: str) -> str:
    """Return the half of a desktop's screen, by its name."""
    return "held out" if hashlib.sha256(name.encode()).digest()[0] % 2 else "tuned on"
