"""The state graph for a narrow window: one screen below the other, what it leads to beneath it.

Lines in the gutter lead from what is done to the screen that it leads to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.reports.page.graph import Graph, Link

WIDTH = 360
_PICTURE = 104, 65  # width and height
_LINE = 19  # height of a line of text
_GAP = 22  # between two screens
_LETTER = 6.5  # width of a letter at 12 px
_LANE, _EDGE = 7, 10  # between lines in the gutter, and left of them
_MOST_LANES = 8  # more leave no room for letters
_MOST_STEPS = 12  # of one screen
_RADIUS = 5


@dataclass(frozen=True, slots=True)
class LadderStep:
    """One line beneath a screen: what is done, where it leads, how surely."""

    text: str
    y: float
    marked: bool


@dataclass(frozen=True, slots=True)
class Rung:
    """A screen: its number among the graph's states, where it stands, and what it leads to."""

    number: int
    y: float
    steps: tuple[LadderStep, ...]


@dataclass(frozen=True, slots=True)
class LadderLane:
    """A line from a step to the screen that it leads to."""

    path: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Ladder:
    """The whole drawing, in pixels; ``x`` is where screens begin, right of the gutter."""

    x: float
    height: float
    picture: tuple[int, int]
    rungs: tuple[Rung, ...]
    lanes: tuple[LadderLane, ...]


def ladder_of(graph: Graph) -> Ladder:
    """Return a graph drawn as a ladder, the most used route first, then the most visited."""
    order = [*graph.route, *(s.id for s in graph.states if s.id not in graph.route)]
    leaving: dict[str, list[Link]] = {}
    for link in graph.links:
        leaving.setdefault(link.ends[0], []).append(link)
    numbers = {state.id: number for number, state in enumerate(graph.states)}
    tops, y = {}, 4.0
    for state_id in order:
        tops[state_id] = y
        shown = min(len(leaving.get(state_id, ())), _MOST_STEPS + 1)
        y += _PICTURE[1] + shown * _LINE + _GAP
    columns = _columns(leaving, order)
    x = _EDGE + _LANE * (max(columns.values(), default=0) + 1)
    letters = int((WIDTH - x - 6) / _LETTER)
    lanes = []
    rungs = []
    for state_id in order:
        links = leaving.get(state_id, [])
        steps = [
            LadderStep(
                _cut(_said(graph, link), letters),
                tops[state_id] + _PICTURE[1] + (place + 1) * _LINE - 4,
                link.marked,
            )
            for place, link in enumerate(links[:_MOST_STEPS])
        ]
        lanes += [
            LadderLane(
                _path(step.y - 4, tops[link.ends[1]] + 14, x - _LANE * columns[link.ends], x),
                link.marked,
            )
            for link, step in zip(links, steps, strict=False)
            if link.ends in columns
        ]
        if len(links) > _MOST_STEPS:
            more = f"and {len(links) - _MOST_STEPS} other screens"
            y_more = tops[state_id] + _PICTURE[1] + (_MOST_STEPS + 1) * _LINE - 4
            steps.append(LadderStep(more, y_more, marked=False))
        rungs.append(Rung(numbers[state_id], tops[state_id], tuple(steps)))
    # The most used route last: it lies above the others.
    lanes.sort(key=lambda lane: lane.marked)
    return Ladder(x, y, _PICTURE, tuple(rungs), tuple(lanes))


def _columns(
    leaving: Mapping[str, Sequence[Link]], order: Sequence[str]
) -> dict[tuple[str, str], int]:
    """Return in which column of the gutter each link runs, 1 next to the screens.

    The route and short links choose first; what finds no free column is told in words alone.
    """
    place = {state_id: number for number, state_id in enumerate(order)}
    links = [link for each in leaving.values() for link in each[:_MOST_STEPS]]
    links = [link for link in links if link.ends[0] != link.ends[1]]

    def span(link: Link) -> tuple[int, int]:
        start, end = (place[each] for each in link.ends)
        return min(start, end), max(start, end)

    links.sort(key=lambda link: (not link.marked, span(link)[1] - span(link)[0], span(link)))
    taken: list[list[tuple[int, int]]] = [[] for _ in range(_MOST_LANES)]
    found = {}
    for link in links:
        low, high = span(link)
        for column, spans in enumerate(taken, 1):
            if all(high < other_low or low > other_high for other_low, other_high in spans):
                spans.append((low, high))
                found[link.ends] = column
                break
    return found


def _said(graph: Graph, link: Link) -> str:
    first = link.transitions[0]
    more = f" (+{len(link.transitions) - 1})" if len(link.transitions) > 1 else ""
    arrow = "\N{RIGHTWARDS ARROW}"
    return f"{first.act}{more} {arrow} {graph.name(link.ends[1])} {first.probability:.0%}"


def _path(start: float, end: float, lane: float, x: float) -> str:
    turn = _RADIUS if end > start else -_RADIUS
    return (
        f"M{x - 2:.0f} {start:.0f}H{lane + _RADIUS:.0f}"
        f"Q{lane:.0f} {start:.0f} {lane:.0f} {start + turn:.0f}"
        f"V{end - turn:.0f}Q{lane:.0f} {end:.0f} {lane + _RADIUS:.0f} {end:.0f}H{x - 1:.0f}"
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
