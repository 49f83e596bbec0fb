"""What is drawn at a label and is not the label: text carets, dots and badges, mouse pointers.

Each is told from a glyph by its shape: a caret is taller than its line, a dot is solid, a pointer
has a filled body within an outline. What merely looks strange is left where it is.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.identity.label_ends import blank_beside, goes_on, is_plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.identity.ink_mask import Mask

    Colour = NDArray[np.float64]

_WIDEST = 4  # pixels of a caret
_SHORTEST, _TALLEST = 10, 60
_ALONE = 14  # pixels of one that no text stands beside
_ONE_COLOUR = 24  # levels of a channel
_STANDS_OUT = 60
_BESIDE = 0.35  # share of its rows in which both sides of a caret stand out from it
_GLYPH = 4  # pixels that the least glyph is high
_THICK, _OF_LINE = 5, 0.45  # pixels of a dot, or of the height of a line
_INK = 0.4  # share of the label's contrast that is ink
_SOLID, _FLAT = 40, 12  # levels: from the background, and within a solid area
_LIGHT, _DARK = 170, 90  # gray levels of a pointer's body
_POINTER = (9, 40)  # pixels that it is high
_HEAD, _TIP, _SLOPE = 0.55, 3, (0.45, 1.0)  # of its height; pixels; pixels a row
_NO_LETTERS = 2.3  # times what stands beside it that a caret is of dots, which have no height
_TALLER: Mapping[int, Sequence[tuple[float, float]]] = {
    2: [(1.1, 9)],
    1: [(1.38, 9)],
    0: [(1.45, 1.73), (1.95, 9)],
}
"""How many times as high as its line a caret is, by whether letters in that rise and fall."""


def painted(bgr: Pixels, parts: Iterable[Box]) -> Pixels:
    """Return a picture with some parts in the colour around each."""
    made = bgr.copy()
    for part in parts:
        one = part.widened(1, 1).within(Box(0, 0, bgr.shape[1], bgr.shape[0]))
        ring = one.widened(1, 1).within(Box(0, 0, bgr.shape[1], bgr.shape[0]))
        edge = np.ones((ring.h, ring.w), np.bool_)
        edge[one.y - ring.y : one.bottom - ring.y, one.x - ring.x : one.right - ring.x] = False
        if edge.any():
            around = bgr[ring.y : ring.bottom, ring.x : ring.right][edge]
            made[one.y : one.bottom, one.x : one.right] = np.median(around, axis=0)
    return made


def carets(bgr: Pixels) -> Iterator[Box]:
    """Yield the text carets: bars of one colour, four pixels wide at most, taller than their line."""
    height, width = bgr.shape[:2]
    if height < _SHORTEST + 2 or width < _WIDEST:
        return
    wide = cv2.copyMakeBorder(bgr, 0, 0, _WIDEST + 1, _WIDEST + 1, cv2.BORDER_REPLICATE)
    step = cv2.absdiff(wide[:, 1:], wide[:, :-1]).max(axis=2)
    down = cv2.absdiff(wide[1:], wide[:-1]).max(axis=2) > _ONE_COLOUR
    for thick in range(1, _WIDEST + 1):
        # A column whose left neighbour and whose neighbour after `thick` columns stand out.
        out = step > _STANDS_OUT
        bar = out[:, : -thick or None] & out[:, thick:]
        for inner in range(1, thick):
            bar &= step[:, inner : inner + bar.shape[1]] <= _ONE_COLOUR
        for left in np.flatnonzero(bar.sum(axis=0) >= _BESIDE * _SHORTEST).tolist():
            x = left + 1
            breaks = np.flatnonzero(down[:, x]) + 1
            for top, bottom in pairwise([0, *breaks.tolist(), height]):
                tall = bottom - top
                if not _SHORTEST <= tall <= _TALLEST or not 0 < top < bottom < height:
                    continue
                box = Box(x - _WIDEST - 1, top, thick, tall)
                free = bar[top:bottom, left]
                if free[0] and free[-1] and free.mean() >= _BESIDE and _is_caret(bgr, box):
                    yield box


def _is_caret(bgr: Pixels, bar: Box) -> bool:
    """Return True if a bar ends freely and is taller than the text beside it."""
    if bar.x <= 1 or bar.right >= bgr.shape[1] - 1:
        return False
    for end in (bar.y - 1, bar.bottom):
        # What is above and below is the background beside it.
        row = bgr[end, bar.x - 1 : bar.right + 1].astype(np.int16)
        if int(np.ptp(row, axis=0).max()) > _ONE_COLOUR:
            return False
    line = _line_beside(bgr, bar)
    times = bar.h / line[0] if line else _NO_LETTERS
    if line is None or times >= _NO_LETTERS:
        return bar.h >= _ALONE
    # A "|" is as high as letters that rise and fall, and 1.4 times capitals or 1.8 times "nose".
    return any(least <= times < most for least, most in _TALLER[line[1]]) and bar.h > line[0] + 1


def _line_beside(bgr: Pixels, bar: Box) -> tuple[int, int] | None:
    """Return the height of the text beside a bar, and whether letters rise or fall in it, or both."""
    area = bar.widened(4 * bar.h, bar.h // 2).clipped(bgr.shape[1], bgr.shape[0])
    crop = bgr[area.y : area.bottom, area.x : area.right].astype(np.int16)
    paper = np.median(crop.reshape(-1, 3), axis=0)
    ink = (np.abs(crop - paper).max(axis=2) > _STANDS_OUT).astype(np.uint8)
    ink[:, max(bar.x - area.x - 1, 0) : bar.right - area.x + 1] = 0
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    top, bottom = bar.y - area.y, bar.bottom - area.y
    glyphs = [
        number
        for number in range(1, count)
        for x, y, w, h, _ in [stats[number].tolist()]
        if y > 0 and y + h < area.h and y < bottom and y + h > top and w < 3 * bar.h
    ]
    rows = np.isin(labels, glyphs).sum(axis=1)
    drawn = np.flatnonzero(rows)
    if not drawn.size:
        return None
    first, last = int(drawn[0]), int(drawn[-1]) + 1
    part = max((last - first) // 5, 1)
    middle = float(rows[first + part : last - part].mean()) if last - first > 2 * part else 0.0
    ends = rows[first : first + part].mean(), rows[last - part : last].mean()
    return last - first, sum(end < middle / 2 for end in ends)


def marks(bgr: Pixels) -> Iterator[Box]:
    """Yield the dots and badges beside text: solid areas in another colour than its ink.

    A stroke of the text is too thin to be one, whatever its size.
    """
    height, width = bgr.shape[:2]
    paper = _commonest(bgr)
    away = np.abs(bgr.astype(np.int16) - paper).max(axis=2)
    ink = (away > _STANDS_OUT).astype(np.uint8)
    solid = (_is_flat(bgr) & (away > _SOLID)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    # Glyphs are what nothing solid is in, and what does not cross the edge of the picture.
    filled = set(np.unique(labels[solid > 0]).tolist())
    glyphs = [
        number
        for number in range(1, count)
        for x, y, w, h, _ in [stats[number].tolist()]
        if number not in filled
        and h >= _GLYPH
        and x > 0
        and y > 0
        and x + w < width
        and y + h < height
    ]
    if not glyphs:
        return
    tall = float(np.quantile(stats[glyphs, cv2.CC_STAT_HEIGHT], 0.8))
    colour = np.median(bgr[np.isin(labels, glyphs)], axis=0)
    thick = max(_THICK, _OF_LINE * tall)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    for number, (x, y, w, h, pixels) in enumerate(stats[1:count].tolist(), 1):
        box = Box(x, y, w, h).widened(2, 2)
        if min(box.w, box.h) - 2 < thick or box.w > 3 * tall + 4 or box.h > 2 * tall + 4:
            continue
        own = np.median(bgr[labels == number], axis=0)
        if pixels >= _GLYPH and np.abs(own - colour).max() > _STANDS_OUT:
            yield box.clipped(width, height)


def text_beyond(near: Frame, box: Box, blank: tuple[int, int], paper: Colour, ink: Colour) -> bool:
    """Return True if a label goes on beyond its box, where it did not when it was learned.

    Parameters
    ----------
    near
        The part of the screenshot around the box.
    blank
        The blank columns beside the box when it was learned.
    paper, ink
        The colours of the label now.
    """
    here = blank_beside(near.gray, box)
    if is_plain(blank, near.gray, box) or not goes_on(blank, here):
        return False
    area = box.widened(max(blank) + box.h, box.h // 2).clipped(near.width, near.height)
    crop = near.crop(area)
    away = np.abs(crop.astype(np.int16) - paper).max(axis=2)
    drawn = (away > _INK * max(np.abs(ink - paper).max(), 1.0)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    solid = list(marks(crop))
    left, right = box.x - area.x, box.right - area.x
    for number, (x, y, w, h, _) in enumerate(stats[1:count].tolist(), 1):
        beside = x < left < x + w + blank[0] or x < right + blank[1] < x + w + blank[1]
        around = x < left and right < x + w
        if (
            not beside
            or around
            or y == 0
            or y + h == area.h
            or any(map(Box(x, y, w, h).overlap, solid))
        ):
            continue
        own = labels == number
        # Thin strokes are pale at their edges: their darkest pixels show their colour.
        strong = own & (away >= np.quantile(away[own], 0.8))
        if np.abs(np.median(crop[strong], axis=0) - ink).max() <= 2 * _STANDS_OUT:
            return True
    return False


def pointers(bgr: Pixels) -> Iterator[Box]:
    """Yield the mouse pointers: arrows, light in a dark outline or dark in a light one.

    Their left side is upright, and from the tip on each row is a little longer than the last.
    """
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    for body in (gray >= _LIGHT, gray <= _DARK):
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            body.astype(np.uint8), connectivity=4
        )
        for number, (x, y, w, h, _) in enumerate(stats[1:count].tolist(), 1):
            if not _POINTER[0] <= h <= _POINTER[1] or not 0 < x < bgr.shape[1] - w:
                continue
            rows = labels[y : y + round(_HEAD * h), x : x + w] == number
            left, length = rows.argmax(axis=1), rows.sum(axis=1)
            steps = np.diff(length)
            grown = (length[-1] - length[0]) / len(steps)
            upright = int(np.ptp(left)) <= 1 and length[0] <= _TIP
            steady = 0 <= steps.min() <= steps.max() < _TIP
            if upright and steady and _SLOPE[0] <= grown <= _SLOPE[1]:
                yield Box(x, y, w, h).widened(2, 2)


def _is_flat(bgr: Pixels) -> Mask:
    around = np.ones((3, 3), np.uint8)
    return np.asarray((cv2.dilate(bgr, around) - cv2.erode(bgr, around)).max(axis=2) <= _FLAT)


def _commonest(bgr: Pixels) -> Colour:
    packed = (bgr // 8).reshape(-1, 3).astype(np.uint32) @ np.array([1, 32, 1024], np.uint32)
    usual = np.bincount(packed).argmax()
    return np.asarray(np.median(bgr.reshape(-1, 3)[packed == usual], axis=0), np.float64)
