"""Stage 1: where everything was last seen, all templates in one gather."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.candidates import Candidates

if TYPE_CHECKING:
    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen

__all__ = ["propose_last"]


def propose_last(known: TemplateSet, screen: Screen) -> Candidates:
    """Propose, for every template that has one, its last place."""
    spots = [
        (index, template.last[0], template.last[1])
        for index, template in enumerate(known.templates)
        if template.last is not None
    ]
    if not spots:
        return Candidates.none()
    owner, x, y = np.array(spots, np.intp).T
    return Candidates(owner, x - screen.area.x, y - screen.area.y)
