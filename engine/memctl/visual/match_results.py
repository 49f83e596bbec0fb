"""The thresholds of a search, and the answers of search, learn, match and locate.

Fields of the answers may be added, not renamed: other tools build on them. Boxes are pixels of the
screenshot that was given.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from memctl.base.steps import step
from memctl.store.results import Result
from memctl.visual.boxes import lies_in
from memctl.visual.ignored_areas import Area
from memctl.visual.pictured import Pictured, Place, Placed, middle, seen_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.reading.image import ImageSource


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The thresholds that a place must reach to be a hit, and how many places are looked at."""

    min_score: float = 0.8  # least normalised cross-correlation (``TM_CCOEFF_NORMED``), -1 to 1
    # whether labels are compared stroke by stroke before a place is given out
    identity: bool = True
    # largest ``|ln(std on the screen / std of the template)|`` of the gray values. Correlation is
    # blind to contrast: a pale button correlates perfectly with a bold one.
    max_contrast: float = 0.15
    # largest difference of the mean of any colour channel, in gray levels (0-255). Correlation is
    # blind to brightness and hue as well.
    max_colour: float = 12.0
    # two places of one template whose boxes share more than this (intersection over union) are one
    # place; the better one stays. Pixel-identical places all stay.
    max_overlap: float = 0.3
    # keypoints of a template that are compared with the screen's; 12 is all that are stored
    anchors: int = 3
    # least correlation of two keypoints' patches that proposes a place, -1 to 1
    likeness: float = 0.88
    max_shade: float = 16.0  # largest difference of the means of two such patches, in gray levels
    # least correlation over the template's probe pixels that is worth an exact crop
    min_estimate: float = 0.72
    strides: int = 1  # pixels that a proposed place may be off, in each direction
    # places proposed for one screenshot; more are dropped and counted
    max_candidates: int = 400_000
    # resized_contrast, resized_colour: ``max_contrast`` and ``max_colour`` for templates that were
    # learned at another scale than the screenshot's: text of another size is drawn with other
    # strokes
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
    """A place on the screen that passed every check for a component."""

    template_id: int  # the template that was found
    component_id: int
    box: Box  # where, in pixels of the given screenshot
    score: float  # normalised cross-correlation there, 0.8 to 1
    identical: bool  # every colour value is the same
    # the stage that found it: "last" (where it was), "hash" (the same pixels elsewhere), "near"
    # (some windows are the same), "fuzzy" (keypoints look alike), "full" (compared with every
    # place)
    how: str
    # compares the labels: 0 equal, up to 1 the same, above another one; ``None``: not asked
    strangeness: float | None = None
    # left and top of the component's other places, best first
    also_at: tuple[tuple[int, int], ...] = ()
    changed: str = ""  # what differs from how it was learned; empty for nothing

    @property
    def corner(self) -> tuple[int, int]:
        """Left and top."""
        return self.box.x, self.box.y

    @property
    def places(self) -> list[Box]:
        """Every place that looks like the component, its own first."""
        return [self.box, *(self.box.placed(*spot) for spot in self.also_at)]

    def placed(self, place: Box) -> ComponentHit:
        """Return the hit with another of its places as its own."""
        if place == self.box:
            return self
        others = tuple(spot for spot in (self.corner, *self.also_at) if spot != (place.x, place.y))
        return replace(self, box=place, also_at=others)

    def outside(self, areas: Sequence[Box]) -> ComponentHit | None:
        """Return the hit with the places that lie in none of some areas, if any is left."""
        places = [place for place in self.places if not lies_in(place, areas)]
        if not places:
            return None
        others = tuple((place.x, place.y) for place in places[1:])
        return replace(self, box=places[0], also_at=others)

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
class SearchResult:
    """The answer of `find`: every component asked for is in ``hits`` or in ``misses``."""

    hits: tuple[ComponentHit, ...]
    misses: Mapping[int, Miss]  # by component id
    # places that passed every check but where a look-alike of another component fits better; they
    # are in no hit
    outranked: tuple[ComponentHit, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)  # milliseconds by stage
    # counters: templates searched, candidates looked at, caps that were reached
    work: Mapping[str, int] = field(default_factory=dict)
    scale: float = 1.0  # device-pixel ratio the search assumed
    # every verified place of every picture; equal ones bear the first template's id
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


@dataclass(frozen=True, slots=True)
class ImageInfo(Result):
    """Size of the screenshot in pixels, and its device-pixel ratio against the memory."""

    w: int
    h: int
    scale: float


@dataclass(frozen=True, slots=True)
class StateMatch(Result):
    """The state that the screen shows; ``similarity`` 0 to 1."""

    id: str
    name: str | None
    similarity: float
    status: str
    page: str | None


@dataclass(frozen=True, slots=True)
class Sighting(Placed, Pictured):
    """A component on a screenshot: where, how surely, by which stage and by which template.

    ``score`` is the normalised cross-correlation, 0.8 to 1; ``also_at`` lists the left top
    corners of further places that look the same. ``strangeness`` compares the label with the
    remembered one: 0 equal, up to 1 the same. ``changed`` says what differs from how it was
    learned, and is empty where nothing does; ``how`` is then a word for it (``recoloured``,
    ``redrawn``, ``changed beside``, ``caret``, ``pointer``) and ``score`` that of its strokes.
    """

    component_id: int
    name: str
    x: int
    y: int
    w: int
    h: int
    score: float
    how: str
    template_id: int
    also_at: list[tuple[int, int]] = field(default_factory=list)
    strangeness: float = 0.0
    changed: str = ""

    @property
    def boxes(self) -> list[Place]:
        """Every place that looks like it, its own first."""
        return [self.box, *((x, y, self.w, self.h) for x, y in self.also_at)]


@dataclass(frozen=True, slots=True)
class Absent(Pictured):
    """A component that was expected here and is not: its best place, and why not that one.

    ``counted`` is false where the reason says nothing against the component, such as another
    label in the same frame: that is no miss towards forgetting it. ``strangeness`` is above 1
    where another label stands in the same frame.
    """

    component_id: int
    name: str
    best_score: float | None
    x: int | None
    y: int | None
    why: str
    counted: bool = True
    strangeness: float | None = None


@dataclass(frozen=True, slots=True)
class Match(Pictured):
    """The answer of a match: the state of a screenshot, and components seen and absent.

    Parameters
    ----------
    observation_id
        The record of it; ``None`` where it was not kept.
    unrecorded
        Why it was not kept although it was to be; else empty.
    doubt
        Why no state is given although one is near, or two are; empty where one is, or none.
    also
        Known pages beside the state: in another window, or on another monitor.
    note
        The circumstances that a driver tells of its look, such as a page that kept changing.
    forgotten
        Components that were missed too often by now; none where nothing is recorded.
    ignored
        Areas of the screenshot that did not count, ``(x, y, w, h)`` or ``(x, y, w, h, label)``:
        those of this call, and those that are kept with the state.
    """

    state: StateMatch | None
    sightings: list[Sighting]
    absent: list[Absent]
    image: ImageInfo
    ms: dict[str, float]
    observation_id: int | None = None
    unrecorded: str = ""
    doubt: str = ""
    also: list[StateMatch] = field(default_factory=list)
    note: str = ""
    forgotten: list[ForgottenComponent] = field(default_factory=list)
    ignored: list[Area] = field(default_factory=list)

    def with_pictures(self, store: Store) -> Self:
        """Remember, weakly, where the pictures are, for each component of it, too."""
        for seen in (*self.sightings, *self.absent):
            seen.with_pictures(store)
        return Pictured.with_pictures(self, store)

    def _drawn(self, store: Store) -> str:
        return seen_html(store, self.image.w, self.image.h, self.sightings)


@dataclass(frozen=True, slots=True)
class Learned(Placed, Pictured):
    """A component that was added, or a new template of a known one."""

    component_id: int
    name: str
    type: str
    label: str | None
    x: int
    y: int
    w: int
    h: int
    template_id: int
    new_look: bool = False


@dataclass(frozen=True, slots=True)
class Refused(Result):
    """A box that was not learned, ``[x, y, w, h]``, and why."""

    box: tuple[int, int, int, int]
    why: str

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the box."""
        return middle(*self.box)


@dataclass(frozen=True, slots=True)
class ForgottenComponent(Result):
    """A component that was forgotten, and why."""

    component_id: int
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Merged(Result):
    """Two states that turned out to be one screen: ``merged`` went into ``into``."""

    merged: str
    into: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Learn(Match):
    """The answer of a learn: that of a match, and the changes to the memory."""

    learned: list[Learned] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    state_created: bool = False
    states_merged: list[Merged] = field(default_factory=list)

    def with_pictures(self, store: Store) -> Self:
        """Remember, weakly, where the pictures are, for what was learned, too."""
        for learned in self.learned:
            learned.with_pictures(store)
        return Match.with_pictures(self, store)


@dataclass(frozen=True, slots=True)
class Location(Pictured):
    """Where one component is, or why it is not given out: then it is false and has no place.

    Parameters
    ----------
    x, y
        Left and top; ``None`` where it was not found.
    score
        Of the best place, found or refused.
    how
        The stage that found it, or the reason why it was not found.
    refused_at
        Left and top of the best place where it was not found: nothing to click on.
    changed
        As in `Sighting`.

    Attributes
    ----------
    center, box, boxes
        The middle of the box, the box ``(x, y, w, h)``, and every place that looks like it, its own
        first; ``None`` and none where it was not found.
    """

    component_id: int
    name: str
    found: bool
    x: int | None
    y: int | None
    w: int
    h: int
    score: float | None
    how: str
    template_id: int | None
    also_at: list[tuple[int, int]] = field(default_factory=list)
    strangeness: float | None = None
    ms: dict[str, float] = field(default_factory=dict)
    note: str = ""
    refused_at: tuple[int, int] | None = None
    changed: str = ""
    center: tuple[float, float] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.x is not None and self.y is not None:
            object.__setattr__(self, "center", middle(self.x, self.y, self.w, self.h))

    def __bool__(self) -> bool:
        return self.found

    @property
    def box(self) -> Place | None:
        """Left, top, width and height, in pixels of the screenshot; ``None`` where it was not found."""
        return None if self.x is None or self.y is None else (self.x, self.y, self.w, self.h)

    @property
    def boxes(self) -> list[Place]:
        """Every place that looks like it, its own first; none where it was not found."""
        others = ((x, y, self.w, self.h) for x, y in self.also_at)
        return [self.box, *others] if self.box is not None else []


def rounded(ms: Mapping[str, float]) -> dict[str, float]:
    """Return milliseconds as answers show them."""
    return {stage: round(value, 3) for stage, value in ms.items()}


def place_fields(hit: ComponentHit) -> dict[str, Any]:
    """Return the fields of an answer for the place of a component, and how it was found."""
    return {
        **dict(zip("xywh", hit.box.xywh, strict=True)),
        "score": round(hit.score, 4),
        "how": hit.how,
        "template_id": hit.template_id,
        "also_at": list(hit.also_at),
        "strangeness": round(hit.strangeness or 0.0, 4),
        "changed": hit.changed,
    }


class ScreenPicture(NamedTuple):
    """A screenshot, and the boxes, the title and the note of the look it was taken in."""

    image: ImageSource
    # in the boxes-file format; ``None`` where nobody knows any
    boxes: list[dict[str, Any]] | None = None
    title: str | None = None
    note: str = ""  # the circumstances to tell a person; else empty
