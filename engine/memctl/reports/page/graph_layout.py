"""Layout of the state graph's picture: its screens, arrows and labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memctl.reports.page.arrows import Point, back_and_forth, place_labels, rounded
from memctl.visual.graph.transitions import Transition, likeliest_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.reports.page.graph import Graph, Link

FEW_STATES, FEW_LINKS = 16, 32
"""A graph of so many is drawn whole; of a larger one the surest route to each screen."""

_MARGIN = 14.0
_CAPTION = 40.0  # two lines below a picture
_LARGE, _SMALL = (160.0, 100.0), (108.0, 68.0)  # a picture's room, 16 to 10
_LINE, _LETTER = 14.0, 7.0  # height of a label's line and width of its letters, at 12.5 px
_LONGEST = 22  # letters of a label's line
_STRAIGHT = 100.0  # weight of the most used route against 1 to 10 of others: it is kept straight
_THIN, _THICK = 1.2, 4.0  # of an arrow's line
_PAGE = 1150.0  # pixels that a wide screen has for the picture


@dataclass(frozen=True, slots=True)
class ScreenPlace:
    """Where a screen stands: its left top corner, its size and the height of its picture."""

    x: float
    y: float
    w: float
    h: float
    picture_h: float


@dataclass(frozen=True, slots=True)
class Arrow:
    """A link as an arrow of the picture.

    Parameters
    ----------
    path
        The ``d`` of an SVG path.
    lines
        What it says, top down.
    middle
        Where the middle of its label is.
    quiet
        Shown only when one of its screens is pointed at.
    width
        Of its line, by how often it was gone.
    """

    link: Link
    path: str
    lines: tuple[str, ...]
    middle: Point
    quiet: bool
    width: float


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """A laid-out graph, in pixels; a place for each of the graph's states, in their order."""

    width: float
    height: float
    places: tuple[ScreenPlace, ...]
    arrows: tuple[Arrow, ...]
    whole: bool


def drawn(graph: Graph) -> GraphDrawing:
    """Lay a graph out: whole in layers, or as the tree of its surest routes."""
    whole = len(graph.states) <= FEW_STATES and len(graph.links) <= FEW_LINKS
    if not whole:
        return _tree(graph)
    sideways = _layers(graph, "leftright")
    # Who reads a page scrolls down anyway, and sideways only to find what is missing.
    return sideways if sideways.width <= _PAGE else _layers(graph, "topbottom")


def _layers(graph: Graph, direction: str) -> GraphDrawing:
    import graphlay

    made = _nodes(graph, _LARGE)
    for link in graph.links:
        weight = _STRAIGHT if link.marked else 1 + 9 * link.count / _busiest(graph)
        made.edge(
            *link.ends,
            weight=weight,
            label_size=dict(zip(("width", "height"), _label_size(link), strict=True)),
        )
    spacing = {"layer_gap": 64.0, "node_gap": 24.0}
    options = {"direction": direction, "spacing": spacing}
    found = graphlay.layout(made, preset="hub_and_spoke", options=options)
    shown = dict(zip((link.ends for link in graph.links), found.edges, strict=True))
    drawing = _drawing(graph, found, shown, _LARGE, whole=True)
    left, top = (found.bounds["min"][axis] - _MARGIN for axis in "xy")
    middles = place_labels(
        [[(p["x"] - left, p["y"] - top) for p in edge["points"]] for edge in found.edges],
        [_label_size(link) for link in graph.links],
        [(place.x, place.y, place.x + place.w, place.y + place.h) for place in drawing.places],
        (0.0, 0.0, drawing.width, drawing.height),
    )
    arrows = zip(drawing.arrows, middles, strict=True)
    return replace(drawing, arrows=tuple(replace(arrow, middle=middle) for arrow, middle in arrows))


def _tree(graph: Graph) -> GraphDrawing:
    import graphlay

    made = _nodes(graph, _SMALL)
    links = backbone(graph)
    for link in links:
        made.edge(*link.ends)
    room = max((_label_size(link)[0] for link in links), default=0.0)
    options = {
        "direction": "leftright",
        "sibling_gap": 10.0,
        "subtree_gap": 14.0,
        "row_gap": room + 60.0,
    }
    found = graphlay.layout_tree(made, options=options)
    shown = dict(zip((link.ends for link in links), found.edges, strict=True))
    return _drawing(graph, found, shown, _SMALL, whole=False)


def _nodes(graph: Graph, room: Point) -> Any:
    import graphlay

    made = graphlay.Graph()
    for state in graph.states:
        made.node(state.id, width=room[0], height=room[1] + _CAPTION)
    return made


def _drawing(
    graph: Graph,
    found: Any,
    edges: Mapping[tuple[str, str], dict[str, Any]],
    room: Point,
    *,
    whole: bool,
) -> GraphDrawing:
    """Move what was laid out to the picture's corner, and draw the arrows."""
    left, top = (found.bounds["min"][axis] - _MARGIN for axis in "xy")
    width, height = room[0], room[1] + _CAPTION
    places = {
        state.id: ScreenPlace(
            node["center"]["x"] - width / 2 - left,
            node["center"]["y"] - height / 2 - top,
            width,
            height,
            room[1],
        )
        for state, node in zip(graph.states, found.nodes, strict=True)
    }
    arrows = []
    for link in graph.links:
        if link.ends in edges:
            points = edges[link.ends]["points"]
            corners = [(point["x"] - left, point["y"] - top) for point in points]
            arrows.append(_routed(graph, link, corners))
        else:
            arrows.append(_curved(graph, link, places))
    return GraphDrawing(
        found.bounds["max"]["x"] - left + _MARGIN,
        found.bounds["max"]["y"] - top + _MARGIN,
        tuple(places.values()),
        tuple(arrows),
        whole,
    )


def _routed(graph: Graph, link: Link, corners: Sequence[Point]) -> Arrow:
    # In a tree there is room in front of the screen that it leads to.
    end = corners[-1]
    middle = end[0] - 14 - _label_size(link)[0] / 2, end[1]
    width = _width(graph, link)
    return Arrow(link, rounded(corners), _lines(link), middle, quiet=False, width=width)


def _curved(graph: Graph, link: Link, places: Mapping[str, ScreenPlace]) -> Arrow:
    start, end = (places[state_id] for state_id in link.ends)
    forward = end.x > start.x
    tail = start.x + start.w, start.y + start.picture_h / 2
    tip = (end.x if forward else end.x + end.w), end.y + end.picture_h / 2
    path, middle = back_and_forth(tail, tip, forward=forward)
    width = _width(graph, link)
    return Arrow(link, path, _lines(link), middle, quiet=not link.marked, width=width)


def _busiest(graph: Graph) -> int:
    return max((link.count for link in graph.links), default=0) or 1  # by hand, none may be done


def _width(graph: Graph, link: Link) -> float:
    return round(_THIN + (_THICK - _THIN) * link.count / _busiest(graph), 1)


def _lines(link: Link) -> tuple[str, ...]:
    first = link.transitions[0]
    action = first.act
    if len(action) > _LONGEST:
        action = action[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
    more = f" +{len(link.transitions) - 1}" if len(link.transitions) > 1 else ""
    return action, f"{first.probability:.0%}{more}"


def _label_size(link: Link) -> Point:
    """Return width and height of a link's label."""
    lines = _lines(link)
    return max(map(len, lines)) * _LETTER, len(lines) * _LINE


def backbone(graph: Graph) -> Sequence[Link]:
    """Return links that make a forest of the graph's states: one at most leads to each.

    It is the last step of the likeliest path from the first screen of the most used route, as
    `memctl path` finds it. No circle can arise: every step makes a path less likely, so the
    screen before is always likelier reached.
    """
    if not graph.route:
        return ()
    edges = [_edge(link) for link in graph.links]
    by_ends = {link.ends: link for link in graph.links}
    found = []
    for state in graph.states:
        path = likeliest_path(edges, graph.route[0], state.id)
        if path:
            found.append(by_ends[path[-1].from_state, path[-1].to_state])
    return found


def _edge(link: Link) -> Transition:
    surest = max(link.transitions, key=lambda transition: transition.probability)
    return Transition(
        id=None,
        from_state=surest.from_state,
        action=surest.action,
        to_state=surest.to_state,
        component_id=None,
        status="committed",
        count=surest.count,
        successes=surest.count - surest.failures,
        failures=surest.failures,
        mean_ms=surest.mean_ms,
        last_used_at="",
    )
