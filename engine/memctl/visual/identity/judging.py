"""Judges verified places: which show the template's own label, and how nearly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.identity.label_ends import blank_beside, goes_on, is_plain, reach_of
from memctl.visual.identity.strangeness import OWN, RESIZED, strangeness, surroundings_of

if TYPE_CHECKING:
    from memctl.visual.frame import Frame
    from memctl.visual.matching.search_result import ComponentHit
    from memctl.visual.matching.template_set import TemplateSet

_MOST = 99.0  # the strangeness of what is no likeness at all


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

    def judged(self, place: ComponentHit) -> ComponentHit:
        """Return the place with its strangeness; a place that was judged before as it is."""
        if place.strangeness is not None:
            return place
        if self.ratio == 1 and self._longer(place):
            return replace(place, strangeness=_MOST, identical=False)
        if place.identical:
            return place
        return replace(place, strangeness=min(self._strangeness(place), _MOST))

    def _longer(self, place: ComponentHit) -> bool:
        """Return True if the label goes on beyond its box, where it did not when learned."""
        blank = self.known.templates[self.known.index[place.template_id]].blank
        if blank is None or is_plain(blank, self.frame.gray, place.box):
            return False
        gray, box = self.frame.gray, place.box
        # Buttons of a column, days of a calendar: with all that is beside them the same again.
        beside = box.widened(reach_of(box), 0).within(self.frame.part(None))
        pixels = gray[beside.y : beside.bottom, beside.x : beside.right].tobytes()
        key = "ends", beside.w, box.w, box.x - beside.x, pixels
        return goes_on(blank, self.known.remembered(key, lambda: blank_beside(gray, box)))

    def _strangeness(self, place: ComponentHit) -> float:
        run = self.known.glyphs(place.template_id, self.ratio)
        x, y = round(place.box.x * self.ratio), round(place.box.y * self.ratio)
        height, width = run.size
        allowance = OWN if self.ratio == 1 else RESIZED
        box = Box(x, y, width, height)
        # Cells of a calendar, buttons of rows: the same pixels again and again.
        key = place.template_id, self.ratio, surroundings_of(self.frame.gray, box).tobytes()
        return self.known.remembered(key, lambda: strangeness(run, self.frame.gray, box, allowance))
