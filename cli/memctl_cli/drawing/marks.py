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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.drivers.look import Look
    from memctl.visual.match_results import Match

# What matters most is labelled first and drawn last.
URGENCY: tuple[Kind, ...] = ("absent", "moved", "changed", "new", "found", "ignored")
_QUIET = ("found", "ignored")


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing to show.

    Parameters
    ----------
    box
        Where it is, in pixels of the screenshot; for ``absent``, where it was expected.
    label
        What to call it; empty for an outline alone.
    """

    box: Box
    label: str
    kind: Kind


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
        What to show. A label of ``found`` or ``ignored`` is left out where there is no free room
        for it; one of the other kinds only where there is no room on the screen at all.
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


def draw_match(image: str | bytes | Look, answer: Match) -> bytes:
    """Return the screenshot as a PNG with what was found drawn on it."""
    from memctl.visual.reading.image import encode_png, load_frame

    picture = image if isinstance(image, (str, bytes)) else image.png
    marks = [
        Mark(Box(sighting.x, sighting.y, sighting.w, sighting.h), sighting.name, "found")
        for sighting in answer.sightings
    ]
    marks += [
        Mark(Box(*area[:4]), "".join(area[4:]) or "ignored", "ignored") for area in answer.ignored
    ]
    state = answer.state
    title = f"state {state.name or state.id}" if state else "unknown state"
    return draw_marks(encode_png(load_frame(picture).bgr), marks, title=title)


def _decode(png: bytes) -> Image.Image:
    try:
        with Image.open(io.BytesIO(png)) as opened:
            return opened.convert("RGB")
    except (OSError, SyntaxError) as error:  # Pillow's word for a broken PNG chunk
        raise UnusableInputError(
            "the screenshot to draw on is no image", hint="give an encoded PNG or JPEG"
        ) from error


def _outlines(pen: Pen, marks: Sequence[Mark]) -> None:
    for mark in marks:
        frame = _frame(mark, pen)
        colour = pen.colour(mark.kind, frame)
        if mark.kind == "absent":
            pen.dashes(frame, colour)
        elif mark.kind == "ignored":
            pen.hatch(mark.box, colour)
        else:
            pen.rectangle(frame, colour, pen.scale if mark.kind == "found" else pen.thick)


def _labels(pen: Pen, marks: Sequence[Mark]) -> None:
    """Label the marks in order; the first have the first choice of a place."""
    occupied = [_frame(mark, pen) for mark in marks]
    for mark in marks:
        text = pen.shortened(mark.label)
        size = (pen.text_width(text) + 2 * pen.pad, pen.letter_height + pen.pad)
        frame = _around(_frame(mark, pen), pen.scale)
        # Inside of the screen, outside of its own frame.
        spots = [spot for spot in _beside(frame, *size) if spot.inside(pen.screen)]
        crowding = [sum(spot.overlap(other) for other in occupied) for spot in spots]
        if not text or not spots or (mark.kind in _QUIET and min(crowding)):
            continue
        spot = spots[crowding.index(min(crowding))]
        occupied.append(spot)
        pen.fill(spot, COLOURS[mark.kind])
        pen.write(text, spot.x + pen.pad, spot, PAPER)


def _beside(frame: Box, w: int, h: int) -> Iterator[Box]:
    """Yield places for a label: above and below (flush left, flush right), right, left."""
    for x in (frame.x, frame.right - w):
        yield Box(x, frame.y - h, w, h)
        yield Box(x, frame.bottom, w, h)
    middle = frame.y + (frame.h - h) // 2
    yield Box(frame.right, middle, w, h)
    yield Box(frame.x - w, middle, w, h)


def _frame(mark: Mark, pen: Pen) -> Box:
    """Return the outer edge of an outline: the box itself stays uncovered."""
    return _around(mark.box, pen.thick)


def _around(box: Box, distance: int) -> Box:
    return Box(box.x - distance, box.y - distance, box.w + 2 * distance, box.h + 2 * distance)


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
