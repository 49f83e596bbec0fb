"""A screenshot as states are compared with it: its words, its look and the labels on it.

A word is a contrast-normalised blob of ink: it keeps its shape when the page is scrolled, laid out
anew, shown in another theme, dimmed or enlarged, and needs no box to be seen. The look is the mean
gray of cells, coarse enough to outlive JPEG, resizing and another anti-aliasing, and fine enough to
show a highlighted line, another picture or an open menu where the words are the same.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.boxes import Box
from memctl.visual.recognition.page_labels import page_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.page_labels import PageLabel
    from memctl.visual.recognition.sightings import Sightings


CELL = 8
"""Pixels of a cell's side, at device-pixel ratio 1."""

HIDDEN = 0
"""Value of a cell that may not be compared: something covers it, or it may not be kept."""

SAME = 8
"""Gray levels up to which two cells look the same."""

_DRAWN = 4  # gray levels from the background beyond which a cell shows something
_APART = 4  # gray levels between two looks that make a cell worth asking
_NOISE = 2  # gray levels that JPEG and resizing change ...
_TIMES = 2  # ... and beyond them, how much nearer a cell must be to one than to the other
_MOST = 1 << 26  # bytes that a look can have: a screen of four gigapixels

Look = NDArray[np.uint8]
"""``(rows, columns)``, row by row from the left top corner; 1 to 255, or `HIDDEN`."""


def look_of(gray: Pixels, hidden: Iterable[Box] = ()) -> Look:
    """Return the look of a ``(H, W)`` picture; cells that reach beyond its edge are left out."""
    rows, columns = gray.shape[0] // CELL, gray.shape[1] // CELL
    if not rows or not columns:
        return np.zeros((rows, columns), np.uint8)
    whole = gray[: rows * CELL, : columns * CELL]
    cells = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA)
    return without(np.maximum(np.asarray(cells, np.uint8), 1), hidden)


def without(look: Look, boxes: Iterable[Box]) -> Look:
    """Return a look with every cell hidden that one of these boxes touches, pixels at ratio 1."""
    left = look.copy()
    for box in boxes:
        if box.area:
            top, bottom = max(box.y // CELL, 0), max(-(-box.bottom // CELL), 0)
            first, last = max(box.x // CELL, 0), max(-(-box.right // CELL), 0)
            left[top:bottom, first:last] = HIDDEN
    return left


def packed_look(look: Look) -> bytes:
    """Return a look as it is kept in a store."""
    return zlib.compress(look.tobytes())


def unpacked_look(blob: bytes | None, size: tuple[int, int]) -> Look | None:
    """Return the look of a screen of this width and height; ``None`` for a damaged blob."""
    shape = size[1] // CELL, size[0] // CELL
    try:
        cells = zlib.decompressobj().decompress(blob or b"", _MOST)
    except zlib.error:
        return None
    if len(cells) != shape[0] * shape[1] or not cells:
        return None
    return np.frombuffer(cells, np.uint8).reshape(shape)


def likeness(one: Look, other: Look) -> float | None:
    """Return the share of cells that look the same, 0 to 1, of those where one shows something.

    A cell shows something where it differs from the background, the most frequent gray. ``None``
    where nothing can be compared: no cell shows anything, or all of them are hidden.
    """
    one, other = _common(one, other)
    seen = (one != HIDDEN) & (other != HIDDEN)
    seen &= _drawn(one) | _drawn(other)
    compared = int(np.count_nonzero(seen))
    if not compared:
        return None
    return float(np.count_nonzero(seen & (cv2.absdiff(one, other) <= SAME))) / compared


def nearer(shown: Look, one: Look, other: Look) -> tuple[int, int, int]:
    """Return how many cells of a screen look like one of two looks and not like the other.

    Returns ``one``, ``other``, ``asked``: cells that are like the one, like the other, and all in
    which the two differ: the rest of these shows something third.
    """
    shown, one = _common(shown, one)
    shown, other = _common(shown, other)
    one = one[: shown.shape[0], : shown.shape[1]]
    asked = (shown != HIDDEN) & (one != HIDDEN) & (other != HIDDEN)
    asked &= cv2.absdiff(one, other) >= _APART
    to_one, to_other = (cv2.absdiff(shown, look).astype(np.int16) for look in (one, other))
    like_one, like_other = (
        (near < far) & ((near <= _NOISE) | (_TIMES * near < far))
        for near, far in ((to_one, to_other), (to_other, to_one))
    )
    first, second, all_ = (
        int(np.count_nonzero(asked & one)) for one in (like_one, like_other, asked)
    )
    return first, second, all_


def differing(one: Look, other: Look, levels: int) -> NDArray[np.bool_]:
    """Mark the cells of both looks that differ by more than so many gray levels."""
    one, other = _common(one, other)
    return np.asarray(cv2.absdiff(one, other) > levels)


def alike_in(look: Look, other: Look, box: Box) -> bool:
    """Return True if all cells of a box, in pixels at ratio 1, look the same."""
    rows = slice(max(box.y // CELL, 0), -(-box.bottom // CELL))
    columns = slice(max(box.x // CELL, 0), -(-box.right // CELL))
    return not differing(look, other, SAME)[rows, columns].any()


def framed_alike(one: Look, other: Look, box: Box) -> bool:
    """Return True if most cells along the edge of a box look the same: both have that frame."""
    one, other = _common(one, other)
    top, bottom = max(box.y // CELL, 0), min(-(-box.bottom // CELL), one.shape[0])
    first, last = max(box.x // CELL, 0), min(-(-box.right // CELL), one.shape[1])
    edge = np.zeros(one.shape, np.bool_)
    edge[top:bottom, first:last] = True
    edge[top + 1 : bottom - 1, first + 1 : last - 1] = False
    edge &= (one != HIDDEN) & (other != HIDDEN)
    same = edge & (cv2.absdiff(one, other) <= _NOISE)
    return 2 * int(np.count_nonzero(same)) > int(np.count_nonzero(edge))


def _common(look: Look, other: Look) -> tuple[Look, Look]:
    """Return the parts of two looks that both have: sizes differ by a cell after resizing."""
    rows, columns = (min(sides) for sides in zip(look.shape, other.shape, strict=True))
    return np.ascontiguousarray(look[:rows, :columns]), np.ascontiguousarray(other[:rows, :columns])


def _drawn(look: Look) -> NDArray[np.bool_]:
    counts = np.bincount(look.ravel(), minlength=256)
    counts[HIDDEN] = 0
    # Noise spreads a background over neighbouring levels.
    near = np.convolve(counts, np.ones(5, np.int64), mode="same")
    background = int(np.argmax(near))
    return np.abs(look.astype(np.int16) - background) > _DRAWN


WORD = np.dtype([("bits", "<u8", 3), ("x", "<i2"), ("y", "<i2"), ("w", "<i2"), ("h", "<i2")])
"""A word: its shape of 24 x 8 bits, and its box in pixels at device-pixel ratio 1; 32 bytes."""

Words = NDArray[Any]
"""``(n,)`` of `WORD`."""

_BITS = (24, 8)  # columns and rows of a shape

_FAINT = 10  # gray levels between neighbours that no stroke has
_SHARE = 0.3  # of the strongest step within 4 pixels: a stroke, not the soft rim of one
_REACH = np.ones((9, 9), np.uint8)
_LINES = (np.ones((1, 41), np.uint8), np.ones((41, 1), np.uint8))
_JOIN = np.ones((3, 3), np.uint8)
MOST_WORDS = 4_000  # the largest; a page of small print at 4K has as many, patterns have no end
_WIDE, _HIGH = (6, 400), (6, 120)  # pixels; smaller is dirt, larger a picture


def words_in(gray: Pixels) -> Words:
    """Return the words of a ``(H, W)`` uint8 picture."""
    if min(gray.shape) < _HIGH[0]:
        return np.zeros(0, WORD)
    ink = _ink(gray)
    joined = cv2.dilate(ink, _JOIN)
    # A third of the time of labelling every pixel; blobs inside of others have no parent either.
    outlines, levels = cv2.findContours(joined, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    blobs = [
        cv2.boundingRect(outline)
        for outline, (*_, parent) in zip(outlines, levels[0] if outlines else (), strict=True)
        if parent < 0
    ]
    # The blob is a pixel wider than its ink on every side.
    boxes = np.array(blobs, np.int64).reshape(-1, 4) + np.array([1, 1, -2, -2])
    wide, high = boxes[:, 2], boxes[:, 3]
    fits = (wide >= _WIDE[0]) & (wide <= _WIDE[1]) & (high >= _HIGH[0]) & (high <= _HIGH[1])
    boxes = boxes[fits]
    largest = np.argsort(-boxes[:, 2] * boxes[:, 3], kind="stable")[:MOST_WORDS]
    boxes = boxes[np.sort(largest)]
    words = np.zeros(len(boxes), WORD)
    for name, column in zip("xywh", boxes.T, strict=True):
        words[name] = column
    words["bits"] = _shapes(ink, boxes)
    return words


def unpacked_words(blob: bytes | None) -> Words:
    """Return the words that were kept as bytes; of a blob that was cut short, the whole ones."""
    whole = len(blob or b"") // WORD.itemsize * WORD.itemsize
    return np.frombuffer((blob or b"")[:whole], WORD)


def boxes_of(words: Words) -> NDArray[np.int64]:
    """Return ``(n, 4)``: left, top, width and height."""
    return np.stack([words[name].astype(np.int64) for name in "xywh"], axis=1)


def outside(words: Words, boxes: Iterable[Box]) -> Words:
    """Return the words that touch none of these boxes."""
    other = np.array([box.xywh for box in boxes], np.int64).reshape(-1, 4)
    own = boxes_of(words)[:, None]
    # Two boxes meet if they meet on both axes.
    meet = (own[..., :2] < other[:, :2] + other[:, 2:]) & (
        other[:, :2] < own[..., :2] + own[..., 2:]
    )
    kept = np.asarray(np.logical_not(np.any(np.all(meet, axis=2), axis=1)), np.bool_)
    return np.asarray(words[kept], WORD)


def _ink(gray: Pixels) -> Pixels:
    """Return 255 where a stroke is, dark on bright or bright on dark; long lines are none."""
    steps = np.zeros_like(gray)
    steps[:, :-1] = cv2.absdiff(gray[:, 1:], gray[:, :-1])
    steps[:-1] = cv2.max(steps[:-1], cv2.absdiff(gray[1:], gray[:-1]))
    strongest = cv2.dilate(steps, _REACH)
    least = cv2.max(cv2.convertScaleAbs(strongest, alpha=_SHARE), np.full_like(gray, _FAINT))
    ink = cv2.compare(steps, least, cv2.CMP_GT)
    lines = [cv2.morphologyEx(ink, cv2.MORPH_OPEN, line) for line in _LINES]
    return np.asarray(cv2.subtract(ink, cv2.max(*lines)), np.uint8)


def _shapes(ink: Pixels, boxes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the ink of each box as 24 x 8 bits, set where there is more than on average."""
    small = np.zeros((len(boxes), _BITS[1], _BITS[0]), np.uint8)
    for shape, (x, y, w, h) in zip(small, boxes.tolist(), strict=True):
        cv2.resize(ink[y : y + h, x : x + w], _BITS, dst=shape, interpolation=cv2.INTER_AREA)
    flat = small.reshape(len(boxes), _BITS[0] * _BITS[1])
    bits = np.packbits(flat > flat.mean(axis=1, keepdims=True), axis=1)
    return np.ascontiguousarray(bits).view("<u8").reshape(-1, 3)


@dataclass(frozen=True, slots=True)
class ShownScreen:
    """The window of a screenshot as states are compared with it, at device-pixel ratio 1."""

    # words, look: without what is hidden
    words: Words
    look: Look
    gray: Pixels  # ``(H, W)`` uint8: its pixels, to look at a part of it
    # boxes of what does not belong to the page, and of what may not be kept
    hidden: tuple[Box, ...] = ()
    resized: bool = False  # true for a screenshot of another device-pixel ratio than the memory's
    # what the page says of itself; empty where nobody told any
    labels: frozenset[PageLabel] = frozenset()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return int(self.gray.shape[1]), int(self.gray.shape[0])

    def hiding(self, boxes: Iterable[Box]) -> ShownScreen:
        """Return the screen with more boxes hidden."""
        more = tuple(boxes)
        if not more:
            return self
        return replace(
            self,
            words=outside(self.words, more),
            look=without(self.look, more),
            hidden=(*self.hidden, *more),
        )

    def part(self, area: Box) -> Look:
        """Return the look of an area of the screen; beyond its edge nothing is compared."""
        width, height = self.size
        inside = area.clipped(width, height)
        x, y, right, bottom = (
            inside.x - area.x,
            inside.y - area.y,
            inside.right - area.x,
            inside.bottom - area.y,
        )
        cut = np.zeros((area.h, area.w), np.uint8)
        cut[y:bottom, x:right] = self.gray[inside.y : inside.bottom, inside.x : inside.right]
        beyond = [
            Box(0, 0, x, area.h),
            Box(0, 0, area.w, y),
            Box(right, 0, area.w - right, area.h),
            Box(0, bottom, area.w, area.h - bottom),
        ]
        return look_of(cut, [*(one.moved(-area.x, -area.y) for one in self.hidden), *beyond])


def shown_screen(
    frame: Frame,
    seen: Sightings,
    hidden: Iterable[Box] = (),
    given: Sequence[GivenBox] = (),
) -> ShownScreen:
    """Return the searched window of a screenshot as states are compared with it.

    What does not count is hidden. ``hidden``: more boxes in pixels of the screenshot. ``given``: the boxes of a source that knows
    labels.
    """
    gray = _at_ratio_one(frame, seen)
    boxes = tuple(map(seen.at_scale_one, (*hidden, *seen.ignored)))
    words = outside(words_in(gray), boxes)
    return ShownScreen(
        words, look_of(gray, boxes), gray, boxes, seen.scale != 1, page_labels(given)
    )


def _at_ratio_one(frame: Frame, seen: Sightings) -> Pixels:
    window, scale = seen.window, seen.scale
    gray = frame.gray[window.y : window.bottom, window.x : window.right]
    if scale == 1 or not gray.size:
        return gray
    size = max(round(window.w / scale), 1), max(round(window.h / scale), 1)
    how = cv2.INTER_LINEAR if scale > 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(gray, size, interpolation=how), np.uint8)
