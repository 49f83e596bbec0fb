"""The one door to matching: `find` all templates on a screenshot, `locate` one."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.matching.assemble import assemble
from memctl.visual.matching.cascade import cascade
from memctl.visual.matching.checks import judge
from memctl.visual.matching.exhaustive import Area, best_spot, search
from memctl.visual.matching.findings import Findings, Place, Refusal
from memctl.visual.matching.prepared import TemplateSet
from memctl.visual.matching.roster import Roster
from memctl.visual.matching.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Frame
    from memctl.visual.matching.template import Template

__all__ = ["Located", "find", "locate"]


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
    settings
        What counts as a hit, and the effort.
    """
    area = _area(frame, window)
    if exhaustive:
        listed = templates.templates if isinstance(templates, TemplateSet) else templates
        return _exhaustive(frame, listed, area, settings)
    known = templates if isinstance(templates, TemplateSet) else TemplateSet(templates)
    return cascade(frame, known, area, settings)


def _exhaustive(
    frame: Frame, templates: Sequence[Template], box: Box, settings: Settings
) -> Findings:
    started = time.perf_counter()
    area = Area(frame, box)
    places: dict[int, list[Place]] = {}
    refusals: dict[int, Refusal] = {}
    for template in templates:
        found, refusal = search(area, template, settings)
        places[template.template_id] = [_named_by_last(place, template) for place in found]
        refusals[template.template_id] = refusal
    ms = {"full": _since(started)}
    started = time.perf_counter()
    roster = Roster.of(templates)
    findings = assemble(frame, roster, places, refusals, lambda key: roster.by_id[key].look)
    return replace(
        findings, ms={**ms, "choose": _since(started)}, work={"templates": len(templates)}
    )


def locate(
    frame: Frame,
    template: Template,
    *,
    window: Box | None = None,
    settings: Settings = DEFAULT,
) -> Located:
    """Compute the exact best place of one template, even if no check passes there."""
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


def _named_by_last(place: Place, template: Template) -> Place:
    at_last = template.last == (place.box.x, place.box.y)
    return replace(place, how="last") if at_last else place


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
