"""Answers of diff: one change, and all changes between two pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from memctl.visual.boxes import Box

ChangeKind = Literal["scrolled", "appeared", "went", "moved", "changed"]


@dataclass(frozen=True, slots=True)
class PictureChange:
    """One region that differs between two pictures.

    ``x``, ``y``, ``w`` and ``h`` are pixels of the second picture; of what ``went``, of the
    first. ``was`` is the box in the first picture of what moved, scrolled or changed.
    ``similarity`` is the mean structural similarity of the region in both, -1 to 1; of what moved,
    the correlation of its two places. ``name`` and ``component_id`` tell which component of the
    store stands there.
    """

    kind: ChangeKind
    x: int
    y: int
    w: int
    h: int
    was: tuple[int, int, int, int] | None = None
    similarity: float = 0.0
    name: str | None = None
    component_id: int | None = None

    @property
    def box(self) -> Box:
        """The region as a box."""
        return Box(self.x, self.y, self.w, self.h)


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes between two pictures, the topmost first.

    ``first`` and ``second`` are their sizes in pixels, ``similarity`` the mean structural
    similarity of all of them (1: equal), ``share`` the share of pixels that changed. ``notes`` say
    how pictures of different sizes were compared.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    similarity: float
    share: float
    changes: list[PictureChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
