"""Comparing two pictures: what appeared, went, moved, scrolled or changed between them.

Both are brought to one size. Where they differ in structure or in colour is a region of change;
what is drawn in it is looked for in the other picture.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.base.errors import NotFoundError, UsageError
from memctl.visual.boxes import Box
from memctl.visual.frame import Frame
from memctl.visual.graph.components import Components
from memctl.visual.reading.image import DEFAULT_MAX_PIXELS, decode_png, load_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Pixels
    from memctl.visual.match_results import Sighting
    from memctl.visual.reading.image import ImageSource


ChangeKind = Literal["scrolled", "appeared", "went", "moved", "changed"]


@dataclass(frozen=True, slots=True)
class PictureChange:
    """One region that differs between two pictures.

    ``x``, ``y``, ``w`` and ``h`` are pixels of the second picture; of what ``went``, of the
    first. ``was`` is the box in the first picture of what moved, scrolled or changed.
    ``similarity`` is the mean structural similarity of the region in both, -1 to 1; of what moved,
    the correlation of its two places. ``name`` and ``component_id`` tell which component of the
    store stands there.
    """

    kind: ChangeKind
    x: int
    y: int
    w: int
    h: int
    was: tuple[int, int, int, int] | None = None
    similarity: float = 0.0
    name: str | None = None
    component_id: int | None = None

    @property
    def box(self) -> Box:
        """The region as a box."""
        return Box(self.x, self.y, self.w, self.h)


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes between two pictures, the topmost first.

    ``first`` and ``second`` are their sizes in pixels, ``similarity`` the mean structural
    similarity of all of them (1: equal), ``share`` the share of pixels that changed. ``notes`` say
    how pictures of different sizes were compared.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    similarity: float
    share: float
    changes: list[PictureChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


Mask = NDArray[np.bool_]
SimilarityMap = NDArray[np.float32]

_WINDOW = 7  # pixels of a side that structural similarity compares
_ALIKE = 0.8  # structural similarity above which nothing changed
_FAINT = 12  # levels of a channel below which a difference is noise, such as JPEG's
_STRONG = 40  # levels that are a change whatever the structure, such as another colour
_COARSE = 5  # pixels of a side that a strong difference is the mean of
_GAP = (11, 7)  # columns and rows between the parts of one thing, such as letters of a line
_LEAST = 12  # changed pixels of a region
_INK = 24  # levels of a channel by which a thing differs from its ground
_FITS = 4  # rounds of a fit, each without what the one before did not explain


def similarity_map(a: Pixels, b: Pixels) -> SimilarityMap:
    """Return the structural similarity around each pixel, ``(H, W)``, -1 to 1.

    Parameters
    ----------
    a, b
        ``(H, W, 3)`` uint8 of one size, at least 8 x 8.

    References
    ----------
    Wang, Bovik, Sheikh, Simoncelli: Image quality assessment, IEEE TIP 2004.
    """
    from skimage.metrics import structural_similarity

    grays: list[Any] = [cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (a, b)]
    measure: Any = structural_similarity  # it has no types
    _, full = measure(*grays, win_size=_WINDOW, full=True, data_range=255)
    return np.asarray(full, np.float32)


def changed_mask(a: Pixels, b: Pixels, alike: SimilarityMap) -> Mask:
    """Return ``(H, W)``, true where two pictures differ by more than noise."""
    apart = np.asarray(cv2.absdiff(a, b), np.uint8).max(axis=2)
    near = np.asarray(cv2.dilate(apart, np.ones((3, 3), np.uint8)), np.uint8)
    # The colours of a lossy format are coarse: beside an edge they err both ways.
    signed = cv2.blur(a.astype(np.float32) - b.astype(np.float32), (_COARSE, _COARSE))
    strong = np.abs(np.asarray(signed)).max(axis=2) > _STRONG
    return np.asarray(((alike < _ALIKE) & (near > _FAINT)) | (strong & (near > _STRONG)), np.bool_)


def regions_of(mask: Mask) -> list[Box]:
    """Return the boxes of connected changes, those close to each other joined."""
    ink = mask.astype(np.uint8)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones(_GAP[::-1], np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    weights = np.bincount(labels[mask], minlength=len(stats))
    boxes = [
        Box(x, y, w, h)
        for (x, y, w, h, _), weight in zip(stats[1:].tolist(), weights[1:], strict=True)
        if weight >= _LEAST
    ]
    return sorted(_merged(boxes), key=lambda box: (box.y, box.x))


def things_in(crop: Pixels) -> list[Box]:
    """Return the boxes of what is drawn on the ground of a region, in its own pixels."""
    ink = np.abs(crop.astype(np.int16) - ground_of(crop)).max(axis=2) > _INK
    return regions_of(ink)


def ground_of(crop: Pixels) -> NDArray[np.int16]:
    """Return the colour of a region's ground, ``(3,)``: the median of its rim."""
    rim = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    return np.asarray(np.median(rim, axis=0), np.int16)


def unveiled(a: Pixels, b: Pixels) -> Pixels:
    """Return the first picture as dim or as bright as most of the second one is.

    A veil, as lies below a dialog, changes every level alike: each channel is fitted by a line.
    """
    made = np.empty_like(a)
    for channel in range(3):
        x, y = a[::4, ::4, channel].ravel(), b[::4, ::4, channel].ravel()
        kept = np.ones(x.shape, np.bool_)
        for _ in range(_FITS):
            if kept.sum() < _LEAST or x[kept].std() < 1:
                return a
            slope, level = np.polyfit(x[kept].astype(float), y[kept].astype(float), 1)
            apart = np.abs(slope * x + level - y)
            kept = apart <= max(float(np.median(apart)), 1.0) * 2
        made[:, :, channel] = np.clip(np.rint(slope * a[:, :, channel] + level), 0, 255)
    return made


def _merged(boxes: list[Box]) -> list[Box]:
    """Join boxes that overlap, until none do."""
    done: list[Box] = []
    for box in boxes:
        while other := next((one for one in done if one.overlap(box)), None):
            done.remove(other)
            box = _around(box, other)  # noqa: PLW2901  (grows by what it touches)
        done.append(box)
    return done


def _around(one: Box, other: Box) -> Box:
    x, y = min(one.x, other.x), min(one.y, other.y)
    return Box(x, y, max(one.right, other.right) - x, max(one.bottom, other.bottom) - y)


_PATCH = (64, 32)  # columns and rows that are looked for along a line
_DRAWN_PATCH = 12.0  # standard deviation of the gray values of a patch that is worth looking for
_SURE = 0.98  # correlation at which a patch is the same
_MOVED = 0.95  # correlation at which a thing is the same elsewhere
_VOTES, _SHARE = 5, 0.4  # patches, and share of those found, that agree on one move


@dataclass(frozen=True, slots=True)
class Scroll:
    """A part of the first picture, and its move to where it stands in the second, in pixels."""

    area: Box
    move: tuple[int, int]


def scroll_between(a: Pixels, b: Pixels, mask: Mask) -> Scroll | None:
    """Return the part that moved up, down or sideways as one, if there is one.

    Parameters
    ----------
    a, b
        ``(H, W)`` uint8 of one size.
    mask
        True where they differ.
    """
    moves: dict[Box, tuple[int, int]] = {}
    for patch in _patches(a, mask):
        move = _move_of(patch, a, b)
        if move is not None:
            moves[patch] = move
    votes = Counter(move for move in moves.values() if move != (0, 0))
    if not votes:
        return None
    (move, count), *_ = sorted(votes.items(), key=lambda item: (-item[1], item[0]))
    if count < max(_VOTES, _SHARE * len(moves)):
        return None
    own = [patch for patch, its in moves.items() if its == move]
    x, y = min(one.x for one in own), min(one.y for one in own)
    area = Box(x, y, max(one.right for one in own) - x, max(one.bottom for one in own) - y)
    return Scroll(_grown_area(area, mask), move)


def place_of(thing: Pixels, b: Pixels, near: Sequence[Box]) -> tuple[Box, float] | None:
    """Return the best place of a thing in or around some boxes of a picture, and its correlation.

    ``None`` where it is at none of them.
    """
    height, width = thing.shape[:2]
    best: tuple[Box, float] | None = None
    for box in near:
        around = box.widened(width, height).clipped(b.shape[1], b.shape[0])
        if around.w < width or around.h < height:
            continue
        part = b[around.y : around.bottom, around.x : around.right]
        scores = cv2.matchTemplate(part, thing, cv2.TM_CCOEFF_NORMED)
        _, score, _, (x, y) = cv2.minMaxLoc(scores)
        place = Box(around.x + x, around.y + y, width, height)
        if score >= _MOVED and (best is None or score > best[1]) and place.overlap(box):
            best = place, float(score)
    return best


def _patches(a: Pixels, mask: Mask) -> Iterator[Box]:
    width, height = _PATCH
    for y in range(0, a.shape[0] - height + 1, height):
        for x in range(0, a.shape[1] - width + 1, width):
            changed = mask[y : y + height, x : x + width].any()
            if changed and float(a[y : y + height, x : x + width].std()) > _DRAWN_PATCH:
                yield Box(x, y, width, height)


def _move_of(patch: Box, a: Pixels, b: Pixels) -> tuple[int, int] | None:
    """Return how far a patch moved along its column or its row; None where it is in neither."""
    own = a[patch.y : patch.bottom, patch.x : patch.right]
    column = cv2.matchTemplate(b[:, patch.x : patch.right], own, cv2.TM_CCOEFF_NORMED)[:, 0]
    row = cv2.matchTemplate(b[patch.y : patch.bottom], own, cv2.TM_CCOEFF_NORMED)[0]
    down, across = int(column.argmax()), int(row.argmax())
    if max(column[down], row[across]) < _SURE:
        return None
    if column[down] >= row[across]:
        return 0, down - patch.y
    return across - patch.x, 0


def _grown_area(area: Box, mask: Mask) -> Box:
    """Return an area grown to what changed in its rows and columns, a gap of 48 px ending it."""
    rows = np.asarray(mask[:, area.x : area.right].any(axis=1))
    columns = np.asarray(mask[area.y : area.bottom].any(axis=0))
    top, bottom = _reach(rows, area.y, area.bottom)
    left, right = _reach(columns, area.x, area.right)
    return Box(left, top, right - left, bottom - top)


def _reach(changed: Mask, start: int, end: int, gap: int = 48) -> tuple[int, int]:
    before = np.flatnonzero(changed[:start])[::-1]
    for at in before:
        if start - at > gap:
            break
        start = int(at)
    for at in np.flatnonzero(changed[end:]) + end:
        if at - end > gap:
            break
        end = int(at) + 1
    return start, end


_LEAST_SIDE = 8  # pixels of the shorter side of a picture
_SAME_SHAPE = 0.005  # by which width to height may differ where only the scale does
_SOFT = 2.0  # pixels of a blur that leaves no trace of another scale
_VEILED = 0.3  # share of pixels that a veil changes at least
_LARGE = 0.3  # share of the picture that a region covers which is told as one
_COVERED = 3  # things of one picture that lie inside of one thing of the other: a popup
_FAINT_GROUND = 8  # levels by which the ground of a region differs where it was painted anew
_FRAME = 0.5  # IoU of a thing on both grounds
_ROUNDED = 3  # pixels that a layout at another scale is rounded by
_RIM = 3  # pixels beside a place that its structural similarity looks at
_HAIR = 4  # pixels of the shorter side of a thing
_MOST = 200  # things that are looked for elsewhere


@dataclass(frozen=True)
class ComparedPictures:
    """Two pictures at one size, where they are alike, and their differences.

    ``alike`` is ``(H, W)``, the structural similarity of each place, of a part that scrolled with
    where it scrolled to. ``difference`` counts in the pixels of each picture as it was given.
    """

    first: Frame
    second: Frame
    alike: SimilarityMap
    difference: Difference


def compare_pictures(first: Frame, second: Frame) -> ComparedPictures:
    """Compare two pictures.

    Raises
    ------
    UsageError
        When one is smaller than 8 x 8 pixels, or their shapes differ.
    """
    a, b, notes = _at_one_size(first, second)
    sizes = (first.width, first.height), (second.width, second.height)
    if np.array_equal(a.bgr, b.bgr):
        alike = np.ones((a.height, a.width), np.float32)
        return ComparedPictures(a, b, alike, Difference(*sizes, 1.0, 0.0, [], notes))
    shown, resized = (a, b), bool(notes)
    if resized:
        # Edges are softer or sharper all over where one was taken at another scale.
        a, b = _softened(a), _softened(b)
    alike = similarity_map(a.bgr, b.bgr)
    mask = changed_mask(a.bgr, b.bgr, alike)
    share = float(mask.mean())
    if share > _VEILED:
        below = Frame(unveiled(a.bgr, b.bgr))
        below_alike = similarity_map(below.bgr, b.bgr)
        below_mask = changed_mask(below.bgr, b.bgr, below_alike)
        if 2 * below_mask.mean() < share:
            notes = [*notes, "all of it is dimmer or brighter: told is what else changed"]
            a, alike, mask = below, below_alike, below_mask
    scroll = None if resized else scroll_between(a.gray, b.gray, mask)
    changes: list[PictureChange] = []
    if scroll is not None:
        changes, alike, mask = _scrolled(a, b, scroll, alike, mask)
    changes += _changes(a, b, alike, mask, slack=_ROUNDED if resized else 0)
    changes.sort(key=lambda one: (one.kind != "scrolled", one.y, one.x))
    ratios = first.width / a.width, second.width / b.width
    told = [_as_given(one, *ratios) for one in changes]
    difference = Difference(*sizes, round(float(alike.mean()), 4), round(share, 4), told, notes)
    return ComparedPictures(*shown, alike, difference)


def _at_one_size(first: Frame, second: Frame) -> tuple[Frame, Frame, list[str]]:
    for frame in (first, second):
        if min(frame.width, frame.height) < _LEAST_SIDE:
            size = f"{frame.width} x {frame.height}"
            raise UsageError(
                f"a picture of {size} pixels is too small to compare", hint="at least 8 x 8"
            )
    if (first.width, first.height) == (second.width, second.height):
        return first, second, []
    told = f"{first.width} x {first.height} and {second.width} x {second.height}"
    across, down = second.width / first.width, second.height / first.height
    if abs(across / down - 1) > _SAME_SHAPE:
        raise UsageError(
            f"the pictures differ in size: {told}",
            hint="take both in a window of the same size",
        )
    smaller = min(first, second, key=lambda one: one.width)
    width, height = smaller.width, smaller.height
    notes = [f"the pictures are {told}: compared at {width} x {height}"]
    return _resized(first, width, height), _resized(second, width, height), notes


def _resized(frame: Frame, width: int, height: int) -> Frame:
    if (frame.width, frame.height) == (width, height):
        return frame
    made = cv2.resize(frame.bgr, (width, height), interpolation=cv2.INTER_AREA)
    return Frame(np.asarray(made, np.uint8))


def _softened(frame: Frame) -> Frame:
    return Frame(np.asarray(cv2.GaussianBlur(frame.bgr, (0, 0), _SOFT), np.uint8))


def _scrolled(
    a: Frame, b: Frame, scroll: Scroll, alike: SimilarityMap, mask: Mask
) -> tuple[list[PictureChange], SimilarityMap, Mask]:
    """Compare a part that scrolled with where it is now; what it uncovered has nothing to match.

    Return the scroll, what came into view and what left it; the similarity of all the rest; and
    where that changed.
    """
    area, (dx, dy) = scroll.area, scroll.move
    whole = Box(0, 0, a.width, a.height)
    kept = area.moved(dx, dy).within(area)
    shifted = a.bgr.copy()
    source = kept.moved(-dx, -dy)
    shifted[kept.y : kept.bottom, kept.x : kept.right] = a.crop(source)
    moved_alike = similarity_map(shifted, b.bgr)
    moved_mask = changed_mask(shifted, b.bgr, moved_alike)
    inside = np.zeros_like(mask)
    inside[kept.y : kept.bottom, kept.x : kept.right] = True
    better = inside & (moved_alike > alike)
    alike = np.where(better, moved_alike, alike)
    mask = np.where(inside, mask & moved_mask, mask)
    changes = [_change("scrolled", kept, source, _mean(alike, kept))]
    fresh, lost = _strip(area, dx, dy).within(whole), _strip(area, -dx, -dy).within(whole)
    if fresh.area and things_in(b.crop(fresh)):
        changes.append(_change("appeared", fresh))
    if lost.area and things_in(a.crop(lost)):
        changes.append(_change("went", lost))
    around = fresh.widened(_RIM, _RIM).within(whole)
    mask[around.y : around.bottom, around.x : around.right] = False
    return changes, alike, mask


def _strip(area: Box, dx: int, dy: int) -> Box:
    """Return the part of an area that its contents leave free when they move."""
    if dy:
        high = min(abs(dy), area.h)
        return Box(area.x, area.y if dy > 0 else area.bottom - high, area.w, high)
    wide = min(abs(dx), area.w)
    return Box(area.x if dx > 0 else area.right - wide, area.y, wide, area.h)


def _changes(
    a: Frame, b: Frame, alike: SimilarityMap, mask: Mask, *, slack: int
) -> Iterator[PictureChange]:
    """Tell of each thing in the regions of change whether it appeared, went, moved or changed.

    Parameters
    ----------
    slack
        Pixels by which a thing may stand elsewhere without having moved.
    """
    regions = regions_of(mask)
    large = [box for box in regions if box.area > _LARGE * a.width * a.height]
    old: list[Box] = []
    new: list[Box] = []
    for box in regions:
        things = _changed_things(a, box, mask), _changed_things(b, box, mask)
        if box in large or _repainted(a.crop(box), b.crop(box), *things):
            yield _change("changed", box, box, _mean(alike, box))
        else:
            old += things[0]
            new += things[1]
    yield from _popups(old, new)
    yield from _moves(a, b, old, new, slack)
    for thing in old:
        now = max(new, key=thing.overlap, default=None)
        if now is None or 2 * thing.overlap(now) <= min(thing.area, now.area):
            yield _change("went", thing)
        else:
            yield _change("changed", now, thing, _mean(alike, now))
            new.remove(now)
    for thing in new:
        yield _change("appeared", thing)


def _popups(old: list[Box], new: list[Box]) -> Iterator[PictureChange]:
    """Tell of popups that came or went; nobody knows what became of the things below them."""
    pairs: tuple[tuple[list[Box], list[Box], ChangeKind], ...]
    pairs = (new, old, "appeared"), (old, new, "went")
    for one, others, kind in pairs:
        for cover in [box for box in one if sum(map(_holds(box), others)) >= _COVERED]:
            yield _change(kind, cover)
            one.remove(cover)
            others[:] = [box for box in others if not _holds(cover)(box)]


def _moves(
    a: Frame, b: Frame, old: list[Box], new: list[Box], slack: int
) -> Iterator[PictureChange]:
    """Tell of things that stand elsewhere in the second picture, where something new is."""
    for thing in [box for box in old if min(box.w, box.h) >= _LEAST_SIDE][:_MOST]:
        found = place_of(a.crop(thing), b.bgr, new)
        if found is None or found[0] == thing:
            continue
        place, score = found
        if max(abs(place.x - thing.x), abs(place.y - thing.y)) > slack:
            yield _change("moved", place, thing, round(score, 4))
        old.remove(thing)
        new[:] = [one for one in new if not _holds(place)(one)]


def _repainted(a: Pixels, b: Pixels, old: Sequence[Box], new: Sequence[Box]) -> bool:
    """Return True for a region whose ground has another colour, with the same things on it."""
    if float(np.abs(ground_of(a) - ground_of(b)).max()) < _FAINT_GROUND:
        return False
    same = [one for one in old if any(one.iou(other) > _FRAME for other in new)]
    return len(same) == len(old) == len(new)


def _holds(box: Box) -> Callable[[Box], bool]:
    """Return a test of whether most of another box lies inside of this one."""
    return lambda other: 2 * box.overlap(other) > other.area


def _changed_things(frame: Frame, region: Box, mask: Mask) -> list[Box]:
    """Return the things in a region of change that are not the same in both pictures."""
    things = [one.moved(region.x, region.y) for one in things_in(frame.crop(region))]
    changed = [one for one in things if mask[one.y : one.bottom, one.x : one.right].any()]
    # Beside anything larger, hairlines are its shadow.
    return [one for one in changed if min(one.w, one.h) >= _HAIR] or changed


def _change(
    kind: ChangeKind, box: Box, was: Box | None = None, similarity: float = 0.0
) -> PictureChange:
    return PictureChange(
        kind, *box.xywh, was=None if was is None else was.xywh, similarity=similarity
    )


def _mean(alike: SimilarityMap, box: Box) -> float:
    return round(float(alike[box.y : box.bottom, box.x : box.right].mean()), 4)


def _as_given(change: PictureChange, first: float, second: float) -> PictureChange:
    """Return a change in the pixels of the pictures as they were given."""
    x, y, w, h = _times(change.box.xywh, first if change.kind == "went" else second)
    was = None if change.was is None else _times(change.was, first)
    return replace(change, x=x, y=y, w=w, h=h, was=was)


def _times(sides: tuple[int, int, int, int], factor: float) -> tuple[int, int, int, int]:
    x, y, w, h = (round(side * factor) for side in sides)
    return x, y, w, h


_ONE_LOOK = "it has one look only"


def compare_screens(
    first: ImageSource,
    second: ImageSource,
    look: Callable[[Frame], Sequence[Sighting]] | None = None,
    *,
    max_pixels: int = DEFAULT_MAX_PIXELS,
) -> ComparedPictures:
    """Compare two screenshots; changes are named by the components that stand there.

    Parameters
    ----------
    look
        Finds the known components of a screenshot.
    """
    frames = [load_frame(one, max_pixels=max_pixels) for one in (first, second)]
    compared = compare_pictures(*frames)
    changes = compared.difference.changes
    if look is None or not changes:
        return compared
    before, after = (look(frame) for frame in frames)
    named = [_named(one, before, after) for one in changes]
    return replace(compared, difference=replace(compared.difference, changes=named))


def compare_looks(store: Store, key: str | int) -> ComparedPictures:
    """Compare the first look of a component with its last, at the larger of their scales.

    Raises
    ------
    NotFoundError
        When there is no such component, or it has no picture.
    """
    components = Components(store)
    looks = components.templates(key)
    if not looks:
        raise NotFoundError(
            f'"{components.get(key).name}" has no picture', hint="learn a screenshot that shows it"
        )
    first, last = looks[0], looks[-1]
    scale = max(first.scale, last.scale)
    pictures = [
        Frame(decode_png(components.picture(one.id))).resized(scale / one.scale).bgr
        for one in (first, last)
    ]
    width, height = (max(one.shape[side] for one in pictures) for side in (1, 0))
    framed = [Frame(_padded(one, width, height)) for one in pictures]
    compared = compare_pictures(*framed)
    if first.id != last.id:
        return compared
    return replace(compared, difference=replace(compared.difference, notes=[_ONE_LOOK]))


def _named(
    change: PictureChange, before: Sequence[Sighting], after: Sequence[Sighting]
) -> PictureChange:
    """Return a change with the component that stands there, or stood there before."""
    asked = [(change.box, before if change.kind == "went" else after)]
    if change.was is not None:
        asked.append((Box(*change.was), before))
    if change.kind == "scrolled":
        return change
    for box, sightings in asked:
        near = {Box(one.x, one.y, one.w, one.h): one for one in sightings}
        own = [one for one in near if 2 * one.overlap(box) > min(one.area, box.area)]
        best = max(own, key=box.iou, default=None)
        if best is not None:
            return replace(change, name=near[best].name, component_id=near[best].component_id)
    return change


def _padded(bgr: Pixels, width: int, height: int) -> Pixels:
    below, right = height - bgr.shape[0], width - bgr.shape[1]
    return np.asarray(cv2.copyMakeBorder(bgr, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
