"""The three ways to answer: brute force, the cascade, or only what has changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.matching.assemble import assemble
from memctl.visual.matching.cascade import search_area
from memctl.visual.matching.checks import thin
from memctl.visual.matching.dirty import Previous, changed_boxes, mostly_changed, touched, widened
from memctl.visual.matching.exhaustive import Area, search
from memctl.visual.matching.findings import Findings, Place, Refusal
from memctl.visual.matching.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.settings import Settings
    from memctl.visual.matching.stopwatch import Stopwatch

__all__ = ["search_by"]

WORTH_IT = 0.5
"""If more of the screen than this would be searched again, all of it is."""

Found = tuple[dict[int, list[Place]], dict[int, Refusal], dict[str, int]]
"""Verified places and best refused place by template id, and counters."""


def search_by(
    screen: Screen,
    known: TemplateSet,
    settings: Settings,
    watch: Stopwatch,
    exhaustive: bool,
    previous: Previous | None,
) -> Findings:
    """Search by the method asked for, and make hits and misses of what is found."""
    if exhaustive:
        found = _exhaustive(screen, known, settings, watch)
    elif previous is not None:
        found = _what_changed(screen, known, settings, watch, previous)
    else:
        found = _whole(screen, known, settings, watch)
    places, refusals, work = found
    with watch.stage("choose"):
        findings = assemble(screen.frame, known.roster, places, refusals, known.look_by_id)
    return replace(findings, work=work)


def _whole(screen: Screen, known: TemplateSet, settings: Settings, watch: Stopwatch) -> Found:
    account = search_area(screen, known, settings, watch)
    ids = [template.template_id for template in known.templates]
    refusals = {ids[owner]: refusal for owner, refusal in account.refusals.items()}
    return account.thinned(), refusals, account.work


def _exhaustive(screen: Screen, known: TemplateSet, settings: Settings, watch: Stopwatch) -> Found:
    area = Area(screen.frame, screen.area)
    places: dict[int, list[Place]] = {}
    refusals: dict[int, Refusal] = {}
    with watch.stage("full"):
        for template in known.templates:
            key = template.template_id
            last = known.roster.last.get(key)
            found, refusals[key] = search(area, template, settings)
            places[key] = [
                replace(place, how="last") if (place.box.x, place.box.y) == last else place
                for place in found
            ]
    return places, refusals, {"templates": len(known)}


def _what_changed(
    screen: Screen, known: TemplateSet, settings: Settings, watch: Stopwatch, previous: Previous
) -> Found:
    with watch.stage("compare"):
        another = mostly_changed(previous.frame, screen.frame)
        changed = [] if another else changed_boxes(previous.frame, screen.frame)
    if another:
        return _whole(screen, known, settings, watch)
    width, height = (int(side.max(initial=1)) for side in (known.w, known.h))
    areas = [widened(box, width, height, screen.area) for box in changed]
    if sum(area.area for area in areas) > WORTH_IT * screen.area.area:
        return _whole(screen, known, settings, watch)
    places: dict[int, list[Place]] = {}
    for place in previous.findings.places:
        if not touched(place, changed):
            places.setdefault(place.template_id, []).append(place)
    work = {"changed": len(changed)}
    refusals = _still_refused(previous.findings, known, changed)
    for area in areas:
        again = search_area(Screen(screen.frame, area), known, settings, watch, audited=False)
        for owner, found in again.places.items():
            fresh = [place for place in found.values() if touched(place, changed)]
            places.setdefault(known.templates[owner].template_id, []).extend(fresh)
        refusals |= {known.templates[i].template_id: r for i, r in again.refusals.items()}
        work = {key: work.get(key, 0) + again.work.get(key, 0) for key in {**work, **again.work}}
    return {key: thin(found, settings) for key, found in places.items()}, refusals, work


def _still_refused(
    before: Findings, known: TemplateSet, changed: Sequence[Box]
) -> dict[int, Refusal]:
    """Return the refusals of before that no change has touched."""
    kept = {}
    for key, refusal in before.refusals.items():
        index = known.index[key]
        box = Box(refusal.x or 0, refusal.y or 0, int(known.w[index]), int(known.h[index]))
        if refusal.x is None or not any(box.overlap(other) for other in changed):
            kept[key] = refusal
    return kept
