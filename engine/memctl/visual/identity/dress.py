"""The same thing in another dress: a template compared with a place by the shape of its ink alone.

A selected row, a dark theme, a focus ring, a caret or a dot beside a label change the pixels of a
component, not the component. So its strokes are compared against their own contrast, light on
dark as well as dark on light; what is drawn beside them or over them is named. Each such thing is
told from a glyph by its shape: a caret is taller than its line, a dot is solid, a pointer has a
filled body within an outline. A label that goes on beyond its box is another label.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, is_learnable
from memctl.visual.identity.glyphs import DRESSED, GlyphRun, ink_of, strangeness, usual

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels
    from memctl.visual.identity.glyphs import Mask

    Colour = NDArray[np.float64]
    from collections.abc import Callable

    Floats = NDArray[np.float32]
    Find = Callable[[Pixels], Iterator[Box]]


_FAR = 0.8  # of the height of the ink: a space, and the first stroke after it
_PLAIN = 12  # gray levels that blank paper differs by
_INK = 0.5  # share of the ink's contrast from which a pixel beyond the box is ink


def blank_beside(gray: Pixels, box: Box) -> tuple[int, int]:
    """Return the pixels without ink beyond the left and the right edge of a box.

    Counted from the edge to the first column with ink in the rows of the label, at most as far
    as another word of the same text would begin; nothing beyond the screenshot is ink.
    """
    crop = np.ascontiguousarray(gray[box.y : box.bottom, box.x : box.right])
    _, ink, unit = ink_of(crop)
    rows = np.flatnonzero(ink.any(axis=1))
    if not rows.size:
        return 0, 0
    columns = np.flatnonzero(ink.any(axis=0))
    far = round(_FAR * (int(rows[-1]) - int(rows[0]) + 1)) + 2
    top, bottom = box.y + int(rows[0]), box.y + int(rows[-1]) + 1
    left = gray[top:bottom, max(box.x - far, 0) : box.x][:, ::-1]
    right = gray[top:bottom, box.right : box.right + far]
    paper = float(np.median(crop[~ink])) if (~ink).any() else 0.0
    reach = far - int(columns[0]), far - (box.w - 1 - int(columns[-1]))
    return _blank(left, paper, unit, reach[0]), _blank(right, paper, unit, reach[1])


def reach_of(box: Box) -> int:
    """Return how many pixels beyond its edges a box is looked at, at most."""
    return round(_FAR * box.h) + 2


def goes_on(learned: tuple[int, int], now: tuple[int, int]) -> bool:
    """Return True if there is ink beyond a box where there was none when it was learned."""
    return any(here + 1 < then for here, then in zip(now, learned, strict=True))


def is_plain(learned: tuple[int, int], gray: Pixels, box: Box) -> bool:
    """Return True if nothing at all is drawn where it was blank: most boxes are by themselves."""
    rows, (left, right) = gray[box.y : box.bottom], learned
    beyond = rows[:, max(box.x - left, 0) : box.x], rows[:, box.right : box.right + right]
    return all(part.size == 0 or int(part.max()) - int(part.min()) <= _PLAIN for part in beyond)


def _blank(beyond: Pixels, paper: float, unit: float, reach: int) -> int:
    """Count columns without ink, at most `reach`."""
    reach = max(reach, 0)
    drawn = (np.abs(beyond.astype(np.float32) - paper) > _INK * unit).any(axis=0)[:reach]
    first = np.flatnonzero(drawn)
    return int(first[0]) if first.size else reach


_WIDEST = 4  # pixels of a caret
_SHORTEST, _TALLEST = 10, 60
_ALONE = 14  # pixels of one that no text stands beside
_ONE_COLOUR = 24  # levels of a channel
_STANDS_OUT = 60
_BESIDE = 0.35  # share of its rows in which both sides of a caret stand out from it
_GLYPH = 4  # pixels that the least glyph is high
_THICK, _OF_LINE = 5, 0.45  # pixels of a dot, or of the height of a line
_INK_BEYOND = 0.4  # share of the label's contrast that is ink
_SOLID, _FLAT = 40, 12  # levels: from the background, and within a solid area
_LIGHT, _DARK = 170, 90  # gray levels of a pointer's body
_POINTER_HEIGHTS = (9, 40)  # pixels that it is high
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
    around = np.ones((3, 3), np.uint8)
    flat = (cv2.dilate(bgr, around) - cv2.erode(bgr, around)).max(axis=2) <= _FLAT
    solid = (flat & (away > _SOLID)).astype(np.uint8)
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

    ``near``: the part of the screenshot around the box. ``blank``: the blank columns beside the box
    when it was learned. ``paper``, ``ink``: the colours of the label now.
    """
    here = blank_beside(near.gray, box)
    if is_plain(blank, near.gray, box) or not goes_on(blank, here):
        return False
    area = box.widened(max(blank) + box.h, box.h // 2).clipped(near.width, near.height)
    crop = near.crop(area)
    away = np.abs(crop.astype(np.int16) - paper).max(axis=2)
    drawn = (away > _INK_BEYOND * max(np.abs(ink - paper).max(), 1.0)).astype(np.uint8)
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
            if not _POINTER_HEIGHTS[0] <= h <= _POINTER_HEIGHTS[1] or not 0 < x < bgr.shape[1] - w:
                continue
            rows = labels[y : y + round(_HEAD * h), x : x + w] == number
            left, length = rows.argmax(axis=1), rows.sum(axis=1)
            steps = np.diff(length)
            grown = (length[-1] - length[0]) / len(steps)
            upright = int(np.ptp(left)) <= 1 and length[0] <= _TIP
            steady = 0 <= steps.min() <= steps.max() < _TIP
            if upright and steady and _SLOPE[0] <= grown <= _SLOPE[1]:
                yield Box(x, y, w, h).widened(2, 2)


def _commonest(bgr: Pixels) -> Colour:
    packed = (bgr // 8).reshape(-1, 3).astype(np.uint32) @ np.array([1, 32, 1024], np.uint32)
    usual = np.bincount(packed).argmax()
    return np.asarray(np.median(bgr.reshape(-1, 3)[packed == usual], axis=0), np.float64)


PALE = 0.75
"""Share of its contrast below which a thing may be disabled."""

_OFF = 4  # pixels that a place may be off
_LIKE, _NEGATIVE = 0.6, 0.8  # least correlation of the ink, and of its negative
_RIM = 4  # pixels along the edges in which a frame or a ring may come and go
_ANOTHER_COLOUR = 20  # levels of a channel
_LEFT = 0.5  # share of the ink that must be left to compare where something covers it
_POINTER = 40  # pixels of the largest mouse pointer
_DRAWN, _BLANK = 0.5, 0.35  # share of the contrast that is ink, and that is none
_SINGLE = 0.7  # strangeness of a single letter or icon: nothing else bears it out
_SPECK = 3  # pixels of ink that count
_LABEL = 20  # pixels of ink that a label has beside a dot
_AROUND = 48  # pixels around a place that are looked at

_LEFT_OUT = (
    (carets, "caret", "a text caret"),
    (marks, "changed beside", "what stands beside its label"),
    (pointers, "pointer", "a mouse pointer over it"),
)


class Dress(NamedTuple):
    """How a place shows a picture."""

    # how, changed: a word for it, and what differs
    how: str
    changed: str
    # box, score, strangeness: the place; the correlation of the ink there; as in `ComponentHit`
    box: Box
    score: float
    strangeness: float
    contrast: float  # share of the picture's contrast between ink and background


def dressed(
    own: Pixels, frame: Frame, place: Box, blank: tuple[int, int] | None = None
) -> Dress | None:
    """Compare a template with a place, whatever its colours are; ``None`` where it is not there.

    ``own``: ``(h, w, 3)`` uint8: the picture. ``place``: where it stood, of its size; it may be off
    by a few pixels. ``blank``: the blank columns beside it when it was learned, as `blank_beside`
    counts them.
    """
    around = place.widened(_AROUND, _AROUND).within(frame.part(None))
    near = Frame(np.ascontiguousarray(frame.crop(around)))
    place = place.moved(-around.x, -around.y)
    picture = _InkPicture(own)
    spots = list(picture.spots(near, place))
    found = next(picture.worn(near, spots, blank), None)
    boxes = dict.fromkeys([*(box for _, _, box in spots), place])
    for box in boxes if found is None or found.contrast < PALE else ():
        # A dot that is darker now is no sign that its label is disabled.
        found = picture.partly(near, box, blank) or found
    return found and found._replace(box=found.box.moved(around.x, around.y))


@dataclass(frozen=True, eq=False)
class _InkPicture:
    """A picture with what its comparisons need."""

    bgr: Pixels

    @cached_property
    def gray(self) -> Pixels:
        return np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def run(self) -> GlyphRun:
        return GlyphRun.of(self.gray)

    @cached_property
    def mask(self) -> Mask:
        """The pixels whose strokes are compared."""
        mask, place = np.zeros(self.gray.shape, np.bool_), self.run.place
        mask[place.y : place.bottom, place.x : place.right] = self.run.mask
        return mask

    @cached_property
    def core(self) -> Box:
        """The ink's rectangle."""
        part, place = self.run.whole, self.run.place
        width, height = part.around.stop - part.around.start, part.rows.stop - part.rows.start
        return Box(place.x + part.around.start, place.y + part.rows.start, width, height)

    @cached_property
    def drawn(self) -> int:
        """How many pixels are ink."""
        return int((_away(self.gray, self.mask) > _DRAWN * self.run.unit).sum())

    def spots(self, near: Frame, place: Box) -> Iterator[tuple[float, bool, Box]]:
        """Yield where the ink or its negative is at its place, to a few pixels: likeness, whether negative, and the box."""
        core = self.core
        own = np.ascontiguousarray(self.gray[core.y : core.bottom, core.x : core.right])
        area = core.moved(place.x, place.y).widened(_OFF, _OFF).within(near.part(None))
        if (
            area.w < core.w
            or area.h < core.h
            or is_learnable(np.stack([own] * 3, axis=2)) is not None
        ):
            return
        shown = near.gray[area.y : area.bottom, area.x : area.right]
        scores = np.nan_to_num(cv2.matchTemplate(shown, own, cv2.TM_CCOEFF_NORMED))
        low, high, lowest, highest = cv2.minMaxLoc(scores)
        for likeness, negative, (x, y) in ((high, False, highest), (-low, True, lowest)):
            box = place.placed(area.x + x - core.x, area.y + y - core.y)
            if likeness >= (_NEGATIVE if negative else _LIKE) and box.inside(near.part(None)):
                yield likeness, negative, box

    def worn(
        self,
        near: Frame,
        spots: Iterator[tuple[float, bool, Box]] | list[tuple[float, bool, Box]],
        blank: tuple[int, int] | None,
    ) -> Iterator[Dress]:
        """Yield the places that show the ink and nothing else that is written."""
        for likeness, negative, box in spots:
            gray = cv2.bitwise_not(near.gray) if negative else near.gray
            strange = strangeness(self.run, np.asarray(gray, np.uint8), box, DRESSED)
            there = near.crop(box)
            most = 1.0 if len(self.run.letters) > 1 else _SINGLE
            if strange > most or self._ink_elsewhere(near, box):
                continue
            (paper, ink), (paper_now, ink_now) = _colours(self, self.bgr), _colours(self, there)
            contrast = np.abs(ink_now - paper_now).max() / max(np.abs(ink - paper).max(), 1.0)
            beyond = blank is not None and text_beyond(near, box, blank, paper_now, ink_now)
            if beyond:
                continue
            off = max(np.abs(paper_now - paper).max(), np.abs(ink_now - ink).max())
            outside = (cv2.absdiff(there, self.bgr).max(axis=2) > _ANOTHER_COLOUR) & ~self.mask
            how, what = "redrawn", "how it is drawn"
            if off > _ANOTHER_COLOUR:
                how, what = "recoloured", "its colours"
            elif outside.any() or np.array_equal(there, self.bgr):
                how, what = "changed beside", "what stands around its label"
            yield Dress(how, what, box, likeness, strange, float(contrast))

    def partly(self, near: Frame, box: Box, blank: tuple[int, int] | None) -> Dress | None:
        """Return how a place shows the picture but for what is no part of its label."""
        if not box.inside(near.part(None)):
            return None
        for find, how, what in _LEFT_OUT:
            parts = [*find(self.bgr), *self._found(find, near, box)]
            if not parts:
                continue
            bare = _InkPicture(painted(self.bgr, parts))
            there = Frame(painted(near.bgr, [part.moved(box.x, box.y) for part in parts]))
            least = {carets: 0, marks: _LABEL, pointers: _LEFT * self.drawn}[find]
            left = bare.drawn >= least
            colours = _colours(self, self.bgr)
            same = int(cv2.absdiff(bare.bgr, there.crop(box)).max()) <= _ANOTHER_COLOUR
            if left and same and not (blank and text_beyond(there, box, blank, *colours)):
                return Dress(how, what, box, 1.0, 0.0, 1.0)
            found = next(bare.worn(there, bare.spots(there, box), blank), None) if left else None
            if found is not None:
                also = f", {found.changed}" if found.how == "recoloured" else ""
                return found._replace(how=how, changed=what + also)
        return None

    def _found(self, find: Find, near: Frame, box: Box) -> Iterator[Box]:
        """Yield what is left out of a place, from its corner."""
        if find is not pointers:
            yield from find(near.crop(box))
            return
        # A pointer reaches beyond its component; all the rest of that is as it was.
        other = cv2.absdiff(near.crop(box), self.bgr).max(axis=2) > _ANOTHER_COLOUR
        x, y, w, h = cv2.boundingRect(other.astype(np.uint8))
        if not 0 < max(w, h) <= _POINTER:
            return
        area = Box(box.x + x, box.y + y, w, h).widened(_POINTER, _POINTER).within(near.part(None))
        for one in find(np.ascontiguousarray(near.crop(area))):
            yield one.moved(area.x - box.x, area.y - box.y)

    def _ink_elsewhere(self, near: Frame, box: Box) -> bool:
        """Return True if a place shows ink off the compared part that the picture lacks, or lacks some."""
        there = np.ascontiguousarray(near.gray[box.y : box.bottom, box.x : box.right])
        own, now = _away(self.gray, self.mask), _away(there, self.mask)
        gain = float(there[self.mask].std()) / max(float(self.gray[self.mask].std()), 1e-6)
        own, now = own / self.run.unit, now / max(gain * self.run.unit, 8.0)
        around = np.ones((3, 3), np.uint8)
        new = (now > _DRAWN) & (cv2.dilate(own, around) < _BLANK)
        gone = (own > _DRAWN) & (cv2.dilate(now, around) < _BLANK)
        count, _, stats, _ = cv2.connectedComponentsWithStats(
            ((new | gone) & ~self.mask).astype(np.uint8), connectivity=8
        )
        height, width = there.shape
        for x, y, w, h, pixels in stats[1:count].tolist():
            at_edge = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
            in_rim = x + w <= _RIM or y + h <= _RIM or x >= width - _RIM or y >= height - _RIM
            if pixels >= _SPECK and not at_edge and not in_rim:
                return True
        return False


def _away(gray: Pixels, mask: Mask) -> Floats:
    """Return how far each pixel is from the usual gray of a part."""
    return np.asarray(np.abs(gray.astype(np.float32) - usual(gray[mask])), np.float32)


def _colours(picture: _InkPicture, bgr: Pixels) -> tuple[Colour, Colour]:
    """Return the colours of the background and of the ink in the compared part of a crop."""
    away = _away(picture.gray, picture.mask)
    count = max(int((away[picture.mask] > 0.7 * picture.run.unit).sum()), 1)
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)[picture.mask]
    order = np.argsort(np.abs(gray.astype(np.float32) - usual(gray)))
    pixels = bgr[picture.mask][order].astype(np.float32)
    return np.median(pixels[: len(pixels) // 2 + 1], axis=0), np.median(pixels[-count:], axis=0)
