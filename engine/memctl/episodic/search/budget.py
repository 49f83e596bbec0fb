"""A budget of tokens: whole rows, the best marginal gain first, never over."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.episodic.search.query_terms import Concept
    from memctl.episodic.search.ranking import Ranked

__all__ = ["choose"]

# What a row brings that says nothing new is worth half.
_REPEATED = 0.5


def choose(
    ranked: Sequence[Ranked],
    concepts: Sequence[Concept],
    cost: Callable[[Ranked], int],
    *,
    limit: int,
    max_tokens: int,
) -> list[Ranked]:
    """Return whole rows whose costs stay within `max_tokens`, in their order.

    A row whose words were brought by rows already taken gains half of its score.
    """
    left, covered = max_tokens, 0
    chosen: list[Ranked] = []
    open_rows = [(entry, cost(entry)) for entry in ranked]
    while len(chosen) < limit:
        fitting = [(entry, tokens) for entry, tokens in open_rows if tokens <= left]
        if not fitting:
            break
        best = max(fitting, key=lambda pair: _gain(pair[0], covered, concepts))
        chosen.append(best[0])
        open_rows.remove(best)
        left -= best[1]
        covered |= best[0].candidate.mask
    order = {id(entry): place for place, entry in enumerate(ranked)}
    return sorted(chosen, key=lambda entry: order[id(entry)])


def _gain(entry: Ranked, covered: int, concepts: Sequence[Concept]) -> float:
    mask = entry.candidate.mask
    weights = [concept.idf for bit, concept in enumerate(concepts) if mask >> bit & 1]
    fresh = [c.idf for bit, c in enumerate(concepts) if (mask & ~covered) >> bit & 1]
    new = sum(fresh) / sum(weights) if sum(weights) else 0.0
    return entry.score * (1 - _REPEATED + _REPEATED * new)
