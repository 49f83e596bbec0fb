"""Draws what was found, is new, has moved or is absent on a screenshot.

The picture stays readable below the marks: outlines run around a box, never through it, labels
stand beside their box, and the legend is a strip of its own under the screenshot.
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from PIL import Image, ImageDraw, ImageFont

from memctl.errors import UnusableInputError
from memctl.visual.boxes import Box
from memctl_cli.demo.placing import Wish, around, place, route, segments

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Kind", "Mark", "draw_marks"]

Kind = Literal["found", "new", "moved", "absent"]

# Told apart in colour blindness as well (the palette of Okabe & Ito 2008, darkened until white
# letters on it have a contrast of 4.5), and by their lines: what is not there is dashed.
COLOURS: dict[Kind, str] = {
    "found": "#007a59",
    "new": "#0067a5",
    "moved": "#b24a00",
    "absent": "#a32c72",
}
# What matters most is labelled first and drawn last.
URGENCY: tuple[Kind, ...] = ("absent", "moved", "new", "found")
PAPER, INK, HALO, RULE = "#ffffff", "#17212e", "#ffffff", "#c3ccd7"
LONGEST_LABEL = 32
USUAL_WIDTH = 1280


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing to show.

    Parameters
    ----------
    box
        Where it is, in pixels of the screenshot; for ``absent``, where it was expected.
    label
        What to call it; empty for an outline alone.
    was
        For ``moved``, where it used to be.
    """

    box: Box
    label: str
    kind: Kind
    was: Box | None = None


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


class _Pen:
    """Draws on one picture, with lines and letters in proportion to its width."""

    def __init__(self, picture: Image.Image, screen: Box) -> None:
        self.screen = screen
        self.scale = max(1, round(screen.w / USUAL_WIDTH))
        self.thick = 2 * self.scale
        self.pad = 4 * self.scale
        self.font = _font(12 * self.scale)
        self.draw = ImageDraw.Draw(picture)
        _, top, _, bottom = self.font.getbbox("Ag")
        self.ascent, self.letter_height = round(top), round(bottom - top)

    def text_width(self, text: str) -> int:
        return round(self.font.getlength(text))

    def frame(self, mark: Mark) -> Box:
        """Return the outline's outer edge: the box itself stays uncovered."""
        return around(mark.box, self.thick)

    def route(self, mark: Mark) -> list[tuple[int, int]]:
        if mark.was is None:
            return []
        old, new = around(mark.was, self.thick), around(self.frame(mark), self.scale)
        return route(old, new, self.screen, 12 * self.scale)

    def rectangle(self, box: Box, colour: str, thick: int) -> None:
        corners = (box.x, box.y, box.right - 1, box.bottom - 1)
        self.draw.rectangle(corners, outline=colour, width=thick)

    def fill(self, box: Box, colour: str) -> None:
        self.draw.rectangle((box.x, box.y, box.right - 1, box.bottom - 1), fill=colour)

    def dashes(self, frame: Box, colour: str) -> None:
        """Draw a dashed frame on a solid one, so that it shows on any ground."""
        self.rectangle(frame, HALO, self.thick)
        dash, step = 6 * self.scale, 10 * self.scale
        for x in range(frame.x, frame.right, step):
            width = min(dash, frame.right - x)
            self.fill(Box(x, frame.y, width, self.thick), colour)
            self.fill(Box(x, frame.bottom - self.thick, width, self.thick), colour)
        for y in range(frame.y, frame.bottom, step):
            height = min(dash, frame.bottom - y)
            self.fill(Box(frame.x, y, self.thick, height), colour)
            self.fill(Box(frame.right - self.thick, y, self.thick, height), colour)

    def arrow(self, corners: Sequence[tuple[int, int]], colour: str) -> None:
        """Draw a line along the corners with a head at its end."""
        for width, shade in ((self.thick + 2 * self.scale, HALO), (self.thick, colour)):
            self.draw.line(list(corners), fill=shade, width=width, joint="curve")
        (x0, y0), (x, y) = corners[-2:]
        size, wing = 9 * self.scale, 5 * self.scale
        if x == x0:
            base = y - size if y > y0 else y + size
            head = [(x, y), (x - wing, base), (x + wing, base)]
        else:
            base = x - size if x > x0 else x + size
            head = [(x, y), (base, y - wing), (base, y + wing)]
        self.draw.polygon(head, fill=colour, outline=HALO)

    def write(self, text: str, x: int, row: Box, colour: str) -> None:
        """Write on the middle of a row."""
        y = row.y + (row.h - self.letter_height) // 2 - self.ascent
        self.draw.text((x, y), text, fill=colour, font=self.font)


def draw_marks(png: bytes, marks: Sequence[Mark], *, title: str = "") -> bytes:
    """Draw marks on a screenshot.

    Parameters
    ----------
    png
        The encoded screenshot, in any format that Pillow reads.
    marks
        What to show. A label of ``found`` is left out where there is no free room for it; one of
        the other kinds only where there is no room on the screen at all.
    title
        Stands at the left of the legend.

    Returns
    -------
    bytes
        A PNG, 8-bit RGB, as wide as the screenshot and higher by the legend.

    Raises
    ------
    UnusableInputError
        ``png`` is no image.
    """
    screenshot = _decode(png)
    screen = Box(0, 0, *screenshot.size)
    strip = Box(0, screen.h, screen.w, 36 * max(1, round(screen.w / USUAL_WIDTH)))
    picture = Image.new("RGB", (screen.w, strip.bottom), PAPER)
    picture.paste(screenshot, (0, 0))
    pen = _Pen(picture, screen)
    urgent_first = sorted(marks, key=lambda mark: URGENCY.index(mark.kind))
    _outlines(pen, urgent_first[::-1])
    _labels(pen, urgent_first)
    _legend(pen, strip, marks, title)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _decode(png: bytes) -> Image.Image:
    try:
        with Image.open(io.BytesIO(png)) as opened:
            return opened.convert("RGB")
    except OSError as error:
        raise UnusableInputError(
            "the screenshot to draw on is no image", hint="give an encoded PNG or JPEG"
        ) from error


def _outlines(pen: _Pen, marks: Sequence[Mark]) -> None:
    """Draw halos before frames, so that neighbours do not wipe each other out."""
    for mark in marks:
        pen.rectangle(around(pen.frame(mark), pen.scale), HALO, pen.scale)
    for mark in marks:
        colour, frame = COLOURS[mark.kind], pen.frame(mark)
        if mark.was is not None:
            pen.dashes(around(mark.was, pen.thick), colour)
        if mark.kind == "absent":
            pen.dashes(frame, colour)
        else:
            pen.rectangle(frame, colour, pen.scale if mark.kind == "found" else pen.thick)
        if corners := pen.route(mark):
            pen.arrow(corners, colour)


def _labels(pen: _Pen, marks: Sequence[Mark]) -> None:
    """Label the marks in order; the first have the first choice of a place."""
    named = [(mark, text) for mark in marks if (text := _shortened(mark.label, pen.font))]
    wishes = [
        Wish(
            frame=around(pen.frame(mark), pen.scale),
            width=pen.text_width(text) + 2 * pen.pad,
            height=pen.letter_height + pen.pad,
            needed=mark.kind != "found",
        )
        for mark, text in named
    ]
    spots = place(wishes, _taken(pen, marks), pen.screen)
    for (mark, text), spot in zip(named, spots, strict=True):
        if spot is not None:
            pen.fill(spot, COLOURS[mark.kind])
            pen.write(text, spot.x + pen.pad, spot, PAPER)


def _taken(pen: _Pen, marks: Sequence[Mark]) -> list[Box]:
    """List what labels should not cover: every frame, old place and arrow."""
    frames = [pen.frame(mark) for mark in marks]
    frames += [around(mark.was, pen.thick) for mark in marks if mark.was is not None]
    return frames + [part for mark in marks for part in segments(pen.route(mark), pen.thick)]


def _shortened(label: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> str:
    """Return one short line; a letter that the font lacks becomes a question mark."""
    line = " ".join(label.split())
    if len(line) > LONGEST_LABEL:
        line = f"{line[: LONGEST_LABEL - 3].rstrip()}..."
    return "".join(letter if _drawable(letter, font) else "?" for letter in line)


@cache
def _drawable(letter: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> bool:
    """Whether the font has the letter: what it lacks is drawn like a code point of no one."""
    return letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask("\U0010ffff"))


def _legend(pen: _Pen, strip: Box, marks: Sequence[Mark], title: str) -> None:
    """Say below the screenshot what the colours mean and how many there are of each."""
    pen.fill(Box(strip.x, strip.y, strip.w, pen.scale), RULE)
    counts = Counter(mark.kind for mark in marks)
    swatch, gap = 14 * pen.scale, 8 * pen.scale
    x = strip.x + 2 * gap
    if title:
        pen.write(title, x, strip, INK)
        x += pen.text_width(title) + 4 * gap
    for kind in (kind for kind in reversed(URGENCY) if counts[kind]):
        sample = Box(x, strip.y + (strip.h - swatch) // 2, swatch, swatch)
        pen.fill(sample, COLOURS[kind])
        text = f"{kind} {counts[kind]}"
        pen.write(text, x + swatch + gap, strip, INK)
        x += swatch + pen.text_width(text) + 5 * gap
