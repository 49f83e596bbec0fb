"""Views: how much a screen, or a part of it, looks like a known state, where it moved, what hides it.

Popups and open menus are framed areas above a page. A desktop on another wallpaper has the same
windows: what several states have in common, and what is different now in one large region, is left
out of a comparison; what is left must agree well.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box, agreed_moves, bounds_of
from memctl.visual.recognition.shown_screen import (
    CELL,
    HIDDEN,
    SAME,
    boxes_of,
    differing,
    likeness,
    without,
)
from memctl.visual.recognition.state_index import same_sides
from memctl.visual.recognition.word_index import IN_PLACE, Ints, Mask, alike, near_to, paired

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels
    from memctl.visual.recognition.shown_screen import Look, ShownScreen, Words
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex, StateLayout
    from memctl.visual.recognition.word_index import Mask, WordPairs, WordSlack


Point = tuple[int, int]

_VOTERS = 6  # words that must have moved alike: a scroll, or a window on a larger screen
_STILL_INSIDE = 0.1  # of the words that moved, may stand still between them
_EXCUSED = 0.75  # of a state's words, by weight, may have been scrolled away
_BETTER = 0.02  # by which a scroll must be more alike than the page as it stands
_WORSE = 0.05  # by which a part of a larger screen may be less alike than all of it
_LABELS = 8  # different ones that a screen and a state must have to be compared by them
_CHANGED = 0.2  # of what a page calls as it did, looks otherwise in another version or theme
_NOISE = 3  # gray levels by which JPEG and resizing change a cell
_PLACES = 3  # where a smaller window is looked for on a larger screen
_LEAST_PART = 0.3  # of a window that must be on the screen


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A known state as a screen would show it."""

    state_id: str
    similarity: float  # weighted Jaccard of the words, 0 to 1
    # share of the cells that look the same, 0 to 1; ``None`` where none can be compared, or a
    # region of it has scrolled
    look: float | None
    move: Point  # how far it has scrolled or moved since it was remembered, ``(dx, dy)``
    area: Box  # the part of the screen that shows it, in pixels at device-pixel ratio 1
    port: Box | None  # the region that scrolled; ``None``: all of it moved, or nothing
    there: Mask  # the state's words that are on the screen
    asked: Mask  # those that should be: neither hidden nor scrolled away
    pairs: WordPairs  # which word of the state is which of the screen

    @property
    def stands(self) -> bool:
        """Whether nothing of it has moved."""
        return self.move == (0, 0)

    def covers(self, size: Point) -> bool:
        """Return True if it takes all of a screen of this size."""
        return self.area == Box(0, 0, *size)


class Viewer:
    """Looks for known states on one screen.

    ``weights``: the weight of each word of the screen. ``slack``: how far two words may differ and
    be one. ``found``: components that look as they did.
    """

    def __init__(
        self,
        index: StateIndex,
        screen: ShownScreen,
        weights: NDArray[np.float64],
        slack: WordSlack,
        found: Collection[int] = (),
    ) -> None:
        self._index = index
        self.screen = screen
        self._weights = weights
        self._slack = slack
        self._found = found

    def best(self, standing: View) -> View:
        """Return the best view of a state: unmoved, scrolled, or on a part of a larger screen."""
        state_id = standing.state_id
        layout = self._index.layouts[state_id]
        width, height = self.screen.size
        fits = layout.width <= width and layout.height <= height
        if fits and not all(same_sides(layout, width, height)):
            moves = [(dx, dy) for dx, dy in self._moves(layout)[0].tolist()]
            agreed = islice(agreed_moves(moves, _VOTERS), _PLACES)
            parts = [part for move in agreed if (part := self._part(state_id, move)) is not None]
            part = max(parts, key=lambda view: view.similarity, default=standing)
            return part if part.similarity > standing.similarity - _WORSE else standing
        scrolled = self._scrolled(state_id, standing)
        if scrolled is None or scrolled.similarity <= standing.similarity + _BETTER:
            return standing
        return scrolled

    def standing(self, state_id: str, mask: Look | None = None) -> View:
        """Return the state as it was remembered.

        ``mask``: its look, without what is not compared; by default that of `mask`.
        """
        layout = self._index.layouts[state_id]
        mask = self.mask(state_id) if mask is None else mask
        pairs = paired(layout.words, self.screen.words, (0, 0), self._slack)
        asked = in_open(layout.words, self.screen.look) & in_open(layout.words, mask)
        extra = in_open(self.screen.words, mask) & in_open(self.screen.words, self.screen.look)
        area, look = Box(0, 0, *self.screen.size), None
        seen = np.zeros(len(layout.words), np.bool_)
        if layout.look is not None and all(same_sides(layout, *self.screen.size)):
            look = likeness(mask, self.screen.look)
            # A blur may change how ink falls into words; where the cells are equal, they are there.
            seen = in_equal_cells(layout.words, mask, self.screen.look)
            extra &= ~in_equal_cells(self.screen.words, mask, self.screen.look)
        return self._view(state_id, pairs, asked, extra, look, (0, 0), area, seen=seen)

    def share(self, state_id: str, chosen: Mask) -> float:
        """Return the share of a state's words, by weight, that some of them have."""
        weights = self._index.words.weights(state_id)
        return float(weights @ chosen) / float(weights.sum() or 1)

    def _part(self, state_id: str, move: Point) -> View | None:
        """Return the state on the part of the screen that shows it, if enough of it is there."""
        layout = self._index.layouts[state_id]
        area = Box(*move, *layout.size)
        if area.overlap(Box(0, 0, *self.screen.size)) < _LEAST_PART * area.area:
            return None
        mask, words = self.mask(state_id), self.screen.words
        shown = self.screen.part(area)
        inside = _moved(words, (-move[0], -move[1]))
        pairs = paired(layout.words, words, move, self._slack)
        pairs = pairs.where(in_open(inside, shown)[pairs.other])
        asked = in_open(layout.words, shown) & in_open(layout.words, mask)
        extra = in_open(inside, mask) & in_open(inside, shown)
        look = None if layout.look is None else likeness(mask, shown)
        return self._view(state_id, pairs, asked, extra, look, move, area)

    def _scrolled(self, state_id: str, standing: View) -> View | None:
        """Return the view of a state with one region scrolled up or down."""
        layout, screen = self._index.layouts[state_id], self.screen
        if not all(same_sides(layout, *screen.size)):
            return None
        found = self._port(layout, standing)
        if found is None:
            return None
        port, down = found
        mask, words = self.mask(state_id), screen.words
        before, here = _inside(layout.words, port), _inside(words, port)
        moved = np.where(before, down, 0)
        there = layout.words.copy()
        there["y"] += moved.astype(there.dtype["y"])
        back = words.copy()
        back["y"] -= np.where(here, down, 0).astype(back.dtype["y"])
        left = before & ~_inside(there, port)
        entered = here & ~_inside(back, port)
        weights = self._index.words.weights(state_id)
        if weights @ left > _EXCUSED * weights.sum():
            return None
        pairs = paired(there, words, (0, 0), self._slack)
        pairs = pairs.where(pairs.placed & ~left[pairs.one] & ~entered[pairs.other])
        asked = ~left & in_open(there, screen.look) & in_open(layout.words, mask)
        extra = ~entered & in_open(back, mask) & in_open(words, screen.look)
        # What stands around a scrolled region is chrome: that it looks the same says little.
        area = Box(0, 0, *screen.size)
        return self._view(state_id, pairs, asked, extra, None, (0, down), area, port)

    def _port(self, layout: StateLayout, standing: View) -> tuple[Box, int] | None:
        """Return the region that scrolled, and how far down its words went."""
        moves, words = self._moves(layout)
        upright = np.abs(moves[:, 0]) <= IN_PLACE
        down_by = [(0, dy) for _, dy in moves[upright].tolist() if abs(dy) > IN_PLACE]
        _, down = next(agreed_moves(down_by, _VOTERS), (0, 0))
        if not down:
            return None
        with_it = upright & (np.abs(moves[:, 1] - down) <= IN_PLACE)
        boxes = boxes_of(self.screen.words)
        hull = bounds_of(Box(*box) for box in boxes[words[with_it]].tolist())
        still = boxes[standing.pairs.other[standing.pairs.placed]]
        between = sum(hull.overlap(Box(*box)) > 0 for box in still.tolist())
        if between > _STILL_INSIDE * int(with_it.sum()):
            return None
        return _grown(hull, [Box(*box) for box in still.tolist()], self.screen.size), down

    def _moves(self, layout: StateLayout) -> tuple[Ints, Ints]:
        """Return the move of each word that occurs once on both, and its number on the screen."""
        first, second, _ = alike(layout.words, self.screen.words, self._slack)
        once = np.bincount(first, minlength=len(layout.words))[first] == 1
        once &= np.bincount(second, minlength=len(self.screen.words))[second] == 1
        first, second = first[once], second[once]
        before, here = boxes_of(layout.words), boxes_of(self.screen.words)
        return here[second, :2] - before[first, :2], second

    def mask(self, state_id: str) -> Look:
        """Return the state's look without what is known to change, and what is ignored."""
        layout = self._index.layouts[state_id]
        look = layout.look
        if look is None:
            look = np.full((layout.height // CELL, layout.width // CELL), 1, np.uint8)
        return without(look, layout.hidden)

    def _labels_alike(self, state_id: str) -> float:
        """Return the weighted Jaccard of the labels, 0 where either side has few.

        In another version, theme or size words look otherwise where a page calls things as it did;
        where these look as they did, words tell more. A page of other headings is another one,
        whatever it shares with this one around them.
        """
        known, shown = self._index.labels_on(state_id), self.screen.labels
        if min(len(known), len(shown)) < _LABELS:
            return 0.0
        layout = self._index.layouts[state_id]
        called = self._index.called(state_id, shown)
        changed = [key for key in called if key not in self._found]
        if all(same_sides(layout, *self.screen.size)) and len(changed) < _CHANGED * len(called):
            return 0.0
        headings = {label for label in known if label[2]}
        if 2 * len(headings & shown) < len(headings):
            return 0.0
        weights = {label: self._index.label_weight(label) for label in known | shown}
        common = sum(weights[label] for label in known & shown)
        return common / sum(weights.values())

    def _view(
        self,
        state_id: str,
        pairs: WordPairs,
        asked: Mask,
        extra: Mask,
        look: float | None,
        move: Point,
        area: Box,
        port: Box | None = None,
        seen: Mask | None = None,
    ) -> View:
        layout = self._index.layouts[state_id]
        there = np.zeros(len(layout.words), np.bool_)
        there[pairs.one] = True
        if seen is not None:
            there |= seen
        explained = np.zeros(len(self.screen.words), np.bool_)
        explained[pairs.other] = True
        weights = self._index.words.weights(state_id)
        common = float(weights @ (there & asked))
        missing = float(weights @ (asked & ~there))
        more = float(self._weights @ (extra & ~explained)) if layout.whole else 0.0
        total = common + missing + more
        alike = common / total if total else 0.0
        if area.xywh[2:] == self.screen.size:
            alike = max(alike, self._labels_alike(state_id))
        return View(state_id, alike, look, move, area, port, there & asked, asked, pairs)


def in_open(words: Words, look: Look) -> Mask:
    """Return a mask: True for words whose middle is in a cell that may be compared."""
    boxes = boxes_of(words)
    column, row = ((boxes[:, :2] + boxes[:, 2:] // 2) // CELL).T
    on = (row >= 0) & (column >= 0) & (row < look.shape[0]) & (column < look.shape[1])
    seen = np.zeros(len(words), np.bool_)
    seen[on] = look[row[on], column[on]] != HIDDEN
    return seen


def in_equal_cells(words: Words, look: Look, other: Look) -> Mask:
    """Return a mask: True for words under which all cells of two looks are equal but for noise."""
    differs = differing(look, other, _NOISE)
    rows, columns = differs.shape
    counts = cv2.integral(differs.astype(np.uint8))
    boxes = boxes_of(words)
    left, top = np.clip(boxes[:, :2] // CELL, 0, (columns, rows)).T
    right, bottom = np.clip(-(-(boxes[:, :2] + boxes[:, 2:]) // CELL), 0, (columns, rows)).T
    found = counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]
    return np.asarray((found == 0) & (right > left) & (bottom > top))


def _moved(words: Words, move: Point) -> Words:
    moved = words.copy()
    moved["x"] += move[0]
    moved["y"] += move[1]
    return moved


def _inside(words: Words, area: Box) -> Mask:
    """Return a mask: True for words whose middle is in an area."""
    boxes = boxes_of(words)
    x, y = (boxes[:, :2] + boxes[:, 2:] // 2).T
    return np.asarray((x >= area.x) & (x < area.right) & (y >= area.y) & (y < area.bottom))


def _grown(hull: Box, still: Sequence[Box], size: Point) -> Box:
    """Return a region grown to the unmoved boxes around it, or to the screen's edge."""
    outside = [one for one in still if not hull.overlap(one)]
    beside = [one for one in outside if one.y < hull.bottom and one.bottom > hull.y]
    left = max((one.right for one in beside if one.right <= hull.x), default=0)
    right = min((one.x for one in beside if one.x >= hull.right), default=size[0])
    around = [one for one in outside if one.x < right and one.right > left]
    top = max((one.bottom for one in around if one.bottom <= hull.y), default=0)
    bottom = min((one.y for one in around if one.y >= hull.bottom), default=size[1])
    return Box(left, top, right - left, bottom - top)


_STEP = 4  # gray levels between neighbours that a frame has
_LONG = 61  # pixels of its shortest side
_SLACK = 3  # pixels that a word in place may be off
_CUT = (0.1, 0.9)  # share of a remembered thing that an edge leaves on one side


def overlays(
    index: StateIndex,
    framed: Sequence[Box],
    seen: Sightings,
    words: Words,
    state_id: str,
    move: Point,
) -> list[Box]:
    """Return the framed areas of a screen that lie above the page of a state, image pixels.

    Nothing remembered is left in such an area and something else stands there; and its edge
    cuts through things that the page had, as nothing does that belongs to the page.

    ``framed``: the `framed_areas` of the screen. ``words``: the screen's. ``move``: how far the
    page has moved.
    """
    before = boxes_of(index.layouts[state_id].words) + np.array([*move, 0, 0])
    here = boxes_of(words)
    close = near_to(before, here, _SLACK)
    places = {key: on_screen(seen, box.moved(*move)) for key, box in index.places(state_id).items()}
    kept = _boxes(seen, before[close.any(axis=1)])
    kept += [
        hit.box for key, hit in seen.hits.items() if key in places and hit.box.iou(places[key]) > 0
    ]
    new = _boxes(seen, here[~close.any(axis=0)])
    known = [*_boxes(seen, before), *places.values()]
    free = [area for area in framed if not any(map(area.holds_most_of, kept))]
    strange = {area for area in free if any(map(area.holds_most_of, new))}
    cutting = {
        area
        for area in free
        if any(_CUT[0] * b.area < b.overlap(area) < _CUT[1] * b.area for b in known)
    }
    # A popup's own lines part it: one part cuts through the page, its neighbours need not.
    return [
        area
        for area in free
        if area in strange | cutting and any(area.overlap(other) for other in strange & cutting)
    ]


def on_screen(seen: Sightings, box: Box) -> Box:
    """Return a remembered place in pixels of the screenshot."""
    return box.times(seen.scale).moved(seen.window.x, seen.window.y)


def _boxes(seen: Sightings, boxes: Ints) -> list[Box]:
    return [on_screen(seen, Box(*box)) for box in boxes.tolist()]


def framed_areas(gray: Pixels) -> list[Box]:
    """Return the areas that straight edges enclose, the outer frame alone left out."""
    lines = np.zeros_like(gray)
    for axis, size in ((1, (_LONG, 1)), (0, (1, _LONG))):
        ahead = gray[:, 1:] if axis == 0 else gray[1:]
        steps = cv2.absdiff(ahead, gray[: ahead.shape[0], : ahead.shape[1]])
        edges = np.asarray(cv2.compare(steps, np.full_like(steps, _STEP), cv2.CMP_GT))
        line = cv2.morphologyEx(edges, cv2.MORPH_OPEN, np.ones(size[::-1], np.uint8))
        part = lines[: line.shape[0], : line.shape[1]]
        np.maximum(part, line, out=part)
    # Round corners interrupt a frame by a few pixels.
    closed = cv2.dilate(lines, np.ones((7, 7), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.bitwise_not(closed), connectivity=4, ltype=cv2.CV_16U
    )
    boxes = [Box(x - 3, y - 3, w + 6, h + 6) for x, y, w, h, _ in stats[1:].tolist()]
    whole = gray.shape[0] * gray.shape[1]
    return [box for box in boxes if min(box.w, box.h) >= _LONG and 2 * box.area < whole]


_EQUAL = 3  # gray levels by which the wallpaper of two states may differ
_SHARED = 2  # other states that must have it
_ASKED = 64  # states that are looked at: a wallpaper is behind many
_LARGE = 0.1  # of the screen that must have changed
_OWN, _KEPT = 3, 0.4  # words that few other states have: how many must be left, and what share
_RIM = np.ones((5, 5), np.uint8)  # cells around it that a shadow reaches


def without_backdrop(index: StateIndex, state_id: str, mask: Look, shown: Look) -> Look | None:
    """Return a state's look without a wallpaper that is another one now.

    ``mask``: the state's look, without what is not compared. ``shown``: the screen's. Returns
    ``None`` where no large region that other states share has changed, or where too little is left
    of what the state alone has.
    """
    if mask.shape != shown.shape:
        return None
    changed = (cv2.absdiff(mask, shown) > SAME) & (mask != HIDDEN) & (shown != HIDDEN)
    backdrop = (changed & _shared(index, state_id)).astype(np.uint8)
    # A closed region: on a busy wallpaper some cells are alike by chance.
    backdrop = np.asarray(cv2.morphologyEx(backdrop, cv2.MORPH_CLOSE, _RIM), np.uint8)
    if np.count_nonzero(backdrop) < _LARGE * backdrop.size:
        return None
    left = mask.copy()
    left[cv2.dilate(backdrop, _RIM) > 0] = HIDDEN
    words = index.layouts[state_id].words
    own = index.words.rare(state_id)
    kept = in_open(words, left) & own
    return left if kept.sum() >= max(_OWN, _KEPT * own.sum()) else None


def _shared(index: StateIndex, state_id: str) -> Mask:
    """Mark the cells of a state that look the same in several states of other pages."""
    layout, page = index.layouts[state_id], index.states[state_id].page
    own = layout.look
    assert own is not None  # noqa: S101  (only such states are asked)
    others = (
        other.look
        for key, other in index.layouts.items()
        if key != state_id and (page is None or index.states[key].page != page)
        if other.look is not None and other.look.shape == own.shape
    )
    counts = np.zeros(own.shape, np.int32)
    for look in islice(others, _ASKED):
        counts += (cv2.absdiff(look, own) <= _EQUAL) & (look != HIDDEN)
    return np.asarray(counts >= _SHARED)
