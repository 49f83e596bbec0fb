"""Masks of a screenshot, and the boxes in them: blobs of ink, rectangles, pictures.

Every threshold is fixed: one taken from the whole screenshot (Otsu's, say) would move every box
when something changes in one corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Pixels

Boxes = NDArray[np.int32]
"""``(N, 4)``: left, top, right, bottom; right and bottom are the first pixels outside."""

# Gray levels. The faint border of a web form (#dee2e6 on white) is 33 in its strongest channel; a
# shadow stays under 10 a pixel; the palest button on white (#f8f9fa) is 7, dithering less.
INK = 24
STEP = 8  # between neighbouring pixels
FLAT = 5

# Pixels.
LINE = 40  # a straight edge that is a border: longer than a stem or a letter's bar
LETTER_GAP = 5  # columns closed between letters; wider gaps are judged by the height of the text
SPECK = 4  # smaller than a full stop with its halo
FRAMED = (24, 14)  # width and height of what is framed; the holes of letters are smaller
LEAST_FILL = 0.85  # share of a rectangle that is enclosed; large round corners leave .92

# Pictures. Their mask is one of cells: their outlines need not be exact.
CELL = 4
DRAWN = (20, 48, 96)  # width, height, longer side of edges; letters are lower, icons smaller
AROUND, NEARLY, GROUND = 11, 16, 0.4  # cells across, gray levels, share that is ground under text
LEAST_CELLS = 16  # sides of a picture without ground; an icon is smaller
PICTURE_GAP = 10  # cells between the parts of one picture
PICTURE_HOLE = 0.12  # share of the screen of a hole that is a part of it ...
WINDOW = 0.15  # ... unless it is a rectangle with less of the picture in it

# Dialogs, in shares of the screen and of their brightness. The gray of old windows has .75 of the
# brightness of their white fields.
DIALOG = (0.03, 0.6)
DIM = 0.72
DIMMED, DIMMED_MORE = 0.6, 1.5  # of a dialog with what it dims: of the screen, of the dialog
REACH = 2  # cells by which a dimmed part is extended at once
STRAY = 0.002  # of what is dimmed is bright: the pointer


def change(bgr: Pixels) -> Pixels:
    """Return how much each 3 x 3 neighbourhood varies, in its strongest channel, ``(H, W)``."""
    return _strongest(cv2.morphologyEx(bgr, cv2.MORPH_GRADIENT, _bar(3, 3)))


def ink_mask(changes: Pixels, across: Pixels, down: Pixels, outlines: Boxes) -> Pixels:
    """Mark letters, icons and pictures, but not the straight borders and frames around them.

    Returns
    -------
    Pixels
        ``(H, W)``, 1 on ink and one pixel around it, else 0; letters are closed to words.
    """
    ink = _above(changes, INK)
    borders = across | down
    borders[1:] |= across[:-1]
    borders[:, 1:] |= down[:, :-1]
    ink[borders > 0] = 0
    width, height = sizes(outlines)
    framed = outlines[(width >= FRAMED[0]) & (height >= FRAMED[1])]
    for left, top, right, bottom in np.maximum(framed, 1).tolist():
        for y in (top, bottom - 1):
            ink[y - 1 : y + 2, left:right] = 0
        for x in (left, right - 1):
            ink[top:bottom, x - 1 : x + 2] = 0
    return _u8(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, _bar(LETTER_GAP, 1)))


def edges_in(gray: Pixels) -> tuple[Pixels, Pixels, Pixels]:
    """Mark straight borders across, straight borders down, and all other edges.

    A mark is in the last row above an edge, or in the last column on its left. A border stays the
    same along its length; the feet of a line of letters do not.
    """
    below, beside = np.zeros_like(gray), np.zeros_like(gray)
    below[:-1] = _above(_u8(cv2.absdiff(gray[1:], gray[:-1])), STEP)
    beside[:, :-1] = _above(_u8(cv2.absdiff(gray[:, 1:], gray[:, :-1])), STEP)
    across = _u8(cv2.morphologyEx(below & ~beside, cv2.MORPH_OPEN, _bar(LINE, 1)))
    down = _u8(cv2.morphologyEx(beside & ~below, cv2.MORPH_OPEN, _bar(1, LINE)))
    return across, down, (below & ~across) | (beside & ~down)


def pictures(gray: Pixels, edges: Pixels, outlines: Boxes) -> tuple[Boxes, Pixels]:
    """Return the pictures on a screenshot, and a mask of them in cells: photos, maps, a wallpaper.

    Their edges hang together and are taller than letters, or they stand on no ground: most of
    them is neither nearly as bright nor nearly as dark as the brightest and darkest parts around.
    What stands between the parts of one picture belongs to it, except a window above it.
    """
    height, width = gray.shape
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
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
