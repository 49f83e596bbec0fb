"""The one door to matching: `find` all templates on a screenshot, `locate` one."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.matching.contest import split_by_fit
from memctl.visual.matching.exhaustive import best_place, judge, search
from memctl.visual.matching.findings import Findings, Miss, Place, Refusal
from memctl.visual.matching.layout import choose, offset_vote
from memctl.visual.matching.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.visual.frame import Frame
    from memctl.visual.matching.template import Template

__all__ = ["Located", "find", "locate"]

DEFAULT = Settings()


@dataclass(frozen=True, slots=True)
class Located:
    """The exact best place of one template, whether it passes or not (``why`` is None)."""

    box: Box | None
    score: float | None
    why: str | None


def find(
    frame: Frame,
    templates: Sequence[Template],
    *,
    exhaustive: bool = False,
    window: Box | None = None,
    settings: Settings = DEFAULT,
) -> Findings:
    """Find remembered templates on a screenshot.

    Parameters
    ----------
    frame
        The screenshot.
    templates
        What to look for; every component of theirs ends in the hits or the misses.
    exhaustive
        Brute force, one template after another.
    window
        Look only here; boxes must lie inside, coordinates stay those of the screenshot.
    settings
        What counts as a hit.
    """
    started = time.perf_counter()
    area = _area(frame, window)
    places: dict[int, list[Place]] = {}
    refusals: dict[int, Refusal] = {}
    for template in templates:
        found, refusal = search(frame, template, area, settings)
        places[template.template_id] = [_named_by_last(place, template) for place in found]
        refusals[template.template_id] = refusal
    ms = {"full": _since(started)}
    started = time.perf_counter()
    findings = assemble(frame, templates, places, refusals)
    work = {
        "exhaustive": int(exhaustive),
        "templates": len(templates),
        "places": sum(map(len, places.values())),
    }
    return replace(findings, ms={**ms, "choose": _since(started)}, work=work)


def locate(
    frame: Frame,
    template: Template,
    *,
    window: Box | None = None,
    settings: Settings = DEFAULT,
) -> Located:
    """Compute the exact best place of one template, even if no check passes there."""
    found, refusal = search(frame, template, _area(frame, window), settings)
    if found:
        return Located(found[0].box, found[0].score, None)
    best = best_place(frame, template, _area(frame, window))
    if best is None:
        return Located(None, None, refusal.why)
    x, y, score = best
    verdict = judge(frame, template, x, y, settings)
    height, width = template.gray.shape
    why = verdict.why if isinstance(verdict, Refusal) else refusal.why
    return Located(Box(x, y, width, height), score, why)


def assemble(
    frame: Frame,
    templates: Sequence[Template],
    places: Mapping[int, Sequence[Place]],
    refusals: Mapping[int, Refusal],
) -> Findings:
    """Make hits and misses of verified places: contests, repeats, several looks."""
    by_id = {template.template_id: template for template in templates}
    kept, outranked = split_by_fit(frame, [p for found in places.values() for p in found], by_id)
    remaining: dict[int, list[Place]] = {}
    for place in kept:
        remaining.setdefault(place.template_id, []).append(place)
    last = {key: t.last for key, t in by_id.items() if t.last is not None}
    vote = offset_vote(remaining, last)
    beaten = {place.template_id: place for place in outranked}
    hits, misses = [], []
    for looks in _by_component(templates):
        found = [place for look in looks for place in remaining.get(look.template_id, ())]
        if found:
            hits.append(choose(found, last, vote))
        else:
            misses.append(_miss(looks, refusals, beaten))
    return Findings(tuple(hits), tuple(misses), tuple(outranked))


def _by_component(templates: Sequence[Template]) -> list[list[Template]]:
    looks: dict[int, list[Template]] = {}
    for template in templates:
        looks.setdefault(template.component_id, []).append(template)
    return list(looks.values())


def _miss(
    looks: Sequence[Template], refusals: Mapping[int, Refusal], beaten: Mapping[int, Place]
) -> Miss:
    """Explain a component by the look that came closest."""

    def explain(look: Template) -> Refusal:
        place = beaten.get(look.template_id)
        if place is not None:
            return Refusal("a look-alike fits better", place.score, place.box.x, place.box.y)
        return refusals.get(look.template_id, Refusal("no candidate"))

    look, best = max(
        ((look, explain(look)) for look in looks),
        key=lambda pair: -1.0 if pair[1].score is None else pair[1].score,
    )
    return Miss(look.template_id, look.component_id, best.score, best.x, best.y, best.why)


def _area(frame: Frame, window: Box | None) -> Box:
    """Return the part of the screen to search: the window, cut at the screen's edges."""
    if window is None:
        return Box(0, 0, frame.width, frame.height)
    x, y = max(window.x, 0), max(window.y, 0)
    right, bottom = min(window.right, frame.width), min(window.bottom, frame.height)
    return Box(x, y, max(right - x, 0), max(bottom - y, 0))


def _named_by_last(place: Place, template: Template) -> Place:
    at_last = template.last == (place.box.x, place.box.y)
    return replace(place, how="last") if at_last else place


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
