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
    joined,
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

EXPLAIN_EVERY = 8
"""An explanation is chosen by every eighth probe."""

EXPLAIN_ALIKE = 0.9
"""Least correlation over those probes that makes a place worth telling about."""

CLEAR = 0.1
"""A candidate whose neighbours' estimates are all this much lower need not climb."""

GLANCE_EVERY = 4
GLANCE_SLACK = 0.3
"""A first estimate takes every fourth probe and must come this close to the least one."""

MOST_PLACES = 64
"""Places of one template that a stage reports if they are not pixel-identical."""

MOST_LOOKS = 20_000
"""Exact looks of one stage, for screens that repeat one picture all over; a third of a second."""

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
    looked, seen
        Keys of the places that were looked at exactly.
    gated
        Candidates that brightness or contrast refused.
    """

    known: TemplateSet
    screen: Screen
    settings: Settings
    places: dict[int, dict[tuple[int, int], Place]] = field(default_factory=dict)
    refusals: dict[int, Refusal] = field(default_factory=dict)
    work: dict[str, int] = field(default_factory=dict)
    looked: list[int] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    gated: list[Candidates] = field(default_factory=list)

    def count(self, name: str, number: int) -> None:
        """Add to a counter."""
        self.work[name] = self.work.get(name, 0) + number

    def take(self, candidates: Candidates, how: str, tries: int) -> None:
        """Look at candidates: all whose probes are equal, else each template's best few."""
        self.count(f"{how}: proposed", len(candidates))
        self.count(f"{how}: looked at", 0)
        if not len(candidates):
            return
        usable = candidates.where(self.known.usable[candidates.owner])
        c = self._not_yet(distinct(usable, self.screen, self.known))
        passed = gate(c, self.screen, self.known, self.settings)
        self.gated.append(c.where(~passed))
        c = c.where(passed)
        estimate, equal = self._probe(c)
        self._look(c.where(equal), how, maybe_same=True)
        rest = ~equal & (estimate >= self.settings.min_estimate)
        c, estimate, clear = self._uphill(c.where(rest), estimate[rest])
        best = best_per_template(c.owner, estimate, MOST_PLACES)
        self._look(c.where(best), how, tries=tries, clear=clear[best])

    def _probe(self, c: Candidates) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Estimate the correlation by a few probes first, by all of them where it is worth it."""
        estimate, equal = probe(c, self.screen, self.known, every=GLANCE_EVERY)
        worth = np.flatnonzero(equal | (estimate >= self.settings.min_estimate - GLANCE_SLACK))
        equal[:] = False
        estimate[:] = -1
        estimate[worth], equal[worth] = probe(c.where(worth), self.screen, self.known)
        return estimate, equal

    def _not_yet(self, c: Candidates) -> Candidates:
        """Leave out what was looked at in an earlier stage."""
        width = self.screen.gray.shape[1]
        keys = (c.owner << 40) + c.y * width + c.x
        return c.where(~np.isin(keys, np.array(self.looked, np.intp)))

    def explain(self) -> None:
        """Give templates without a place the best one that brightness or contrast refused."""
        missing = np.ones(len(self.known), bool)
        missing[[*self.places, *self.refusals]] = False
        c = joined(self.gated)
        c = c.where(missing[c.owner])
        estimate, _ = probe(c, self.screen, self.known, every=EXPLAIN_EVERY)
        alike = estimate >= EXPLAIN_ALIKE
        c, estimate = c.where(alike), estimate[alike]
        c = c.where(best_per_template(c.owner, estimate, 1))
        self._look(c, "explain", clear=np.ones(len(c), bool))

    def _uphill(
        self, c: Candidates, estimate: NDArray[np.float32]
    ) -> tuple[Candidates, NDArray[np.float32], NDArray[np.bool_]]:
        """Move every candidate to the neighbour whose probes correlate best.

        The last result tells which stand on a clear summit already.
        """
        clear = np.ones(len(c), bool)
        for dx, dy in NEIGHBOURS * self.settings.strides:
            moved = Candidates(c.owner, c.x + dx, c.y + dy)
            inside = fits(moved, self.screen, self.known)
            other = np.full(len(c), -1.0, np.float32)
            other[inside], _ = probe(moved.where(inside), self.screen, self.known)
            clear &= other < estimate - CLEAR
            better = other > estimate
            c = Candidates(c.owner, np.where(better, moved.x, c.x), np.where(better, moved.y, c.y))
            estimate = np.maximum(estimate, other)
        return c, estimate, clear

    def _look(
        self,
        c: Candidates,
        how: str,
        *,
        tries: int = MOST_PLACES,
        maybe_same: bool = False,
        clear: NDArray[np.bool_] | None = None,
    ) -> None:
        """Look exactly, template by template, until ``tries`` places of one are refused."""
        left, top = self.screen.area.x, self.screen.area.y
        if len(c) > MOST_LOOKS:
            self.count(f"{how}: dropped", len(c) - MOST_LOOKS)
            c = c.where(np.arange(MOST_LOOKS))
        self.count(f"{how}: looked at", len(c))
        refused: dict[int, int] = {}
        summits = [False] * len(c) if clear is None else clear.tolist()[: len(c)]
        places = zip(c.owner.tolist(), c.x.tolist(), c.y.tolist(), summits, strict=True)
        for owner, x, y, summit in places:
            if refused.get(owner, 0) >= tries:
                continue
            known = {"maybe_same": maybe_same, "summit": summit}
            if not self._judge(owner, (x + left, y + top), how, **known):
                refused[owner] = refused.get(owner, 0) + 1

    def _judge(
        self, owner: int, spot: tuple[int, int], how: str, *, maybe_same: bool, summit: bool
    ) -> bool:
        """Verify one place; if it is close, verify the top of the hill it stands on."""
        if not self._first_look(owner, spot):
            return True
        frame, template = self.screen.frame, self.known.templates[owner]
        look = self.known.look(owner)
        verdict = judge(frame, template, look, spot, self.settings, how, maybe_same=maybe_same)
        if not summit and self.settings.min_score - WORTH_A_CLIMB <= (verdict.score or 0.0) < 1.0:
            top = climb(frame.gray, look.gray, spot, self.screen.area)
            if top != spot:
                if not self._first_look(owner, top):
                    return True
                verdict = judge(frame, template, look, top, self.settings, how)
        if isinstance(verdict, Place):
            self.places.setdefault(owner, {})[verdict.box.x, verdict.box.y] = verdict
            return True
        self.refuse(owner, verdict)
        return False

    def _first_look(self, owner: int, spot: tuple[int, int]) -> bool:
        x, y = spot[0] - self.screen.area.x, spot[1] - self.screen.area.y
        key = (owner << 40) + y * self.screen.gray.shape[1] + x
        if key in self.seen:
            return False
        self.seen.add(key)
        self.looked.append(key)
        return True

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
