"""From verified places to hits and misses: contests, repeats, several looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.visual.matching.contest import split_by_fit
from memctl.visual.matching.findings import Findings, Miss, Place, Refusal
from memctl.visual.matching.layout import choose, offset_vote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.visual.frame import Frame
    from memctl.visual.matching.look import Look
    from memctl.visual.matching.roster import Roster

__all__ = ["assemble"]


def assemble(
    frame: Frame,
    roster: Roster,
    places: Mapping[int, Sequence[Place]],
    refusals: Mapping[int, Refusal],
    look: Callable[[int], Look],
) -> Findings:
    """Make one hit or one miss of every component.

    Parameters
    ----------
    places
        Verified places by template id.
    refusals
        The best refused place by template id, where there was one.
    look
        Gives the picture of a template by its id.
    """
    contested = [place for found in places.values() for place in found]
    kept, outranked = split_by_fit(frame, contested, look)
    remaining: dict[int, list[Place]] = {}
    by_component: dict[int, list[Place]] = {}
    for place in kept:
        remaining.setdefault(place.template_id, []).append(place)
        by_component.setdefault(place.component_id, []).append(place)
    vote = offset_vote(remaining, roster.last)
    explained = dict(refusals)
    for place in outranked:
        explained[place.template_id] = Refusal(
            "a look-alike fits better", place.score, place.box.x, place.box.y
        )
    return Findings(
        tuple(choose(found, roster.last, vote) for found in by_component.values()),
        tuple(_misses(roster, by_component, explained)),
        tuple(outranked),
        places=tuple(contested),
        refusals=refusals,
    )


def _misses(
    roster: Roster, found: Mapping[int, Sequence[Place]], explained: Mapping[int, Refusal]
) -> list[Miss]:
    told: dict[int, list[int]] = {}
    for key in explained:
        told.setdefault(roster.components[key], []).append(key)
    return [
        _explain(component, told[component], explained) if component in told else unproposed
        for component, unproposed in roster.unproposed.items()
        if component not in found
    ]


def _explain(component: int, keys: Sequence[int], explained: Mapping[int, Refusal]) -> Miss:
    """Explain a component by the look that came closest."""
    key = max(keys, key=lambda key: explained[key].score or -1.0)
    best = explained[key]
    return Miss(key, component, best.score, best.x, best.y, best.why)
