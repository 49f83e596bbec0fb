"""The state graph as the template draws it: screens with their pictures, arrows with labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.page.graph_ladder import ladder_of
from memctl.reports.page.graph_layout import drawn
from memctl.reports.page.pictures import (
    PictureBudget,
    PlacedCrop,
    screen_of_crops,
    screen_of_screenshot,
)
from memctl.reports.page.tables import Table, transition_table
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memctl.reports.page.graph import Graph
    from memctl.reports.page.graph_ladder import Ladder
    from memctl.reports.page.graph_layout import Arrow, GraphDrawing
    from memctl.reports.page.pictures import Picture
    from memctl.store.store import Store

SQL = statements.load("store/page")

_MOST_NAMED = 8  # screens that one leads to, said in words
# Components that make up a screen's picture: the largest; of many screens, each is smaller.
_MOST_CROPS, _FEWEST_CROPS, _CROPS = 400, 60, 6_000
_TITLE_LETTER = 7.4  # width of a letter of a screen's name, at 13 px semibold


@dataclass(frozen=True, slots=True)
class NodeView:
    """A screen in the graph's picture; lengths in pixels of the picture."""

    number: int
    x: float
    y: float
    w: float
    h: float
    room: float
    picture: Picture | None
    picture_x: float
    picture_w: float
    picture_h: float
    target: str
    marked: bool
    label: str
    name: str
    title: str
    more: str


@dataclass(frozen=True, slots=True)
class ArrowView:
    """An arrow of the graph's picture and its label; `from_node` and `to_node` are numbers."""

    from_node: int
    to_node: int
    path: str
    width: float
    marked: bool
    quiet: bool
    lines: tuple[str, ...]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class GraphView:
    """The state graph as the template draws it."""

    about: str
    route: tuple[str, ...]
    whole: bool
    width: int
    height: int
    nodes: tuple[NodeView, ...]
    arrows: tuple[ArrowView, ...]
    ladder: Ladder
    transitions: Table | None


def picture_of(
    store: Store,
    state_id: str,
    budget: PictureBudget,
    *,
    kept: bool = True,
    newest: bool = False,
    among: int = 1,
) -> Picture | None:
    """Return a screen as it was kept, or else as the looks of its components make it up.

    Parameters
    ----------
    kept
        Whether a screenshot that was kept is shown.
    newest
        The newest looks instead of the first ones: of a screen seen in two themes, a mixture.
    among
        How many screens are shown together: of many each is put together from fewer components.
    """
    told = store.path, state_id, kept, newest
    return budget.screen(told, lambda: _pixels(store, state_id, told[2:], among))


def _pixels(
    store: Store, state_id: str, chosen: tuple[bool, bool], among: int
) -> NDArray[np.uint8] | None:
    kept, newest = chosen
    key = {"state_id": state_id}
    png = store.value(SQL.screenshot, key) if kept else None
    pixels = screen_of_screenshot(png) if png is not None else None
    if pixels is not None:
        return pixels
    screen = store.row(SQL.screen, key)
    most = max(min(_CROPS // among, _MOST_CROPS), _FEWEST_CROPS)
    crops = [
        PlacedCrop(row["png"], row["x"], row["y"], row["w"], row["h"])
        for row in store.rows(SQL.places, {**key, "order": -1 if newest else 1, "most": most})
        if row["png"] is not None
    ]
    return None if screen is None or not crops else _composed(screen, crops)


def _composed(screen: sqlite3.Row, crops: Sequence[PlacedCrop]) -> NDArray[np.uint8]:
    from memctl.visual.recognition.shown_screen import unpacked_words

    return screen_of_crops(
        (screen["img_w"], screen["img_h"]), crops, unpacked_words(screen["words"])
    )


def graph_view(
    graph: Graph,
    name: str,
    anchor: str,
    pictures: Mapping[str, Picture | None],
    sections: Mapping[str, str],
) -> GraphView:
    """Lay a graph out and return it as it is drawn.

    Parameters
    ----------
    name, anchor
        What the store is called, and the id of its section.
    pictures
        Of its screens, by their ids.
    sections
        Ids of the gallery' sections that screens lead to, by the screens' ids.
    """
    drawing = drawn(graph)
    numbers = {state.id: number for number, state in enumerate(graph.states)}
    transitions = (
        transition_table(graph, store=name, anchor=f"{anchor}-transitions") if graph.links else None
    )
    other = anchor if transitions is None else transitions.anchor
    return GraphView(
        about=_graph_about(graph, drawing),
        route=tuple(graph.name(state_id) for state_id in graph.route),
        whole=drawing.whole,
        width=round(drawing.width),
        height=round(drawing.height),
        nodes=tuple(
            _node(graph, number, drawing, pictures[state.id], sections.get(state.id, other))
            for number, state in enumerate(graph.states)
        ),
        # The most used route last: it lies above the others.
        arrows=tuple(
            _arrow(arrow, numbers)
            for arrow in sorted(drawing.arrows, key=lambda arrow: arrow.link.marked)
        ),
        ladder=ladder_of(graph),
        transitions=transitions,
    )


def _graph_about(graph: Graph, drawing: GraphDrawing) -> str:
    parts = [
        (
            "Each arrow is an act that leads on: what is clicked, or else done, and the chance that"
            " it leads there (lower 95 % bound). The more often it was done, the wider it is."
        )
    ]
    if not drawing.whole:
        parts.append(
            "Of so many, the surest path to each screen is drawn; point at a screen, or reach it"
            " with the keyboard, to see its others."
        )
    if graph.states_left_out:
        parts.append(f"{counted(graph.states_left_out, 'less visited screen')} left out.")
    if graph.transitions_left_out:
        parts.append(f"{counted(graph.transitions_left_out, 'less used transition')} left out.")
    return " ".join(parts)


def _node(
    graph: Graph, number: int, drawing: GraphDrawing, picture: Picture | None, target: str
) -> NodeView:
    state, place = graph.states[number], drawing.places[number]
    title = graph.name(state.id)
    room_w, room_h = place.w - 2, place.picture_h - 2
    factor = min(room_w / picture.width, room_h / picture.height) if picture else 0.0
    width = picture.width * factor if picture else 0.0
    visits = counted(state.visit_count, "visit")
    letters = int((place.w - 12) / _TITLE_LETTER)
    more = visits if state.status == "confirmed" else f"{visits}, provisional"
    return NodeView(
        number=number,
        x=round(place.x, 1),
        y=round(place.y, 1),
        w=place.w,
        h=place.h,
        room=place.picture_h,
        picture=picture,
        picture_x=round(place.x + (place.w - width) / 2, 1),
        picture_w=round(width, 1),
        picture_h=round(picture.height * factor, 1) if picture else 0.0,
        target=target,
        marked=state.id in graph.route,
        label=_label(graph, state.id, title, visits),
        name=title,
        title=_cut(title, letters),
        more=_cut(more, letters + 2),
    )


def _label(graph: Graph, state_id: str, title: str, visits: str) -> str:
    leaving = [link.transitions[0] for link in graph.links if link.ends[0] == state_id]
    onward = [
        f"{graph.name(one.to_state)} by {one.act}, {one.probability:.0%}"
        for one in leaving[:_MOST_NAMED]
    ]
    if len(leaving) > _MOST_NAMED:
        onward.append(f"{len(leaving) - _MOST_NAMED} others")
    return f"{title}, {visits}; leads to {'; '.join(onward) or 'no other screen'}"


def _arrow(arrow: Arrow, numbers: Mapping[str, int]) -> ArrowView:
    start, end = arrow.link.ends
    return ArrowView(
        from_node=numbers[start],
        to_node=numbers[end],
        path=arrow.path,
        width=arrow.width,
        marked=arrow.link.marked,
        quiet=arrow.quiet,
        lines=arrow.lines,
        x=round(arrow.middle[0], 1),
        y=round(arrow.middle[1] - 2, 1),  # the first line's base: two lines around the middle
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
