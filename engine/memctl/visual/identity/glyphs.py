"""Same thing or sibling: the glyphs of two pictures compared stroke by stroke.

A correlation is a mean, and a mean hides a single letter: "Edit 1" and "Edit 7" in equal frames
score 0.99. So the ink is cut out of its frame, the pictures are aligned to a fraction of a pixel,
and the largest difference of one pixel decides, measured in units of the ink's own contrast. What
a shift, a compression or another rendering leaves at the edges of strokes sets how much of it is
allowed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.frame import Pixels


Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_FLAT = 8  # gray levels that neighbours differ by at most inside of a frame
_FRAMED = 0.4  # share of the picture that the inside of its frame takes at least
_LEAST_MASK = 40  # pixels
_LEAST_CONTRAST = 12.0  # gray levels between ink and background that count as ink
_INK = 0.35  # share of the ink's contrast from which a pixel belongs to it


def ink_of(gray: Pixels) -> tuple[Mask, Mask, float]:
    """Find the ink of a ``(h, w)`` uint8 picture.

    Returns ``mask``: ``(h, w)`` bool: the pixels that a comparison may look at. Returns ``ink``:
    ``(h, w)`` bool: those of them that are drawn. Returns ``unit``: gray levels between ink and
    background, 12 at least.
    """
    inside = _inside_of_frame(gray)
    away, unit = _contrast(gray, inside)
    if inside is not None and unit < _LEAST_CONTRAST:
        inside = None  # nothing is written there: the frame itself is compared
        away, unit = _contrast(gray, None)
    mask = np.ones(gray.shape, np.bool_) if inside is None else inside
    unit = max(unit, _LEAST_CONTRAST)
    ink = (away > _INK * unit) & mask
    # A short label in a wide frame takes less than two hundredths of it.
    unit = max(unit, quantile(away[ink], 0.9)) if ink.any() else unit
    if inside is None:
        ink, mask = _without_edges(ink, mask)
        mask &= _around(ink)
    mask &= _margin(gray.shape, ink)
    if not mask.any():
        mask[:] = True
    return mask, ink, unit


def _contrast(gray: Pixels, inside: Mask | None) -> tuple[Floats, float]:
    """Return each pixel's distance from the usual gray, and what 2 % of them exceed."""
    values = gray.ravel() if inside is None else gray[inside]
    away = np.abs(gray.astype(np.float32) - usual(values))
    return away, quantile(away.ravel() if inside is None else away[inside], 0.98)


def _inside_of_frame(gray: Pixels) -> Mask | None:
    """Return the largest flat area that no edge of the picture touches, with its holes filled."""
    height, width = gray.shape
    kernel = np.ones((3, 3), np.uint8)
    flat = (cv2.dilate(gray, kernel) - cv2.erode(gray, kernel) <= _FLAT).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    best, area = 0, 0
    for number in range(1, count):
        x, y, w, h, pixels = stats[number].tolist()
        free = x > 0 and y > 0 and x + w < width and y + h < height
        if free and w * h >= _FRAMED * gray.size and pixels > area:
            best, area = number, pixels
    if not best:
        return None
    one = labels == best
    filled = _hull(one) | _hull(one.T).T
    inner = cv2.erode(
        filled.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    mask = inner.astype(np.bool_)
    return mask if int(mask.sum()) >= _LEAST_MASK else None


def _hull(area: Mask) -> Mask:
    """Fill each row from its first pixel to its last."""
    before = np.logical_or.accumulate(area, axis=1)
    after = np.logical_or.accumulate(area[:, ::-1], axis=1)[:, ::-1]
    return before & after


def usual(values: Pixels) -> float:
    """Return the most frequent gray value, counted in windows of five."""
    counts = np.bincount(values, minlength=256)
    return float(np.convolve(counts, np.ones(5, int), mode="same").argmax())


def _without_edges(ink: Mask, mask: Mask) -> tuple[Mask, Mask]:
    """Drop ink that reaches the edge of the picture: the frame, or a neighbour."""
    count, labels = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    rim = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    touching = np.zeros(count, np.bool_)
    touching[rim] = True
    touching[0] = False
    dropped = touching[labels]
    left = ink & ~dropped
    if int(left.sum()) < max(6.0, 0.3 * int(ink.sum())):
        return ink, mask
    wide = cv2.dilate(dropped.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(np.bool_)
    return left, mask & ~wide


def _around(ink: Mask) -> Mask:
    """Return the ink's rectangle, a little wider, in which a longer label would show."""
    near = np.ones(ink.shape, np.bool_)
    if ink.any():
        box = extent(ink, 0)
        aside = round(0.7 * box.h) + 1
        near[:] = False
        near[max(box.y - 2, 0) : box.bottom + 2, max(box.x - aside, 0) : box.right + aside] = True
    return near


def _margin(shape: tuple[int, ...], ink: Mask) -> Mask:
    """Leave out the outer two pixels, one where there is ink in the second."""
    inner = np.zeros(shape, np.bool_)
    in_second = int(ink.sum()) > int(ink[2 : shape[0] - 2, 2 : shape[1] - 2].sum())
    reach = 1 if in_second else 2
    inner[reach : shape[0] - reach, reach : shape[1] - reach] = True
    return inner


def extent(marked: Mask, around: int) -> Box:
    """Return the rectangle of the marked pixels and some around it, all of it for none."""
    rows, columns = np.flatnonzero(marked.any(axis=1)), np.flatnonzero(marked.any(axis=0))
    height, width = marked.shape
    if not rows.size:
        return Box(0, 0, width, height)
    left, top = max(int(columns[0]) - around, 0), max(int(rows[0]) - around, 0)
    right = min(int(columns[-1]) + 1 + around, width)
    bottom = min(int(rows[-1]) + 1 + around, height)
    return Box(left, top, right - left, bottom - top)


def quantile(values: Floats, share: float) -> float:
    """Return the value that this share of the values reaches at most."""
    number = int(share * (values.size - 1))
    return float(np.partition(values, number)[number])


Spot = tuple[float, float]

CONTEXT = 5
"""Pixels around a place that aligning and blurring may look at."""

_BLUR = 0.7  # standard deviation of the blur, in pixels at device-pixel ratio 1
_ENLARGED = 0.5  # likewise of what enlarging a picture softens: a box and a triangle of its pixel
_REACH = 2  # whole pixels that a place may be off
_STEPS = 4
_LONGEST_STEP, _FARTHEST = 0.5, 1.6  # pixels that aligning moves at once, and in all
_RIDGE = 0.01
_NO_GAIN = 1e-3
_NO_STEP = 0.02  # pixels
_APART = 1.5  # pixels that a letter moves against the last: more is a blank
_GAP = 0.25  # of the height of the ink, between words
_SURELY = 0.1  # a difference that needs no aligning
_DRAWN = 0.25  # of the ink's contrast, between neighbours or against the background
_NEIGHBOURS = np.ones((3, 3), np.uint8)
_NO_CONTRAST = 8.0  # gray levels: a place of less ink is compared as if it had as much


@dataclass(frozen=True, eq=False)
class _Segment:
    """Ink that moves together."""

    own: Floats
    # rows, around: the ink's rectangle in the compared part of the picture
    rows: slice
    around: slice
    columns: slice  # the columns of the compared part that go with it

    def nearest(self, screen: Floats) -> tuple[Spot, float]:
        """Return the best shift by at most `_REACH` whole pixels, and the correlation there."""
        margin = CONTEXT - _REACH
        near = screen[
            self.rows.start + margin : self.rows.stop + 2 * CONTEXT - margin,
            self.around.start + margin : self.around.stop + 2 * CONTEXT - margin,
        ]
        scores = cv2.matchTemplate(near, self.own, cv2.TM_CCOEFF_NORMED)
        _, best, _, (column, row) = cv2.minMaxLoc(scores)
        return (float(column - _REACH), float(row - _REACH)), float(best)

    def aligned(self, screen: Floats, start: Spot, likeness: float) -> Spot:
        """Return the shift to a fraction of a pixel (inverse compositional Lucas-Kanade)."""
        best, shift = start, start
        for _ in range(_STEPS + 1):
            seen = _sampled(screen, shift, self.rows, self.around).ravel()
            score = self._correlation(seen)
            if score > likeness:
                likeness, best = score, shift
            across, down, gain, _ = (self.solver @ seen).tolist()
            if abs(gain) < _NO_GAIN:
                break
            step = _clipped(-across / gain), _clipped(-down / gain)
            shift = shift[0] + step[0], shift[1] + step[1]
            far = max(abs(shift[0] - start[0]), abs(shift[1] - start[1])) > _FARTHEST
            if far or max(map(abs, step)) < _NO_STEP:
                break
        return best

    def _correlation(self, seen: Floats) -> float:
        seen = seen - seen.mean()
        length = float(np.sqrt(seen @ seen))
        return float(self.direction @ seen) / length if length else 0.0

    @cached_property
    def direction(self) -> Floats:
        """The ink's pixels without their mean, ``(n,)`` of length 1."""
        own = self.own.ravel() - self.own.mean()
        return np.asarray(own / max(float(np.sqrt(own @ own)), 1e-6), np.float32)

    @cached_property
    def solver(self) -> Floats:
        """``(4, n)``: the least-squares fit of pixels to gradients, gain and offset."""
        own = self.own
        right, down = np.zeros_like(own), np.zeros_like(own)
        right[:, 1:-1] = (own[:, 2:] - own[:, :-2]) / 2
        down[1:-1] = (own[2:] - own[:-2]) / 2
        flat = [values.ravel() for values in (right, down, own, np.ones_like(own))]
        terms = np.stack(flat).astype(np.float64)
        normal = terms @ terms.T
        normal += np.diag([_RIDGE * normal[0, 0], _RIDGE * normal[1, 1], 0, 0]) + 1e-6 * np.eye(4)
        return np.asarray(np.linalg.solve(normal, terms), np.float32)


@dataclass(frozen=True, eq=False)
class GlyphRun:
    """The ink of a picture, without its frame and its padding."""

    size: tuple[int, int]  # height and width of the picture
    # the part of the picture that is compared: its ink, and where a longer label would show
    place: Box
    blurred: Floats  # ``(h, w)`` float32 gray values of that part, 0 to 255, slightly blurred
    mask: Mask  # ``(h, w)`` bool: the pixels of it that count
    unit: float  # gray levels between ink and background
    blur: float  # standard deviation of the blur that a screen needs to be as soft, in pixels
    whole: _Segment  # the ink itself, which is aligned
    # words, letters: its parts that stand apart, and those that one blank column parts: in another
    # rendering each may have moved by itself
    words: tuple[_Segment, ...]
    letters: tuple[_Segment, ...]

    @classmethod
    def resized(cls, gray: Pixels, ratio: float) -> GlyphRun:
        """Find the ink of a picture whose sides are multiplied first."""
        return cls.of(resized(gray, ratio), max(ratio, 1.0))

    @classmethod
    def of(cls, gray: Pixels, scale: float = 1.0) -> GlyphRun:
        """Find the ink of a ``(h, w)`` uint8 picture."""
        mask, ink, unit = ink_of(gray)
        place = extent(mask, 0)
        part = slice(place.y, place.bottom), slice(place.x, place.right)
        blurred = _blurred(gray, _BLUR * scale)[part]
        segments = _segments(blurred, ink[part])
        blur = _BLUR * scale if scale == 1 else math.hypot(_BLUR, _ENLARGED) * scale
        return cls(gray.shape, place, blurred, mask[part], unit, blur, *segments)

    def difference(self, around: Pixels, *, redrawn: bool = False) -> tuple[float, float]:
        """Compare the ink with a place on a screen.

        ``around``: ``(h + 2 * CONTEXT, w + 2 * CONTEXT)`` uint8 gray values: the place of the
        picture and what is around it. ``redrawn``: whether each letter may have moved by itself;
        ``usual`` is the median of the words then, since a rendering changes every letter and a
        sibling few. Returns ``worst``, ``usual``: the largest difference of a pixel, and the upper
        quartile of the differences where there is ink; both in units of the ink's contrast. ``(inf,
        0)`` for a negative.
        """
        top, left = self.place.y, self.place.x
        near = around[
            top : top + self.place.h + 2 * CONTEXT, left : left + self.place.w + 2 * CONTEXT
        ]
        screen = _blurred(near, self.blur)
        start, likeness = self.whole.nearest(screen)
        if likeness <= 0:
            return math.inf, 0.0
        share = 0.5 if redrawn else 0.75
        found = self._compare(self._moved(screen, start), share)
        if found[0] <= _SURELY:
            return found
        shift = self.whole.aligned(screen, start, likeness)
        found = self._compare(self._moved(screen, shift), share)
        if found[0] > _SURELY and len(self.words) > 1:
            found = min(found, self._compare(self._one_by_one(screen, self.words), share))
        if redrawn and found[0] > _SURELY and len(self.letters) > len(self.words):
            by_letter, _ = self._compare(self._one_by_one(screen, self.letters, _APART), share)
            found = min(found[0], by_letter), found[1]
        return found

    def _one_by_one(
        self, screen: Floats, parts: Iterable[_Segment], apart: float = math.inf
    ) -> Floats:
        """Return the place with each part moved onto the picture's, at most so far from the last."""
        moved: list[Floats] = []
        last: Spot | None = None
        for part in parts:
            start, likeness = part.nearest(screen)
            shift = part.aligned(screen, start, likeness)
            if last is not None and abs(shift[0] - last[0]) > apart:
                shift = last
            last = shift
            moved.append(_sampled(screen, shift, slice(0, len(self.mask)), part.columns))
        return np.concatenate(moved, axis=1)

    def _moved(self, screen: Floats, shift: Spot) -> Floats:
        height, width = self.mask.shape
        return _sampled(screen, shift, slice(0, height), slice(0, width))

    def _compare(self, seen: Floats, share: float) -> tuple[float, float]:
        mask = self.mask
        own, there = self.blurred[mask], seen[mask]
        gain = float(there.std()) / max(float(own.std()), 1e-6)
        unit = max(gain * self.unit, _NO_CONTRAST)
        picture = (self.blurred - quantile(own, 0.5)) * (gain / unit)
        place = (seen - quantile(there, 0.5)) / unit
        off = cv2.absdiff(place, picture)
        edges = cv2.dilate(picture, _NEIGHBOURS) - cv2.erode(picture, _NEIGHBOURS) > _DRAWN
        drawn = mask & (edges | (np.abs(place) > _DRAWN))
        usual = quantile(off[drawn], share) if drawn.any() else 0.0
        return float(off[mask].max()), usual


def _sampled(screen: Floats, shift: Spot, rows: slice, columns: slice) -> Floats:
    """Return a part of a place, sampled between its pixels (bicubic)."""
    size = columns.stop - columns.start, rows.stop - rows.start
    left, top = CONTEXT + columns.start + shift[0], CONTEXT + rows.start + shift[1]
    move = np.array([[1, 0, left], [0, 1, top]])
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(screen, move, size, flags=how), np.float32)


def resized(gray: Pixels, ratio: float) -> Pixels:
    """Return a picture with its sides multiplied."""
    if ratio == 1:
        return gray
    height, width = (max(round(side * ratio), 1) for side in gray.shape[:2])
    how = cv2.INTER_LINEAR if ratio > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(gray, (width, height), interpolation=how), np.uint8)


def _blurred(gray: Pixels, deviation: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(gray.astype(np.float32), (0, 0), deviation), np.float32)


def _clipped(step: float) -> float:
    return min(max(step, -_LONGEST_STEP), _LONGEST_STEP)


def _segments(
    blurred: Floats, ink: Mask
) -> tuple[_Segment, tuple[_Segment, ...], tuple[_Segment, ...]]:
    """Return all of some ink, its words and its letters, parted by blank columns."""
    box = extent(ink, 2)
    rows, width = slice(box.y, box.bottom), blurred.shape[1]

    def segment(left: int, right: int, columns: slice) -> _Segment:
        around = slice(max(left - 2, 0), min(right + 3, width))
        return _Segment(np.ascontiguousarray(blurred[rows, around]), rows, around, columns)

    drawn = np.flatnonzero(ink.any(axis=0))
    whole = segment(box.x + 2, box.right - 3, slice(0, width))

    def parted(gap: float) -> tuple[_Segment, ...]:
        wide = np.flatnonzero(np.diff(drawn) > gap)
        if not wide.size:
            return (whole,)
        starts = [int(drawn[0]), *drawn[wide + 1].tolist()]
        ends = [*drawn[wide].tolist(), int(drawn[-1])]
        cuts = [(end + start) // 2 + 1 for end, start in zip(ends, starts[1:], strict=False)]
        columns = [slice(*pair) for pair in zip([0, *cuts], [*cuts, width], strict=True)]
        return tuple(map(segment, starts, ends, columns))

    return whole, parted(max(_GAP * box.h, 3)), parted(1)


ANOTHER_LABEL = "same frame, another label"


class Allowance(NamedTuple):
    """How far a pixel may differ, in units of the ink's contrast: ``base + share * usual``.

    ``usual`` is the upper quartile of the differences on the ink: a shift, a compression or
    another rendering moves all edges alike, another letter moves a few pixels far.
    """

    base: float
    share: float
    most: float


OWN = Allowance(0.14, 1.0, 0.30)
"""At the picture's own scale: siblings differ by 0.35 and more, true ones by 0.26 at most."""

RESIZED = Allowance(0.33, 0.0, 0.33)
"""For a picture learned at another device-pixel ratio, where every stroke differs."""

DRESSED = Allowance(0.14, 4.0, 0.28)
"""For a picture at its own place in another dress, letter by letter: siblings differ by 0.33."""

BESIDE = Allowance(0.14, 2.0, 0.30)
"""For what stands beside a component: it may have been laid out anew, by part of a pixel."""


def strangeness(run: GlyphRun, gray: Pixels, box: Box, allowance: Allowance) -> float:
    """Return how far a place differs from a picture: up to 1 it shows the same, above another.

    ``run``: the picture's ink. ``gray``: ``(H, W)`` uint8: the screenshot, or another picture.
    ``box``: the place, of the picture's size.
    """
    worst, usual = run.difference(surroundings_of(gray, box), redrawn=allowance is DRESSED)
    return worst / min(allowance.base + allowance.share * usual, allowance.most)


def surroundings_of(gray: Pixels, box: Box) -> Pixels:
    """Return a box and `CONTEXT` pixels around it; beyond the screenshot, its edge repeated."""
    top, left = box.y - CONTEXT, box.x - CONTEXT
    bottom, right = box.bottom + CONTEXT, box.right + CONTEXT
    height, width = gray.shape
    cut = gray[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
    if cut.shape == (bottom - top, right - left):
        return cut
    beyond = max(-top, 0), max(bottom - height, 0), max(-left, 0), max(right - width, 0)
    return np.asarray(cv2.copyMakeBorder(cut, *beyond, cv2.BORDER_REPLICATE), np.uint8)
