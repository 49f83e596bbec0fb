"""Components on one sheet: each look's picture with its id and name below."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from memctl.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.graph.components import Component, Components

_CELL, _PICTURE, _TEXT, _COLUMNS = 220, 110, 26, 5
_PAPER, _FRAME, _INK = (250, 250, 250), (205, 210, 218), (30, 36, 48)


def draw_sheet(components: Components, listed: Sequence[Component]) -> bytes:
    """Return a PNG that shows the first look of each of the listed components.

    Raises
    ------
    UsageError
        When the list is empty: there is nothing to draw.
    """
    if not listed:
        raise UsageError("there is no such component to draw")
    rows = (len(listed) + _COLUMNS - 1) // _COLUMNS
    columns = min(len(listed), _COLUMNS)
    sheet = Image.new("RGB", (columns * _CELL, rows * (_PICTURE + _TEXT + 12)), _PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(13)
    for number, component in enumerate(listed):
        left = number % _COLUMNS * _CELL
        top = number // _COLUMNS * (_PICTURE + _TEXT + 12)
        looks = components.templates(component.id)
        if looks:  # a delete may have painted over the last one; its cell stays empty
            _paste(sheet, components.picture(looks[0].id), left, top)
        draw.rectangle((left + 4, top + 4, left + _CELL - 5, top + _PICTURE + 6), outline=_FRAME)
        text = _fitting(draw, font, f"{component.id} {component.name}")
        draw.text((left + 6, top + _PICTURE + 11), text, fill=_INK, font=font)
    made = io.BytesIO()
    sheet.save(made, "PNG", optimize=True)
    return made.getvalue()


def _paste(sheet: Image.Image, png: bytes, left: int, top: int) -> None:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.thumbnail((_CELL - 16, _PICTURE - 8))
    sheet.paste(
        picture,
        (left + (_CELL - picture.width) // 2, top + 4 + (_PICTURE - picture.height) // 2),
    )


def _fitting(
    draw: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, text: str
) -> str:
    """Cut a text so that it fits its cell; letters the font lacks become question marks."""
    plain = text.encode("latin-1", "replace").decode("latin-1")
    while draw.textlength(plain, font=font) > _CELL - 12:
        plain = plain[:-4] + "..."
    return plain
