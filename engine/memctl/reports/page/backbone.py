"""The surest way to each screen: what is left of a graph that is too large to draw whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.visual.graph.pathfinding import Edge, likeliest_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.reports.page.graph import Graph, Link

__all__ = ["backbone"]


def backbone(graph: Graph) -> Sequence[Link]:
    """Return links that make a forest of the graph's states: one at most leads to each.

    It is the last step of the likeliest path from the first screen of the most used way, as
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


def _edge(link: Link) -> Edge:
    surest = max(link.ways, key=lambda way: way.probability)
    return Edge(
        from_state=surest.from_state,
        to_state=surest.to_state,
        action=surest.action,
        component_id=None,
        component_name=None,
        detail=None,
        successes=surest.count - surest.failures,
        failures=surest.failures,
        mean_ms=surest.mean_ms,
    )
