"""Typed access to the bundled screenshots, their boxes and the story told on them.

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

PACKAGE = "memctl_cli.demo"

Act = Literal["learn", "recognise", "look", "meet", "moved", "gone"]


@dataclass(frozen=True, slots=True)
class DemoBox:
    """One element on a screenshot, as the page itself reported it.

    Parameters
    ----------
    x, y, w, h
        Whole CSS pixels; times ``scale`` they are image pixels.
    type
        ``button``, ``icon``, ``link``, ``input``, ``tab``, ``toggle``, ``checkbox``, ``badge``,
        ``image``, ``heading`` or ``text``.
    label
        What it says, or its accessible name; empty for an icon without one.
    element
        Which element it is, whatever it looks like: ``invoices/INV-1048/button:Delete``. Unique
        on a screenshot.
    ident
        ``element`` and how it is drawn: equal on two screenshots when it is the same element in
        the same look. At one device scale its pixels are then equal as well, but for a few grey
        levels on anti-aliased edges where it stands at another place.
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
        names = ("x", "y", "w", "h", "label", "type", "source", "scale")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Shot:
    """One bundled screenshot.

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
        return files(PACKAGE).joinpath(self.file).read_bytes()

    def box(self, element: str) -> DemoBox:
        """Return the box of one element.

        Raises
        ------
        NotFoundError
            The element is not on this screenshot.
        """
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
    """One step of the story.

    Parameters
    ----------
    act
        ``learn`` a new screen, ``recognise`` a known one by its pixels, learn another ``look`` of
        a known one that shares no pixels with it, ``meet`` one never shown, find what ``moved``,
        notice what is ``gone``.
    shot
        The screenshot that is looked at.
    says
        One sentence for whoever watches.
    click
        What was clicked on the step before to come here; None when nothing was.
    target
        The element that moved or is gone; empty otherwise.
    times
        How often the screenshot is looked at.
    """

    act: Act
    shot: str
    says: str
    click: Click | None
    target: str
    times: int


@cache
def _manifest() -> dict[str, Any]:
    text = files(PACKAGE).joinpath("screens.json").read_text(encoding="utf-8")
    manifest: dict[str, Any] = json.loads(text)
    return manifest


def _shot(entry: dict[str, Any]) -> Shot:
    viewport, dpr = entry["viewport"], entry["dpr"]
    return Shot(
        name=entry["name"],
        file=entry["file"],
        page=entry["page"],
        look=entry["look"],
        dpr=dpr,
        width=round(viewport["w"] * dpr),
        height=round(viewport["h"] * dpr),
        sha256=entry["sha256"],
        boxes=tuple(DemoBox(**box) for box in entry["boxes"]),
    )


@cache
def shots() -> tuple[Shot, ...]:
    """Return every bundled screenshot, in the order of the manifest."""
    return tuple(_shot(entry) for entry in _manifest()["shots"])


def shot(name: str) -> Shot:
    """Return the screenshot called ``name``.

    Raises
    ------
    NotFoundError
        There is none; the hint lists those there are.
    """
    for each in shots():
        if each.name == name:
            return each
    known = ", ".join(each.name for each in shots())
    raise NotFoundError(f'no bundled screenshot "{name}"', hint=f"there are: {known}")


def _click(before: Shot, element: str, after: Shot) -> Click:
    label = before.box(element).label
    return Click(before.name, before.page, element, label, after.page)


@cache
def story() -> tuple[Step, ...]:
    """Return the demo's story, step by step."""
    steps: list[Step] = []
    for written in _manifest()["story"]:
        here = shot(written["shot"])
        element = written.get("click")
        click = _click(shot(steps[-1].shot), element, here) if element else None
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
