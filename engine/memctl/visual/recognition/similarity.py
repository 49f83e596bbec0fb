"""Similarity of two screens as sets of components, and how far a page has scrolled."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from memctl.visual.boxes import SAME_PLACE
from memctl.visual.reading.word_shapes import WORD, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.visual.boxes import Box

__all__ = [
    "SCROLL_STEP",
    "Element",
    "ScreenContent",
    "StateLayout",
    "component_similarity",
    "layout_move",
    "median_move",
    "rarities",
    "rarity",
    "same_sides",
    "scroll_vote",
    "visible",
]


Point = tuple[int, int]

SCROLL_STEP = 4
"""Offsets that agree within so many pixels vote together."""

_SCROLL_VOTES = 3  # a scroll needs so many things that moved alike ...
_SCROLL_SHARE = 0.1  # ... and this share of those found
_SIZE_SLACK = 1  # pixels by which a size may differ when another scale is divided out


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
        Component id to its place as it was when the state was first seen.
    optional
        Components met there once, or on later visits: their presence and absence say nothing.
    width, height
        The screenshot that the state was first seen on, in pixels.
    words
        The words on it.
    whole
        False where the words of its components alone are known.
    changing
        Components whose places are known to change: neither they nor the words there count.
    ignored
        Areas that a person leaves out, at device-pixel ratio 1, from the window's corner.
    """

    defining: Mapping[int, Box]
    optional: Mapping[int, Box]
    width: int
    height: int
    words: Words = field(default_factory=lambda: np.zeros(0, WORD))
    whole: bool = True
    changing: Mapping[int, Box] = field(default_factory=dict)
    ignored: Sequence[Box] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """The components, words and other things on the screenshot in question.

    Parameters
    ----------
    found
        Known component id to its place.
    width, height
        Pixels.
    unknown
        How many boxes no component explains.
    words
        The words on it.
    resized
        True for a screenshot of another device-pixel ratio than the memory's.
    """

    found: Mapping[int, Box]
    width: int
    height: int
    unknown: int = 0
    words: Words = field(default_factory=lambda: np.zeros(0, WORD))
    resized: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height


def rarity(states: int, holding: int) -> float:
    """Return the weight ``log(1 + states / holding) ** 2`` of a component or a word.

    The smoothed inverse document frequency, with states for documents, squared as it is in a
    product of two tf-idf vectors: what every state holds (a navigation bar) says little, what
    one state holds says much. The square widens the margin between the same page and another.
    """
    return math.log1p(max(states, 1) / max(holding, 1)) ** 2


def rarities(states: int, holding: NDArray[Any]) -> NDArray[np.float64]:
    """Return the `rarity` of many, as an array of the shape of ``holding``."""
    by_number = [rarity(states, number) for number in range(int(holding.max(initial=0)) + 1)]
    return np.asarray(np.array(by_number)[holding], np.float64)


def scroll_vote(moves: Iterable[Point]) -> Point:
    """Return the offset that moved components agree on, ``(0, 0)`` where they agree on none.

    Fixed chrome does not move when a page scrolls, so stillness does not outvote a scroll.
    """
    moves = list(moves)
    votes = Counter(
        (round(dx / SCROLL_STEP), round(dy / SCROLL_STEP))
        for dx, dy in moves
        if abs(dx) > 1 or abs(dy) > 1
    )
    if not votes:
        return 0, 0
    winner, count = max(votes.items(), key=lambda item: (item[1], item[0]))
    if count < max(_SCROLL_VOTES, _SCROLL_SHARE * len(moves)):
        return 0, 0
    return median_move(moves, winner)


def component_similarity(
    screen: ScreenContent, layout: StateLayout, weights: Mapping[int, float], move: Point
) -> float:
    """Return the weighted Jaccard of the components of a screen and a state, 0 to 1.

    Parameters
    ----------
    screen, layout
        The screenshot and the state.
    weights
        Component id to its `rarity`.
    move
        How far the page has scrolled.

    Notes
    -----
    A page that was scrolled loses what left the screen and gains what entered it; neither
    makes it another page. So components whose place, moved by the scroll, lies outside the
    screenshot do not count as missing, and those whose place, moved back, lies outside the
    remembered screenshot do not count as extra.
    """
    shared = layout.defining.keys() & screen.found.keys()
    expected = visible(layout.defining, move, *screen.size)
    known = layout.defining.keys() | layout.optional.keys() | layout.changing.keys()
    strange = visible(screen.found, (-move[0], -move[1]), *layout.size) - known
    common = sum(weights[key] for key in shared)
    total = common + sum(weights[key] for key in (expected - shared) | strange)
    return common / total if total else 0.0


def layout_move(found: Mapping[int, Box], layout: StateLayout, width: int, height: int) -> Point:
    """Return how far the state's moving part has scrolled, ``(dx, dy)`` in pixels."""
    across, down = same_sides(layout, width, height)
    return scroll_vote(
        ((found[key].x - box.x) * across, (found[key].y - box.y) * down)
        for key, box in layout.defining.items()
        if key in found
    )


def same_sides(layout: StateLayout, width: float, height: float) -> tuple[bool, bool]:
    """Return whether a screen is as wide, and as high, as a state was.

    A window of another width or height (in pixels at scale 1) was laid out anew along that
    side: what moved there, as things at the right edge do, was not scrolled.
    """
    return abs(width - layout.width) <= _SIZE_SLACK, abs(height - layout.height) <= _SIZE_SLACK


def visible(boxes: Mapping[int, Box], move: Point, width: int, height: int) -> set[int]:
    """Return the components whose corner is on a screen of this size after a scroll."""
    return {key for key, box in boxes.items() if _corner_on(box.moved(*move), width, height)}


def _corner_on(box: Box, width: int, height: int) -> bool:
    return 0 <= box.x < width and 0 <= box.y < height


def median_move(moves: Iterable[Point], winner: Point) -> Point:
    """Return the median of the moves that vote for a step."""
    near = [
        (dx, dy)
        for dx, dy in moves
        if abs(dx - winner[0] * SCROLL_STEP) <= SCROLL_STEP
        and abs(dy - winner[1] * SCROLL_STEP) <= SCROLL_STEP
    ]
    middle = len(near) // 2
    return sorted(dx for dx, _ in near)[middle], sorted(dy for _, dy in near)[middle]
