"""Proposed places and what is common to all lists of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Ints
    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen

__all__ = ["STAGES", "Candidates", "best_per_template", "distinct", "fits", "joined"]

Mask = NDArray[np.bool_]

STAGES = ("last", "hash", "near", "fuzzy", "coarse")
"""What proposes places; of one proposed twice, the earlier stage has found it."""


@dataclass(frozen=True)
class Candidates:
    """``(n,)`` places: index of the template, left and top relative to the searched area.

    ``stage`` is the number of the stage in `STAGES` that proposed the place.
    """

    owner: Ints
    x: Ints
    y: Ints
    stage: Ints

    def __len__(self) -> int:
        return self.owner.size

    def where(self, mask: Mask | Ints) -> Candidates:
        """Keep some."""
        return Candidates(self.owner[mask], self.x[mask], self.y[mask], self.stage[mask])

    def moved(self, dx: Ints, dy: Ints) -> Candidates:
        """Return the same templates elsewhere."""
        return Candidates(self.owner, self.x + dx, self.y + dy, self.stage)

    @classmethod
    def by(cls, stage: str, owner: Ints, x: Ints, y: Ints) -> Candidates:
        """Let one stage propose places."""
        return cls(owner, x, y, np.full(owner.size, STAGES.index(stage)))

    @classmethod
    def none(cls) -> Candidates:
        """No place at all."""
        empty = np.zeros(0, np.intp)
        return cls(empty, empty, empty, empty)


def joined(parts: Sequence[Candidates]) -> Candidates:
    """Put several lists into one."""
    if not parts:
        return Candidates.none()
    return Candidates(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("owner", "x", "y", "stage")
        )
    )


def distinct(c: Candidates, screen: Screen) -> Ints:
    """Return the indices of different places, by template; of doubles, the earliest stage's."""
    height, width = screen.gray.shape
    keys = ((c.owner * height + c.y) * width + c.x) * len(STAGES) + c.stage
    order = np.argsort(keys)
    places = keys[order] // len(STAGES)
    first = np.append(True, places[1:] != places[:-1])[: order.size]
    return np.asarray(order[first], np.intp)


def fits(c: Candidates, screen: Screen, known: TemplateSet) -> Mask:
    """Whether candidates lie inside the searched area."""
    height, width = screen.gray.shape
    inside = (c.x >= 0) & (c.x + known.w[c.owner] <= width)
    return np.asarray(inside & (c.y >= 0) & (c.y + known.h[c.owner] <= height))


def best_per_template(owner: Ints, estimate: NDArray[Any], limit: int) -> Ints:
    """Return the indices of each template's ``limit`` best candidates, best first."""
    order = np.lexsort((-estimate, owner))
    grouped = owner[order]
    starts = np.searchsorted(grouped, grouped, side="left")
    return order[np.arange(order.size) - starts < limit]
