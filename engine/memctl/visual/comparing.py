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
from memctl.store.results import Result
from memctl.visual.boxes import Box, bounds_of
from memctl.visual.frame import Frame
from memctl.visual.graph.components import Components
from memctl.visual.ignored_areas import checked_areas
from memctl.visual.pictured import Placed
from memctl.visual.reading.image import decode_png, load_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Pixels
    from memctl.visual.ignored_areas import Area
    from memctl.visual.match_results import Sighting
    from memctl.visual.reading.image import ImageSource

Mask = NDArray[np.bool_]
SimilarityMap = NDArray[np.float32]
ChangeKind = Literal["scrolled", "appeared", "went", "moved", "changed"]

# Regions of change.
_WINDOW = 7  # pixels of a side that structural similarity compares
_ALIKE = 0.8  # structural similarity above which nothing changed
_FAINT = 12  # levels of a channel below which a difference is noise, such as JPEG's
_STRONG = 40  # levels that are a change whatever the structure, such as another colour
_COARSE = 5  # pixels of a side that a strong difference is the mean of
_GAP = (11, 7)  # columns and rows between the parts of one thing, such as letters of a line
_LEAST = 12  # changed pixels of a region
_INK = 24  # levels of a channel by which a thing differs from its ground
_FITS = 4  # rounds of a fit, each without what the one before did not explain

# A scroll.
_PATCH = (64, 32)  # columns and rows that are looked for along a line
_DRAWN = 12.0  # standard deviation of the gray values of a patch that is worth looking for
_SURE = 0.98  # correlation at which a patch is the same
_MOVED = 0.95  # correlation at which a thing is the same elsewhere
_VOTES, _SHARE = 5, 0.4  # patches, and share of those found, that agree on one move
_BREAK = 48  # pixels without a change that end what scrolled

# Changes.
_SHORTEST = 8  # pixels of the shorter side of a picture
_SAME_SHAPE = 0.005  # by which width to height may differ where only the scale does
_SOFT = 2.0  # pixels of a blur that leaves no trace of another scale
_VEILED = 0.3  # share of pixels that a veil changes at least
_LARGE = 0.3  # share of the picture of a region that is one change
_COVERED = 3  # things of one picture that lie inside of one thing of the other: a popup
_REPAINTED = 8  # levels by which the ground of a region differs where it was painted anew
_FRAME = 0.5  # IoU of a thing on both grounds
_ROUNDED = 3  # pixels that a layout at another scale is rounded by
_RIM = 3  # pixels beside a place that its structural similarity looks at
_HAIR = 4  # pixels of the shorter side of a thing
_MOST = 200  # things that are looked for elsewhere


@dataclass(frozen=True, slots=True)
class PictureChange(Placed):
    """One region that differs between two pictures.

    ``x``, ``y``, ``w`` and ``h`` are pixels of the second picture; of what ``went``, of the
    first. ``was`` is the box in the first picture of what moved, scrolled or changed.
    ``similarity`` is the mean structural similarity of the region in both, -1 to 1; of what moved,
    the correlation of its two places. ``name`` and ``component_id`` are the store's component
    there.
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


@dataclass(frozen=True, slots=True)
class Difference(Result):
    """The changes between two pictures, the topmost first.

    ``first`` and ``second`` are their sizes in pixels, ``similarity`` the mean structural
    similarity of all of them (1: equal), ``share`` the share of pixels that changed. ``notes``
    explain how pictures of different sizes were compared.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    similarity: float
    share: float
    changes: list[PictureChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ComparedPictures(Result):
    """Two pictures at one size, where they are alike, and their differences.

    ``alike`` is ``(H, W)``, the structural similarity of each place, of a part that scrolled with
    where it scrolled to. ``difference`` counts in the pixels of each picture as it was given.
    """

    first: Frame
    second: Frame
    alike: SimilarityMap
    difference: Difference


def compare_images(
    first: ImageSource, second: ImageSource, *, ignore: Sequence[Area] = ()
) -> ComparedPictures:
    """Compare two screenshots; ``ignore`` are areas of the second that do not count."""
    before, after = load_frame(first), load_frame(second)
    areas = checked_areas(ignore, after.part(None))
    return compare_screens(before, replace(after, ignored=tuple(area.box for area in areas)))


def compare_screens(
    first: Frame, second: Frame, look: Callable[[Frame], Sequence[Sighting]] | None = None
) -> ComparedPictures:
    """Compare two screenshots; ``look`` finds the components that changes are named by."""
    frames = first, second
    compared = compare_pictures(first, second)
    changes = compared.difference.changes
    if look is None or not changes:
        return compared
    before, after = (look(frame) for frame in frames)
    named = [_named(change, before, after) for change in changes]
    return replace(compared, difference=replace(compared.difference, changes=named))


def _named(
    change: PictureChange, before: Sequence[Sighting], after: Sequence[Sighting]
) -> PictureChange:
    """Name a change by the component in its place, now or before."""
    if change.kind == "scrolled":
        return change
    asked = [(Box(*change.box), before if change.kind == "went" else after)]
    if change.was is not None:
        asked.append((Box(*change.was), before))
    for box, sightings in asked:
        near = {
            Box(sighting.x, sighting.y, sighting.w, sighting.h): sighting for sighting in sightings
        }
        own = [one for one in near if 2 * one.overlap(box) > min(one.area, box.area)]
        best = max(own, key=box.iou, default=None)
        if best is not None:
            return replace(change, name=near[best].name, component_id=near[best].component_id)
    return change


def compare_looks(store: Store, key: str | int) -> ComparedPictures:
    """Compare the first template of a component with its last, at the larger of their scales."""
    components = Components(store)
    templates = components.templates(key)
    if not templates:
        raise NotFoundError(
            f'"{components.get(key).name}" has no picture', hint="learn a screenshot that shows it"
        )
    first, last = templates[0], templates[-1]
    scale = max(first.scale, last.scale)
    pictures = [
        Frame(decode_png(components.picture(one.id))).resized(scale / one.scale).bgr
        for one in (first, last)
    ]
    width, height = (max(picture.shape[side] for picture in pictures) for side in (1, 0))
    frames = []
    for one in pictures:
        below, right = height - one.shape[0], width - one.shape[1]
        padded = cv2.copyMakeBorder(one, 0, below, 0, right, cv2.BORDER_REPLICATE)
        frames.append(Frame(np.asarray(padded, np.uint8)))
    compared = compare_pictures(*frames)
    if first.id != last.id:
        return compared
    noted = replace(compared.difference, notes=["it has one look only"])
    return replace(compared, difference=noted)


def compare_pictures(first: Frame, second: Frame) -> ComparedPictures:
    """Compare two pictures; those smaller than 8 x 8 pixels or of another shape are refused.

    What does not count on one of them is no change.
    """
    a, b, notes = _at_one_size(first, second)
    ignored = [
        area.times(a.width / picture.width).clipped(a.width, a.height)
        for picture in (first, second)
        for area in picture.ignored
    ]
    sizes = (first.width, first.height), (second.width, second.height)
    if np.array_equal(a.bgr, b.bgr):
        alike = np.ones((a.height, a.width), np.float32)
        return ComparedPictures(a, b, alike, Difference(*sizes, 1.0, 0.0, [], notes))
    shown, resized = (a, b), bool(notes)
    if resized:
        # Edges are softer or sharper all over where one was taken at another scale.
        a, b = (
            Frame(np.asarray(cv2.GaussianBlur(one.bgr, (0, 0), _SOFT), np.uint8)) for one in (a, b)
        )
    alike, mask = _compared(a.bgr, b.bgr, ignored)
    share = float(mask.mean())
    if share > _VEILED:
        below = Frame(_unveiled(a.bgr, b.bgr))
        below_alike, below_mask = _compared(below.bgr, b.bgr, ignored)
        if 2 * below_mask.mean() < share:
            notes = [*notes, "all of it is dimmer or brighter: told is what else changed"]
            a, alike, mask = below, below_alike, below_mask
    scroll = None if resized else _scroll_between(a.gray, b.gray, mask)
    changes: list[PictureChange] = []
    if scroll is not None:
        changes, alike, mask = _scrolled(a, b, *scroll, alike, mask)
        for area in ignored:  # what scrolled out of it is no change either
            _leave_out(alike, mask, area.moved(*scroll[1]).clipped(a.width, a.height))
    changes += _changes(a, b, alike, mask, slack=_ROUNDED if resized else 0)
    changes.sort(key=lambda one: (one.kind != "scrolled", one.y, one.x))
    given = [_as_given(change, first.width / a.width, second.width / b.width) for change in changes]
    difference = Difference(*sizes, round(float(alike.mean()), 4), round(share, 4), given, notes)
    return ComparedPictures(*shown, alike, difference)


def _at_one_size(first: Frame, second: Frame) -> tuple[Frame, Frame, list[str]]:
    for frame in (first, second):
        if min(frame.width, frame.height) < _SHORTEST:
            size = f"{frame.width} x {frame.height}"
            raise UsageError(
                f"a picture of {size} pixels is too small to compare", hint="at least 8 x 8"
            )
    if (first.width, first.height) == (second.width, second.height):
        return first, second, []
    sizes = f"{first.width} x {first.height} and {second.width} x {second.height}"
    across, down = second.width / first.width, second.height / first.height
    if abs(across / down - 1) > _SAME_SHAPE:
        raise UsageError(
            f"the pictures differ in size: {sizes}",
            hint="take both in a window of the same size",
        )
    smaller = min(first, second, key=lambda one: one.width)
    own = smaller.width, smaller.height
    made = [
        one
        if (one.width, one.height) == own
        else Frame(np.asarray(cv2.resize(one.bgr, own, interpolation=cv2.INTER_AREA), np.uint8))
        for one in (first, second)
    ]
    return made[0], made[1], [f"the pictures are {sizes}: compared at {own[0]} x {own[1]}"]


# -- regions of change --------------------------------------------------------------------


def _compared(a: Pixels, b: Pixels, ignored: Sequence[Box] = ()) -> tuple[SimilarityMap, Mask]:
    """Return the structural similarity around each pixel, and where more than noise differs.

    Areas that are ignored are equal.

    Wang, Bovik, Sheikh, Simoncelli: Image quality assessment, IEEE TIP 2004.
    """
    from skimage.metrics import structural_similarity

    measure: Any = structural_similarity  # it has no types
    grays: list[Any] = [cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (a, b)]
    _, full = measure(*grays, win_size=_WINDOW, full=True, data_range=255)
    alike = np.asarray(full, np.float32)
    apart = np.asarray(cv2.absdiff(a, b), np.uint8).max(axis=2)
    near = np.asarray(cv2.dilate(apart, np.ones((3, 3), np.uint8)), np.uint8)
    # The colours of a lossy format are coarse: beside an edge they err both ways.
    signed = cv2.blur(a.astype(np.float32) - b.astype(np.float32), (_COARSE, _COARSE))
    strong = np.abs(np.asarray(signed)).max(axis=2) > _STRONG
    mask = ((alike < _ALIKE) & (near > _FAINT)) | (strong & (near > _STRONG))
    for area in ignored:
        _leave_out(alike, mask, area)
    return alike, mask


def _leave_out(alike: SimilarityMap, mask: Mask, area: Box) -> None:
    """Make an area equal in both pictures."""
    # What changes in it shows in the similarity of the pixels beside it.
    around = area.widened(_RIM, _RIM).clipped(mask.shape[1], mask.shape[0])
    alike[around.y : around.bottom, around.x : around.right] = 1
    mask[around.y : around.bottom, around.x : around.right] = False


def _regions_of(mask: Mask) -> list[Box]:
    """Return the boxes of connected changes, those close to each other joined."""
    ink = mask.astype(np.uint8)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones(_GAP[::-1], np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    weights = np.bincount(labels[mask], minlength=len(stats))
    done: list[Box] = []
    for (x, y, w, h, _), weight in zip(stats[1:].tolist(), weights[1:], strict=True):
        if weight < _LEAST:
            continue
        box = Box(x, y, w, h)
        while other := next((one for one in done if one.overlap(box)), None):
            done.remove(other)
            box = bounds_of([box, other])
        done.append(box)
    return sorted(done, key=lambda box: (box.y, box.x))


def _things_in(crop: Pixels) -> list[Box]:
    """Return the boxes of what is drawn on the ground of a region, in its own pixels."""
    return _regions_of(np.abs(crop.astype(np.int16) - _ground_of(crop)).max(axis=2) > _INK)


def _ground_of(crop: Pixels) -> NDArray[np.int16]:
    """Return the colour of a region's ground, ``(3,)``: the median of its rim."""
    rim = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    return np.asarray(np.median(rim, axis=0), np.int16)


def _unveiled(a: Pixels, b: Pixels) -> Pixels:
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


# -- a scroll -----------------------------------------------------------------------------


def _scroll_between(a: Pixels, b: Pixels, mask: Mask) -> tuple[Box, tuple[int, int]] | None:
    """Return the part that moved up, down or sideways as one, and its move, if there is one."""
    moves = {
        patch: move for patch in _patches(a, mask) if (move := _move_of(patch, a, b)) is not None
    }
    votes = Counter(move for move in moves.values() if move != (0, 0))
    if not votes:
        return None
    move, count = min(votes.items(), key=lambda item: (-item[1], item[0]))
    if count < max(_VOTES, _SHARE * len(moves)):
        return None
    area = bounds_of([patch for patch, its in moves.items() if its == move])
    # It is grown to what changed in its rows and columns.
    rows = np.asarray(mask[:, area.x : area.right].any(axis=1))
    columns = np.asarray(mask[area.y : area.bottom].any(axis=0))
    top, bottom = _reach(rows, area.y, area.bottom)
    left, right = _reach(columns, area.x, area.right)
    return Box(left, top, right - left, bottom - top), move


def _patches(a: Pixels, mask: Mask) -> Iterator[Box]:
    width, height = _PATCH
    for y in range(0, a.shape[0] - height + 1, height):
        for x in range(0, a.shape[1] - width + 1, width):
            part = slice(y, y + height), slice(x, x + width)
            if mask[part].any() and float(a[part].std()) > _DRAWN:
                yield Box(x, y, width, height)


def _move_of(patch: Box, a: Pixels, b: Pixels) -> tuple[int, int] | None:
    """Return how far a patch moved along its column or its row; None where it is in neither."""
    own = a[patch.y : patch.bottom, patch.x : patch.right]
    column = cv2.matchTemplate(b[:, patch.x : patch.right], own, cv2.TM_CCOEFF_NORMED)[:, 0]
    row = cv2.matchTemplate(b[patch.y : patch.bottom], own, cv2.TM_CCOEFF_NORMED)[0]
    down, across = int(column.argmax()), int(row.argmax())
    if max(column[down], row[across]) < _SURE:
        return None
    return (0, down - patch.y) if column[down] >= row[across] else (across - patch.x, 0)


def _reach(changed: Mask, start: int, end: int) -> tuple[int, int]:
    for at in np.flatnonzero(changed[:start])[::-1]:
        if start - at > _BREAK:
            break
        start = int(at)
    for at in np.flatnonzero(changed[end:]) + end:
        if at - end > _BREAK:
            break
        end = int(at) + 1
    return start, end


def _scrolled(
    a: Frame, b: Frame, area: Box, move: tuple[int, int], alike: SimilarityMap, mask: Mask
) -> tuple[list[PictureChange], SimilarityMap, Mask]:
    """Compare a part that scrolled with where it is now; what it uncovered has nothing to match.

    Return the scroll, what came into view and what left it; the similarity of all the rest; and
    where that changed.
    """
    dx, dy = move
    whole = Box(0, 0, a.width, a.height)
    kept = area.moved(dx, dy).within(area)
    source = kept.moved(-dx, -dy)
    shifted = a.bgr.copy()
    shifted[kept.y : kept.bottom, kept.x : kept.right] = a.crop(source)
    moved_alike, moved_mask = _compared(shifted, b.bgr)
    inside = np.zeros_like(mask)
    inside[kept.y : kept.bottom, kept.x : kept.right] = True
    alike = np.where(inside & (moved_alike > alike), moved_alike, alike)
    mask = np.where(inside, mask & moved_mask, mask)
    changes = [_change("scrolled", kept, source, _mean(alike, kept))]
    fresh, lost = _strip(area, dx, dy).within(whole), _strip(area, -dx, -dy).within(whole)
    if fresh.area and _things_in(b.crop(fresh)):
        changes.append(_change("appeared", fresh))
    if lost.area and _things_in(a.crop(lost)):
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


# -- changes ------------------------------------------------------------------------------


def _changes(
    a: Frame, b: Frame, alike: SimilarityMap, mask: Mask, *, slack: int
) -> Iterator[PictureChange]:
    """Yield whether each thing in the regions of change appeared, went, moved or changed.

    With a ``slack``, a thing may stand so many pixels elsewhere without having moved.
    """
    old: list[Box] = []
    new: list[Box] = []
    for box in _regions_of(mask):
        things = _changed_things(a, box, mask), _changed_things(b, box, mask)
        large = box.area > _LARGE * a.width * a.height
        if large or _repainted(a.crop(box), b.crop(box), *things):
            yield _change("changed", box, box, _mean(alike, box))
        else:
            old += things[0]
            new += things[1]
    # Popups that came or went; nobody knows what became of the things below them.
    pairs: list[tuple[list[Box], list[Box], ChangeKind]]
    pairs = [(new, old, "appeared"), (old, new, "went")]
    for ones, others, kind in pairs:
        for cover in [box for box in ones if sum(map(box.holds_most_of, others)) >= _COVERED]:
            yield _change(kind, cover)
            ones.remove(cover)
            others[:] = [box for box in others if not cover.holds_most_of(box)]
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


def _changed_things(frame: Frame, region: Box, mask: Mask) -> list[Box]:
    """Return the things in a region of change that are not the same in both pictures."""
    things = [one.moved(region.x, region.y) for one in _things_in(frame.crop(region))]
    changed = [one for one in things if mask[one.y : one.bottom, one.x : one.right].any()]
    # Beside anything larger, hairlines are its shadow.
    return [one for one in changed if min(one.w, one.h) >= _HAIR] or changed


def _repainted(a: Pixels, b: Pixels, old: Sequence[Box], new: Sequence[Box]) -> bool:
    """Return True for a region whose ground has another colour, with the same things on it."""
    if float(np.abs(_ground_of(a) - _ground_of(b)).max()) < _REPAINTED:
        return False
    same = [one for one in old if any(one.iou(other) > _FRAME for other in new)]
    return len(same) == len(old) == len(new)


def _moves(
    a: Frame, b: Frame, old: list[Box], new: list[Box], slack: int
) -> Iterator[PictureChange]:
    """Yield things that are elsewhere in the second picture, where something new is."""
    for thing in [box for box in old if min(box.w, box.h) >= _SHORTEST][:_MOST]:
        place, score = _place_of(a.crop(thing), b.bgr, new)
        if place is None or place == thing:
            continue
        if max(abs(place.x - thing.x), abs(place.y - thing.y)) > slack:
            yield _change("moved", place, thing, round(score, 4))
        old.remove(thing)
        new[:] = [one for one in new if not place.holds_most_of(one)]


def _place_of(thing: Pixels, b: Pixels, near: Sequence[Box]) -> tuple[Box | None, float]:
    """Return the best place of a thing in or around some boxes of a picture, if it is there."""
    height, width = thing.shape[:2]
    best: Box | None = None
    highest = 0.0
    for box in near:
        around = box.widened(width, height).clipped(b.shape[1], b.shape[0])
        if around.w < width or around.h < height:
            continue
        part = b[around.y : around.bottom, around.x : around.right]
        scores = cv2.matchTemplate(part, thing, cv2.TM_CCOEFF_NORMED)
        _, score, _, (x, y) = cv2.minMaxLoc(scores)
        place = Box(around.x + x, around.y + y, width, height)
        if score >= _MOVED and score > highest and place.overlap(box):
            best, highest = place, float(score)
    return best, highest


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
    x, y, w, h = Box(*change.box).times(first if change.kind == "went" else second).xywh
    was = None if change.was is None else Box(*change.was).times(first).xywh
    return replace(change, x=x, y=y, w=w, h=h, was=was)
