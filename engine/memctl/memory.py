"""The memory of one app or site: the face that Python and the command line share."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memctl.base.arguments import checked_class
from memctl.face.session_face import SessionFace
from memctl.face.upkeep_face import UpkeepFace
from memctl.face.visual_face import VisualFace

if TYPE_CHECKING:
    from memctl.consolidation.dream import Dream
    from memctl.procedural.skills import Skills


@checked_class
class Memory(VisualFace, SessionFace, UpkeepFace):
    """One open store. ``memctl.open`` makes it; ``with`` closes it.

    Image libraries are loaded by the first call that needs them. What needs screens and words
    at once stands here; the rest stands in `memctl.face`.
    """

    @cached_property
    def skills(self) -> Skills:
        """How things are done: skills that are recorded, mined, foreseen and run."""
        from memctl.procedural.skills import Skills

        return Skills(self.store, self.settings, lambda: self.visual, self._is_known, self.look)

    def _is_known(self, text: str) -> bool:
        return any(hit.fact.text == text for hit in self.facts.search(text, record=False))

    @cached_property
    def dream(self) -> Dream:
        """The consolidation of the log: run, status, explain, promote, rollback."""
        from memctl.consolidation.dream import Dream

        return Dream(self.store, self.settings, self._scope)
