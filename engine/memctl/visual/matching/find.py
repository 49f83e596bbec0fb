"""The one door to matching: `find` all templates on a screenshot, `locate` one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.matching.assemble import assemble
from memctl.visual.matching.cascade import search_area
from memctl.visual.matching.checks import judge, thin
from memctl.visual.matching.dirty import Previous, changed_boxes, touched, widened
from memctl.visual.matching.exhaustive import Area, best_spot, search
from memctl.visual.matching.findings import Findings, Place, Refusal
from memctl.visual.matching.prepared import TemplateSet
from memctl.visual.matching.scale import QUORUM, at_scale, vote
from memctl.visual.matching.screen import Screen
from memctl.visual.matching.settings import DEFAULT, Settings
from memctl.visual.matching.stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Frame
    from memctl.visual.matching.template import Template

__all__ = ["Located", "find", "locate"]

WORTH_IT = 0.5
"""If more of the screen than this would be searched again, all of it is."""

SURE = 0.95
"""A hit of this score is not there by chance."""


@dataclass(frozen=True, slots=True)
class Located:
    """The exact best place of one template, whether it passes or not (``why`` is None)."""

    box: Box | None
    score: float | None
    why: str | None


def find(
    frame: Frame,
    templates: Sequence[Template] | TemplateSet,
    *,
    exhaustive: bool = False,
    window: Box | None = None,
    scale: float | None = None,
    previous: Previous | None = None,
    settings: Settings = DEFAULT,
) -> Findings:
    """Find remembered templates on a screenshot.

    Parameters
    ----------
    frame
        The screenshot.
    templates
        What to look for; every component of theirs ends in the hits or the misses. A
        `TemplateSet` is kept by the caller between screenshots and saves preparing it.
    exhaustive
        Brute force, one template after another.
    window
        Look only here; boxes must lie inside, coordinates stay those of the screenshot.
    scale
        Device-pixel ratio of the screenshot. None: that of the templates, and if next to
        nothing is found, the one that distinctive templates vote for.
    previous
        The screenshot before and its answer: only what has changed is searched.
    settings
        What counts as a hit, and the effort.

    Returns
    -------
    Findings
        Hits, misses with their reasons, times and counters.
    """
    known = templates if isinstance(templates, TemplateSet) else TemplateSet(templates)
    watch = Stopwatch()
    screen = Screen(frame, _area(frame, window))
    assumed = known.scale if scale is None else scale
    with watch.stage("scale"):
        sized = at_scale(known, assumed)
    findings = _find(screen, sized, settings, watch, exhaustive=exhaustive, previous=previous)
    if scale is None and not exhaustive and _next_to_nothing(findings, known):
        with watch.stage("scale"):
            voted = _vote_once(screen, known, settings)
            sized = at_scale(known, voted)
        if voted != assumed:
            findings = _find(screen, sized, settings, watch, exhaustive=False, previous=None)
    return replace(findings, ms=watch.ms)


def _find(
    screen: Screen,
    known: TemplateSet,
    settings: Settings,
    watch: Stopwatch,
    *,
    exhaustive: bool,
    previous: Previous | None,
) -> Findings:
    """Search at one scale by the method asked for."""
    if exhaustive:
        found = _exhaustive(screen, known, settings, watch)
    elif previous is not None and _follows(previous, screen, known):
        found = _what_changed(screen, known, settings, watch, previous)
    else:
        found = _whole(screen, known, settings, watch)
    places, refusals, work = found
    with watch.stage("choose"):
        findings = assemble(screen.frame, known.roster, places, refusals, known.look_by_id)
    return replace(findings, work=work, scale=known.scale, asked=known.asked, area=screen.area)


Found = tuple[dict[int, list[Place]], dict[int, Refusal], dict[str, int]]


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


def _follows(previous: Previous, screen: Screen, known: TemplateSet) -> bool:
    """Whether the answer before was to the same question about a screen of this size."""
    before = previous.findings
    return (
        previous.frame.bgr.shape == screen.frame.bgr.shape
        and before.asked == known.asked
        and before.scale == known.scale
        and before.area == screen.area
    )


def _what_changed(
    screen: Screen, known: TemplateSet, settings: Settings, watch: Stopwatch, previous: Previous
) -> Found:
    with watch.stage("compare"):
        changed = changed_boxes(previous.frame, screen.frame)
    width, height = (int(side.max(initial=1)) for side in (known.w, known.h))
    areas = [widened(box, width, height, screen.area) for box in changed]
    if sum(area.area for area in areas) > WORTH_IT * screen.area.area:
        return _whole(screen, known, settings, watch)
    places: dict[int, list[Place]] = {}
    for place in previous.findings.places:
        if not touched(place, changed):
            places.setdefault(place.template_id, []).append(place)
    work = {"changed": len(changed)}
    refusals: dict[int, Refusal] = dict(previous.findings.refusals)
    for area in areas:
        again = search_area(Screen(screen.frame, area), known, settings, watch, audited=False)
        for owner, found in again.places.items():
            fresh = [place for place in found.values() if touched(place, changed)]
            places.setdefault(known.templates[owner].template_id, []).extend(fresh)
        refusals |= {known.templates[i].template_id: r for i, r in again.refusals.items()}
        work = {key: work.get(key, 0) + again.work.get(key, 0) for key in {**work, **again.work}}
    return {key: thin(found, settings) for key, found in places.items()}, refusals, work


def _next_to_nothing(findings: Findings, known: TemplateSet) -> bool:
    """Whether so little is surely found that the scale may be wrong."""
    sure = sum(hit.score >= SURE for hit in findings.hits)
    return bool(len(known) >= QUORUM and sure < QUORUM)


def _vote_once(screen: Screen, known: TemplateSet, settings: Settings) -> float:
    """Vote at the first screenshot of each size; an unknown page must not vote every time."""
    size = (screen.frame.width, screen.frame.height)
    if size not in known.voted:
        elected = vote(screen, known, settings)
        if elected is None:
            return known.scale
        known.voted[size] = elected
    return known.voted[size]


def locate(
    frame: Frame,
    template: Template,
    *,
    window: Box | None = None,
    settings: Settings = DEFAULT,
) -> Located:
    """Compute the exact best place of one template, even if no check passes there.

    Parameters
    ----------
    frame, window, settings
        As for `find`.
    template
        One look of a component, at the screenshot's own scale.
    """
    area = Area(frame, _area(frame, window))
    found, refusal = search(area, template, settings)
    if found:
        return Located(found[0].box, found[0].score, None)
    spot = best_spot(area, template)
    if spot is None:
        return Located(None, None, refusal.why)
    verdict = judge(frame, template, template.look, spot, settings, "full")
    height, width = template.gray.shape
    why = verdict.why if isinstance(verdict, Refusal) else None
    return Located(Box(*spot, width, height), verdict.score, why)


def _area(frame: Frame, window: Box | None) -> Box:
    """Return the part of the screen to search: the window, cut at the screen's edges."""
    if window is None:
        return Box(0, 0, frame.width, frame.height)
    x, y = max(window.x, 0), max(window.y, 0)
    right, bottom = min(window.right, frame.width), min(window.bottom, frame.height)
    return Box(x, y, max(right - x, 0), max(bottom - y, 0))
