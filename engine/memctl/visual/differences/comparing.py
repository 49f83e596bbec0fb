"""Comparing two pictures: they are brought to one size, and every region of change is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.base.errors import UsageError
from memctl.visual.boxes import Box
from memctl.visual.differences.diff_results import Difference, PictureChange
from memctl.visual.differences.moves import Scroll, place_of, scroll_between
from memctl.visual.differences.regions import (
    changed_mask,
    ground_of,
    regions_of,
    similarity_map,
    things_in,
    unveiled,
)
from memctl.visual.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memctl.visual.differences.diff_results import ChangeKind
    from memctl.visual.differences.regions import Mask, SimilarityMap
    from memctl.visual.frame import Pixels

_LEAST = 8  # pixels of the shorter side of a picture
_SAME_SHAPE = 0.005  # by which width to height may differ where only the scale does
_SOFT = 2.0  # pixels of a blur that leaves no trace of another scale
_VEILED = 0.3  # share of pixels that a veil changes at least
_LARGE = 0.3  # share of the picture that a region covers which is told as one
_COVERED = 3  # things of one picture that lie inside of one thing of the other: a popup
_FAINT = 8  # levels by which the ground of a region differs where it was painted anew
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
        if min(frame.width, frame.height) < _LEAST:
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
        things = _things(a, box, mask), _things(b, box, mask)
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
    for thing in [box for box in old if min(box.w, box.h) >= _LEAST][:_MOST]:
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
    if float(np.abs(ground_of(a) - ground_of(b)).max()) < _FAINT:
        return False
    same = [one for one in old if any(one.iou(other) > _FRAME for other in new)]
    return len(same) == len(old) == len(new)


def _holds(box: Box) -> Callable[[Box], bool]:
    """Return a test of whether most of another box lies inside of this one."""
    return lambda other: 2 * box.overlap(other) > other.area


def _things(frame: Frame, region: Box, mask: Mask) -> list[Box]:
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
