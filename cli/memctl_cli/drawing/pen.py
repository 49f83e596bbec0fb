"""Lines, arrows and letters on one picture, in proportion to its width."""

from __future__ import annotations

from functools import cache
from typing import Literal

from PIL import Image, ImageDraw, ImageFont, ImageStat

from memctl.visual.boxes import Box

Kind = Literal["found", "new", "moved", "changed", "absent", "ignored"]

# Told apart in colour blindness as well (the palette of Okabe & Ito 2008, darkened until white
# letters on it have a contrast of 4.5), and by their lines: what is not there is dashed.
COLOURS: dict[Kind, str] = {
    "found": "#007a59",
    "new": "#0067a5",
    "moved": "#b24a00",
    "changed": "#5b46b2",
    "absent": "#a32c72",
    "ignored": "#596673",
}
# The same hues, lighter, where the ground of a frame is dark.
COLOURS_ON_DARK: dict[Kind, str] = {
    "found": "#45d6a4",
    "new": "#6fc3ff",
    "moved": "#ffa052",
    "changed": "#bcaeff",
    "absent": "#ff8fd0",
    "ignored": "#b9c4cf",
}
DARK_BELOW = 110
PAPER, INK, RULE = "#ffffff", "#17212e", "#c3ccd7"
USUAL_WIDTH = 1280
LONGEST_LABEL = 32


def scale_for(width: int) -> int:
    """Return the factor of lines and letters on a picture of this width, in pixels."""
    return max(1, round(width / USUAL_WIDTH))


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


class Pen:
    """Draws on one picture, with lines and letters in proportion to its width."""

    def __init__(self, picture: Image.Image, screen: Box) -> None:
        self.screen = screen
        self.scale = scale_for(screen.w)
        self.thick = 2 * self.scale
        self.pad = 4 * self.scale
        self.font = _font(12 * self.scale)
        self.draw = ImageDraw.Draw(picture)
        self.gray = picture.convert("L")
        _, top, _, bottom = self.font.getbbox("Ag")
        self.ascent, self.letter_height = round(top), round(bottom - top)

    def text_width(self, text: str) -> int:
        """Return the width of a text, in pixels."""
        return round(self.font.getlength(text))

    def colour(self, kind: Kind, frame: Box) -> str:
        """Return a colour for a kind that differs from what is under its frame."""
        left, right = max(frame.x, 0), min(frame.right, self.screen.right)
        tops = (frame.y, frame.bottom - self.thick)
        ground = [
            ImageStat.Stat(self.gray.crop((left, y, right, y + self.thick))).mean[0]
            for y in tops
            if left < right and 0 <= y <= self.screen.h - self.thick
        ]
        dark = bool(ground) and sum(ground) / len(ground) < DARK_BELOW
        return (COLOURS_ON_DARK if dark else COLOURS)[kind]

    def rectangle(self, box: Box, colour: str, thick: int) -> None:
        """Draw a frame whose outer edge is the box."""
        corners = (box.x, box.y, box.right - 1, box.bottom - 1)
        self.draw.rectangle(corners, outline=colour, width=thick)

    def fill(self, box: Box, colour: str) -> None:
        """Fill a box."""
        self.draw.rectangle((box.x, box.y, box.right - 1, box.bottom - 1), fill=colour)

    def dashes(self, frame: Box, colour: str) -> None:
        """Draw a dashed frame."""
        dash, step = 6 * self.scale, 10 * self.scale
        for x in range(frame.x, frame.right, step):
            width = min(dash, frame.right - x)
            self.fill(Box(x, frame.y, width, self.thick), colour)
            self.fill(Box(x, frame.bottom - self.thick, width, self.thick), colour)
        for y in range(frame.y, frame.bottom, step):
            height = min(dash, frame.bottom - y)
            self.fill(Box(frame.x, y, self.thick, height), colour)
            self.fill(Box(frame.right - self.thick, y, self.thick, height), colour)

    def hatch(self, area: Box, colour: str) -> None:
        """Draw a frame with slanting lines across it; what is below stays readable."""
        self.rectangle(area, colour, self.scale)
        for start in range(area.x - area.h, area.right, 10 * self.scale):
            left, right = max(start, area.x), min(start + area.h, area.right) - 1
            ends = (
                left,
                area.bottom - 1 - (left - start),
                right,
                area.bottom - 1 - (right - start),
            )
            self.draw.line(ends, fill=colour, width=self.scale)

    def write(self, text: str, x: int, row: Box, colour: str) -> None:
        """Write on the middle of a row."""
        y = row.y + (row.h - self.letter_height) // 2 - self.ascent
        self.draw.text((x, y), text, fill=colour, font=self.font)

    def shortened(self, label: str) -> str:
        """Return one short line; a letter that the font lacks becomes a question mark."""
        line = " ".join(label.split())
        if len(line) > LONGEST_LABEL:
            line = f"{line[: LONGEST_LABEL - 3].rstrip()}..."
        return "".join(letter if _drawable(letter, self.font) else "?" for letter in line)


@cache
def _drawable(letter: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> bool:
    """Whether the font has a letter: one that it lacks is drawn as an unassigned one."""
    return letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask("\U0010ffff"))
