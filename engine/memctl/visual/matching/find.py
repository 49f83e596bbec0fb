"""The one door to matching: `find` all templates on a screenshot, `locate` one.

Every stage proposes places, and only promising ones are compared exactly.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.identity.glyphs import ANOTHER_LABEL, OWN, GlyphRun, strangeness
from memctl.visual.match_results import (
    DEFAULT,
    NOT_SEARCHED,
    TOO_FLAT,
    TOO_LARGE,
    ComponentHit,
    MatchSettings,
    Miss,
    SearchResult,
    Stopwatch,
    Verified,
)
from memctl.visual.matching.assemble import LabelJudge, assemble
from memctl.visual.matching.checks import (
    GLANCE_EVERY,
    Measures,
    as_bright,
    climb_all,
    estimate,
    identical,
    measure,
    outdone,
    promising,
    thin,
    verdict,
)
from memctl.visual.matching.scale import by_scale, elect, enlarged, enlarged_box, quorum, voters
from memctl.visual.matching.stages import (
    STAGES,
    Candidates,
    SearchArea,
    best_per_template,
    distinct,
    fits,
    joined,
    propose_alike,
    propose_everywhere,
    propose_hashed,
    propose_last,
)
from memctl.visual.matching.template_set import Claimants, TemplateSet

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from memctl.visual.frame import Frame
    from memctl.visual.match_results import MatchSettings
    from memctl.visual.matching.stages import Mask
    from memctl.visual.matching.template import Template


EXPLAIN_EVERY = 8
"""An explanation is chosen by every eighth probe."""

EXPLAIN_ALIKE = 0.9
"""Least correlation over those probes that makes a place worth telling about."""

MOST_COMPARED = 20_000
"""Exact comparisons, for screens that repeat one picture all over; a fifth of a second."""

MOST_ANCHORLESS = 16
"""Templates without any anchor that are compared with every place; half a second at 1080p."""

WORTH_A_CLIMB = 0.03
"""A place this far below the threshold may stand beside one that passes."""


@dataclass(eq=False)
class Account:
    """The places of each template that a search has verified and refused so far.

    Parameters
    ----------
    places
        Verified places by template index, in coordinates of the screenshot.
    refusals
        The best refused place by template index.
    work
        Counters: candidates proposed, looked at exactly, left out by a cap.
    claimants
        Whose pictures compete for one place.
    dimmed
        Candidates that brightness refused.
    outdone
        Candidates at places that another picture fits pixel by pixel.
    """

    known: TemplateSet
    area: SearchArea
    settings: MatchSettings
    claimants: Claimants
    places: dict[int, dict[tuple[int, int], ComponentHit]] = field(default_factory=dict)
    refusals: dict[int, Miss] = field(default_factory=dict)
    work: dict[str, int] = field(default_factory=dict)
    dimmed: Candidates = field(default_factory=Candidates.none)
    outdone: Candidates = field(default_factory=Candidates.none)

    def count(self, name: str, number: int) -> None:
        """Add to a counter."""
        self.work[name] = self.work.get(name, 0) + number

    def take(self, proposed: Candidates) -> None:
        """Crop at what all stages propose: exactly where the cheap tests leave a chance."""
        self._count_stages("proposed", proposed)
        usable = self.known.usable[proposed.owner]
        c = proposed.where(usable & fits(proposed, self.area, self.known))
        c = c.where(distinct(c, self.area))
        bright = as_bright(c, self.area, self.known, self.settings)
        self.dimmed = c.where(~bright)
        c = c.where(bright)
        lost = outdone(c, self._equal(c), self.known, self.claimants)
        self.outdone = c.where(lost)
        self._look_at_promising(c.where(~lost))

    def _equal(self, c: Candidates) -> Candidates:
        """Return those of the exact stages that show their pictures, pixel by pixel."""
        c = c.where(c.stage < STAGES.index("fuzzy"))
        for every in (GLANCE_EVERY, 1):
            _, equal = estimate(c, self.area, self.known, every=every)
            c = c.where(equal)
        c = c.where(np.arange(min(len(c), MOST_COMPARED)))
        c = c.where(measure(c, self.area, self.known).equal)
        left, top = self.area.box.x, self.area.box.y
        return c.where(identical(self.area.frame, c.moved(left, top), self.known))

    def _look_at_promising(self, c: Candidates) -> None:
        c, clear = promising(c, self.area, self.known, self.settings)
        if len(c) > MOST_COMPARED:
            self.count("looks: dropped", len(c) - MOST_COMPARED)
            c, clear = c.where(np.arange(MOST_COMPARED)), clear[:MOST_COMPARED]
        self._count_stages("looked at", c)
        self.look(c, clear)

    def explain(self) -> None:
        """Give templates without a place the best of those that were left out."""
        placeless = np.ones(len(self.known), bool)
        placeless[[*self.places]] = False
        lost = self.outdone.where(placeless[self.outdone.owner])
        if len(lost):
            self._look_at_promising(lost)
        missing = np.ones(len(self.known), bool)
        missing[[*self.places, *self.refusals]] = False
        c = self.dimmed.where(missing[self.dimmed.owner])
        likeness, _ = estimate(c, self.area, self.known, every=EXPLAIN_EVERY)
        alike = likeness >= EXPLAIN_ALIKE
        c, likeness = c.where(alike), likeness[alike]
        c = c.where(best_per_template(c.owner, likeness, 1))
        self._judge(c, measure(c, self.area, self.known))

    def _count_stages(self, what: str, c: Candidates) -> None:
        numbers = np.bincount(c.stage, minlength=len(STAGES)).tolist()
        for stage, number in zip(STAGES, numbers, strict=True):
            self.count(f"{stage}: {what}", number)

    def look(self, c: Candidates, clear: Mask) -> None:
        """Measure places, climb where that may help, and judge."""
        measures = measure(c, self.area, self.known)
        close = (measures.score >= self.settings.min_score - WORTH_A_CLIMB) & ~measures.equal
        c = climb_all(c, measures, np.flatnonzero(close & ~clear), self.area, self.known)
        self._judge(c, measures)

    def _judge(self, c: Candidates, measures: Measures) -> None:
        """Sort measured places into verified and refused ones."""
        left, top = self.area.box.x, self.area.box.y
        high = np.flatnonzero(measures.score >= self.settings.min_score)
        low = np.flatnonzero(measures.score < self.settings.min_score)
        why = f"below {self.settings.min_score:g}"
        low = low[best_per_template(c.owner[low], measures.score[low], 1)]
        for i in low.tolist():
            owner, x, y = int(c.owner[i]), int(c.x[i]) + left, int(c.y[i]) + top
            self.refuse(owner, Miss(why, float(measures.score[i]), x, y))
        for i in high.tolist():
            owner, spot = int(c.owner[i]), (int(c.x[i]) + left, int(c.y[i]) + top)
            if spot in self.places.get(owner, ()):
                continue
            template, crop = self.known.templates[owner], self.known.crop(owner)
            about = spot, self.settings, STAGES[c.stage[i]], measures, i
            found = verdict(self.area.frame, template, crop, *about)
            if isinstance(found, ComponentHit):
                self.places.setdefault(owner, {})[spot] = found
            else:
                self.refuse(owner, found)

    def refuse(self, owner: int, refusal: Miss) -> None:
        """Remember the best refused place of a template."""
        known = self.refusals.get(owner)
        if known is None or (refusal.best_score or -1.0) > (known.best_score or -1.0):
            self.refusals[owner] = refusal

    def verified(self) -> Verified:
        """Return places and refusals by template id."""
        ids = [template.template_id for template in self.known.templates]
        return Verified(
            {ids[owner]: list(found.values()) for owner, found in self.places.items()},
            {ids[owner]: refusal for owner, refusal in self.refusals.items()},
            self.work,
        )


def search_area(
    area: SearchArea,
    known: TemplateSet,
    settings: MatchSettings,
    watch: Stopwatch,
    claimants: Claimants | None = None,
) -> Account:
    """Find all templates of a set in one part of a screenshot.

    Nothing that can be learned is without an anchor, but a caller may give other pictures.

    Parameters
    ----------
    claimants
        Whose pictures compete for one place; none where not given.
    """
    account = _account(area, known, settings, claimants)
    anchorless = np.flatnonzero(known.anchorless).tolist()
    owners = [owner for owner in anchorless if owner not in account.refusals]
    proposed = _proposals(account, owners[:MOST_ANCHORLESS], watch)
    with watch.stage("verify"):
        account.take(proposed)
    for owner in owners[MOST_ANCHORLESS:]:
        account.refusals[owner] = NOT_SEARCHED
    with watch.stage("explain"):
        account.explain()
    return account


def _account(
    area: SearchArea,
    known: TemplateSet,
    settings: MatchSettings,
    claimants: Claimants | None = None,
) -> Account:
    """Begin with the templates that no place can be found for."""
    account = Account(known, area, settings, claimants or Claimants.none(len(known)))
    for owner in np.flatnonzero(~known.usable).tolist():
        account.refuse(owner, TOO_FLAT)
    for owner in np.flatnonzero((known.w > area.box.w) | (known.h > area.box.h)).tolist():
        account.refuse(owner, TOO_LARGE)
    return account


def _proposals(account: Account, anchorless: Sequence[int], watch: Stopwatch) -> Candidates:
    """Let every stage propose, whatever the others do."""
    known, area, settings = account.known, account.area, account.settings
    with watch.stage("last"):
        proposed = [propose_last(known, area)]
    with watch.stage("hash"):
        proposed += propose_hashed(known, area)
    with watch.stage("fuzzy"):
        candidates, dropped = propose_alike(known, area, settings)
        account.count("fuzzy: dropped", dropped + area.keypoints.dropped)
        proposed.append(candidates)
    if anchorless:
        with watch.stage("full"):
            proposed.append(propose_everywhere(known, anchorless, area, settings))
    return joined(proposed)


def search_everywhere(area: SearchArea, known: TemplateSet, settings: MatchSettings) -> Account:
    """Find few templates by comparing them with every place of an area, which takes long.

    Of a template that passes nowhere the best place is among the refusals.
    """
    account = _account(area, known, settings)
    owners = [owner for owner in range(len(known)) if owner not in account.refusals]
    proposed = propose_everywhere(known, owners, area, settings)
    account.look(proposed, np.zeros(len(proposed), bool))
    return account


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
