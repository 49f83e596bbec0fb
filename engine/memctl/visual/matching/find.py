"""The one door to matching: `find` all templates on a screenshot, `locate` one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.identity.glyphs import GlyphRun
from memctl.visual.identity.judging import LabelJudge
from memctl.visual.identity.strangeness import ANOTHER_LABEL, OWN, strangeness
from memctl.visual.matching.assemble import assemble
from memctl.visual.matching.cascade import search_area, search_everywhere
from memctl.visual.matching.checks import thin
from memctl.visual.matching.scale import (
    by_scale,
    elect,
    enlarged,
    enlarged_box,
    quorum,
    voters,
)
from memctl.visual.matching.search_result import (
    DEFAULT,
    MatchSettings,
    SearchResult,
    Stopwatch,
)
from memctl.visual.matching.stages import SearchArea
from memctl.visual.matching.template_set import TemplateSet

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from memctl.visual.frame import Frame
    from memctl.visual.matching.template import Template

EQUAL = 8
"""So many pixel-identical components need no vote: another scale draws everything anew."""


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
    window: Box | None = None,
    scale: float | None = None,
    settings: MatchSettings = DEFAULT,
    twins: AbstractSet[int] = frozenset(),
) -> SearchResult:
    """Find remembered templates on a screenshot.

    Parameters
    ----------
    templates
        The pictures to look for; every component of theirs ends in the hits or the misses. A
        `TemplateSet` is kept by the caller between screenshots and saves preparing it.
    window
        Search only here; boxes must lie inside, coordinates stay those of the screenshot.
    scale
        Device-pixel ratio of the screenshot. None: that of the templates, and if few of the
        distinctive ones are found, the one that they vote for; the set remembers the vote
        for screenshots of this size.
    settings
        The thresholds of a hit.
    twins
        Components that what stands beside them tells apart: they do not compete for places.
    """
    known = templates if isinstance(templates, TemplateSet) else TemplateSet(templates)
    request = SearchRequest(frame, frame.part(window), settings, twins)
    elected = known.voted.get((frame.width, frame.height), known.scale)
    assumed = elected if scale is None else scale
    result = request.at(known, assumed)
    if scale is None and len(known):
        asked = voters(known)
        own = len(asked.asked & known.having({place.template_id for place in result.places}))
        # Pixels are never equal by chance in so many places: this is the right scale.
        equal = sum(hit.identical for hit in result.hits)
        if own < quorum(asked) and equal < EQUAL:
            # A screenshot of the size of one at another scale may still be at the memory's own.
            other = request.vote(known, own) if assumed == known.scale else known.scale
            if other != assumed:
                result = max(result, request.at(known, other), key=lambda one: len(one.hits))
    return replace(result, ms=request.watch.ms)


def locate(frame: Frame, template: Template, *, window: Box | None = None) -> Located:
    """Compute the exact best place of one template, even if no check passes there.

    Parameters
    ----------
    template
        One variant of a component, at the screenshot's own scale.
    window
        As for `find`.
    """
    area = SearchArea(frame, frame.part(window))
    account = search_everywhere(area, TemplateSet([template]), DEFAULT)
    if account.places:
        place = thin(list(account.places[0].values()), DEFAULT)[0]
        run = GlyphRun.of(template.gray)
        another = strangeness(run, frame.gray, place.box, OWN) > 1
        return Located(place.box, place.score, ANOTHER_LABEL if another else None)
    refusal, (height, width) = account.refusals[0], template.gray.shape
    if refusal.x is None or refusal.y is None:
        return Located(None, None, refusal.why)
    return Located(Box(refusal.x, refusal.y, width, height), refusal.best_score, refusal.why)


@dataclass(frozen=True, eq=False)
class SearchRequest:
    """One call of `find` without its templates: asked at one scale or another.

    Parameters
    ----------
    area
        The searched part of the screenshot.
    twins
        As for `find`.
    watch
        Milliseconds by stage, of all searches that answer this request.
    """

    frame: Frame
    area: Box
    settings: MatchSettings
    twins: AbstractSet[int] = frozenset()
    watch: Stopwatch = field(default_factory=Stopwatch)

    def at(self, known: TemplateSet, scale: float) -> SearchResult:
        """Search a screenshot of this device-pixel ratio, in a copy for each other ratio."""
        parts = []
        for own, some in by_scale(known, scale):
            settings, area = self.settings, SearchArea(self.frame, self.area)
            if own != scale:
                settings = self.settings.for_resized
                with self.watch.stage("resize"):
                    area = self._resized(own / scale)
            # Each picture is searched once, whoever has it.
            pictures, claimants = some.distinct()[0], some.claimants(self.twins)
            verified = search_area(area, pictures, settings, self.watch, claimants).verified()
            with self.watch.stage("identity"):
                judge = LabelJudge(self.frame, some, scale / own)
                result = assemble(judge, some, verified, settings, self.twins)
            parts.append(enlarged(result, scale / own))
        return replace(_together(parts), scale=scale)

    def _resized(self, ratio: float) -> SearchArea:
        frame = self.frame.resized(ratio)
        return SearchArea(frame, frame.part(enlarged_box(self.area, ratio)))

    def vote(self, known: TemplateSet, own: int) -> float:
        """Elect the scale, once for each size of screenshot.

        On an unknown page nobody is elected; the first, second, fourth, eighth ... such page
        of one size votes.

        Parameters
        ----------
        own
            How many voters the regular search has found.
        """
        size = (self.frame.width, self.frame.height)
        if size in known.voted:
            return known.voted[size]
        attempt = known.attempts.get(size, 0) + 1
        known.attempts[size] = attempt
        if attempt & (attempt - 1):
            return known.scale
        asked = voters(known)
        with self.watch.stage("vote"):
            elected = elect(
                lambda scale: self._count_found(asked, scale), known.scale, own, quorum(asked)
            )
        if elected is None:
            return known.scale
        known.voted[size] = elected
        return elected

    def _count_found(self, asked: TemplateSet, scale: float) -> int:
        found = 0
        for own, some in by_scale(asked, scale):
            settings = self.settings if own == scale else self.settings.relaxed
            area = self._resized(own / scale)
            found += len(search_area(area, some, settings, Stopwatch()).places)
        return found


def _together(parts: Sequence[SearchResult]) -> SearchResult:
    """Join the answers about disjoint components."""
    if len(parts) == 1:
        return parts[0]
    work: Counter[str] = Counter()
    for part in parts:
        work.update(part.work)
    return SearchResult(
        tuple(hit for part in parts for hit in part.hits),
        {key: miss for part in parts for key, miss in part.misses.items()},
        tuple(place for part in parts for place in part.outranked),
        work=work,
        places=tuple(place for part in parts for place in part.places),
    )
