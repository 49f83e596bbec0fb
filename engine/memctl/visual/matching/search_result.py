"""The thresholds of a search, and its answer: components found and how, missed and why."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memctl.base.steps import step

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memctl.visual.boxes import Box


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The thresholds that a place must reach to be a hit, and how many places are looked at.

    Parameters
    ----------
    min_score
        Least normalised cross-correlation (``TM_CCOEFF_NORMED``), -1 to 1.
    identity
        Whether labels are compared stroke by stroke before a place is given out.
    max_contrast
        Largest ``|ln(std on the screen / std of the template)|`` of the gray values.
        Correlation is blind to contrast: a pale button correlates perfectly with a bold one.
    max_colour
        Largest difference of the mean of any colour channel, in gray levels (0-255).
        Correlation is blind to brightness and hue as well.
    max_overlap
        Two places of one template whose boxes share more than this (intersection over
        union) are one place; the better one stays. Pixel-identical places all stay.
    anchors
        Keypoints of a template that are compared with the screen's; 12 is all that are stored.
    likeness
        Least correlation of two keypoints' patches that proposes a place, -1 to 1.
    max_shade
        Largest difference of the means of two such patches, in gray levels.
    min_estimate
        Least correlation over the template's probe pixels that is worth an exact crop.
    strides
        Pixels that a proposed place may be off, in each direction.
    max_candidates
        Places proposed for one screenshot; more are dropped and counted.
    resized_contrast, resized_colour
        ``max_contrast`` and ``max_colour`` for templates that were learned at another scale
        than the screenshot's: text of another size is drawn with other strokes.
    """

    min_score: float = 0.8
    identity: bool = True
    max_contrast: float = 0.15
    max_colour: float = 12.0
    max_overlap: float = 0.3
    anchors: int = 3
    likeness: float = 0.88
    max_shade: float = 16.0
    min_estimate: float = 0.72
    strides: int = 1
    max_candidates: int = 400_000
    resized_contrast: float = 0.35
    resized_colour: float = 20.0

    @property
    def relaxed(self) -> MatchSettings:
        """The same with the bounds for resized screenshots."""
        return replace(self, max_contrast=self.resized_contrast, max_colour=self.resized_colour)

    @property
    def for_resized(self) -> MatchSettings:
        """Look at more places too: in a resized copy nothing is exactly equal."""
        wide = replace(self.relaxed, likeness=min(self.likeness, 0.75), strides=2)
        return replace(wide, anchors=max(self.anchors, 8), min_estimate=0.6)


DEFAULT = MatchSettings()


@dataclass(frozen=True, slots=True)
class ComponentHit:
    """A place on the screen that passed every check for a component.

    Parameters
    ----------
    template_id
        The variant of the component that was found.
    box
        Where, in pixels of the given screenshot.
    score
        Normalised cross-correlation there, 0.8 to 1.
    identical
        Every colour value is the same.
    how
        The stage that found it: "last" (where it was), "hash" (the same pixels elsewhere),
        "near" (some windows are the same), "fuzzy" (keypoints look alike), "full" (compared
        with every place).
    strangeness
        Compares the labels: 0 equal, up to 1 the same, above another one; ``None``: not asked.
    also_at
        Left and top of the component's other places, best first.
    changed
        What differs from how it was learned; empty for nothing.
    """

    template_id: int
    component_id: int
    box: Box
    score: float
    identical: bool
    how: str
    strangeness: float | None = None
    also_at: tuple[tuple[int, int], ...] = ()
    changed: str = ""

    @property
    def corner(self) -> tuple[int, int]:
        """Left and top."""
        return self.box.x, self.box.y

    def placed(self, place: Box) -> ComponentHit:
        """Return the hit with another of its places as its own."""
        if place == self.box:
            return self
        others = tuple(spot for spot in (self.corner, *self.also_at) if spot != (place.x, place.y))
        return replace(self, box=place, also_at=others)

    def missed(self, why: str) -> Miss:
        """Return the component as missed, though it looks like this place: it does not count."""
        return Miss(why, self.score, *self.corner, counted=False, strangeness=self.strangeness)


@dataclass(frozen=True, slots=True)
class Miss:
    """Why a component is not on the screen, and its best place that was refused, if any.

    ``counted`` is false where the reason says nothing against the component (its row is not
    here, something covers it): such a miss does not bring it nearer to being forgotten.
    """

    why: str
    best_score: float | None = None
    x: int | None = None
    y: int | None = None
    counted: bool = True
    strangeness: float | None = None


NOT_PROPOSED = Miss("no candidate")
TOO_LARGE = Miss("template larger than the screen")
TOO_FLAT = Miss("template is flat")
NOT_SEARCHED = Miss("too many pictures without a corner: not looked for", counted=False)


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

    places: Mapping[int, list[ComponentHit]]
    refusals: Mapping[int, Miss]
    work: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer of `find`: every component asked for is in ``hits`` or in ``misses``.

    Parameters
    ----------
    misses
        By component id.
    outranked
        Places that passed every check but where a look-alike of another component fits
        better; they are in no hit.
    ms
        Milliseconds by stage.
    work
        Counters: templates searched, candidates looked at, caps that were reached.
    scale
        Device-pixel ratio the search assumed.
    places
        Every verified place of every picture; equal ones bear the first template's id.
    """

    hits: tuple[ComponentHit, ...]
    misses: Mapping[int, Miss]
    outranked: tuple[ComponentHit, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)
    work: Mapping[str, int] = field(default_factory=dict)
    scale: float = 1.0
    places: tuple[ComponentHit, ...] = ()


class Stopwatch:
    """Adds up the time of named stages in ``ms``."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to a stage, which is a step of the call."""
        step(name)
        started = time.perf_counter()
        yield
        self.ms[name] = self.ms.get(name, 0.0) + (time.perf_counter() - started) * 1000
