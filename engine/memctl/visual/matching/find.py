"""The one door to matching: `find` all templates on a screenshot, `locate` one.

Every stage proposes places, and only promising ones are compared exactly.

One device-pixel ratio holds for a whole screenshot; where few templates are found, they vote for it.
Templates that were learned at another ratio are looked for in a copy of the screenshot that is
resized to theirs: that costs milliseconds and uses their stored features as they are, where
resizing a thousand templates would mean preparing them anew.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
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
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.visual.frame import Frame
    from memctl.visual.matching.stages import Mask
    from memctl.visual.matching.template import Template


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
    """Nearer first, of equally near ones the larger: it has more detail."""
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


EQUAL = 8
"""So many pixel-identical components need no vote: another scale draws everything anew."""

EXPLAIN_EVERY, EXPLAIN_ALIKE = 8, 0.9
"""An explanation is chosen by every eighth probe, where these correlate by so much."""

MOST_COMPARED = 20_000
"""Exact comparisons, for screens that repeat one picture all over; a fifth of a second."""

MOST_ANCHORLESS = 16
"""Templates without any anchor that are compared with every place; half a second at 1080p."""

WORTH_A_CLIMB = 0.03
"""A place this far below the threshold may stand beside one that passes."""


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
    twins
        Components that what stands beside them tells apart: they do not compete for places.
    """
    known = templates if isinstance(templates, TemplateSet) else TemplateSet(templates)
    request = _Search(frame, frame.part(window), settings, twins)
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
    """Compute the exact best place of one template, even if no check passes there."""
    account = _Account(TemplateSet([template]), SearchArea(frame, frame.part(window)), DEFAULT)
    if not account.refusals:
        proposed = propose_everywhere(account.known, [0], account.area, DEFAULT)
        account.look(proposed, np.zeros(len(proposed), bool))
    if account.places:
        place = thin(list(account.places[0].values()), DEFAULT)[0]
        another = strangeness(GlyphRun.of(template.gray), frame.gray, place.box, OWN) > 1
        return Located(place.box, place.score, ANOTHER_LABEL if another else None)
    refusal, (height, width) = account.refusals[0], template.gray.shape
    if refusal.x is None or refusal.y is None:
        return Located(None, None, refusal.why)
    return Located(Box(refusal.x, refusal.y, width, height), refusal.best_score, refusal.why)


@dataclass(frozen=True, eq=False)
class _Search:
    """One call of `find` without its templates: asked at one scale or another."""

    frame: Frame
    area: Box
    settings: MatchSettings
    twins: AbstractSet[int]
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
            account = _searched(area, pictures, settings, self.watch, claimants)
            with self.watch.stage("identity"):
                judge = LabelJudge(self.frame, some, scale / own)
                verified = account.by_template()
                result = assemble(judge, some, *verified, settings, self.twins)
            parts.append(replace(enlarged(result, scale / own), work=account.work))
        return replace(_together(parts), scale=scale)

    def _resized(self, ratio: float) -> SearchArea:
        frame = self.frame.resized(ratio)
        return SearchArea(frame, frame.part(self.area.times(ratio)))

    def vote(self, known: TemplateSet, own: int) -> float:
        """Elect the scale, once for each size of screenshot; ``own`` voters are found already.

        On an unknown page nobody is elected; the first, second, fourth, eighth ... such page
        of one size votes.
        """
        size = (self.frame.width, self.frame.height)
        if size in known.voted:
            return known.voted[size]
        attempt = known.attempts[size] = known.attempts.get(size, 0) + 1
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
            found += len(_searched(self._resized(own / scale), some, settings, Stopwatch()).places)
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


def _searched(
    area: SearchArea,
    known: TemplateSet,
    settings: MatchSettings,
    watch: Stopwatch,
    claimants: Claimants | None = None,
) -> _Account:
    """Find all templates of a set in one part of a screenshot.

    Nothing that can be learned is without an anchor, but a caller may give other pictures. Every
    stage proposes, whatever the others do.
    """
    account = _Account(known, area, settings, claimants)
    anchorless = np.flatnonzero(known.anchorless).tolist()
    owners = [owner for owner in anchorless if owner not in account.refusals]
    for owner in owners[MOST_ANCHORLESS:]:
        account.refusals[owner] = NOT_SEARCHED
    with watch.stage("last"):
        proposed = [propose_last(known, area)]
    with watch.stage("hash"):
        proposed += propose_hashed(known, area)
    with watch.stage("fuzzy"):
        candidates, dropped = propose_alike(known, area, settings)
        account.count("fuzzy: dropped", dropped + area.keypoints.dropped)
        proposed.append(candidates)
    if owners:
        with watch.stage("full"):
            proposed.append(propose_everywhere(known, owners[:MOST_ANCHORLESS], area, settings))
    with watch.stage("verify"):
        account.take(joined(proposed))
    with watch.stage("explain"):
        account.explain()
    return account


class _Account:
    """The places of each template that a search has verified and refused so far.

    ``places`` and ``refusals`` (the best refused place) are by template index, in coordinates of
    the screenshot; ``work`` counts candidates proposed, looked at exactly, left out by a cap.
    """

    def __init__(
        self,
        known: TemplateSet,
        area: SearchArea,
        settings: MatchSettings,
        claimants: Claimants | None = None,
    ) -> None:
        self.known, self.area, self.settings = known, area, settings
        self._claimants = claimants or Claimants.none(len(known))
        self.places: dict[int, dict[tuple[int, int], ComponentHit]] = {}
        self.refusals: dict[int, Miss] = {}
        self.work: dict[str, int] = {}
        self._dimmed = Candidates.none()  # what brightness refused
        self._outdone = Candidates.none()  # at places that another picture fits pixel by pixel
        for owner in np.flatnonzero(~known.usable).tolist():
            self._refuse(owner, TOO_FLAT)
        for owner in np.flatnonzero((known.w > area.box.w) | (known.h > area.box.h)).tolist():
            self._refuse(owner, TOO_LARGE)

    def count(self, name: str, number: int) -> None:
        """Add to a counter."""
        self.work[name] = self.work.get(name, 0) + number

    def take(self, proposed: Candidates) -> None:
        """Look at what all stages propose: exactly where the cheap tests leave a chance."""
        self._count_stages("proposed", proposed)
        usable = self.known.usable[proposed.owner]
        c = proposed.where(usable & fits(proposed, self.area, self.known))
        c = c.where(distinct(c, self.area))
        bright = as_bright(c, self.area, self.known, self.settings)
        self._dimmed = c.where(~bright)
        c = c.where(bright)
        lost = outdone(c, self._equal(c), self.known, self._claimants)
        self._outdone = c.where(lost)
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
        """Give templates without any place the best of those that were left out."""
        placeless = np.ones(len(self.known), bool)
        placeless[[*self.places]] = False
        lost = self._outdone.where(placeless[self._outdone.owner])
        if len(lost):
            self._look_at_promising(lost)
        missing = np.ones(len(self.known), bool)
        missing[[*self.places, *self.refusals]] = False
        c = self._dimmed.where(missing[self._dimmed.owner])
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
            self._refuse(owner, Miss(why, float(measures.score[i]), x, y))
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
                self._refuse(owner, found)

    def _refuse(self, owner: int, refusal: Miss) -> None:
        """Remember the best refused place of a template."""
        known = self.refusals.get(owner)
        if known is None or (refusal.best_score or -1.0) > (known.best_score or -1.0):
            self.refusals[owner] = refusal

    def by_template(self) -> tuple[dict[int, list[ComponentHit]], dict[int, Miss]]:
        """Return the verified places, and the best refused one, by template id."""
        ids = [template.template_id for template in self.known.templates]
        places = {ids[owner]: list(place.values()) for owner, place in self.places.items()}
        return places, {ids[owner]: refusal for owner, refusal in self.refusals.items()}
