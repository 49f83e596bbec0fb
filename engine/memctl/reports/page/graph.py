"""The state graph as the page draws it: screens in layers, an arrow for what leads on.

The layers, the arrows' corners and the places of their labels are graphlay's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from memctl.base.counting import counted
from memctl.reports.answers import shortened
from memctl.visual.graph.states import States
from memctl.visual.graph.transitions import Transitions, wilson_lower_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.reports.page.pictures import Picture
    from memctl.store.store import Store
    from memctl.visual.graph.states import State
    from memctl.visual.graph.transitions import Transition

MOST_ARROWS = 60
"""Arrows drawn; more cannot be followed. The table below the picture has all of them."""
MOST_ONWARD = 12
"""Ways on from a screen that are listed with it."""

_ROOM = 160, 100  # a screen's picture, 16 to 10
_CAPTION = 40  # two lines below it
_MARGIN = 14.0
_LINE, _LETTER, _LONGEST = 14.0, 7.0, 22  # a label's line: height, width of a letter, letters
_TITLE_LETTERS = 20
_STRAIGHT = 100.0  # weight of the most used route against 1 to 10 of others: it is kept straight
_THIN, _THICK = 1.2, 4.0  # of an arrow's line, in pixels
_RADIUS = 7.0  # of its corners
_PAGE = 1150.0  # pixels that a wide screen has for the picture


@dataclass(frozen=True, slots=True)
class Link:
    """All transitions from one screen to another, the most used first: one arrow.

    ``marked`` is true of the links of the most used route through the app.
    """

    transitions: tuple[Transition, ...]
    marked: bool = False

    @property
    def ends(self) -> tuple[str, str]:
        """The ids of the two screens: from, to."""
        return self.transitions[0].from_state, self.transitions[0].to_state

    @property
    def count(self) -> int:
        """Uses of the link, by any act."""
        return sum(transition.count for transition in self.transitions)

    @property
    def label_size(self) -> tuple[float, float]:
        """Width and height of its label in the picture."""
        return max(len(shortened(self.act, _LONGEST)), len(self.chance)) * _LETTER, 2 * _LINE

    @property
    def act(self) -> str:
        """What is done mostly; a click, which most are, by its target alone."""
        return self.transitions[0].action.removeprefix("click:")

    @property
    def chance(self) -> str:
        """How surely this leads there, and how many other acts do."""
        more = f" +{len(self.transitions) - 1}" if len(self.transitions) > 1 else ""
        return f"{chance_of(self.transitions[0]):.0%}{more}"


@dataclass(frozen=True, slots=True)
class Graph:
    """The part of a store's state graph that is shown.

    Parameters
    ----------
    states
        The most visited first.
    links
        Between these states, the most used first.
    route
        Ids of the states on the most used route: from the screen that was seen first, always by
        the most used link on to a screen that is not on it yet. Empty where no transition leads off.
    names
        What the states are called: by their name, else page or title, else id; the second of one
        page is ``invoices (2)``.
    states_left_out, transitions_left_out
        How many there are beyond the limits.
    """

    states: tuple[State, ...]
    links: tuple[Link, ...]
    route: tuple[str, ...]
    names: Mapping[str, str]
    states_left_out: int
    transitions_left_out: int


@dataclass(frozen=True, slots=True)
class ScreenNode:
    """A screen in the graph's picture: its left top corner, its words, and what leads on from it.

    ``onward`` are links with the names of the screens that they lead to.
    """

    number: int
    x: float
    y: float
    picture: Picture | None
    target: str
    marked: bool
    name: str
    more: str
    onward: tuple[tuple[Link, str], ...]

    @property
    def title(self) -> str:
        """Its name, as far as there is room."""
        return shortened(self.name, _TITLE_LETTERS)

    @property
    def label(self) -> str:
        """What the picture shows of it, in words."""
        ways = [f"{name} by {link.act}, {link.chance}" for link, name in self.onward[:MOST_ONWARD]]
        ways += [f"{len(self.onward) - MOST_ONWARD} others"] * (len(self.onward) > MOST_ONWARD)
        return f"{self.name}, {self.more}; leads to {'; '.join(ways) or 'no other screen'}"


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow of the graph's picture: the ``d`` of its path, and the middle of its label."""

    link: Link
    from_node: int
    to_node: int
    path: str
    width: float
    x: float
    y: float

    @property
    def act(self) -> str:
        """What is done, as far as there is room."""
        return shortened(self.link.act, _LONGEST)


@dataclass(frozen=True, slots=True)
class GraphView:
    """A graph that was laid out, in pixels; each screen has a `room` and a `caption` below."""

    about: str
    route: tuple[str, ...]
    width: int
    height: int
    nodes: tuple[ScreenNode, ...]
    arrows: tuple[Arrow, ...]
    room: tuple[int, int] = _ROOM
    caption: int = _CAPTION
    most_onward: int = MOST_ONWARD

    @property
    def listed(self) -> list[ScreenNode]:
        """Its screens as a list: the most used route first, then the most visited."""
        place = {name: number for number, name in enumerate(self.route)}
        return sorted(self.nodes, key=lambda node: place.get(node.name, len(place)))


def chance_of(transition: Transition) -> float:
    """Return how surely an act leads on, Wilson's lower 95 % bound, as `memctl path` counts it."""
    return wilson_lower_bound(transition.successes, transition.count)


def read_graph(store: Store, *, most_states: int, most_transitions: int) -> Graph:
    """Read the most visited states of a store and the most used route between them."""
    every_state, every_transition = States(store).list(), Transitions(store).list()
    states = tuple(every_state[:most_states])
    names = _names(states)
    inside = [way for way in every_transition if {way.from_state, way.to_state} <= names.keys()]
    transitions = sorted(inside, key=lambda way: -way.count)[:most_transitions]
    links = _links(transitions)
    route = _route(states, links)
    steps = set(pairwise(route))
    return Graph(
        states=states,
        links=tuple(replace(link, marked=link.ends in steps) for link in links),
        route=route,
        names=names,
        states_left_out=len(every_state) - len(states),
        transitions_left_out=len(every_transition) - len(transitions),
    )


def _names(states: Iterable[State]) -> dict[str, str]:
    uses: Counter[str] = Counter()
    names = {}
    for state in states:
        name = state.name or state.page or state.title or state.id
        uses[name] += 1
        names[state.id] = f"{name} ({uses[name]})" if uses[name] > 1 else name
    return names


def _links(transitions: Iterable[Transition]) -> list[Link]:
    joined: dict[tuple[str, str], list[Transition]] = {}
    for transition in transitions:
        joined.setdefault((transition.from_state, transition.to_state), []).append(transition)
    return sorted((Link(tuple(each)) for each in joined.values()), key=lambda link: -link.count)


def _route(states: Sequence[State], links: Sequence[Link]) -> tuple[str, ...]:
    leaving: dict[str, list[str]] = {}
    for link in links:
        leaving.setdefault(link.ends[0], []).append(link.ends[1])
    starts = [state for state in states if state.id in leaving]
    if not starts:
        return ()
    entered = {link.ends[1] for link in links}
    # Of screens first seen in the same second, the one that no transition leads to was the first.
    first = min(starts, key=lambda state: (state.first_seen_at, state.id in entered))
    route = [first.id]
    while onward := [end for end in leaving.get(route[-1], ()) if end not in route]:
        route.append(onward[0])
    return tuple(route)


def graph_view(
    graph: Graph, pictures: Mapping[str, Picture | None], targets: Mapping[str, str], command: str
) -> GraphView:
    """Lay a graph out.

    Parameters
    ----------
    pictures, targets
        Of its screens, and the ids on the page that they lead to, by the screens' ids.
    command
        How a command about the store begins; empty where no address leads to it.
    """
    links = _drawn(graph.links)
    layout = _layout(graph, links, "leftright")
    # Who reads a page scrolls down anyway, and sideways only to find what is missing.
    if layout.bounds["max"]["x"] - layout.bounds["min"]["x"] > _PAGE:
        layout = _layout(graph, links, "topbottom")
    left, top, right, bottom = _extent(layout, links)
    leaving: dict[str, list[Link]] = {}
    for link in graph.links:
        leaving.setdefault(link.ends[0], []).append(link)
    nodes = [
        ScreenNode(
            number=number,
            x=round(place["center"]["x"] - _ROOM[0] / 2 - left, 1),
            y=round(place["center"]["y"] - (_ROOM[1] + _CAPTION) / 2 - top, 1),
            picture=pictures[state.id],
            target=targets[state.id],
            marked=state.id in graph.route,
            name=graph.names[state.id],
            more=_more(state),
            onward=tuple((link, graph.names[link.ends[1]]) for link in leaving.get(state.id, [])),
        )
        for number, (state, place) in enumerate(zip(graph.states, layout.nodes, strict=True))
    ]
    numbers = {state.id: number for number, state in enumerate(graph.states)}
    arrows = [
        Arrow(
            link=link,
            from_node=numbers[link.ends[0]],
            to_node=numbers[link.ends[1]],
            path=_rounded([(point["x"] - left, point["y"] - top) for point in edge["points"]]),
            width=round(_THIN + (_THICK - _THIN) * link.count / _busiest(links), 1),
            x=round(edge["label_anchor"]["x"] - left, 1),
            # The first line's base: two lines around the middle.
            y=round(edge["label_anchor"]["y"] - top - 2, 1),
        )
        for link, edge in zip(links, layout.edges, strict=True)
    ]
    return GraphView(
        about=_about(graph, len(links), command),
        route=tuple(graph.names[state_id] for state_id in graph.route),
        width=round(right - left),
        height=round(bottom - top),
        nodes=tuple(nodes),
        # The most used route last: it lies above the others.
        arrows=tuple(sorted(arrows, key=lambda arrow: arrow.link.marked)),
    )


def _extent(layout: Any, links: Sequence[Link]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of what was laid out, its labels and a margin."""
    bounds = layout.bounds
    lows, highs = (
        [(bounds["min"]["x"], bounds["min"]["y"])],
        [(bounds["max"]["x"], bounds["max"]["y"])],
    )
    for link, edge in zip(links, layout.edges, strict=True):
        (x, y), (width, height) = edge["label_anchor"].values(), link.label_size
        lows.append((x - width / 2, y - height / 2))
        highs.append((x + width / 2, y + height / 2))
    return (
        *(min(each) - _MARGIN for each in zip(*lows, strict=True)),
        *(max(each) + _MARGIN for each in zip(*highs, strict=True)),
    )


def _more(state: State) -> str:
    visits = counted(state.visit_count, "visit")
    return visits if state.status == "confirmed" else f"{visits}, {state.status}"


def _drawn(links: Sequence[Link]) -> list[Link]:
    """Return the links to draw: the route, the most used one to each screen, then by use."""
    firsts = {link.ends[1]: link for link in reversed(links)}
    order = sorted(links, key=lambda link: (not link.marked, firsts[link.ends[1]] is not link))
    return order[:MOST_ARROWS]


def _layout(graph: Graph, links: Sequence[Link], direction: str) -> Any:
    import graphlay

    made = graphlay.Graph()
    for state in graph.states:
        made.node(state.id, width=_ROOM[0], height=_ROOM[1] + _CAPTION)
    for link in links:
        weight = _STRAIGHT if link.marked else 1 + 9 * link.count / _busiest(links)
        size = zip(("width", "height"), link.label_size, strict=True)
        made.edge(*link.ends, weight=weight, label_size=dict(size))
    # With so much room, of 219 labels 3 are further than 25 pixels from their arrow.
    spacing = {"layer_gap": 80.0, "node_gap": 24.0, "port_gap": 110.0, "dummy_gap": 50.0}
    options = {"direction": direction, "spacing": spacing}
    return graphlay.layout(made, preset="hub_and_spoke_flow", options=options)


def _busiest(links: Iterable[Link]) -> int:
    return max((link.count for link in links), default=0) or 1  # by hand, none may be done


def _rounded(points: Sequence[tuple[float, float]]) -> str:
    """Return the path along two or more points whose corners are rounded off."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        enter, leave = _towards(corner, before), _towards(corner, after)
        parts.append(
            f"L{enter[0]:.1f} {enter[1]:.1f}"
            f"Q{corner[0]:.1f} {corner[1]:.1f} {leave[0]:.1f} {leave[1]:.1f}"
        )
    return "".join(parts) + f"L{points[-1][0]:.1f} {points[-1][1]:.1f}"


def _towards(corner: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    across, down = other[0] - corner[0], other[1] - corner[1]
    length = max(abs(across), abs(down), 1e-9)
    part = min(_RADIUS, length / 2) / length
    return corner[0] + across * part, corner[1] + down * part


def _about(graph: Graph, arrows: int, command: str) -> str:
    parts = [
        (
            "Each arrow is an act that leads on: what is clicked, or else done, and the chance that"
            " it leads there (lower 95 % bound). The more often it was done, the wider it is."
        )
    ]
    if graph.states_left_out:
        parts.append(
            f"{counted(graph.states_left_out, 'more screen')}: {command or 'memctl'} states list."
        )
    if more := len(graph.links) - arrows:
        parts.append(f"{counted(more, 'less used arrow')}: in the table below.")
    if graph.transitions_left_out:
        left = counted(graph.transitions_left_out, "more transition")
        parts.append(f"{left}: {command or 'memctl'} transitions list.")
    return " ".join(parts)
