"""Values of the components: a component, its variants, what an erasure took, and a choice of some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Component:
    """Something that can be seen on a screen.

    ``rel_x`` and ``rel_y`` are pixels from the window's left top corner to the component's,
    where it was last seen; they, ``w`` and ``h`` are in pixels at the device-pixel ratio
    ``scale``. ``twins`` counts others of its look on the screenshot that it was last learned
    from (``None``: nobody has counted them), ``looks`` its variants (templates).
    """

    id: int
    name: str
    type: str
    source: str
    label: str | None
    page: str | None
    scale: float
    rel_x: int
    rel_y: int
    w: int
    h: int
    confidence: float
    learned_at: str
    last_seen_at: str
    seen_count: int
    consecutive_misses: int
    pinned: bool
    forgotten_at: str | None
    forgotten_why: str | None
    twins: int | None
    row_text: str | None
    section: str | None
    cut: bool
    field: bool
    changing_at: str | None
    looks: int


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    """One variant of a component: size in pixels, device-pixel ratio, digest of its pixels."""

    id: int
    w: int
    h: int
    scale: float
    sha256: str
    learned_at: str
    bytes: int


@dataclass(frozen=True, slots=True)
class ErasedComponent:
    """The erased component; ``erased`` is false while a reader still keeps the old bytes.

    Variants of other components that showed it were ``looks_masked`` or, where nothing was
    left to be found by, ``looks_removed``; ``inside`` counts the components inside of it that were
    erased with it.
    """

    component_id: int
    name: str
    states_emptied: int
    erased: bool
    looks_masked: int = 0
    looks_removed: int = 0
    inside: int = 0


class ComponentChoice(TypedDict, total=False):
    """Components that are chosen by what `Components.list` filters by; at least one is given."""

    keys: Sequence[str | int]
    page: str | None
    type: str | None
    unlabelled: bool
    stale: bool
    missed: int | None
    stateless: bool
