"""Look-alikes that claim one place: the better picture of it gets it.

Correlation, contrast and colour together still let a sidebar row pass for its neighbour.
Where the memory holds both, the place itself says which of them it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.checks import structural_similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from memctl.visual.frame import Frame
    from memctl.visual.matching.findings import Place
    from memctl.visual.matching.look import Look

__all__ = ["split_by_fit"]

SAME_PLACE = 0.8
"""Boxes sharing more than this (intersection over union) are claims to one place."""

CLEARLY = 0.02
"""Of two claims, scores closer than this are a tie that structure has to break."""


def split_by_fit(
    frame: Frame, places: Sequence[Place], look: Callable[[int], Look]
) -> tuple[list[Place], list[Place]]:
    """Separate the places that a template keeps from those a look-alike fits better.

    A pixel-identical place is always kept. Templates of one component do not compete here:
    they are looks of the same thing.

    Parameters
    ----------
    look
        Gives the picture of a template by its id.

    Returns
    -------
    kept, outranked
    """
    umpire = _Umpire(frame, look)
    boxes = np.array([(p.box.x, p.box.y, p.box.right, p.box.bottom) for p in places], np.int64)
    components = np.array([place.component_id for place in places], np.int64)
    kept: list[Place] = []
    outranked: list[Place] = []
    for index, place in enumerate(places):
        lost = False
        if not place.identical:
            near = _overlap(boxes[index], boxes) > SAME_PLACE
            rivals = [
                places[i]
                for i in np.flatnonzero(near & (components != place.component_id)).tolist()
            ]
            rivals.sort(key=lambda rival: rival.identical, reverse=True)
            lost = any(umpire.prefers(rival, place) for rival in rivals)
        (outranked if lost else kept).append(place)
    return kept, outranked


def _overlap(one: NDArray[np.int64], boxes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Intersection over union of one box with many, as left, top, right, bottom."""
    width = np.minimum(one[2], boxes[:, 2]) - np.maximum(one[0], boxes[:, 0])
    height = np.minimum(one[3], boxes[:, 3]) - np.maximum(one[1], boxes[:, 1])
    shared = np.maximum(width, 0) * np.maximum(height, 0)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    own = (one[2] - one[0]) * (one[3] - one[1])
    return np.asarray(shared / (own + areas - shared))


class _Umpire:
    """Compares claims to one place; the structure of a claim is measured at most once."""

    def __init__(self, frame: Frame, look: Callable[[int], Look]) -> None:
        self.frame = frame
        self.look = look
        self.measured: dict[Place, float] = {}

    def prefers(self, rival: Place, place: Place) -> bool:
        """Whether ``rival`` is the better picture: identical, clearly higher, or more alike."""
        if rival.identical:
            return True
        if abs(rival.score - place.score) >= CLEARLY:
            return rival.score > place.score
        return self._structure(rival) > self._structure(place)

    def _structure(self, place: Place) -> float:
        if place not in self.measured:
            box = place.box
            seen = self.frame.gray[box.y : box.bottom, box.x : box.right]
            picture = self.look(place.template_id).gray
            self.measured[place] = structural_similarity(picture, seen)
        return self.measured[place]
