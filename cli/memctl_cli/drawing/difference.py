"""Two pictures side by side with their differences marked, and the map of where they are alike."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from memctl.visual.boxes import Box
from memctl_cli.drawing.marks import Mark, draw_marks
from memctl_cli.drawing.pen import COLOURS, INK, PAPER, Kind, Pen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.visual.comparing import ComparedPictures, PictureChange

_KINDS: Mapping[str, Kind] = {
    "appeared": "new",
    "went": "absent",
    "moved": "moved",
    "scrolled": "moved",
    "changed": "changed",
}
_FIRST: Mapping[Kind, str] = {"absent": "went", "moved": "moved from here"}
_SECOND: Mapping[Kind, str] = {"new": "appeared", "moved": "moved here"}
_LEAST = 480  # pixels of a panel's width: smaller pictures are enlarged
_GAP = 16  # pixels between panels
_LINE = 22  # pixels of a line of the list


def draw_difference(compared: ComparedPictures, *, names: tuple[str, str] = ("A", "B")) -> bytes:
    """Return a PNG: both pictures with marks, below them the similarity map and the changes.

    In the map, dark is where they differ.
    """
    changes = compared.difference.changes
    first, second = compared.first, compared.second
    factor = max(1, -(-_LEAST // first.width))
    ratios = (
        first.width / compared.difference.first[0] * factor,
        second.width / compared.difference.second[0] * factor,
    )
    numbered = list(enumerate(changes, 1))
    old = [
        Mark(_scaled(Box(*was), ratios[0]), _told(number, one), _KINDS[one.kind])
        for number, one in numbered
        if (was := one.box if one.kind == "went" else one.was)
    ]
    new = [
        Mark(_scaled(Box(*one.box), ratios[1]), _told(number, one), _KINDS[one.kind])
        for number, one in numbered
        if one.kind != "went"
    ]
    panels = [
        _marked(first.bgr, factor, old, names[0], _FIRST),
        _marked(second.bgr, factor, new, names[1], _SECOND),
        _marked(_map(compared), factor, (), "where they are alike: dark is different", {}),
    ]
    width, height = panels[0].size
    sheet = Image.new("RGB", (2 * width + _GAP, 2 * height + _GAP), PAPER)
    for at, panel in enumerate(panels):
        sheet.paste(panel, ((at % 2) * (width + _GAP), (at // 2) * (height + _GAP)))
    _list(sheet, Box(width + _GAP, height + _GAP, width, height), changes)
    out = io.BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()


def _where(change: PictureChange) -> str:
    """Return where a change is, and how far it moved."""
    if change.was is None or change.kind == "changed":
        return f"at {change.x}, {change.y}"
    dx, dy = change.x - change.was[0], change.y - change.was[1]
    return f"by {dx:+d}, {dy:+d} to {change.x}, {change.y}"


def _told(number: int, change: PictureChange) -> str:
    return f"{number} {change.name}" if change.name else str(number)


def _scaled(box: Box, ratio: float) -> Box:
    return Box(*(round(side * ratio) for side in box.xywh))


def _map(compared: ComparedPictures) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    gray = np.clip(compared.alike * 255, 0, 255).astype(np.uint8)
    return np.repeat(gray[:, :, None], 3, axis=2)


def _marked(
    bgr: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    factor: int,
    marks: Sequence[Mark],
    title: str,
    words: Mapping[Kind, str],
) -> Image.Image:
    from memctl.visual.reading.image import encode_png

    larger = np.ascontiguousarray(bgr.repeat(factor, axis=0).repeat(factor, axis=1))
    drawn = draw_marks(encode_png(larger), marks, title=title, words=words)
    return Image.open(io.BytesIO(drawn)).convert("RGB")


def _list(sheet: Image.Image, area: Box, changes: Sequence[PictureChange]) -> None:
    """Write the changes into the free quarter, as many as it has lines for."""
    pen = Pen(sheet, Box(0, 0, area.w, area.h))
    line = _LINE * pen.scale
    lines = max((area.h - line) // line - 1, 1)
    for at, change in enumerate(changes[:lines]):
        row = Box(area.x, area.y + at * line, area.w, line)
        text = f"{at + 1}  {change.kind}"
        pen.write(text, row.x, row, COLOURS[_KINDS[change.kind]])
        pen.write(
            pen.shortened(change.name or f"{change.w} x {change.h}"),
            row.x + 110 * pen.scale,
            row,
            INK,
        )
        pen.write(_where(change), row.x + 330 * pen.scale, row, INK)
    if len(changes) > lines:
        row = Box(area.x, area.y + lines * line, area.w, line)
        pen.write(f"and {len(changes) - lines} more", row.x, row, INK)
    if not changes:
        pen.write("no difference", area.x, Box(area.x, area.y, area.w, line), INK)
