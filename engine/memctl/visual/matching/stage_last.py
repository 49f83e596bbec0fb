"""Stage 1: where everything was last seen, all templates in one gather."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.visual.matching.candidates import Candidates

if TYPE_CHECKING:
    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen

__all__ = ["propose_last"]


def propose_last(known: TemplateSet, screen: Screen) -> Candidates:
    """Propose, for every template that has one, its last place."""
    owner, x, y = known.last
    return Candidates.by("last", owner, x - screen.area.x, y - screen.area.y)
