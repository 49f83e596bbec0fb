"""The one door to matching: `find` all templates on a screenshot, `locate` one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.matching.checks import judge
from memctl.visual.matching.exhaustive import Area, best_spot, search
from memctl.visual.matching.findings import Findings, Refusal
from memctl.visual.matching.prepared import TemplateSet
from memctl.visual.matching.question import Question, searched_area
from memctl.visual.matching.scale import QUORUM
from memctl.visual.matching.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Frame
    from memctl.visual.matching.dirty import Previous
    from memctl.visual.matching.template import Template

__all__ = ["Located", "find", "locate"]

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
        nothing is found, the one that distinctive templates vote for; the set remembers
        the vote for screenshots of this size.
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
    area = searched_area(frame, window)
    question = Question(frame, area, settings, exhaustive=exhaustive, previous=previous)
    elected = known.voted.get((frame.width, frame.height), known.scale)
    assumed = elected if scale is None else scale
    findings = question.at(known, assumed)
    if scale is None and not exhaustive and _next_to_nothing(findings, known):
        # A screenshot of the size of one at another scale may still be at the memory's own.
        other = question.vote(known) if assumed == known.scale else known.scale
        if other != assumed:
            second = question.at(known, other)
            findings = max(findings, second, key=lambda one: len(one.hits))
    return replace(findings, ms=question.watch.ms)


def _next_to_nothing(findings: Findings, known: TemplateSet) -> bool:
    """Whether so little is surely found that the scale may be wrong."""
    sure = sum(hit.score >= SURE for hit in findings.hits)
    return bool(len(known) >= QUORUM and sure < QUORUM)


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
    area = Area(frame, searched_area(frame, window))
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
