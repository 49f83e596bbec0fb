"""The state graph as it is shown: screens, the transitions between them, and the most used route."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from memctl.visual.graph.states import States
from memctl.visual.graph.transitions import Transitions, wilson_lower_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.store.store import Store
    from memctl.visual.graph.states import State
    from memctl.visual.graph.transitions import Transition


@dataclass(frozen=True, slots=True)
class GraphTransition:
    """One act that leads from a screen to another, and how it went.

    ``probability`` is Wilson's 95 % lower bound, as `memctl path` counts it.
    """

    from_state: str
    action: str
    to_state: str
    count: int
    failures: int
    probability: float
    mean_ms: float | None
    last_used_at: str

    @property
    def act(self) -> str:
        """What is done, as the picture says it: a click, which most are, by its target alone."""
        return self.action.removeprefix("click:")


@dataclass(frozen=True, slots=True)
class Link:
    """All transitions from one screen to another, the most used first; drawn as one arrow.

    ``marked`` says that it belongs to the most used route through the app.
    """

    transitions: tuple[GraphTransition, ...]
    marked: bool

    @property
    def ends(self) -> tuple[str, str]:
        """The ids of the two screens: from, to."""
        return self.transitions[0].from_state, self.transitions[0].to_state

    @property
    def count(self) -> int:
        """Uses of the link, by any act."""
        return sum(transition.count for transition in self.transitions)


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
    states_left_out, transitions_left_out
        How many there are beyond the limits.
    """

    states: tuple[State, ...]
    links: tuple[Link, ...]
    route: tuple[str, ...]
    states_left_out: int
    transitions_left_out: int
    _names: dict[str, str] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Name each state once: they are asked for often."""
        said: Counter[str] = Counter()
        for state in self.states:
            name = state.name or state.page or state.title or state.id
            said[name] += 1
            self._names[state.id] = f"{name} ({said[name]})" if said[name] > 1 else name

    def name(self, state_id: str) -> str:
        """Return what a state is called: its name, else its page or title, else its id.

        The second of one page is ``invoices (2)``.
        """
        return self._names.get(state_id, state_id)


def read_graph(store: Store, *, most_states: int, most_transitions: int) -> Graph:
    """Read the most visited states of a store and the most used route between them."""
    states = States(store).list()
    shown = tuple(states[:most_states])
    known = {state.id for state in shown}
    every = Transitions(store).list()
    inside = [
        transition
        for transition in every
        if transition.from_state in known and transition.to_state in known
    ]
    transitions = [_transition(one) for one in inside[:most_transitions]]
    links = _links(transitions)
    route = _route(shown, links)
    steps = set(pairwise(route))
    return Graph(
        states=shown,
        links=tuple(replace(link, marked=link.ends in steps) for link in links),
        route=route,
        states_left_out=len(states) - len(shown),
        transitions_left_out=len(every) - len(transitions),
    )


def _transition(row: Transition) -> GraphTransition:
    return GraphTransition(
        from_state=row.from_state,
        action=row.action,
        to_state=row.to_state,
        count=row.count,
        failures=row.failures,
        probability=wilson_lower_bound(row.successes, row.count),
        mean_ms=row.mean_ms,
        last_used_at=row.last_used_at,
    )


def _links(transitions: Iterable[GraphTransition]) -> Sequence[Link]:
    """Return the transitions by the screens they join, the most used first, within and among."""
    joined: dict[tuple[str, str], list[GraphTransition]] = {}
    for transition in transitions:
        joined.setdefault((transition.from_state, transition.to_state), []).append(transition)
    found = [
        Link(tuple(sorted(each, key=lambda transition: -transition.count)), marked=False)
        for each in joined.values()
    ]
    return sorted(found, key=lambda link: -link.count)


def _route(states: Sequence[State], links: Sequence[Link]) -> tuple[str, ...]:
    leaving: dict[str, list[str]] = {}
    for link in links:
        start, end = link.ends
        leaving.setdefault(start, []).append(end)
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
