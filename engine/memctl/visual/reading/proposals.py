"""Boxes that could be components, found without a model.

Three kinds of evidence, each cheap and each local: runs of ink with the gaps of one line of text
(labels, links, menu entries); squarish blobs and groups of them (icons, pictures); rectangles
made by a border or a fill (buttons, fields, cells). What would make a poor template is left out:
too small, too large, flat, or a container whose content will change; pieces of a picture; and
what a dialog dims.

The same pixels give the same boxes, and a change in one place leaves boxes elsewhere as they
are: every threshold is fixed (one taken from the whole screenshot would move every box), and every
rule looks only at the neighbourhood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.boxes import Box
from memctl.visual.reading.boxes_file import GivenBox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Frame, Pixels


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
MOST_EDGES = 2_000_000  # pixels; a page of small print that fills a 5K screen has a million
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

    Returns ``(H, W)``, 1 on ink and one pixel around it, else 0; letters are closed to words.
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
    rows, columns = -(-height // CELL), -(-width // CELL)
    rim = PICTURE_GAP  # what is closed at the rim is closed by nothing outside
    cells = np.pad(_drawn(edges, rows, columns), rim)
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


def _drawn(edges: Pixels, rows: int, columns: int) -> Pixels:
    """Mark the cells of edges that hang together and are taller than letters."""
    if np.count_nonzero(edges) > MOST_EDGES:  # a photo that fills the screen: in less memory
        _, labels, stats, _ = cv2.connectedComponentsWithStats(edges, connectivity=8)
        tall = _tall(*np.asarray(stats, np.int32)[:, 2:4].T)[labels] * edges
        lines = np.maximum.reduceat(tall, np.arange(rows) * CELL, axis=0)
        return np.maximum.reduceat(lines, np.arange(columns) * CELL, axis=1)
    cells = np.zeros((rows, columns), np.uint8)
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    for at in np.flatnonzero(_tall(*sizes(_bounds(contours)))).tolist():
        x, y = np.asarray(contours[at]).reshape(-1, 2).T // CELL
        cells[y, x] = 1
    return cells


def _tall(wide: NDArray[np.int32], high: NDArray[np.int32]) -> Pixels:
    tall = (wide >= DRAWN[0]) & (high >= DRAWN[1]) & (np.maximum(wide, high) > DRAWN[2])
    return np.asarray(tall, np.uint8)


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


Flags = NDArray[np.bool_]
Kinds = NDArray[np.str_]
Ints = NDArray[np.int_]

SOURCE = "proposer"
MAX_PROPOSALS = 1_000  # a dense admin page has 300; noise has no end
MAX_WORDS = 6_000  # blobs of ink, the largest first; a 4K page of small print has 4,000
MAX_RECTANGLES = 2_000  # a page that is one large table has 600 cells
PART = 256  # boxes that are compared with all at once

# What makes a template: smaller crops and flatter ones (in gray levels) are found everywhere, and
# something inside of larger ones (in shares of the screen) will change.
LEAST_SIDE = 8
LARGEST_SHARE = 0.06
LEAST_STD = 6.0

# Words of one line: a blank is a third of an em wide, and entries of a menu stand an em apart.
WORD_GAP = 0.25  # heights of a word on each side
ROW = 0.25  # share of a word's height, above and below, that no neighbour needs to share
TALLEST_TEXT = 80  # what is taller is a picture
FRAMED_SHARE = (0.15, 0.35)  # least sides of what a frame holds; the dot of a letter is smaller
BLOCK_GAP = (6, 4)  # half of what is between the parts of one icon or paragraph
BLOCK_SIDE = 20  # smaller groups are letters

ICON_SIDES = (11, 96)  # a stem is narrower; 96 is an icon of 48 at twice the density
ICON_ASPECT = 2.2
TEXT_ASPECT = 1.5  # the shortest words ("OK", "to") have 1.6 and more
BUTTON_HEIGHTS = (14, 96)
BUTTON_ASPECT = 1.2
FIELD_ASPECT = 4.0
FIELD_HEIGHT = 3.5  # of a field that holds a text and an icon, in heights of the two
BAR_ASPECT = 8.0  # the bar of a window, a row of a list
TOUCHING = 3  # pixels between two rectangles that touch
ALIGNED = 8  # pixels between the sides of a bar and of its window; a field keeps more
CENTRED = 0.12  # share of a button's width by which its label may be off the middle
EMPTY_HEIGHT = 14  # what is lower and has no label is a progress bar or a gap between lines
AREA_HEIGHT = 96  # taller rectangles are cards, whose content changes
MOST_LINES = 6  # lines of text inside of a component; a container has more

PIECE = 0.35  # share of a box in a picture from which on it is a piece of it
SAME_PICTURE = 0.5  # IoU from which on it is the picture
SAME_BOX = 0.8  # IoU of two proposals that are one
FULL_CONTRAST = 40.0  # gray levels of a crop that is beyond doubt: black print has 60
CONFIDENCE = {"button": 0.85, "input": 0.8, "text": 0.7, "icon": 0.65, "image": 0.55, "area": 0.5}
"""Ranks, not probabilities: a rectangle with a label is rarely an accident, a group of blobs is."""


def propose(frame: Frame, *, most: int = MAX_PROPOSALS) -> list[GivenBox]:
    """Find the boxes of one screenshot that could be components, from top to bottom.

    Their kinds are guesses by shape: ``"text"``, ``"icon"``, ``"button"``, ``"input"``,
    ``"image"`` or ``"area"``; their confidence says how far the shape is to be trusted.

    ``frame``: the screenshot. ``most``: how many to return at most; the most trusted stay.
    """
    if min(frame.width, frame.height) < LEAST_SIDE:
        return []
    changes, (across, down, edges) = change(frame.bgr), edges_in(frame.gray)
    outlines = _largest(rectangles(changes, least_side=LEAST_SIDE), MAX_RECTANGLES)
    words = _largest(blobs(ink_mask(changes, across, down, outlines)), MAX_WORDS)
    del changes, across, down
    lines = _text_lines(words, frame.gray.shape)
    shapes, shape_kinds, labels = _rectangles(outlines, lines, frame)
    # The label of a button is remembered with its button.
    texts = lines[~labels]
    icons = words[squarish(words)]
    icons = icons[~(icons[:, None] == lines[labels]).all(axis=2).any(axis=1)]
    groups = joined(words, BLOCK_GAP[0], BLOCK_GAP[1], frame.gray.shape)
    groups = groups[np.minimum(*sizes(groups)) >= BLOCK_SIDE]
    drawn, cells = pictures(frame.gray, edges, outlines)
    parts = [
        (shapes, shape_kinds),
        (texts, _line_kinds(texts)),
        *((boxes, np.where(squarish(boxes), "icon", "image")) for boxes in (icons, groups, drawn)),
    ]
    boxes, fit = _fit(np.concatenate([boxes for boxes, _ in parts]), frame)
    kinds = np.concatenate([kinds for _, kinds in parts])[fit]
    whole = (_ious(boxes, drawn) > SAME_PICTURE).any(axis=1)
    kinds = np.where(whole & ~squarish(boxes), "image", kinds)
    dialog, dark = dimmed(frame.gray, outlines)
    shown = ~inside(boxes, dark).any(axis=1) | inside(boxes, dialog).any(axis=1)
    shown &= whole | (picture_share(cells, boxes) < PIECE)
    found = _ranked(boxes[shown], kinds[shown], frame.gray)[:most]
    return sorted(found, key=lambda one: (one.box.y, one.box.x, one.box.w))


def _largest(boxes: Boxes, most: int) -> Boxes:
    return boxes[np.sort(np.argsort(-area(boxes), kind="stable")[:most])]


def _fit(boxes: Boxes, frame: Frame) -> tuple[Boxes, Flags]:
    """Return the boxes that would make a template, clipped to the screen, and which they are."""
    clear = np.clip(boxes, 0, [frame.width, frame.height] * 2).astype(np.int32)
    fit = np.minimum(*sizes(clear)) >= LEAST_SIDE
    fit &= area(clear) <= LARGEST_SHARE * frame.width * frame.height
    fit[fit] = _spread(clear[fit], frame.gray) >= LEAST_STD
    return clear[fit], fit


def _spread(boxes: Boxes, gray: Pixels) -> NDArray[np.float64]:
    """Return the standard deviation of the gray levels in each box."""
    crops = (gray[top:bottom, left:right] for left, top, right, bottom in boxes.tolist())
    return np.array([cv2.meanStdDev(crop)[1].item() for crop in crops], dtype=np.float64)


def _ranked(boxes: Boxes, kinds: Kinds, gray: Pixels) -> list[GivenBox]:
    """Return each box once, the most trusted first."""
    trust = np.array([CONFIDENCE[kind] for kind in kinds])
    # Of two outlines of one rectangle the tighter one is exact.
    order = np.lexsort((boxes[:, 2], boxes[:, 0], boxes[:, 1], area(boxes), -trust))
    if len(order):
        listed = np.hstack([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]])[order].tolist()
        ranks = np.linspace(1, 0.5, len(order)).tolist()
        order = order[np.asarray(cv2.dnn.NMSBoxes(listed, ranks, 0.0, SAME_BOX)).ravel()]
    # Faint crops match by chance more easily: up to a tenth is taken off.
    faint = np.clip(1 - _spread(boxes, gray) / FULL_CONTRAST, 0, 1)
    trust = np.round(trust - 0.1 * faint, 2)
    order = order[np.argsort(-trust[order], kind="stable")]
    return [
        GivenBox(
            Box(left, top, right - left, bottom - top),
            kind=str(kinds[at]),
            source=SOURCE,
            confidence=float(trust[at]),
            field=kinds[at] == "input",
        )
        for at, (left, top, right, bottom) in zip(order, boxes[order].tolist(), strict=True)
    ]


# -- words ----------------------------------------------------------------------------------


def joined(boxes: Boxes, across: Ints | int, down: Ints | int, shape: tuple[int, ...]) -> Boxes:
    """Return the bounding boxes of the groups in which boxes reach each other.

    ``across``, ``down``: by how many pixels each box reaches out, or is less than its size.
    ``shape``: height and width of the screenshot.
    """
    left, top, right, bottom = boxes.T
    wide = np.stack([left - across, top - down, right + across, bottom + down], axis=1)
    mask = np.zeros(shape, np.uint8)
    for left, top, right, bottom in np.maximum(wide, 0).tolist():
        mask[top:bottom, left:right] = 1
    _, groups = cv2.connectedComponents(mask, connectivity=4)
    x, y = (boxes[:, :2] + boxes[:, 2:]).T // 2
    _, first, member = np.unique(groups[y, x], return_index=True, return_inverse=True)
    united = boxes[first]
    np.minimum.at(united[:, :2], member, boxes[:, :2])
    np.maximum.at(united[:, 2:], member, boxes[:, 2:])
    return united


def _text_lines(words: Boxes, shape: tuple[int, ...]) -> Boxes:
    """Join the words of one row that are a blank apart.

    A blob around another is a frame or an icon's outline and joins no line.
    """
    width, height = sizes(words)
    large = np.flatnonzero(height >= BUTTON_HEIGHTS[0])
    framing = np.zeros(len(words), np.bool_)
    for start in range(
        0, len(large), PART
    ):  # thousands of frames need hundreds of megabytes at once
        some = large[start : start + PART]
        around = inside(words, words[some])
        around &= width[:, None] / width[some] / FRAMED_SHARE[0] >= 1
        around &= height[:, None] / height[some] / FRAMED_SHARE[1] >= 1
        around[some, np.arange(len(some))] = False
        framing[some] = around.any(axis=0)
    words = words[(height <= TALLEST_TEXT) & ~framing]
    high = sizes(words)[1]
    lines = joined(words, np.ceil(WORD_GAP * high).astype(int), -(ROW * high).astype(int), shape)
    return lines[sizes(lines)[1] <= TALLEST_TEXT]


def _line_kinds(lines: Boxes) -> Kinds:
    """Return the kind of each line: text, or an icon or image if about as tall as wide."""
    longer, shorter = np.maximum(*sizes(lines)), np.minimum(*sizes(lines))
    alone = (longer <= TEXT_ASPECT * shorter) & (shorter >= ICON_SIDES[0])
    return np.where(alone, np.where(longer <= ICON_SIDES[1], "icon", "image"), "text")


def squarish(boxes: Boxes) -> Flags:
    """Mark the boxes of the size and shape of an icon."""
    longer, shorter = np.maximum(*sizes(boxes)), np.minimum(*sizes(boxes))
    least, most = ICON_SIDES
    return (shorter >= least) & (longer <= most) & (longer <= ICON_ASPECT * shorter)


def inside(inner: Boxes, outer: Boxes) -> Flags:
    """Compare all with all: element ``(i, j)`` is True if ``inner[i]`` is in ``outer[j]``."""
    within = inner[:, None, 0] >= outer[:, 0]
    within &= inner[:, None, 1] >= outer[:, 1]
    within &= inner[:, None, 2] <= outer[:, 2]
    within &= inner[:, None, 3] <= outer[:, 3]
    return np.asarray(within)


def _ious(boxes: Boxes, others: Boxes) -> NDArray[np.float64]:
    low = np.maximum(boxes[:, None, :2], others[:, :2])
    high = np.minimum(boxes[:, None, 2:], others[:, 2:])
    common = np.maximum(high - low, 0).astype(np.int64).prod(axis=2)
    return np.asarray(common / (area(boxes)[:, None] + area(others) - common))


# -- rectangles -----------------------------------------------------------------------------


def _rectangles(outlines: Boxes, lines: Boxes, frame: Frame) -> tuple[Boxes, Kinds, Flags]:
    """Return the rectangles that are components, their kinds, and which lines label buttons."""
    shapes, _ = _fit(outlines, frame)
    # A label keeps clear of its border; a rectangle as large as its line is the line.
    held = inside(lines, grown(shapes, -1))
    count, height = held.sum(axis=0), sizes(shapes)[1]
    kinds = _rectangle_kinds(shapes, lines, held, outlines, frame.width)
    part_of_a_word = inside(shapes, lines).any(axis=1) & (count == 0) & ~squarish(shapes)
    useful = (height >= EMPTY_HEIGHT) | (count > 0) | (_line_kinds(shapes) == "icon")
    useful &= height <= AREA_HEIGHT
    useful &= (count <= MOST_LINES) & ~part_of_a_word
    # An icon beside a label is a thing of its own.
    named = held & (~squarish(lines)[:, None] | (count == 1))
    labels = named[:, useful & (kinds == "button")].any(axis=1)
    return shapes[useful], kinds[useful], labels


def _rectangle_kinds(
    boxes: Boxes, lines: Boxes, held: Flags, outlines: Boxes, screen_width: int
) -> Kinds:
    """Return the kind of each rectangle, by its shape and the place of its label.

    A button has one label, an icon beside it at most, in the middle or nearly filling it. A field
    is long, clear of the sides of the screen, and has no label, or one that is not in the middle,
    and at its end perhaps an icon. Bars of windows and rows of lists are neither.

    ``held``: ``(lines, boxes)``: which lines of text are inside of which boxes.
    """
    width, height = sizes(boxes)
    count = held.sum(axis=0)
    first, bottom = (_least(lines[:, at], held) for at in (0, 3))
    last, top = (-_least(-lines[:, at], held) for at in (2, 1))
    one_row = (top < bottom) & (count > 0)
    blank = last - first - (sizes(lines)[0][:, None] * held).sum(axis=0)
    together = one_row & (blank <= height)
    centred = np.abs(first + last - boxes[:, 0] - boxes[:, 2]) <= 2 * CENTRED * width
    shape = (height >= BUTTON_HEIGHTS[0]) & (height <= BUTTON_HEIGHTS[1]) & ~_bars(boxes, outlines)
    field = shape & (width >= FIELD_ASPECT * height)
    field &= (boxes[:, 0] > 0) & (boxes[:, 2] < screen_width)
    high = -_least(-lines[:, 3], held) - _least(lines[:, 1], held)
    ended = (count > 1) & one_row & ~together & (height <= FIELD_HEIGHT * high)
    ended &= (first - boxes[:, 0] <= height) & (boxes[:, 2] - last <= height)
    kinds = np.full(len(boxes), "area", dtype="<U6")
    kinds[field & ((count == 0) | ((count == 1) & ~centred) | ended)] = "input"
    kinds[shape & together & centred & (width >= BUTTON_ASPECT * height)] = "button"
    return kinds


def _least(values: NDArray[np.int32], held: Flags) -> NDArray[np.int64]:
    """Return the least value of the lines inside of each box; a large one where there is none."""
    nothing = 1 << 30
    return np.asarray(np.where(held, values[:, None], nothing).min(axis=0, initial=nothing))


def _bars(boxes: Boxes, outlines: Boxes) -> Flags:
    """Mark long boxes that touch a rectangle of their width above or below, or are in one."""
    bars = sizes(boxes)[0] >= BAR_ASPECT * sizes(boxes)[1]
    one, other = boxes[bars, None], outlines[None]
    off = np.abs(one - other)
    apart = np.maximum(one, other)[..., 1] - np.minimum(one, other)[..., 3]
    touching = (off[..., [0, 2]] <= ALIGNED).all(axis=2) & (apart <= TOUCHING)
    touching &= (off[..., [1, 3]] > 2 * TOUCHING).any(axis=2)
    bars[bars] = touching.any(axis=1)
    return bars
