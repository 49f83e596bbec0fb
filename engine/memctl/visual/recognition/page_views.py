"""Views: how much a screen, or a part of it, looks like a known state, and where it moved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.recognition.covering import overlays
from memctl.visual.recognition.similarity import layout_move, same_sides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.similarity import ScreenContent, StateLayout
    from memctl.visual.recognition.state_index import StateIndex
    from memctl.visual.recognition.word_match import WordMatch

__all__ = ["GLIMPSED", "Recognised", "best_view", "uncovered"]

Point = tuple[int, int]

LEAST_GAIN = 0.05
"""A part of the screen is preferred to all of it unless it is less alike by more than this."""

KEPT = 0.3
"""Least share of the remembered screen that a scroll leaves to compare: beyond, everything that
contradicts would lie outside."""

GLIMPSED, LEFT = 0.3, 0.6
"""Least similarity of a page that may lie under a popup, and least share of its words, by weight,
that the popup leaves: what a strange page shares with a known one, its chrome, weighs less."""

PLACES, VOTES = 3, 6
"""Where a smaller remembered window is looked for on a larger screen: the most voted moves."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A known state on a screen.

    Parameters
    ----------
    similarity
        0 to 1.
    move
        How far it has scrolled or moved since it was remembered, ``(dx, dy)``.
    area
        The part of the screen that shows it, in pixels at device-pixel ratio 1.
    also
        Other pages beside it: of another window, or on another monitor.
    """

    state_id: str
    similarity: float
    move: Point
    area: Box
    also: tuple[Recognised, ...] = ()


def best_view(
    index: StateIndex, screen: ScreenContent, match: WordMatch, state_id: str
) -> Recognised:
    """Compare a state with the whole screen and, if it is smaller, with parts of it."""
    layout = index.layouts[state_id]
    move = _scrolled(screen, match, state_id, layout)
    hidden = _changing(layout, move)
    alike = match.jaccard(
        state_id, move, screen.size, layout.size, extras=layout.whole, hidden=hidden
    )
    best = Recognised(state_id, alike, move, Box(0, 0, *screen.size))
    if not _smaller(layout, screen):
        return best
    for dx, dy in match.displacements(state_id, most=PLACES, votes=VOTES):
        area = Box(dx, dy, *layout.size)
        if area.overlap(best.area) < KEPT * area.area:
            continue
        alike = match.jaccard(
            state_id,
            (dx, dy),
            screen.size,
            layout.size,
            extras=layout.whole,
            part=True,
            hidden=_changing(layout, (dx, dy)),
        )
        if alike > best.similarity - LEAST_GAIN:
            best = Recognised(state_id, alike, (dx, dy), area)
    return best


def uncovered(
    index: StateIndex,
    framed: Sequence[Box],
    seen: Sightings,
    screen: ScreenContent,
    match: WordMatch,
    view: Recognised,
) -> Recognised:
    """Compare a state that leaves room for it without what a popup covers, if one does."""
    layout = index.layouts[view.state_id]
    if view.similarity <= GLIMPSED or view.area.xywh[2:] != screen.size:
        return view
    areas = overlays(index, framed, seen, screen.words, view.state_id, view.move)
    hidden = [seen.at_scale_one(area) for area in areas]
    if not hidden or match.left(view.state_id, view.move, hidden) < LEFT:
        return view
    alike = match.jaccard(
        view.state_id,
        view.move,
        screen.size,
        layout.size,
        extras=layout.whole,
        hidden=[*hidden, *_changing(layout, view.move)],
    )
    return replace(view, similarity=alike)


def _changing(layout: StateLayout, move: Point) -> list[Box]:
    return [box.moved(*move) for box in layout.changing.values()]


def _scrolled(screen: ScreenContent, match: WordMatch, state_id: str, layout: StateLayout) -> Point:
    across, down = same_sides(layout, *screen.size)
    move = layout_move(screen.found, layout, *screen.size)
    if move == (0, 0):
        move = match.move(state_id, across=across, down=down)
    remembered = Box(0, 0, *layout.size)
    left = remembered.moved(*move).overlap(Box(0, 0, *screen.size))
    return move if left >= KEPT * remembered.area else (0, 0)


def _smaller(layout: StateLayout, screen: ScreenContent) -> bool:
    across, down = same_sides(layout, *screen.size)
    fits = layout.width <= screen.width and layout.height <= screen.height
    return fits and not (across and down)
