"""The answer of a search: components found and how, components missed and why."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memctl.visual.boxes import Box

__all__ = [
    "TOO_FLAT",
    "TOO_LARGE",
    "ComponentHit",
    "Detection",
    "Miss",
    "Refusal",
    "SearchResult",
    "Stopwatch",
    "Verified",
]


@dataclass(frozen=True, slots=True)
class Detection:
    """One place on the screen that passed every check for one template.

    ``score`` is the normalised cross-correlation of the gray values, -1 to 1;
    ``identical`` means that every colour value is the same. ``strangeness`` compares the
    labels: 0 equal, up to 1 the same, above another one; ``None``: not asked yet.
    """

    template_id: int
    component_id: int
    box: Box
    score: float
    identical: bool
    how: str
    strangeness: float | None = None

    @property
    def rank(self) -> tuple[bool, float]:
        """Pixel-identical before merely similar, then the higher score."""
        return self.identical, self.score


@dataclass(frozen=True, slots=True)
class Refusal:
    """The best place that was looked at and refused, and the check that refused it.

    ``counted`` as in `Miss`, ``strangeness`` as in `Detection`.
    """

    why: str
    score: float | None = None
    x: int | None = None
    y: int | None = None
    counted: bool = True
    strangeness: float | None = None


TOO_LARGE = Refusal("template larger than the screen")
TOO_FLAT = Refusal("template is flat")


@dataclass(frozen=True, slots=True)
class Verified:
    """The places of templates that passed every check, before components compete for them.

    Parameters
    ----------
    places, refusals
        By template id: the verified places, and the best refused one.
    work
        Counters.
    """

    places: Mapping[int, list[Detection]]
    refusals: Mapping[int, Refusal]
    work: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ComponentHit:
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
        The variant of the component that was found.
    also_at
        Left and top of its other places, best first.
    strangeness
        As in `Detection`, 0 to 1.
    changed
        What differs from how it was learned; empty for nothing.
    """

    template_id: int
    component_id: int
    box: Box
    score: float
    identical: bool
    how: str
    also_at: tuple[tuple[int, int], ...] = ()
    strangeness: float = 0.0
    changed: str = ""

    def placed(self, place: Box) -> ComponentHit:
        """Return the hit with another of its places as its own."""
        if place == self.box:
            return self
        spots = [(self.box.x, self.box.y), *self.also_at]
        others = tuple(spot for spot in spots if spot != (place.x, place.y))
        return replace(self, box=place, also_at=others)


@dataclass(frozen=True, slots=True)
class Miss:
    """A component that is not on the screen: its best refused place, if any, and why.

    ``counted`` is false where the reason says nothing against the component (its row is not
    here, something covers it): such a miss does not bring it nearer to being forgotten.
    """

    template_id: int
    component_id: int
    best_score: float | None
    x: int | None
    y: int | None
    why: str
    counted: bool = True
    strangeness: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
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

    hits: tuple[ComponentHit, ...]
    misses: tuple[Miss, ...]
    outranked: tuple[Detection, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)
    work: Mapping[str, int] = field(default_factory=dict)
    scale: float = 1.0
    places: tuple[Detection, ...] = ()
    refusals: Mapping[int, Refusal] = field(default_factory=dict)
    asked: frozenset[int] = frozenset()
    area: Box | None = None


class Stopwatch:
    """Adds up the time of named stages in ``ms``."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to a stage."""
        started = time.perf_counter()
        yield
        self.ms[name] = self.ms.get(name, 0.0) + (time.perf_counter() - started) * 1000
