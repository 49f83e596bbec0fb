"""The searched area of a screenshot, and lists of places proposed in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.matching.keypoints import Keypoints, corner_map, find_keypoints, windows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Ints, Pixels
    from memctl.visual.matching.template_set import TemplateSet

__all__ = [
    "STAGES",
    "Candidates",
    "Mask",
    "SearchArea",
    "best_per_template",
    "distinct",
    "fits",
    "joined",
]


@dataclass(frozen=True, eq=False)
class SearchArea:
    """The searched part of a screenshot.

    Parameters
    ----------
    frame
        The whole screenshot.
    box
        The part that is searched; candidates are given relative to its corner.
    """

    frame: Frame
    box: Box

    @cached_property
    def bgr(self) -> Pixels:
        """``(h, w, 3)`` uint8."""
        return self.frame.crop(self.box)

    @cached_property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8, contiguous."""
        part = self.frame.gray[self.box.y : self.box.bottom, self.box.x : self.box.right]
        return np.ascontiguousarray(part)

    @cached_property
    def sums(self) -> NDArray[np.int32]:
        """Summed-area table of the gray values.

        It may wrap around on screens beyond 8 megapixels; differences of it do not.
        """
        return np.asarray(cv2.integral(self.gray, sdepth=cv2.CV_32S))

    @cached_property
    def squares(self) -> NDArray[np.float64]:
        """Summed-area table of the squares of the gray values."""
        return np.asarray(cv2.integral2(self.gray, sdepth=cv2.CV_32S, sqdepth=cv2.CV_64F)[1])

    def totals(self, x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[np.int32]:
        """Add up the gray values of many windows at once."""
        return _windows(self.sums, x, y, w, h)

    def powers(self, x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[np.float64]:
        """Add up the squares of the gray values of many windows at once."""
        return _windows(self.squares, x, y, w, h)

    def variance(self, x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[np.float64]:
        """Return the variance of the gray values of many windows at once."""
        size = w * h
        return np.asarray(self.powers(x, y, w, h) / size - (self.totals(x, y, w, h) / size) ** 2)

    @cached_property
    def corner_map(self) -> NDArray[np.bool_]:
        """``(h, w)`` bool, true on corners."""
        return corner_map(self.gray)

    @cached_property
    def corners(self) -> NDArray[np.intp]:
        """Flat places of the corners."""
        return np.flatnonzero(self.corner_map)

    def windows(self, alignments: Iterable[int]) -> NDArray[np.intp]:
        """Flat places of the windows around corners, at some of the `ALIGNMENTS`."""
        return np.concatenate(
            [windows(self.corners, alignment, self.gray.shape) for alignment in alignments]
            or [np.zeros(0, np.intp)]
        )

    @cached_property
    def keypoints(self) -> Keypoints:
        """The keypoints of this area, which the fuzzy stage compares with the templates'."""
        return find_keypoints(self.gray, self.corner_map)


def _windows(table: NDArray[Any], x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[Any]:
    """Return the sums of windows by a summed-area table."""
    stride, sums = table.shape[1], table.reshape(-1)
    top = y * stride + x
    bottom = top + h * stride
    return np.asarray(sums[bottom + w] - sums[bottom] - sums[top + w] + sums[top])


Mask = NDArray[np.bool_]

STAGES = ("last", "hash", "near", "fuzzy", "coarse")
"""The stages that propose places; of one proposed twice, the earlier stage has found it."""


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


def distinct(c: Candidates, area: SearchArea) -> Ints:
    """Return the indices of different places, by template; of doubles, the earliest stage's."""
    height, width = area.gray.shape
    keys = ((c.owner * height + c.y) * width + c.x) * len(STAGES) + c.stage
    order = np.argsort(keys)
    places = keys[order] // len(STAGES)
    first = np.append(True, places[1:] != places[:-1])[: order.size]
    return np.asarray(order[first], np.intp)


def fits(c: Candidates, area: SearchArea, known: TemplateSet) -> Mask:
    """Mark the candidates that lie inside the searched area."""
    height, width = area.gray.shape
    inside = (c.x >= 0) & (c.x + known.w[c.owner] <= width)
    return np.asarray(inside & (c.y >= 0) & (c.y + known.h[c.owner] <= height))


def best_per_template(owner: Ints, estimate: NDArray[Any], limit: int) -> Ints:
    """Return the indices of each template's ``limit`` best candidates, best first."""
    order = np.lexsort((-estimate, owner))
    grouped = owner[order]
    starts = np.searchsorted(grouped, grouped, side="left")
    return order[np.arange(order.size) - starts < limit]
