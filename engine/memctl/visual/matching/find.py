"""The one door to matching: `find` all templates on a screenshot, `locate` one.

Whether a template stands at a place depends on the pixels under it alone. After a screenshot
that was searched before, places that no changed pixel touches therefore keep their verdict, and
everything else can only stand in the changed rectangles widened by the largest template.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.identity.glyphs import GlyphRun
from memctl.visual.identity.judging import LabelJudge
from memctl.visual.identity.strangeness import ANOTHER_LABEL, OWN, strangeness
from memctl.visual.matching.assemble import assemble
from memctl.visual.matching.brute_force import best_spot, judge, search, search_all
from memctl.visual.matching.candidates import SearchArea
from memctl.visual.matching.cascade import search_area
from memctl.visual.matching.match_settings import DEFAULT, MatchSettings
from memctl.visual.matching.scale import (
    by_scale,
    elect,
    enlarged,
    enlarged_box,
    quorum,
    voters,
)
from memctl.visual.matching.search_result import Refusal, SearchResult, Stopwatch, Verified
from memctl.visual.matching.template_set import TemplateSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.matching.search_result import Detection
    from memctl.visual.matching.template import Template

__all__ = ["Previous", "changed_boxes", "find", "locate", "mostly_changed", "touched", "widened"]

EQUAL = 8
"""So many pixel-identical components need no vote: another scale draws everything anew."""

GAP = 24
"""Changes nearer to each other than this are one, in pixels."""

SAMPLE = 16
"""Every so many rows are compared first."""

MOSTLY = 0.6
"""Share of the screen, rows that differ times columns that do, that is another screen."""

WORTH_IT = 0.5
"""If more of the screen than this would be searched again, all of it is."""


@dataclass(frozen=True, eq=False)
class Previous:
    """A screenshot that was searched before, and the answer."""

    frame: Frame
    result: SearchResult


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
    settings: MatchSettings = DEFAULT,
    twins: AbstractSet[int] = frozenset(),
) -> SearchResult:
    """Find remembered templates on a screenshot.

    Parameters
    ----------
    templates
        The pictures to look for; every component of theirs ends in the hits or the misses. A
        `TemplateSet` is kept by the caller between screenshots and saves preparing it.
    exhaustive
        Brute force, one template after another.
    window
        Search only here; boxes must lie inside, coordinates stay those of the screenshot.
    scale
        Device-pixel ratio of the screenshot. None: that of the templates, and if few of the
        distinctive ones are found, the one that they vote for; the set remembers the vote
        for screenshots of this size.
    previous
        The screenshot before and its answer: only what has changed is searched.
    settings
        The thresholds of a hit, and the effort.
    twins
        Components that what stands beside them tells apart: they do not compete for places.
    """
    known = templates if isinstance(templates, TemplateSet) else TemplateSet(templates)
    request = SearchRequest(frame, frame.part(window), settings, exhaustive, previous, twins)
    elected = known.voted.get((frame.width, frame.height), known.scale)
    assumed = elected if scale is None else scale
    result = request.at(known, assumed)
    if scale is None and not exhaustive and len(known):
        asked = voters(known)
        own = len(asked.asked & {place.template_id for place in result.places})
        # Pixels are never equal by chance in so many places: this is the right scale.
        equal = sum(hit.identical for hit in result.hits)
        if own < quorum(asked) and equal < EQUAL:
            # A screenshot of the size of one at another scale may still be at the memory's own.
            other = request.vote(known, own) if assumed == known.scale else known.scale
            if other != assumed:
                result = max(result, request.at(known, other), key=lambda one: len(one.hits))
    return replace(result, ms=request.watch.ms)


def locate(
    frame: Frame,
    template: Template,
    *,
    window: Box | None = None,
    settings: MatchSettings = DEFAULT,
) -> Located:
    """Compute the exact best place of one template, even if no check passes there.

    Parameters
    ----------
    template
        One variant of a component, at the screenshot's own scale.
    window, settings
        As for `find`.
    """
    area = SearchArea(frame, frame.part(window))
    found, refusal = search(area, template, settings)
    if found:
        box, run = found[0].box, GlyphRun.of(template.gray)
        another = settings.identity and strangeness(run, frame.gray, box, OWN) > 1
        return Located(box, found[0].score, ANOTHER_LABEL if another else None)
    spot = best_spot(area, template)
    if spot is None:
        return Located(None, None, refusal.why)
    verdict = judge(frame, template, template.crop, spot, settings, "full")
    height, width = template.gray.shape
    why = verdict.why if isinstance(verdict, Refusal) else None
    return Located(Box(*spot, width, height), verdict.score, why)


@dataclass(frozen=True, eq=False)
class SearchRequest:
    """One call of `find` without its templates: asked at one scale or another.

    Parameters
    ----------
    area
        The searched part of the screenshot.
    exhaustive, previous, twins
        As for `find`.
    watch
        Milliseconds by stage, of all searches that answer this request.
    """

    frame: Frame
    area: Box
    settings: MatchSettings
    exhaustive: bool = False
    previous: Previous | None = None
    twins: AbstractSet[int] = frozenset()
    watch: Stopwatch = field(default_factory=Stopwatch)

    def at(self, known: TemplateSet, scale: float) -> SearchResult:
        """Search a screenshot of this device-pixel ratio, in a copy for each other ratio."""
        parts = []
        for own, some in by_scale(known, scale):
            previous, settings = None, self.settings
            if own == scale:
                area = SearchArea(self.frame, self.area)
                previous = self._comparable(some, scale)
            else:
                settings = self.settings.for_resized
                with self.watch.stage("resize"):
                    area = self._resized(own / scale)
            if self.exhaustive:
                verified = search_all(area, some, settings, self.watch)
            elif previous is not None:
                verified = self._search_changed(area, some, previous)
            else:
                verified = self._search(area, some, settings)
            with self.watch.stage("identity"):
                judge = LabelJudge(self.frame, some, scale / own)
                result = assemble(judge, some, verified, settings, self.twins)
            parts.append(enlarged(result, scale / own))
        return replace(_together(parts), scale=scale, asked=known.asked, area=self.area)

    def _search(
        self, area: SearchArea, known: TemplateSet, settings: MatchSettings, *, audited: bool = True
    ) -> Verified:
        """Search for each picture once, whoever has it."""
        some, others = known.distinct()
        verified = search_area(area, some, settings, self.watch, audited=audited).verified()
        places, refusals = dict(verified.places), dict(verified.refusals)
        for key, templates in others.items():
            for one in templates:
                if key in refusals:
                    refusals[one.template_id] = refusals[key]
                if key in places:
                    places[one.template_id] = [_as_found_by(one, place) for place in places[key]]
        return Verified(places, refusals, verified.work)

    def _resized(self, ratio: float) -> SearchArea:
        frame = self.frame.resized(ratio)
        return SearchArea(frame, frame.part(enlarged_box(self.area, ratio)))

    def _comparable(self, known: TemplateSet, scale: float) -> Previous | None:
        """Return the answer before if it was to the same request about a screen of this size."""
        if self.previous is None:
            return None
        before = self.previous.result
        same = (
            self.previous.frame.bgr.shape == self.frame.bgr.shape
            and before.asked == known.asked
            and before.scale == scale
            and before.area == self.area
        )
        return self.previous if same else None

    def _search_changed(self, area: SearchArea, known: TemplateSet, previous: Previous) -> Verified:
        """Search only where the screenshot differs, all of it where it differs much."""
        with self.watch.stage("compare"):
            another = mostly_changed(previous.frame, self.frame)
            changed = [] if another else changed_boxes(previous.frame, self.frame)
        width, height = (int(side.max(initial=1)) for side in (known.w, known.h))
        parts = [widened(box, width, height, self.area) for box in changed]
        if another or sum(part.area for part in parts) > WORTH_IT * self.area.area:
            return self._search(area, known, self.settings)
        places: dict[int, list[Detection]] = {}
        for place in previous.result.places:
            if not touched(place, changed):
                places.setdefault(place.template_id, []).append(place)
        work = {"changed": len(changed)}
        refusals = _still_refused(previous.result, known, changed)
        for part in parts:
            part_area = SearchArea(self.frame, part)
            again = self._search(part_area, known, self.settings, audited=False)
            for key, found in again.places.items():
                places.setdefault(key, []).extend(p for p in found if touched(p, changed))
            refusals |= again.refusals
            work = added(work, again.work)
        return Verified(places, refusals, work)

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
            found += len(search_area(area, some, settings, Stopwatch(), audited=False).places)
        return found


def _as_found_by(template: Template, place: Detection) -> Detection:
    """Return a place of an equal picture as this template's."""
    how = "last" if (place.box.x, place.box.y) == template.last else place.how
    return replace(
        place, template_id=template.template_id, component_id=template.component_id, how=how
    )


def _together(parts: Sequence[SearchResult]) -> SearchResult:
    """Join the answers about disjoint components."""
    if len(parts) == 1:
        return parts[0]
    work: dict[str, int] = {}
    for part in parts:
        work = added(work, part.work)
    return SearchResult(
        tuple(hit for part in parts for hit in part.hits),
        tuple(miss for part in parts for miss in part.misses),
        tuple(place for part in parts for place in part.outranked),
        work=work,
        places=tuple(place for part in parts for place in part.places),
        refusals={key: why for part in parts for key, why in part.refusals.items()},
    )


def added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Add up two sets of counters."""
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}


def changed_boxes(old: Frame, new: Frame) -> list[Box]:
    """Return rectangles that together hold every pixel that differs; sizes must be equal."""
    before, after = (_as_words(frame.bgr) for frame in (old, new))
    rows = (before != after).any(axis=1)
    boxes = []
    for top, bottom in _runs(rows):
        differs = cv2.absdiff(old.bgr[top:bottom], new.bgr[top:bottom]).reshape(bottom - top, -1)
        columns = differs.max(axis=0).reshape(new.width, 3).max(axis=1) > 0
        boxes += [Box(left, top, right - left, bottom - top) for left, right in _runs(columns)]
    return boxes


def mostly_changed(old: Frame, new: Frame) -> bool:
    """Compare a sample of rows: True if it differs nearly everywhere."""
    before, after = (_as_words(frame.bgr)[::SAMPLE] for frame in (old, new))
    differs = before != after
    share = differs.any(axis=1).mean() * differs.any(axis=0).mean()
    return bool(share > MOSTLY)


def _as_words(bgr: Pixels) -> NDArray[Any]:
    """View the rows of a picture as long numbers, which compare faster than bytes."""
    rows = bgr.reshape(bgr.shape[0], -1)
    return rows.view(np.uint64) if rows.shape[1] % 8 == 0 else rows


def _runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return start and end of the runs of True, short gaps bridged."""
    places = np.flatnonzero(marked)
    if not places.size:
        return []
    breaks = np.flatnonzero(np.diff(places) > GAP)
    starts = places[np.concatenate([[0], breaks + 1])]
    ends = places[np.concatenate([breaks, [places.size - 1]])] + 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def widened(box: Box, width: int, height: int, area: Box) -> Box:
    """Return where a template of at most this size stands if it touches the box."""
    left, top = max(box.x - width + 1, area.x), max(box.y - height + 1, area.y)
    right = min(box.right + width - 1, area.right)
    bottom = min(box.bottom + height - 1, area.bottom)
    return Box(left, top, max(right - left, 0), max(bottom - top, 0))


def touched(place: Detection, boxes: Iterable[Box]) -> bool:
    """Return True if a changed rectangle reaches into a place."""
    return any(place.box.overlap(box) for box in boxes)


def _still_refused(
    before: SearchResult, known: TemplateSet, changed: Sequence[Box]
) -> dict[int, Refusal]:
    """Return the refusals of before that no change has touched."""
    kept = {}
    for key, refusal in before.refusals.items():
        index = known.index[key]
        box = Box(refusal.x or 0, refusal.y or 0, int(known.w[index]), int(known.h[index]))
        if refusal.x is None or not any(box.overlap(other) for other in changed):
            kept[key] = refusal
    return kept
