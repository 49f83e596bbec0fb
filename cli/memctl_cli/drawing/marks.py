"""Draws what was found, is new, has moved or is absent on a screenshot.

The picture stays readable below the marks: outlines run around a box, never through it, labels
stand beside their box, and the legend is a strip of its own under the screenshot.
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from PIL import Image

from memctl.base.errors import UnusableInputError
from memctl.visual.boxes import Box
from memctl_cli.drawing.pen import COLOURS, INK, PAPER, RULE, Kind, Pen, scale_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memctl.drivers.look import Look
    from memctl.visual.match_results import Match

    Point = tuple[int, int]

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


def draw_match(image: str | bytes | Look, answer: Match) -> bytes:
    """Return the screenshot as a PNG with what was found and what is absent drawn on it."""
    from memctl.visual.reading.image import encode_png, load_frame

    picture = image if isinstance(image, (str, bytes)) else image.png
    marks = [Mark(Box(one.x, one.y, one.w, one.h), one.name, "found") for one in answer.sightings]
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


@dataclass(frozen=True, slots=True)
class Wish:
    """A label that wants a place beside a frame.

    Parameters
    ----------
    frame
        What it labels; the label never covers it.
    width, height
        Size of the label, in pixels.
    needed
        Whether it may stand on something else when no place is free; otherwise it is left out.
    """

    frame: Box
    width: int
    height: int
    needed: bool


def around(box: Box, distance: int) -> Box:
    """Return the rectangle that keeps ``distance`` pixels from the box on every side."""
    return Box(box.x - distance, box.y - distance, box.w + 2 * distance, box.h + 2 * distance)


def place(wishes: Sequence[Wish], taken: Iterable[Box], screen: Box) -> list[Box | None]:
    """Choose a place for every label, first come first served.

    Returns
    -------
    list of Box or None
        One entry for each wish: inside ``screen``, outside its own frame, and on nothing else
        unless it is needed; None where there is no such place.
    """
    occupied = list(taken)
    placed = []
    for wish in wishes:
        spot = _spot(wish, occupied, screen)
        placed.append(spot)
        if spot is not None:
            occupied.append(spot)
    return placed


def _spot(wish: Wish, occupied: Sequence[Box], screen: Box) -> Box | None:
    spots = [spot for spot in _beside(wish) if spot.inside(screen)]
    crowding = [sum(spot.overlap(other) for other in occupied) for spot in spots]
    least = min(crowding, default=1)
    return spots[crowding.index(least)] if spots and (wish.needed or least == 0) else None


def _beside(wish: Wish) -> Iterator[Box]:
    """Places for a label: above and below (flush left, flush right), right, left."""
    frame, w, h = wish.frame, wish.width, wish.height
    for x in (frame.x, frame.right - w):
        yield Box(x, frame.y - h, w, h)
        yield Box(x, frame.bottom, w, h)
    middle = frame.y + (frame.h - h) // 2
    yield Box(frame.right, middle, w, h)
    yield Box(frame.x - w, middle, w, h)


def route(start: Box, end: Box, screen: Box, distance: int) -> list[Point]:
    """Return the corners of a way from one frame to another that runs beside both.

    A straight line would strike through what stands between them, so the way leaves by one side,
    runs ``distance`` pixels beyond the farther frame and comes in by the same side.

    Returns
    -------
    list of (x, y)
        Four corners, the last on the frame of ``end``; empty when the frames stand closer than
        ``distance`` in both directions.
    """
    (x0, y0), (x1, y1) = _middle(start), _middle(end)
    gap_x = abs(x1 - x0) - (start.w + end.w) // 2
    gap_y = abs(y1 - y0) - (start.h + end.h) // 2
    if max(gap_x, gap_y) < distance:
        return []
    if gap_x >= gap_y:
        lane = max(start.bottom, end.bottom) + distance
        if lane < screen.bottom:
            return [(x0, start.bottom), (x0, lane), (x1, lane), (x1, end.bottom)]
        lane = min(start.y, end.y) - distance
        return [(x0, start.y), (x0, lane), (x1, lane), (x1, end.y)]
    lane = max(start.right, end.right) + distance
    if lane < screen.right:
        return [(start.right, y0), (lane, y0), (lane, y1), (end.right, y1)]
    lane = min(start.x, end.x) - distance
    return [(start.x, y0), (lane, y0), (lane, y1), (end.x, y1)]


def _middle(box: Box) -> Point:
    return box.x + box.w // 2, box.y + box.h // 2


def segments(corners: Sequence[Point], thickness: int) -> list[Box]:
    """Return the rectangles that a line through the corners covers."""
    covered = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        line = Box(min(x0, x1), min(y0, y1), abs(x1 - x0) + 1, abs(y1 - y0) + 1)
        covered.append(around(line, thickness))
    return covered
