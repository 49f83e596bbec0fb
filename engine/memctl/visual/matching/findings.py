"""What a search answers: what was found and how, what was not and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.visual.boxes import Box

__all__ = ["TOO_FLAT", "TOO_LARGE", "Findings", "Hit", "Miss", "Place", "Refusal"]


@dataclass(frozen=True, slots=True)
class Place:
    """One place on the screen that passed every check for one template.

    ``score`` is the normalised cross-correlation of the gray values, -1 to 1;
    ``identical`` means that every colour value is the same.
    """

    template_id: int
    component_id: int
    box: Box
    score: float
    identical: bool
    how: str

    @property
    def rank(self) -> tuple[bool, float]:
        """Pixel-identical before merely similar, then the higher score."""
        return self.identical, self.score


@dataclass(frozen=True, slots=True)
class Refusal:
    """The best place that was looked at and refused, and the check that refused it."""

    why: str
    score: float | None = None
    x: int | None = None
    y: int | None = None


TOO_LARGE = Refusal("template larger than the screen")
TOO_FLAT = Refusal("template is flat")


@dataclass(frozen=True, slots=True)
class Hit:
    """A component that is on the screen.

    Parameters
    ----------
    box
        Where, in pixels of the given screenshot.
    score
        Normalised cross-correlation there, 0.8 to 1.
    how
        The stage that found it: "last" (where it was), "full" (brute force), "hash"
        (the same pixels elsewhere), "near" (some windows are the same), "fuzzy" (keypoints
        look alike), "coarse" (alike at half the resolution), "audit" (brute force found what
        the other stages had not).
    template_id
        Which of the component's looks was found.
    also_at
        Left and top of its other places, best first.
    """

    template_id: int
    component_id: int
    box: Box
    score: float
    identical: bool
    how: str
    also_at: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Miss:
    """A component that is not on the screen: its best refused place, if any, and why."""

    template_id: int
    component_id: int
    best_score: float | None
    x: int | None
    y: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Findings:
    """The answer of `find`: every component asked for is in ``hits`` or in ``misses``.

    Parameters
    ----------
    outranked
        Places that passed every check but where a look-alike of another component fits
        better; they are in no hit.
    ms
        Milliseconds by stage.
    work
        Counters: templates searched, candidates looked at, caps that were reached.
    scale
        Device-pixel ratio the search assumed.
    places, refusals, asked, area
        Every verified place of every template, the best refused one by template id, the
        template ids that were asked for, and where: what the next screenshot starts from.
    """

    hits: tuple[Hit, ...]
    misses: tuple[Miss, ...]
    outranked: tuple[Place, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)
    work: Mapping[str, int] = field(default_factory=dict)
    scale: float = 1.0
    places: tuple[Place, ...] = ()
    refusals: Mapping[int, Refusal] = field(default_factory=dict)
    asked: frozenset[int] = frozenset()
    area: Box | None = None
