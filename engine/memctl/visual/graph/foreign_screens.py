"""Components and states as another memory has them. Needs no image library."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignComponent:
    """A component as another memory has it."""

    name: str
    type: str = "element"
    source: str = "imported"
    label: str | None = None
    page: str | None = None
    # its middle from the window's corner, in pixels of its first picture; ``None``: not known
    middle: tuple[float, float] | None = None
    confidence: float = 1.0
    learned_at: str
    last_seen_at: str
    seen_count: int = 1
    misses: int = 0
    pinned: bool = False
    row: str | None = None
    section: str | None = None
    cut: bool = False
    field: bool = False
    screens_learned: int = 0  # how many screens that memory has learned


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignState:
    """A state as another memory has it."""

    id: str  # what it is called there; kept where it is an id of a state and free
    name: str | None = None
    title: str | None = None
    page: str | None = None
    texts: tuple[str, ...] = ()
    # width and height of its window at scale 1; ``None``: as large as its components need
    size: tuple[int, int] | None = None
    first_seen_at: str
    last_seen_at: str
    visits: int = 1
