"""How alike two screens are, as sets of components."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

__all__ = ["Layout", "Screen", "plain_jaccard", "rarity", "scroll_vote", "weighted_similarity"]

Point = tuple[int, int]

_SCROLL_STEP = 4  # offsets that agree within so many pixels vote together
_SCROLL_VOTES = 3  # a scroll needs so many components that moved alike ...
_SCROLL_SHARE = 0.1  # ... and this share of those found


@dataclass(frozen=True, slots=True)
class Layout:
    """A known state.

    Parameters
    ----------
    defining
        Component id to its left top corner where the state was first seen.
    optional
        Components met there on later visits: their presence and absence say nothing.
    width, height
        The screenshot that the state was first seen on, in pixels.
    """

    defining: Mapping[int, Point]
    optional: Collection[int]
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Screen:
    """What is on the screenshot in question.

    Parameters
    ----------
    found
        Known component id to its left top corner.
    unknown
        Corners of things on the screen that no component explains.
    width, height
        Pixels.
    """

    found: Mapping[int, Point]
    unknown: Collection[Point]
    width: int
    height: int


def plain_jaccard(left: Collection[int], right: Collection[int]) -> float:
    """Return ``|left & right| / |left | right|``, 0 to 1; two empty sets are unlike."""
    one, other = set(left), set(right)
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def rarity(states: int, holding: int) -> float:
    """Return the weight ``log(1 + states / holding)`` of a component.

    The smoothed inverse document frequency, with states for documents: what every state
    holds (a navigation bar) says little, what one state holds says much.
    """
    return math.log1p(max(states, 1) / max(holding, 1))


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
    screen: Screen, layout: Layout, weights: Mapping[int, float], unknown_weight: float
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
    remembered screenshot do not count as extra.
    """
    shared = layout.defining.keys() & screen.found.keys()
    dx, dy = scroll_vote(
        (
            screen.found[key][0] - layout.defining[key][0],
            screen.found[key][1] - layout.defining[key][1],
        )
        for key in shared
    )
    common = sum(weights[key] for key in shared)
    missing = sum(
        weights[key]
        for key, (x, y) in layout.defining.items()
        if key not in shared and _on_screen(x + dx, y + dy, screen.width, screen.height)
    )
    extra = sum(
        weights[key]
        for key, (x, y) in screen.found.items()
        if key not in layout.defining
        and key not in layout.optional
        and _on_screen(x - dx, y - dy, layout.width, layout.height)
    )
    strange = unknown_weight * sum(
        _on_screen(x - dx, y - dy, layout.width, layout.height) for x, y in screen.unknown
    )
    total = common + missing + extra + strange
    return common / total if total else 0.0


def _on_screen(x: int, y: int, width: int, height: int) -> bool:
    return 0 <= x < width and 0 <= y < height


def _median_move(moves: Iterable[Point], winner: Point) -> Point:
    near = [
        (dx, dy)
        for dx, dy in moves
        if abs(dx - winner[0] * _SCROLL_STEP) <= _SCROLL_STEP
        and abs(dy - winner[1] * _SCROLL_STEP) <= _SCROLL_STEP
    ]
    middle = len(near) // 2
    return sorted(dx for dx, _ in near)[middle], sorted(dy for _, dy in near)[middle]
