"""A question about one screenshot: asked at one scale or another, of all of it or a part."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.matching.cascade import search_area
from memctl.visual.matching.findings import Findings
from memctl.visual.matching.methods import search_by
from memctl.visual.matching.scale import by_scale, elect, enlarged, enlarged_box, resized, voters
from memctl.visual.matching.screen import Screen
from memctl.visual.matching.stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Frame
    from memctl.visual.matching.dirty import Previous
    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.settings import Settings

__all__ = ["Question", "searched_area"]


@dataclass(frozen=True, eq=False)
class Question:
    """What `find` was asked, without the templates.

    Parameters
    ----------
    area
        The searched part of the screenshot.
    exhaustive, previous
        As for `find`.
    watch
        Milliseconds by stage, of all searches that answer this question.
    """

    frame: Frame
    area: Box
    settings: Settings
    exhaustive: bool = False
    previous: Previous | None = None
    watch: Stopwatch = field(default_factory=Stopwatch)

    def at(self, known: TemplateSet, scale: float) -> Findings:
        """Search a screenshot of this device-pixel ratio."""
        parts = [self._part(some, own, scale) for own, some in by_scale(known, scale)]
        return replace(_together(parts), scale=scale, asked=known.asked, area=self.area)

    def _part(self, known: TemplateSet, own: float, scale: float) -> Findings:
        """Search for templates of one scale in a copy of the screenshot resized to it."""
        if own == scale:
            screen = Screen(self.frame, self.area)
            previous = self.previous if self._follows(known, scale) else None
            return search_by(screen, known, self.settings, self.watch, self.exhaustive, previous)
        with self.watch.stage("resize"):
            screen = self._resized(own / scale)
        settings = self.settings.for_resized
        found = search_by(screen, known, settings, self.watch, self.exhaustive, None)
        return enlarged(found, scale / own)

    def _resized(self, ratio: float) -> Screen:
        frame = resized(self.frame, ratio)
        return Screen(frame, searched_area(frame, enlarged_box(self.area, ratio)))

    def _follows(self, known: TemplateSet, scale: float) -> bool:
        """Whether the answer before was to the same question about a screen of this size."""
        if self.previous is None:
            return False
        before = self.previous.findings
        return (
            self.previous.frame.bgr.shape == self.frame.bgr.shape
            and before.asked == known.asked
            and before.scale == scale
            and before.area == self.area
        )

    def vote(self, known: TemplateSet) -> float:
        """Elect the scale, once for each size of screenshot.

        On an unknown page nobody is elected; the first, second, fourth, eighth ... such page
        of one size votes.
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
            elected = elect(lambda scale: self._count(asked, scale), known.scale)
        if elected is None:
            return known.scale
        known.voted[size] = elected
        return elected

    def _count(self, asked: TemplateSet, scale: float) -> int:
        """Count the voters that are found at a scale."""
        found = 0
        for own, some in by_scale(asked, scale):
            settings = self.settings if own == scale else self.settings.relaxed
            screen = self._resized(own / scale)
            account = search_area(screen, some, settings, Stopwatch(), audited=False)
            found += len(account.places)
        return found


def _together(parts: Sequence[Findings]) -> Findings:
    """Join the answers about disjoint components."""
    if len(parts) == 1:
        return parts[0]
    work: dict[str, int] = {}
    for part in parts:
        for name, number in part.work.items():
            work[name] = work.get(name, 0) + number
    return Findings(
        tuple(hit for part in parts for hit in part.hits),
        tuple(miss for part in parts for miss in part.misses),
        tuple(place for part in parts for place in part.outranked),
        work=work,
        places=tuple(place for part in parts for place in part.places),
        refusals={key: why for part in parts for key, why in part.refusals.items()},
    )


def searched_area(frame: Frame, window: Box | None) -> Box:
    """Return the part of the screen to search: the window, cut at the screen's edges."""
    if window is None:
        return Box(0, 0, frame.width, frame.height)
    x, y = max(window.x, 0), max(window.y, 0)
    right, bottom = min(window.right, frame.width), min(window.bottom, frame.height)
    return Box(x, y, max(right - x, 0), max(bottom - y, 0))
