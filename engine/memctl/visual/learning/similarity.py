"""Similarity of two screens, as sets of components."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.visual.boxes import SAME_PLACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.learning.ink import EdgeMap, Ink

__all__ = [
    "Element",
    "ScreenContent",
    "StateLayout",
    "layout_move",
    "rarity",
    "scroll_vote",
    "visible",
    "weighted_similarity",
]


Point = tuple[int, int]

_SCROLL_STEP = 4  # offsets that agree within so many pixels vote together
_SCROLL_VOTES = 3  # a scroll needs so many components that moved alike ...
_SCROLL_SHARE = 0.1  # ... and this share of those found
_SIZE_SLACK = 1  # pixels by which a size may differ when another scale is divided out
_CELLS = 8  # cells of ink that count as one component: a label of 100 x 20 px covers as many


@dataclass(frozen=True, slots=True)
class Element:
    """A box on a screen with its text; ``label`` is folded, empty where nothing is readable."""

    box: Box
    label: str = ""
    kind: str = ""

    def renews(self, other: Element) -> bool:
        """Return True if both are one component in two variants: same label, type and place."""
        return (
            bool(self.label)
            and (self.label, self.kind) == (other.label, other.kind)
            and self.box.iou(other.box) > SAME_PLACE
        )


@dataclass(frozen=True, slots=True)
class StateLayout:
    """A known state.

    Parameters
    ----------
    defining
        Component id to its element as it was when the state was first seen.
    optional
        Components met there once, or on later visits: their presence and absence say nothing.
    width, height
        The screenshot that the state was first seen on, in pixels.
    ink
        The cells drawn on outside of its components.
    """

    defining: Mapping[int, Element]
    optional: Mapping[int, Element]
    width: int
    height: int
    ink: Ink | None = None


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """The components and other elements on the screenshot in question.

    Parameters
    ----------
    found
        Known component id to its place.
    unknown
        Things on the screen that no component explains.
    width, height
        Pixels.
    ink
        The edges outside of `found` and `unknown`.
    """

    found: Mapping[int, Box]
    unknown: Sequence[Element]
    width: int
    height: int
    ink: EdgeMap | None = None


def rarity(states: int, holding: int) -> float:
    """Return the weight ``log(1 + states / holding) ** 2`` of a component.

    The smoothed inverse document frequency, with states for documents, squared as it is in a
    product of two tf-idf vectors: what every state holds (a navigation bar) says little, what
    one state holds says much. The square widens the margin between the same page and another.
    """
    return math.log1p(max(states, 1) / max(holding, 1)) ** 2


def scroll_vote(moves: Iterable[Point]) -> Point:
    """Return the offset that moved components agree on, ``(0, 0)`` where they agree on none.

    Fixed chrome does not move when a page scrolls, so stillness does not outvote a scroll.
    """
    moves = list(moves)
    votes = Counter(
        (round(dx / _SCROLL_STEP), round(dy / _SCROLL_STEP))
        for dx, dy in moves
        if abs(dx) > 1 or abs(dy) > 1
    )
    if not votes:
        return 0, 0
    winner, count = max(votes.items(), key=lambda item: (item[1], item[0]))
    if count < max(_SCROLL_VOTES, _SCROLL_SHARE * len(moves)):
        return 0, 0
    return _median_move(moves, winner)


def weighted_similarity(
    screen: ScreenContent, layout: StateLayout, weights: Mapping[int, float], unknown_weight: float
) -> float:
    """Return the weighted Jaccard of a screen and a state over what both can show, 0 to 1.

    Parameters
    ----------
    screen, layout
        The screenshot and the state.
    weights
        Component id to its `rarity`.
    unknown_weight
        The weight of one thing that no component explains.

    Notes
    -----
    A page that was scrolled loses what left the screen and gains what entered it; neither
    makes it another page. So components whose place, moved by the scroll, lies outside the
    screenshot do not count as missing, and things whose place, moved back, lies outside the
    remembered screenshot do not count as extra. Ink counts like components of 8 cells each.
    """
    move = layout_move(screen.found, layout, screen.width, screen.height)
    renewed = _renewed(screen, layout, move)
    shared = layout.defining.keys() & screen.found.keys() | renewed.keys()
    common = sum(weights[key] for key in shared)
    missing = sum(
        weights[key]
        for key, thing in layout.defining.items()
        if key not in shared and _corner_on(thing.box.moved(*move), screen.width, screen.height)
    )
    back = (-move[0], -move[1])
    extra = sum(
        weights[key]
        for key, box in screen.found.items()
        if key not in layout.defining
        and key not in layout.optional
        and _corner_on(box.moved(*back), layout.width, layout.height)
    )
    explained = set(renewed.values())
    strange = unknown_weight * sum(
        _corner_on(thing.box.moved(*back), layout.width, layout.height)
        for number, thing in enumerate(screen.unknown)
        if number not in explained
    )
    same, lost, new = _ink(screen, layout, move)
    common += unknown_weight * same / _CELLS
    total = common + missing + extra + strange + unknown_weight * (lost + new) / _CELLS
    return common / total if total else 0.0


def layout_move(found: Mapping[int, Box], layout: StateLayout, width: int, height: int) -> Point:
    """Return how far the state's moving part has scrolled, ``(dx, dy)`` in pixels.

    A window of another width or height (in pixels at scale 1) was laid out anew along that
    side: what moved there, as things at the right edge do, was not scrolled.
    """
    across = int(abs(width - layout.width) <= _SIZE_SLACK)
    down = int(abs(height - layout.height) <= _SIZE_SLACK)
    return scroll_vote(
        ((found[key].x - thing.box.x) * across, (found[key].y - thing.box.y) * down)
        for key, thing in layout.defining.items()
        if key in found
    )


def visible(things: Mapping[int, Element], move: Point, width: int, height: int) -> set[int]:
    """Return the components whose corner is on a screen of this size after a scroll."""
    return {
        key for key, thing in things.items() if _corner_on(thing.box.moved(*move), width, height)
    }


def _ink(screen: ScreenContent, layout: StateLayout, move: Point) -> tuple[int, int, int]:
    if screen.ink is None or layout.ink is None:
        return 0, 0, 0
    return screen.ink.agreement(layout.ink, move)


def _renewed(screen: ScreenContent, layout: StateLayout, move: Point) -> dict[int, int]:
    """Return missing components that unknown things renew: component id to the thing's number."""
    missing: dict[tuple[str, str], list[tuple[int, Element]]] = {}
    for key, thing in layout.defining.items():
        if key not in screen.found and thing.label:
            moved = Element(thing.box.moved(*move), thing.label, thing.kind)
            missing.setdefault((thing.label, thing.kind), []).append((key, moved))
    return {
        key: number
        for number, unknown in enumerate(screen.unknown)
        for key, thing in missing.get((unknown.label, unknown.kind), ())
        if unknown.renews(thing)
    }


def _corner_on(box: Box, width: int, height: int) -> bool:
    return 0 <= box.x < width and 0 <= box.y < height


def _median_move(moves: Iterable[Point], winner: Point) -> Point:
    near = [
        (dx, dy)
        for dx, dy in moves
        if abs(dx - winner[0] * _SCROLL_STEP) <= _SCROLL_STEP
        and abs(dy - winner[1] * _SCROLL_STEP) <= _SCROLL_STEP
    ]
    middle = len(near) // 2
    return sorted(dx for dx, _ in near)[middle], sorted(dy for _, dy in near)[middle]
