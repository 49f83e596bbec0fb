"""The device-pixel ratio of a screenshot: chosen by vote, met by resizing the screenshot.

One ratio holds for a whole screenshot. Templates that were learned at another one are
looked for in a copy of the screenshot that is resized to theirs: that costs milliseconds
and uses their stored features as they are, where resizing a thousand templates would mean
preparing them anew. Never are several sizes searched on every frame.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.template_set import TemplateSet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.visual.match_results import (
        ComponentHit,
        SearchResult,
    )

SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
"""Ratios that displays have. A memory that was learned on a finer display than the screenshot's
took that for 1, so its own scale divided by them is asked for, too, down to half."""

FINEST = 2.0
LANDSLIDE = 12
"""So many votes for a ratio that displays have make asking for the others needless: they need
the screenshot enlarged, which takes four times as long."""

VOTERS = 96
"""Templates that are asked."""

QUORUM = 5
"""Votes a ratio needs: right ones got 7 or more of 96, others 4 at most. A memory of few components
has fewer votes; half of them are enough there, but never less than 3."""

OVER = 2
"""So many times the votes of the ratio that was assumed: small things stand anywhere by chance."""

WIDEST = 200 * 60
"""Pixels beyond which a larger template is no better a voter."""


def voters(known: TemplateSet) -> TemplateSet:
    """Return the templates to ask: large, rich in contrast; kept with the set."""

    def choose() -> TemplateSet:
        worth = known.contrast * np.minimum(known.w * known.h, WIDEST)
        worth = worth * (known.usable & ~known.anchorless)
        best = np.argsort(-worth, kind="stable")[:VOTERS]
        return TemplateSet([known.with_features(index) for index in np.sort(best).tolist()])

    return known.cached(("voters",), choose)


def quorum(asked: TemplateSet) -> int:
    """Return how many of these voters must be found."""
    return min(QUORUM, max(len(asked) // 2, 3))


def elect(count: Callable[[float], int], assumed: float, own: int, least: int) -> float | None:
    """Return the ratio with the most votes, None where none has enough.

    ``count``: how many voters are found if the screenshot has this ratio. ``assumed``, ``own``: the
    ratio that was searched at already, and how many voters were found. ``least``: the `quorum`.
    """
    votes = {scale: count(scale) for scale in SCALES if scale != assumed}
    if max(votes.values()) < LANDSLIDE:
        finer = {assumed / ratio for ratio in SCALES if ratio <= FINEST} - votes.keys()
        votes |= {scale: count(scale) for scale in sorted(finer - {assumed})}
    best = max(sorted(votes), key=lambda scale: votes[scale])
    return best if votes[best] >= max(least, OVER * own) else None


def by_scale(known: TemplateSet, scale: float) -> list[tuple[float, TemplateSet]]:
    """Split a set by the scale that each component is looked for at.

    A component that was learned at the screenshot's own ratio is looked for as it was then;
    any other at the nearest ratio it was learned at.
    """
    if all(own == scale for own in known.scales.values()):
        return [(scale, known)]
    nearest: dict[int, float] = {}
    for template in known.templates:
        held = nearest.get(template.component_id)
        if held is None or _distance(template.scale, scale) < _distance(held, scale):
            nearest[template.component_id] = template.scale

    def part(size: float) -> TemplateSet:
        chosen = [
            known.with_features(index)
            for index, one in enumerate(known.templates)
            if one.scale == size == nearest[one.component_id]
        ]
        return TemplateSet(chosen)

    return [
        (size, known.cached(("at", size, scale), partial(part, size)))
        for size in sorted(set(nearest.values()))
    ]


def _distance(one: float, other: float) -> tuple[float, float]:
    """Nearer first, of equally near ones the larger: it holds more detail."""
    return max(one / other, other / one), -one


def enlarged(findings: SearchResult, ratio: float) -> SearchResult:
    """Return an answer about a resized copy in pixels of the screenshot."""
    if ratio == 1:
        return findings
    return replace(
        findings,
        hits=_enlarged_places(findings.hits, ratio),
        misses={
            key: replace(
                miss,
                x=None if miss.x is None else round(miss.x * ratio),
                y=None if miss.y is None else round(miss.y * ratio),
            )
            for key, miss in findings.misses.items()
        },
        outranked=_enlarged_places(findings.outranked, ratio),
        places=_enlarged_places(findings.places, ratio),
    )


def _enlarged_places(places: Sequence[ComponentHit], ratio: float) -> tuple[ComponentHit, ...]:
    return tuple(
        replace(
            place,
            box=place.box.times(ratio),
            also_at=tuple((round(x * ratio), round(y * ratio)) for x, y in place.also_at),
            identical=False,
        )
        for place in places
    )
