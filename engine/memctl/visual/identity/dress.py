"""The same thing in another dress: a picture compared with a place by the shape of its ink alone.

A selected row, a dark theme, a focus ring, a caret or a dot beside a label change the pixels of a
component, not the component. So its strokes are compared against their own contrast, light on
dark as well as dark on light; what stands beside them or over them is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, is_learnable
from memctl.visual.identity.glyphs import GlyphRun
from memctl.visual.identity.ink_mask import usual
from memctl.visual.identity.left_out import carets, marks, painted, pointers, text_beyond
from memctl.visual.identity.strangeness import DRESSED, strangeness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels
    from memctl.visual.identity.ink_mask import Mask

    Colour = NDArray[np.float64]
    Floats = NDArray[np.float32]
    Find = Callable[[Pixels], Iterator[Box]]

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
    """How a place shows a picture.

    Parameters
    ----------
    how, changed
        A word for it, and what differs.
    box, score, strangeness
        The place; the correlation of the ink there; as in `ComponentHit`.
    contrast
        Share of the picture's contrast between ink and background.
    """

    how: str
    changed: str
    box: Box
    score: float
    strangeness: float
    contrast: float


def dressed(
    own: Pixels, frame: Frame, place: Box, blank: tuple[int, int] | None = None
) -> Dress | None:
    """Compare a picture with a place, whatever its colours are; ``None`` where it does not stand.

    Parameters
    ----------
    own
        ``(h, w, 3)`` uint8: the picture.
    place
        Where it stood, of its size; it may be off by a few pixels.
    blank
        The blank columns beside it when it was learned, as `blank_beside` counts them.
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
            there = Frame(painted(near.bgr, [one.moved(box.x, box.y) for one in parts]))
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
