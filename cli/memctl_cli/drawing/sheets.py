"""Sheets of several pictures: the components of a list, and the steps of a run."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from memctl.base.errors import UsageError
from memctl_cli.drawing.pen import COLOURS, INK, PAPER, RULE
from memctl_cli.output.run_words import verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.procedural.skill_records import SkillRun, WatchedStep
    from memctl.visual.graph.components import Component, Components

_COLUMNS = 3
_WIDTH, _GAP = 440, 20  # pixels of a panel's width, and between panels
_LETTERS, _LINE, _MOST_LINES = 15, 20, 3  # pixels of letters and of a line; lines of a sentence
_RING = 15  # pixels of the radius around the place of an act
_COLOURS_OF = {
    "done": COLOURS["found"],
    "recovered": COLOURS["new"],
    "halted": COLOURS["absent"],
    "failed": COLOURS["absent"],
    "uncertain": COLOURS["moved"],
}
# Pixels of a component's cell, of its picture and of the line below; cells of a row.
_CELL, _PICTURE, _TEXT, _IN_A_ROW = 220, 110, 26, 5
_FRAME = (205, 210, 218)
_POINTER = ((0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12))


def draw_sheet(components: Components, listed: Sequence[Component]) -> bytes:
    """Return a PNG that shows the first look of each of the listed components.

    Raises
    ------
    UsageError
        When the list is empty: there is nothing to draw.
    """
    if not listed:
        raise UsageError("there is no such component to draw")
    rows = (len(listed) + _IN_A_ROW - 1) // _IN_A_ROW
    columns = min(len(listed), _IN_A_ROW)
    sheet = Image.new("RGB", (columns * _CELL, rows * (_PICTURE + _TEXT + 12)), PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(13)
    for number, component in enumerate(listed):
        left = number % _IN_A_ROW * _CELL
        top = number // _IN_A_ROW * (_PICTURE + _TEXT + 12)
        looks = components.templates(component.id)
        if looks:  # a delete may have painted over the last one; its cell stays empty
            _paste(sheet, components.picture(looks[0].id), left, top)
        draw.rectangle((left + 4, top + 4, left + _CELL - 5, top + _PICTURE + 6), outline=_FRAME)
        text = _fitting(draw, font, f"{component.id} {component.name}")
        draw.text((left + 6, top + _PICTURE + 11), text, fill=INK, font=font)
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


def draw_run(name: str, run: SkillRun, steps: Sequence[WatchedStep], last: bytes) -> bytes:
    """Return a PNG of a run: a panel for each step that was watched, and the screen at its end.

    Parameters
    ----------
    name
        The skill's.
    steps
        The steps as they were watched, in order.
    last
        A picture of the screen after the run; empty where it cannot be looked at any more.
    """
    panels = [_panel(step) for step in steps]
    told = f"{verdict(run)}: {run.why}" if run.why else run.status
    panels.append(_captioned(_shrunk(last), "", f"{told}, {run.seconds:.1f} s", run.status))
    title = f"{name}, run {run.id}"
    columns = min(_COLUMNS, len(panels))
    rows = [panels[at : at + columns] for at in range(0, len(panels), columns)]
    heights = [max(panel.height for panel in row) for row in rows]
    top = _GAP + _LINE
    size = (_GAP + columns * (_WIDTH + _GAP), top + sum(heights) + (len(rows) + 1) * _GAP)
    sheet = Image.new("RGB", size, PAPER)
    ImageDraw.Draw(sheet).text((_GAP, _GAP), title, fill=INK, font=_font(_LETTERS + 2))
    y = top + _GAP
    for row, height in zip(rows, heights, strict=True):
        for at, panel in enumerate(row):
            sheet.paste(panel, (_GAP + at * (_WIDTH + _GAP), y))
        y += height + _GAP
    out = io.BytesIO()
    sheet.save(out, "PNG", optimize=True)
    return out.getvalue()


def ringed(png: bytes, at: Sequence[float] | None) -> bytes:
    """Return a picture with a ring around a place of it; as it is where that is not known."""
    if not at:
        return png
    with Image.open(io.BytesIO(png)) as whole:
        picture = whole.convert("RGB")
    _point(picture, at[0], at[1], COLOURS["new"])
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _panel(step: WatchedStep) -> Image.Image:
    colour = _COLOURS_OF[step.outcome]
    picture = _shrunk(step.png)
    if step.x is not None and step.y is not None and step.png:
        with Image.open(io.BytesIO(step.png)) as whole:
            ratio = picture.width / whole.width
        _point(picture, step.x * ratio, step.y * ratio, colour)
    told = f"{step.outcome}, {step.seconds:.1f} s"
    return _captioned(
        picture,
        f"{step.number}. {step.words}",
        f"{told}: {step.why}" if step.why else told,
        step.outcome,
    )


def _shrunk(png: bytes) -> Image.Image:
    """Return a picture in a panel's width; a blank one where there is none."""
    if not png:
        return Image.new("RGB", (_WIDTH, _WIDTH // 2), RULE)
    with Image.open(io.BytesIO(png)) as whole:
        height = max(1, round(whole.height * _WIDTH / whole.width))
        return whole.convert("RGB").resize((_WIDTH, height), Image.Resampling.LANCZOS)


def _point(picture: Image.Image, x: float, y: float, colour: str) -> None:
    """Ring the place of an act, and set a pointer on it."""
    draw = ImageDraw.Draw(picture)
    for radius, shade, width in ((_RING + 1, PAPER, 5), (_RING, colour, 3)):
        corners = (x - radius, y - radius, x + radius, y + radius)
        draw.ellipse(corners, outline=shade, width=width)
    draw.polygon([(x + dx, y + dy) for dx, dy in _POINTER], fill=PAPER, outline=INK)


def _captioned(picture: Image.Image, sentence: str, told: str, outcome: str) -> Image.Image:
    """Return a panel: a picture in its frame, below it what was done and how it went."""
    lines = [(line, INK) for line in _wrapped(sentence)]
    lines += [(line, _COLOURS_OF.get(outcome, INK)) for line in _wrapped(told)]
    panel = Image.new("RGB", (_WIDTH, picture.height + 8 + len(lines) * _LINE), PAPER)
    panel.paste(picture, (0, 0))
    draw = ImageDraw.Draw(panel)
    draw.rectangle((0, 0, _WIDTH - 1, picture.height - 1), outline=RULE)
    for number, (line, colour) in enumerate(lines):
        draw.text((2, picture.height + 6 + number * _LINE), line, fill=colour, font=_font(_LETTERS))
    return panel


def _wrapped(text: str) -> list[str]:
    """Return a text in lines that fit a panel, at most so many; its last is cut where more follows."""
    font = _font(_LETTERS)
    lines: list[str] = []
    for word in (
        text.encode("latin-1", "replace").decode("latin-1").split()
    ):  # the font has no others
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= _WIDTH - 4:
            lines[-1] = longer
        else:
            lines.append(word)
    more = [f"{lines[_MOST_LINES - 1]} ..."] if len(lines) > _MOST_LINES else []
    return [*lines[: _MOST_LINES - 1], *more] if more else lines


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
