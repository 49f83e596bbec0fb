"""Components found again, and places where another thing stands, by the DOM's own identity."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.screens.shots import Element, PageShot
    from memctl.visual.match_results import Learn, Sighting

__all__ = ["Identities", "Score"]

SAME_BOX = 0.8  # elements of one place: a link and the text that fills it
FOUND = 0.5


@dataclass(frozen=True, slots=True)
class Score:
    """What became of the known components on one screenshot.

    Parameters
    ----------
    expected
        Components whose element is on the screenshot, as many as it is there.
    right, false
        Sightings at an element of the component's identity, and elsewhere.
    other_look
        Of the false ones: the same tag and text stands there, in another look.
    """

    expected: int
    right: int
    false: int
    other_look: int


class Identities:
    """Which elements each component was learned from."""

    def __init__(self) -> None:
        self._idents: dict[int, set[str]] = {}
        self._says: dict[int, set[str]] = {}

    def learn(self, shot: PageShot, lesson: Learn) -> None:
        """Note what a learn added."""
        for one in lesson.learned:
            at = _standing_at(shot.elements, (one.x, one.y, one.w, one.h), SAME_BOX)
            self._idents.setdefault(one.component_id, set()).update(e.ident for e in at)
            self._says.setdefault(one.component_id, set()).update(e.says for e in at)

    def score(self, shot: PageShot, sightings: Iterable[Sighting]) -> Score:
        """Compare what was found on a screenshot with its DOM."""
        places: dict[str, set[tuple[float, ...]]] = {}
        for element in shot.elements:
            place = (element.x, element.y, element.w, element.h)
            places.setdefault(element.ident, set()).add(place)
        groups = Counter(frozenset(idents) for idents in self._idents.values())
        expected = sum(
            min(count, len(set().union(*(places.get(ident, set()) for ident in idents))))
            for idents, count in groups.items()
        )
        right = false = other_look = 0
        for sighting in sightings:
            box = (sighting.x, sighting.y, sighting.w, sighting.h)
            there = _standing_at(shot.elements, box, FOUND)
            if any(e.ident in self._idents.get(sighting.component_id, ()) for e in there):
                right += 1
                continue
            false += 1
            known = self._says.get(sighting.component_id, set())
            other_look += any(e.says in known for e in there)
        return Score(expected, right, false, other_look)


def _standing_at(
    elements: Iterable[Element], box: tuple[int, int, int, int], least: float
) -> list[Element]:
    return [element for element in elements if element.iou(*box) >= least]
