"""Components and pages of a grown store, and the rows that they are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from memctl.config.settings import KNOWN
from memctl.visual.matching.template import FEATURE_VERSION, extract_alone
from memctl.visual.reading.image import encode_png, pixels_digest

if TYPE_CHECKING:
    from benchmarks.reports.growing.calendar import Calendar

__all__ = [
    "SCREEN",
    "THRESHOLD",
    "Page",
    "Row",
    "Thing",
    "component_row",
    "member_rows",
    "state_row",
    "template_row",
]

Row = dict[str, Any]

SCREEN = (1280, 800)
THRESHOLD = int(KNOWN["forget_threshold"].default)


@dataclass
class Thing:
    """One component: when it is on its page, and what became of it in memory.

    Components of one ``look`` share every pixel.
    """

    id: int
    type: str
    place: tuple[int, int, int, int]
    learned: float
    ends: float
    look: int
    seen: int = 0
    last_seen: float = 0.0
    misses: int = 0
    forgotten: float | None = None


@dataclass
class Page:
    """One screen: what is on it, when it was looked at, and what its state has met."""

    number: int
    things: list[Thing] = field(default_factory=list)
    visits: list[float] = field(default_factory=list)
    members: dict[int, Thing] = field(default_factory=dict)
    first: set[int] = field(default_factory=set)

    @property
    def state_id(self) -> str:
        """Its state's, as stores make them."""
        return "s_" + hashlib.sha256(f"page {self.number}".encode()).hexdigest()[:6]

    @property
    def name(self) -> str:
        """What its caller calls it."""
        return f"page-{self.number}"


def component_row(thing: Thing, calendar: Calendar) -> Row:
    """Return a component's row, with what its sightings add up to."""
    x, y, w, h = thing.place
    at = calendar.at
    why = f"missed {THRESHOLD} times in a row" if thing.forgotten is not None else None
    return {
        "id": thing.id,
        "name": f"{thing.type}_{thing.id}",
        "type": thing.type,
        "source": "dom" if thing.id % 3 else "proposer",
        "label": f"{thing.type} {thing.id}" if thing.id % 5 else None,
        "page": None,
        "scale": 1.0,
        "rel_x": x,
        "rel_y": y,
        "w": w,
        "h": h,
        "confidence": 0.9,
        "learned_at": at(thing.learned),
        "last_seen_at": at(thing.last_seen),
        "seen_count": thing.seen,
        "consecutive_misses": thing.misses,
        "pinned": int(thing.id % 200 == 0 and thing.forgotten is None),
        "forgotten_at": at(thing.forgotten) if thing.forgotten is not None else None,
        "forgotten_why": why,
    }


def template_row(thing: Thing, calendar: Calendar) -> Row:
    """Return its one look: noise of its own, with real features."""
    _, _, w, h = thing.place
    bgr = np.random.default_rng(thing.look).integers(0, 256, (h, w, 3)).astype(np.uint8)
    return {
        "id": thing.id,
        "component_id": thing.id,
        "png": encode_png(bgr),
        "sha256": pixels_digest(bgr),
        "w": w,
        "h": h,
        "scale": 1.0,
        "features": extract_alone(bgr),
        "feature_version": FEATURE_VERSION,
        "learned_at": calendar.at(thing.learned),
    }


def state_row(page: Page, calendar: Calendar) -> Row:
    """Return the row of the page's state; no words on it."""
    return {
        "id": page.state_id,
        "name": page.name if page.number % 10 else None,
        "page": page.name,
        "status": "confirmed" if len(page.visits) > 1 else "provisional",
        "visit_count": len(page.visits),
        "first_seen_at": calendar.at(page.visits[0]),
        "last_seen_at": calendar.at(page.visits[-1]),
        "img_w": SCREEN[0],
        "img_h": SCREEN[1],
        "words": b"",
    }


def member_rows(page: Page) -> list[Row]:
    """Return what belongs to the page's state; what it had at first defines it."""
    return [
        {
            "state_id": page.state_id,
            "component_id": thing.id,
            "defining": int(thing.id in page.first),
            "x": thing.place[0],
            "y": thing.place[1],
        }
        for thing in page.members.values()
    ]
