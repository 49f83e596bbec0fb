"""The screenshots: rendered pages with the boxes of their DOM."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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


def half_of(name: str) -> str:
    """Return the half of a desktop's screen, by its name."""
    return "held out" if hashlib.sha256(name.encode()).digest()[0] % 2 else "tuned on"
