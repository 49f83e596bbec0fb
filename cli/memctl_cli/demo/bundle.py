"""The bundled screenshots, their boxes and their story.

Everything is read through :mod:`importlib.resources`, so it works from a checkout, an installed
wheel and a zipped one. Nothing here decodes a picture.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from memctl.base.errors import NotFoundError

_PACKAGE = "memctl_cli.demo"
_IN_BOXES_FILE = ("x", "y", "w", "h", "label", "type", "source", "scale")

Act = Literal["learn", "recognise", "look", "meet", "moved", "gone"]


@dataclass(frozen=True, slots=True)
class DemoBox:
    """An element on a screenshot, as the page itself reported it.

    Parameters
    ----------
    x, y, w, h
        Whole CSS pixels; times ``scale`` they are image pixels.
    label
        Its text, or its accessible name; empty for an icon without one.
    element
        Which element it is, whatever it looks like: ``invoices/INV-1048/button:Delete``. Unique
        on a screenshot.
    ident
        ``element`` and how it is drawn: equal on two screenshots for the same element in the same
        look. At one device scale its pixels are then equal, but for a few grey levels on
        anti-aliased edges at another place.
    """

    x: int
    y: int
    w: int
    h: int
    type: str
    label: str
    element: str
    ident: str
    scale: float
    source: str

    @property
    def pixels(self) -> tuple[int, int, int, int]:
        """Left, top, width and height in whole image pixels."""
        left, top = round(self.x * self.scale), round(self.y * self.scale)
        right, bottom = round((self.x + self.w) * self.scale), round((self.y + self.h) * self.scale)
        return left, top, right - left, bottom - top

    @property
    def center(self) -> tuple[int, int]:
        """The image pixel to click."""
        left, top, width, height = self.pixels
        return left + width // 2, top + height // 2

    def as_dict(self) -> dict[str, Any]:
        """Return the box as a row of the boxes file that ``learn`` takes."""
        return {name: getattr(self, name) for name in _IN_BOXES_FILE}


@dataclass(frozen=True, slots=True)
class Shot:
    """A bundled screenshot.

    Parameters
    ----------
    name
        Unique name; the page's own for its base look.
    page
        The screen of the app that it shows.
    look
        ``base``, ``hover``, ``dark``, ``scrolled``, ``edited``, ``moved`` or ``gone``.
    dpr
        Device scale: image pixels in one CSS pixel.
    width, height
        Size of the picture, in image pixels.
    """

    name: str
    file: str
    page: str
    look: str
    dpr: float
    width: int
    height: int
    sha256: str
    boxes: tuple[DemoBox, ...]

    @property
    def png(self) -> bytes:
        """The encoded picture, 8-bit RGB."""
        return files(_PACKAGE).joinpath(self.file).read_bytes()

    def box(self, element: str) -> DemoBox:
        """Return the box of an element. Raises NotFoundError where it is not shown."""
        for box in self.boxes:
            if box.element == element:
                return box
        raise NotFoundError(f'no element "{element}" on screenshot "{self.name}"')

    def boxes_file(self) -> list[dict[str, Any]]:
        """Return the boxes in the format that ``learn`` takes."""
        return [box.as_dict() for box in self.boxes]


@dataclass(frozen=True, slots=True)
class Click:
    """A click that leads from one screen to the next."""

    from_shot: str
    from_page: str
    element: str
    label: str
    to_page: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the story.

    Parameters
    ----------
    act
        ``learn`` a new screen, ``recognise`` a known one by its pixels, learn another ``look`` of
        a known one that shares no pixels with it, ``meet`` one never shown, find what ``moved``,
        notice what is ``gone``.
    shot
        The screenshot that is looked at, so many `times`.
    says
        A sentence for whoever watches.
    click
        What was clicked on the step before to come here; None for nothing.
    target
        The element that moved or is gone; else empty.
    """

    act: Act
    shot: str
    says: str
    click: Click | None
    target: str
    times: int


@cache
def _manifest() -> dict[str, Any]:
    text = files(_PACKAGE).joinpath("screens.json").read_text(encoding="utf-8")
    manifest: dict[str, Any] = json.loads(text)
    return manifest


@cache
def shots() -> tuple[Shot, ...]:
    """Return every bundled screenshot, in the order of the manifest."""
    made = []
    for entry in _manifest()["shots"]:
        viewport, boxes = entry["viewport"], tuple(DemoBox(**box) for box in entry["boxes"])
        width, height = (round(viewport[side] * entry["dpr"]) for side in "wh")
        fields = {name: entry[name] for name in ("name", "file", "page", "look", "dpr", "sha256")}
        made.append(Shot(**fields, width=width, height=height, boxes=boxes))
    return tuple(made)


def shot(name: str) -> Shot:
    """Return a screenshot by its name. Raises NotFoundError with the names that there are."""
    for each in shots():
        if each.name == name:
            return each
    known = ", ".join(each.name for each in shots())
    raise NotFoundError(f'no bundled screenshot "{name}"', hint=f"there are: {known}")


@cache
def story() -> tuple[Step, ...]:
    """Return the demo's story, step by step."""
    steps: list[Step] = []
    for written in _manifest()["story"]:
        here, click = shot(written["shot"]), None
        if element := written.get("click"):
            before = shot(steps[-1].shot)
            label = before.box(element).label
            click = Click(before.name, before.page, element, label, here.page)
        target, times = written.get("target", ""), written.get("times", 1)
        steps.append(Step(written["act"], here.name, written["says"], click, target, times))
    return tuple(steps)


def clicks() -> tuple[Click, ...]:
    """Return the story's clicks, in order."""
    return tuple(step.click for step in story() if step.click)


def path_ends() -> tuple[str, str]:
    """Return the pages between which the demo plans a path: from, to."""
    path = _manifest()["path"]
    return path["from"], path["to"]
