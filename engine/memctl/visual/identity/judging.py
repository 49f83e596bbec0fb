"""Judges verified places: which show the template's own label, and how nearly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.identity.label_ends import goes_on
from memctl.visual.identity.strangeness import OWN, RESIZED, strangeness

if TYPE_CHECKING:
    from memctl.visual.frame import Frame
    from memctl.visual.matching.search_result import Detection
    from memctl.visual.matching.template_set import TemplateSet

__all__ = ["LabelJudge"]

_LONGER = _MOST = 99.0  # a strangeness of whatever is no likeness at all


@dataclass(frozen=True, eq=False)
class LabelJudge:
    """Compares places of one search with the labels of their templates.

    Parameters
    ----------
    frame
        The screenshot as it was given: a copy resized to the templates' scale has lost the
        strokes that tell labels apart, so templates are resized to the screenshot's.
    known
        The templates that were searched for.
    ratio
        Pixels of the screenshot to a pixel of the searched copy.
    """

    frame: Frame
    known: TemplateSet
    ratio: float = 1.0

    def judged(self, place: Detection) -> Detection:
        """Return the place with its strangeness; a place that was judged before as it is."""
        if place.strangeness is not None:
            return place
        template = self.known.templates[self.known.index[place.template_id]]
        if (
            self.ratio == 1
            and template.blank
            and goes_on(template.blank, self.frame.gray, place.box)
        ):
            return replace(place, strangeness=_LONGER, identical=False)
        return (
            place
            if place.identical
            else replace(place, strangeness=min(self._strangeness(place), _MOST))
        )

    def _strangeness(self, place: Detection) -> float:
        run = self.known.glyphs(place.template_id, self.ratio)
        if self.ratio == 1:
            return strangeness(run, self.frame, place.box, OWN)
        x, y = round(place.box.x * self.ratio), round(place.box.y * self.ratio)
        height, width = run.size
        return strangeness(run, self.frame, Box(x, y, width, height), RESIZED)
