"""The most likely way through a graph of screens."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Two-sided 95 % confidence: the 0.975 quantile of the normal distribution.
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Edge:
    """One way from a state to another, with what is known of how it went.

    ``mean_ms`` is the mean time of its timed successes, ``None`` where none was timed.
    """

    from_state: str
    to_state: str
    action: str
    component_id: int | None
    component_name: str | None
    detail: str | None
    successes: int
    failures: int
    mean_ms: float | None

    @property
    def probability(self) -> float:
        """Lower bound of the chance that the act leads there, 0 to 1."""
        return wilson_lower_bound(self.successes, self.successes + self.failures)


def wilson_lower_bound(successes: int, trials: int) -> float:
    """Return the lower end of Wilson's 95 % score interval for a proportion, 0 to 1.

    One success in one try says less than nineteen in twenty: .207 against .764.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical
    inference. Journal of the American Statistical Association 22, 209-212.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if successes == 0:
        return 0.0
    share = successes / trials
    square = _Z * _Z
    middle = share + square / (2 * trials)
    spread = _Z * math.sqrt((share * (1 - share) + square / (4 * trials)) / trials)
    return (middle - spread) / (1 + square / trials)


def likeliest_path(edges: Iterable[Edge], start: str, goal: str) -> list[Edge] | None:
    """Return the edges of the way with the greatest product of probabilities.

    Dijkstra's algorithm over ``-log`` of each edge's probability; ties go to the shorter
    expected time, then to fewer steps, then to the names, so the answer is always the same.
    ``None`` when no edge that ever succeeded leads there; ``[]`` when start is goal.
    """
    leaving = _by_start(edges)
    # Costs are rounded so that ways of equal probability tie in spite of float order.
    queue: list[tuple[float, float, int, tuple[str, ...]]] = [(0.0, 0.0, 0, (start,))]
    arrived: dict[tuple[str, ...], list[Edge]] = {(start,): []}
    settled: set[str] = set()
    while queue:
        cost, time, steps, names = heapq.heappop(queue)
        here, path = names[-1], arrived.pop(names)
        if here == goal:
            return path
        if here in settled:
            continue
        settled.add(here)
        for edge in leaving.get(here, []):
            if edge.to_state in settled:
                continue
            key = (*names, edge.action, str(edge.component_id), edge.detail or "", edge.to_state)
            if key in arrived:
                continue
            arrived[key] = [*path, edge]
            further = round(cost - math.log(edge.probability), 12)
            heapq.heappush(queue, (further, time + (edge.mean_ms or 0.0), steps + 1, key))
    return None


def _by_start(edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    leaving: dict[str, list[Edge]] = {}
    for edge in edges:
        if edge.successes:
            leaving.setdefault(edge.from_state, []).append(edge)
    return leaving
