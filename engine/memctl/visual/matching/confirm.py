"""The exact look at proposed places, and the account of what was found and refused."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.candidates import (
    Candidates,
    best_per_template,
    distinct,
    fits,
    gate,
    probe,
)
from memctl.visual.matching.checks import climb, judge, thin
from memctl.visual.matching.findings import Place, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen
    from memctl.visual.matching.settings import Settings

__all__ = ["Account"]

NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Steps of the estimated climb: columns, then rows."""

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
        Counters: candidates proposed, gated, looked at exactly.
    """

    known: TemplateSet
    screen: Screen
    settings: Settings
    places: dict[int, dict[tuple[int, int], Place]] = field(default_factory=dict)
    refusals: dict[int, Refusal] = field(default_factory=dict)
    work: dict[str, int] = field(default_factory=dict)
    looked: set[tuple[int, int, int]] = field(default_factory=set)

    def count(self, name: str, number: int) -> None:
        """Add to a counter."""
        self.work[name] = self.work.get(name, 0) + number

    def missing(self) -> NDArray[np.bool_]:
        """Which templates have no place yet, ``(N,)``."""
        missing = np.ones(len(self.known), bool)
        missing[list(self.places)] = False
        return missing

    def take(self, candidates: Candidates, how: str, tries: int) -> None:
        """Look at candidates: all whose probes are equal, else each template's best few."""
        self.count(f"{how}: proposed", len(candidates))
        c = distinct(candidates, self.screen, self.known)
        passed = gate(c, self.screen, self.known, self.settings)
        c = c.where(passed)
        estimate, equal = probe(c, self.screen, self.known)
        self._look(c.where(equal), how)
        rest = ~equal & (estimate >= self.settings.min_estimate)
        c, estimate = self._uphill(c.where(rest), estimate[rest])
        self._look(c.where(best_per_template(c.owner, estimate, tries)), how)

    def _uphill(
        self, c: Candidates, estimate: NDArray[np.float32]
    ) -> tuple[Candidates, NDArray[np.float32]]:
        """Move every candidate to the neighbour whose probes correlate best."""
        for dx, dy in NEIGHBOURS:
            moved = Candidates(c.owner, c.x + dx, c.y + dy)
            inside = fits(moved, self.screen, self.known)
            other = np.full(len(c), -1.0, np.float32)
            other[inside], _ = probe(moved.where(inside), self.screen, self.known)
            better = other > estimate
            c = Candidates(c.owner, np.where(better, moved.x, c.x), np.where(better, moved.y, c.y))
            estimate = np.maximum(estimate, other)
        return c, estimate

    def _look(self, c: Candidates, how: str) -> None:
        left, top = self.screen.area.x, self.screen.area.y
        self.count(f"{how}: looked at", len(c))
        for owner, x, y in zip(c.owner.tolist(), c.x.tolist(), c.y.tolist(), strict=True):
            self._judge(owner, (x + left, y + top), how)

    def _judge(self, owner: int, spot: tuple[int, int], how: str) -> None:
        """Verify one place; if it is close, verify the top of the hill it stands on."""
        if (owner, *spot) in self.looked:
            return
        self.looked.add((owner, *spot))
        frame, template, look = (
            self.screen.frame,
            self.known.templates[owner],
            self.known.look(owner),
        )
        verdict = judge(frame, template, look, spot, self.settings, how)
        close = self.settings.min_score - WORTH_A_CLIMB <= (verdict.score or 0.0) < 1.0
        if close:
            summit = climb(frame.gray, look.gray, spot, self.screen.area)
            if summit != spot and (owner, *summit) not in self.looked:
                self.looked.add((owner, *summit))
                verdict = judge(frame, template, look, summit, self.settings, how)
        if isinstance(verdict, Place):
            self.places.setdefault(owner, {})[verdict.box.x, verdict.box.y] = verdict
        else:
            self.refuse(owner, verdict)

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
