"""Answers of learn, match and locate; the shapes that other tools build on.

Fields may be added, not renamed. Boxes are pixels of the screenshot that was given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.visual.matching.search_result import ComponentHit


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """Size of the screenshot in pixels, and its device-pixel ratio against the memory."""

    w: int
    h: int
    scale: float


@dataclass(frozen=True, slots=True)
class StateMatch:
    """The state that the screen shows; ``similarity`` 0 to 1."""

    id: str
    name: str | None
    similarity: float
    status: str
    page: str | None


@dataclass(frozen=True, slots=True)
class Sighting:
    """A component found: where, how surely, by which stage and in which variant.

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


@dataclass(frozen=True, slots=True)
class Absent:
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
class Match:
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


@dataclass(frozen=True, slots=True)
class Learned:
    """A component that was added, or a new variant of a known one."""

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
class Refused:
    """A box that was not learned, ``[x, y, w, h]``, and why."""

    box: tuple[int, int, int, int]
    why: str


@dataclass(frozen=True, slots=True)
class ForgottenComponent:
    """A component that was forgotten, and why."""

    component_id: int
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Merged:
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


@dataclass(frozen=True, slots=True)
class Location:
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
    center
        The middle of the box; ``None`` where it was not found.
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
            object.__setattr__(self, "center", (self.x + self.w / 2, self.y + self.h / 2))

    def __bool__(self) -> bool:
        return self.found


def rounded(ms: Mapping[str, float]) -> dict[str, float]:
    """Return milliseconds as answers show them."""
    return {stage: round(value, 3) for stage, value in ms.items()}


def place_fields(hit: ComponentHit) -> dict[str, Any]:
    """Return the fields of an answer that say where a component was found, and how."""
    return {
        **dict(zip("xywh", hit.box.xywh, strict=True)),
        "score": round(hit.score, 4),
        "how": hit.how,
        "template_id": hit.template_id,
        "also_at": list(hit.also_at),
        "strangeness": round(hit.strangeness or 0.0, 4),
        "changed": hit.changed,
    }
