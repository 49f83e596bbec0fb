"""The account of one screen: what was proposed, found and refused."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.candidates import (
    STAGES,
    Candidates,
    best_per_template,
    distinct,
    fits,
)
from memctl.visual.matching.checks import Measured, thin, verdict
from memctl.visual.matching.exact import Measures, climb_all, measure
from memctl.visual.matching.findings import Place, Refusal
from memctl.visual.matching.probing import as_bright, estimate, promising

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.matching.candidates import Mask
    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen
    from memctl.visual.matching.settings import Settings

__all__ = ["Account"]

EXPLAIN_EVERY = 8
"""An explanation is chosen by every eighth probe."""

EXPLAIN_ALIKE = 0.9
"""Least correlation over those probes that makes a place worth telling about."""

MOST_LOOKS = 20_000
"""Exact looks, for screens that repeat one picture all over; a fifth of a second."""

WORTH_A_CLIMB = 0.03
"""A place this far below the threshold may stand beside one that passes."""


@dataclass(eq=False)
class Account:
    """What is known of each template on this screen so far.

    Parameters
    ----------
    places
        Verified places by template index, in coordinates of the screenshot.
    refusals
        The best refused place by template index.
    work
        Counters: candidates proposed, looked at exactly, left out by a cap.
    dimmed
        Candidates that brightness refused.
    """

    known: TemplateSet
    screen: Screen
    settings: Settings
    places: dict[int, dict[tuple[int, int], Place]] = field(default_factory=dict)
    refusals: dict[int, Refusal] = field(default_factory=dict)
    work: dict[str, int] = field(default_factory=dict)
    dimmed: Candidates = field(default_factory=Candidates.none)

    def count(self, name: str, number: int) -> None:
        """Add to a counter."""
        self.work[name] = self.work.get(name, 0) + number

    def take(self, proposed: Candidates) -> None:
        """Look at what all stages propose: exactly where the cheap tests leave a chance."""
        self._count_stages("proposed", proposed)
        usable = self.known.usable[proposed.owner]
        c = proposed.where(usable & fits(proposed, self.screen, self.known))
        c = c.where(distinct(c, self.screen))
        bright = as_bright(c, self.screen, self.known, self.settings)
        self.dimmed = c.where(~bright)
        c, clear = promising(c.where(bright), self.screen, self.known, self.settings)
        if len(c) > MOST_LOOKS:
            self.count("looks: dropped", len(c) - MOST_LOOKS)
            c, clear = c.where(np.arange(MOST_LOOKS)), clear[:MOST_LOOKS]
        self._count_stages("looked at", c)
        self._look(c, clear)

    def explain(self) -> None:
        """Give templates without a place the best one that brightness refused."""
        missing = np.ones(len(self.known), bool)
        missing[[*self.places, *self.refusals]] = False
        c = self.dimmed.where(missing[self.dimmed.owner])
        likeness, _ = estimate(c, self.screen, self.known, every=EXPLAIN_EVERY)
        alike = likeness >= EXPLAIN_ALIKE
        c, likeness = c.where(alike), likeness[alike]
        c = c.where(best_per_template(c.owner, likeness, 1))
        self._judge(c, measure(c, self.screen, self.known))

    def _count_stages(self, what: str, c: Candidates) -> None:
        numbers = np.bincount(c.stage, minlength=len(STAGES)).tolist()
        for stage, number in zip(STAGES, numbers, strict=True):
            if stage != "coarse" or self.settings.coarse:
                self.count(f"{stage}: {what}", number)

    def _look(self, c: Candidates, clear: Mask) -> None:
        """Measure places, climb where that may help, and judge."""
        measures = measure(c, self.screen, self.known)
        close = (measures.score >= self.settings.min_score - WORTH_A_CLIMB) & ~measures.equal
        c = climb_all(c, measures, np.flatnonzero(close & ~clear), self.screen, self.known)
        self._judge(c, measures)

    def _judge(self, c: Candidates, measures: Measures) -> None:
        """Sort measured places into verified and refused ones."""
        left, top = self.screen.area.x, self.screen.area.y
        high = np.flatnonzero(measures.score >= self.settings.min_score)
        low = np.flatnonzero(measures.score < self.settings.min_score)
        why = f"below {self.settings.min_score:g}"
        low = low[best_per_template(c.owner[low], measures.score[low], 1)]
        for i in low.tolist():
            owner, x, y = int(c.owner[i]), int(c.x[i]) + left, int(c.y[i]) + top
            self.refuse(owner, Refusal(why, float(measures.score[i]), x, y))
        for i in high.tolist():
            owner, spot = int(c.owner[i]), (int(c.x[i]) + left, int(c.y[i]) + top)
            if spot in self.places.get(owner, ()):
                continue
            found = self._verdict(owner, spot, STAGES[c.stage[i]], measures, i)
            if isinstance(found, Place):
                self.places.setdefault(owner, {})[spot] = found
            else:
                self.refuse(owner, found)

    def _verdict(
        self, owner: int, spot: tuple[int, int], how: str, measures: Measures, i: int
    ) -> Place | Refusal:
        template, look = self.known.templates[owner], self.known.look(owner)
        measured = Measured(
            float(measures.score[i]), float(measures.contrast[i]), bool(measures.equal[i])
        )
        return verdict(self.screen.frame, template, look, spot, self.settings, how, measured)

    def refuse(self, owner: int, refusal: Refusal) -> None:
        """Remember the best refused place of a template."""
        known = self.refusals.get(owner)
        if known is None or (refusal.score or -1.0) > (known.score or -1.0):
            self.refusals[owner] = refusal

    def add(self, owner: int, places: Iterable[Place], how: str) -> None:
        """Enter places that another search has verified."""
        entries = self.places.setdefault(owner, {})
        for place in places:
            entries.setdefault((place.box.x, place.box.y), replace(place, how=how))

    def thinned(self) -> dict[int, list[Place]]:
        """Return the places by template id, overlapping ones thinned out."""
        return {
            self.known.templates[owner].template_id: thin(list(found.values()), self.settings)
            for owner, found in self.places.items()
        }
