"""Masks of a screenshot, and the boxes in them: blobs of ink, rectangles, pictures.

Every threshold is fixed: one taken from the whole screenshot (Otsu's, say) would move every box
when something changes in one corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Pixels

Boxes = NDArray[np.int32]
"""``(N, 4)``: left, top, right, bottom; right and bottom are the first pixels outside."""

INK = 24
"""Gray levels, in the strongest channel, from which a change is taken for ink: the faint border
of a web form (#dee2e6 on white) has 33, a shadow stays under 10 a pixel."""

STEP = 8
"""Gray levels between neighbouring pixels from which there is an edge, in the strongest channel."""

LINE = 40
"""Pixels from which a straight edge is a border: longer than a stem or a letter's bar."""

FLAT = 5
"""Gray levels below which a neighbourhood counts as flat: more than dithering, less than the
palest button on white (#f8f9fa, 7)."""

LETTER_GAP = 5
"""Columns that are closed between letters; wider gaps are judged by the height of the text."""

SPECK = 4
"""Pixels below which, on both sides, a blob is noise: smaller than a full stop with its halo."""

LEAST_FILL = 0.85
"""Share of its bounding box that a region must enclose to be a rectangle; round corners of a
third of the height leave .92."""

FRAMED = (24, 14)
"""Least width and height of a rectangle whose outline is no ink; letters have smaller holes."""

DRAWN = (20, 48, 96)
"""Least width, height and longer side of the edges of a picture that hang together: letters are
lower, icons smaller, and borders are straight."""

CELL = 4
"""Pixels of a cell of the mask of pictures: their outlines need not be exact."""

AROUND, NEARLY, GROUND = 11, 16, 0.4
"""Cells across around a cell, gray levels, and the share that is ground where there is text."""

LEAST_CELLS = 16
"""Sides of a picture without ground, in cells; an icon is smaller."""

PICTURE_GAP = 10
"""Cells between the drawn edges of one picture."""

PICTURE_HOLE = 0.12
"""Share of the screen of a hole in a picture that is a part of it."""

WINDOW = 0.15
"""Share of a rectangle covered by edges of pictures, below which it is a window above one."""

DIALOG = (0.03, 0.6)
"""Least and most share of the screen of a dialog that dims what is around it."""

DIM = 0.72
"""Brightness of what is dimmed, at most, in shares of the dialog's; the gray of old windows has
.75 of their white fields'."""

DIMMED, DIMMED_MORE = 0.6, 1.5
"""Least size of a dialog with what it dims, in shares of the screen and of the dialog."""

REACH = 2
"""Cells by which a dimmed part is extended at once."""

STRAY = 0.002
"""Share of bright pixels in what is dimmed: the pointer."""


def change(bgr: Pixels) -> Pixels:
    """Return how much each 3 x 3 neighbourhood varies, in its strongest channel, ``(H, W)``."""
    return _strongest(cv2.morphologyEx(bgr, cv2.MORPH_GRADIENT, _bar(3, 3)))


def ink_mask(changes: Pixels, edges: Edges, outlines: Boxes) -> Pixels:
    """Mark letters, icons and pictures, but not the straight borders and frames around them.

    Returns
    -------
    Pixels
        ``(H, W)``, 1 on ink and one pixel around it, else 0; letters are closed to words.
    """
    ink = _above(changes, INK)
    ink[:-1][edges.across[:-1] > 0] = 0
    ink[1:][edges.across[:-1] > 0] = 0
    ink[:, :-1][edges.down[:, :-1] > 0] = 0
    ink[:, 1:][edges.down[:, :-1] > 0] = 0
    width, height = sizes(outlines)
    for left, top, right, bottom in np.maximum(
        outlines[(width >= FRAMED[0]) & (height >= FRAMED[1])], 1
    ).tolist():
        ink[top - 1 : top + 2, left:right] = 0
        ink[bottom - 2 : bottom + 1, left:right] = 0
        ink[top:bottom, left - 1 : left + 2] = 0
        ink[top:bottom, right - 2 : right + 1] = 0
    return _u8(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, _bar(LETTER_GAP, 1)))


@dataclass(frozen=True)
class Edges:
    """Where neighbouring pixels differ, ``(H, W)``, 1 or 0.

    Parameters
    ----------
    across, down
        Straight borders: the last row above one, the last column on its left. Along its length
        a border stays the same; the feet of a line of letters do not.
    drawn
        All other edges.
    """

    across: Pixels
    down: Pixels
    drawn: Pixels

    @classmethod
    def of(cls, gray: Pixels) -> Edges:
        """Find the edges of a screenshot."""
        below, beside = np.zeros_like(gray), np.zeros_like(gray)
        below[:-1] = _above(_u8(cv2.absdiff(gray[1:], gray[:-1])), STEP)
        beside[:, :-1] = _above(_u8(cv2.absdiff(gray[:, 1:], gray[:, :-1])), STEP)
        across = _u8(cv2.morphologyEx(below & ~beside, cv2.MORPH_OPEN, _bar(LINE, 1)))
        down = _u8(cv2.morphologyEx(beside & ~below, cv2.MORPH_OPEN, _bar(1, LINE)))
        return cls(across, down, (below & ~across) | (beside & ~down))


def pictures(gray: Pixels, edges: Edges, outlines: Boxes) -> tuple[Boxes, Pixels]:
    """Return the pictures on a screenshot, and a mask of them in cells: photos, maps, a wallpaper.

    Their edges hang together and are taller than letters, or they stand on no ground: most of
    them is neither nearly as bright nor nearly as dark as the brightest and darkest parts around.
    What stands between the parts of one picture belongs to it, except a window above it.
    """
    height, width = gray.shape
    contours, _ = cv2.findContours(edges.drawn, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    wide, high = sizes(_bounds(contours))
    drawn = (wide >= DRAWN[0]) & (high >= DRAWN[1]) & (np.maximum(wide, high) > DRAWN[2])
    rows, columns = -(-height // CELL), -(-width // CELL)
    rim = PICTURE_GAP  # what is closed at the rim is closed by nothing outside
    cells = np.zeros((rows + 2 * rim, columns + 2 * rim), np.uint8)
    for at in np.flatnonzero(drawn).tolist():
        x, y = np.asarray(contours[at]).reshape(-1, 2).T // CELL + rim
        cells[y, x] = 1
    groundless = _groundless(gray)
    for left, top, right, bottom in _components(groundless)[0].tolist():
        if min(right - left, bottom - top) >= LEAST_CELLS:
            part = slice(top, bottom), slice(left, right)
            cells[rim:-rim, rim:-rim][part] |= groundless[part]
    closed = _u8(cv2.morphologyEx(cells, cv2.MORPH_CLOSE, _bar(rim, rim)))
    _, holes, stats, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    small = stats[:, 4] <= PICTURE_HOLE * rows * columns
    small[0] = False
    cells = closed | small[holes].astype(np.uint8)
    large = outlines[np.minimum(*sizes(outlines)) > DRAWN[2]]
    for left, top, right, bottom in (large // CELL + rim).tolist():
        if closed[top:bottom, left:right].mean() < WINDOW:
            cells[top:bottom, left:right] = closed[top:bottom, left:right]
    cells = np.ascontiguousarray(cells[rim:-rim, rim:-rim])
    boxes = np.minimum(_components(cells)[0] * CELL, np.array([width, height] * 2))
    return boxes.astype(np.int32), cells


def _groundless(gray: Pixels) -> Pixels:
    """Mark the cells around which little is plain, or as bright or dark as the ground of a text."""
    few = np.ascontiguousarray(gray[::CELL, ::CELL])
    around = _bar(AROUND, AROUND)
    brightest, darkest = _u8(cv2.dilate(few, around)), _u8(cv2.erode(few, around))
    plain = _u8(cv2.morphologyEx(few, cv2.MORPH_GRADIENT, _bar(3, 3))) <= STEP
    ground = (brightest - few <= NEARLY) | (few - darkest <= NEARLY) | plain
    share = np.asarray(cv2.blur(ground.astype(np.float32), (AROUND, AROUND)))
    return ((share < GROUND) & ~plain).astype(np.uint8)


def picture_share(cells: Pixels, boxes: Boxes) -> NDArray[np.float64]:
    """Return the share of each box that lies in a picture."""
    parts = np.hstack([boxes[:, :2] // CELL, -(-boxes[:, 2:] // CELL)]).tolist()
    return np.array([cells[top:bottom, left:right].mean() for left, top, right, bottom in parts])


def dimmed(gray: Pixels, outlines: Boxes) -> tuple[Boxes, Boxes]:
    """Return a dialog, and it with the part of the screen that it dims; no boxes without one.

    Nothing around the dialog is nearly as bright as its brightest parts.
    """
    few = np.ascontiguousarray(gray[::CELL, ::CELL])
    light, areas = _components(_above(few, int(255 * DIM)))
    light = light[areas > DIALOG[0] * few.size]
    boxes = np.concatenate([light, grown(outlines, CELL - 1) // CELL])
    boxes = np.clip(boxes, 0, [*few.shape[::-1]] * 2).astype(np.int32)
    share = area(boxes) / few.size
    for at in np.argsort(-share, kind="stable").tolist():
        if DIALOG[0] <= share[at] <= DIALOG[1]:
            dialog = boxes[at : at + 1]
            around = _dark_around(few, dialog[0])
            least = max(DIMMED, DIMMED_MORE * share[at]) * few.size
            if area(around)[0] >= least and (around != dialog).all():
                return grown(dialog * CELL, CELL), grown(around * CELL, CELL)
    return outlines[:0], outlines[:0]


def _components(mask: Pixels) -> tuple[Boxes, NDArray[np.int32]]:
    """Return the bounding boxes and sizes of the connected parts of a mask."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    left, top, width, height, pixels = np.asarray(stats[1:], np.int32).T
    return np.stack([left, top, left + width, top + height], axis=1), pixels


def _dark_around(gray: Pixels, dialog: NDArray[np.int32]) -> Boxes:
    """Return the largest box around a dialog in which nothing else is as bright."""
    left, top, right, bottom = around = dialog.tolist()
    brightest = np.quantile(gray[top:bottom, left:right], 0.99)
    bright = cv2.integral((gray > DIM * brightest).astype(np.uint8))
    growing = True
    while growing:
        growing = False
        for side, limit in enumerate((0, 0, *gray.shape[::-1])):
            edge = min(around[side] + REACH, limit) if limit else max(around[side] - REACH, 0)
            strip = list(around)
            strip[side], strip[side - 2] = edge, around[side]
            (x, x2), (y, y2) = sorted(strip[::2]), sorted(strip[1::2])
            lit = bright[y2, x2] - bright[y, x2] - bright[y2, x] + bright[y, x]
            if edge != around[side] and lit <= STRAY * (x2 - x) * (y2 - y):
                around[side], growing = edge, True
    return np.array([around], np.int32)


def blobs(ink: Pixels) -> Boxes:
    """Return the bounding boxes of connected ink, without the one-pixel halo around it."""
    contours, _ = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    boxes = _bounds(contours)
    return grown(boxes[np.minimum(*sizes(boxes)) >= SPECK], -1)


def rectangles(changes: Pixels, *, least_side: int) -> Boxes:
    """Return regions that are rectangles, with their border: buttons, fields, cells, cards.

    A flat region counts by its outline, so that a label does not make a hole in its button; and
    what stands in a flat region counts by the hole that it leaves. The second is exact to the
    pixel; the first reaches two pixels out, over the border.
    """
    flat = cv2.threshold(changes, FLAT, 1, cv2.THRESH_BINARY_INV)[1]
    flat = cv2.morphologyEx(flat, cv2.MORPH_OPEN, _bar(3, 3))
    contours, hierarchy = cv2.findContours(flat, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    boxes = _bounds(contours)
    width, height = sizes(boxes)
    large = np.flatnonzero((width >= least_side) & (height >= least_side))
    if not len(large):
        return boxes[:0]
    enclosed = np.array([cv2.contourArea(contours[index]) for index in large.tolist()])
    full = (width[large] - 1) * (height[large] - 1)
    large = large[enclosed >= LEAST_FILL * full]
    # The contour of a hole runs on the flat pixels around it; beyond them is the halo.
    is_hole = np.asarray(hierarchy).reshape(-1, 4)[large, 3] >= 0
    return np.concatenate((grown(boxes[large][is_hole], -2), grown(boxes[large][~is_hole], 2)))


def grown(boxes: Boxes, by: int) -> Boxes:
    """Move every edge ``by`` pixels outwards."""
    return boxes + np.array([-by, -by, by, by], dtype=np.int32)


def sizes(boxes: Boxes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return widths and heights."""
    return boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]


def area(boxes: Boxes) -> NDArray[np.int64]:
    """Return the pixels that each box covers."""
    width, height = sizes(boxes)
    return width.astype(np.int64) * height


def _bounds(contours: Sequence[cv2.typing.MatLike]) -> Boxes:
    boxes = np.array([cv2.boundingRect(each) for each in contours], dtype=np.int32).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    return boxes


def _strongest(bgr: cv2.typing.MatLike) -> Pixels:
    blue, green, red = (cv2.extractChannel(bgr, index) for index in range(3))
    return _u8(cv2.max(cv2.max(blue, green), red))


def _above(values: Pixels, threshold: int) -> Pixels:
    return _u8(cv2.threshold(values, threshold, 1, cv2.THRESH_BINARY)[1])


def _bar(width: int, height: int) -> cv2.typing.MatLike:
    return cv2.getStructuringElement(cv2.MORPH_RECT, (width, height))


def _u8(pixels: cv2.typing.MatLike) -> Pixels:
    return np.asarray(pixels, dtype=np.uint8)
