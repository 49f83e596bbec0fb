"""Areas of a screen that do not count, such as a clock: given with one call, or kept with a state.

Nothing is learned in such an area, and nothing there is missed, is a difference, or speaks for or
against a state. A box lies in an area if more than half of it does. Areas of a state are kept as
the places of its components are: in pixels at device-pixel ratio 1 from the window's corner, and
what scrolls takes the areas on it along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.arguments import shown
from memctl.base.errors import UsageError
from memctl.guard import door
from memctl.visual.boxes import Box, checked_box

if TYPE_CHECKING:
    import sqlite3

Area = tuple[int, int, int, int] | tuple[int, int, int, int, str]
"""``(x, y, w, h)``, perhaps with a label behind it: what is there."""

IGNORED = "in an area that you leave out"

_WHAT = "the ignored area"
_LABELLED = 5  # members of an area with a label


@dataclass(frozen=True, slots=True)
class IgnoredArea:
    """An area that does not count, and what is there."""

    box: Box
    label: str = ""

    @classmethod
    def of(cls, row: sqlite3.Row) -> IgnoredArea:
        """Return a row of a store as an area."""
        return cls(Box(row["x"], row["y"], row["w"], row["h"]), row["label"] or "")

    @property
    def given(self) -> Area:
        """The area as callers give it."""
        return (*self.box.xywh, self.label) if self.label else self.box.xywh

    @property
    def columns(self) -> dict[str, int | str | None]:
        """The area as a store keeps it."""
        return {**dict(zip("xywh", self.box.xywh, strict=True)), "label": self.label or None}


def checked_area(given: object) -> IgnoredArea:
    """Return an area that a caller gave.

    Raises
    ------
    UsageError
        When it is no four whole numbers with perhaps a label behind them, or is empty.
    """
    if not isinstance(given, Sequence) or len(given) != _LABELLED:
        return IgnoredArea(checked_box(given, _WHAT))
    *sides, label = given
    if not isinstance(label, str):
        raise UsageError(f"the label {shown(label)} of {_WHAT} is no text", hint='such as "clock"')
    cleaned = " ".join(door.clean(label, what="label", limit=door.MAX_NAME).split())
    return IgnoredArea(checked_box(sides, _WHAT), cleaned)


def areas_of(given: object) -> list[IgnoredArea]:
    """Return the areas of a list that a caller gave; raises UsageError where it is none."""
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise UsageError(f"ignore {shown(given)} is no list of areas", hint="[(1200, 0, 80, 30)]")
    return [checked_area(area) for area in given]


def checked_areas(areas: object, window: Box) -> list[IgnoredArea]:
    """Return areas that a caller gave, cut to the window, without those inside of another.

    Raises
    ------
    UsageError
        When one is no area, is empty or lies outside of the window, or when they leave nothing of
        it.
    """
    checked = [_inside(area, window) for area in areas_of(areas)]
    if not checked:
        return []
    if _cover(window, [area.box for area in checked]):
        raise UsageError("all of the screen is ignored", hint="leave a part of it to look at")
    return outermost(checked)


def outermost(areas: Iterable[IgnoredArea], known: Iterable[IgnoredArea] = ()) -> list[IgnoredArea]:
    """Return the areas that lie in no other one, and in none that is known already."""
    different = list({area.box: area for area in areas}.values())
    around = [area.box for area in (*different, *known)]
    return [
        area
        for area in different
        if not any(area.box != box and area.box.inside(box) for box in around)
    ]


def _inside(area: IgnoredArea, window: Box) -> IgnoredArea:
    if not area.box.overlap(window):
        place, size = ",".join(map(str, area.box.xywh)), f"{window.w} x {window.h}"
        raise UsageError(
            f"{_WHAT} {place} lies outside of the {size} screen",
            hint="give X,Y,W,H in image pixels",
        )
    return IgnoredArea(area.box.within(window), area.label)


def _cover(window: Box, boxes: Sequence[Box]) -> bool:
    """Return True if some boxes inside of a window leave nothing of it."""
    import numpy as np

    free = np.ones((window.h, window.w), np.bool_)
    for box in boxes:
        free[box.y - window.y : box.bottom - window.y, box.x - window.x : box.right - window.x] = 0
    return not free.any()
