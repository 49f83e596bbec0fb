"""Draws what was found, is new, has moved or is absent on a screenshot.

The picture stays readable below the marks: outlines run around a box, never through it, labels
stand beside their box, and the legend is a strip of its own under the screenshot.
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from PIL import Image

from memctl.base.errors import UnusableInputError
from memctl.visual.boxes import Box
from memctl_cli.drawing.pen import COLOURS, INK, PAPER, RULE, Kind, Pen, scale_for
from memctl_cli.drawing.placing import Wish, around, place, route, segments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# What matters most is labelled first and drawn last.
URGENCY: tuple[Kind, ...] = ("absent", "moved", "changed", "new", "found")


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


def draw_marks(
    png: bytes,
    marks: Sequence[Mark],
    *,
    title: str = "",
    words: Mapping[Kind, str] = MappingProxyType({}),
) -> bytes:
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
    words
        What the legend calls the kinds, where that is another word.

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
    strip = Box(0, screen.h, screen.w, 36 * scale_for(screen.w))
    picture = Image.new("RGB", (screen.w, strip.bottom), PAPER)
    picture.paste(screenshot, (0, 0))
    pen = Pen(picture, screen)
    urgent_first = sorted(marks, key=lambda mark: URGENCY.index(mark.kind))
    _outlines(pen, urgent_first[::-1])
    _labels(pen, urgent_first)
    _legend(pen, strip, marks, title, words)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _decode(png: bytes) -> Image.Image:
    try:
        with Image.open(io.BytesIO(png)) as opened:
            return opened.convert("RGB")
    except (OSError, SyntaxError) as error:  # Pillow's word for a broken PNG chunk
        raise UnusableInputError(
            "the screenshot to draw on is no image", hint="give an encoded PNG or JPEG"
        ) from error


def _frame(mark: Mark, pen: Pen) -> Box:
    """Return the outer edge of an outline: the box itself stays uncovered."""
    return around(mark.box, pen.thick)


def _route(mark: Mark, pen: Pen) -> list[tuple[int, int]]:
    if mark.was is None:
        return []
    old, new = around(mark.was, pen.thick), around(_frame(mark, pen), pen.scale)
    return route(old, new, pen.screen, 12 * pen.scale)


def _outlines(pen: Pen, marks: Sequence[Mark]) -> None:
    for mark in marks:
        frame = _frame(mark, pen)
        colour = pen.colour(mark.kind, frame)
        if mark.was is not None:
            old = around(mark.was, pen.thick)
            pen.dashes(old, pen.colour(mark.kind, old))
        if mark.kind == "absent":
            pen.dashes(frame, colour)
        else:
            pen.rectangle(frame, colour, pen.scale if mark.kind == "found" else pen.thick)
        if corners := _route(mark, pen):
            pen.arrow(corners, colour)


def _labels(pen: Pen, marks: Sequence[Mark]) -> None:
    """Label the marks in order; the first have the first choice of a place."""
    named = [(mark, text) for mark in marks if (text := pen.shortened(mark.label))]
    wishes = [
        Wish(
            frame=around(_frame(mark, pen), pen.scale),
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


def _taken(pen: Pen, marks: Sequence[Mark]) -> list[Box]:
    """List what labels should not cover: every frame, old place and arrow."""
    frames = [_frame(mark, pen) for mark in marks]
    frames += [around(mark.was, pen.thick) for mark in marks if mark.was is not None]
    return frames + [part for mark in marks for part in segments(_route(mark, pen), pen.thick)]


def _legend(
    pen: Pen, strip: Box, marks: Sequence[Mark], title: str, words: Mapping[Kind, str]
) -> None:
    """Explain the colours below the screenshot, with the number of boxes of each."""
    pen.fill(strip, PAPER)
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
        text = f"{words.get(kind, kind)} {counts[kind]}"
        pen.write(text, x + swatch + gap, strip, INK)
        x += swatch + pen.text_width(text) + 5 * gap
