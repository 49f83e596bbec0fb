"""Keeps what was looked for and found: rows that reports can count. In a transaction."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.learning.sightings import Sightings
    from memctl.visual.match_results import Absent, Learned, StateMatch

__all__ = ["Record", "record"]

SQL = statements.load("store/observation")


@dataclass(frozen=True, slots=True)
class Record:
    """One seen, as it is kept.

    ``kind`` is learn, match or locate; ``learned`` are the components and variants that were added;
    ``app_version`` is what the setting says of the app, ``None`` where it says nothing.
    """

    kind: str
    observed_at: str
    page: str | None
    state: StateMatch | None
    absent: Iterable[Absent]
    learned: Sequence[Learned] = ()
    app_version: str | None = None


def record(store: Store, frame: Frame, seen: Sightings, entry: Record) -> int:
    """Write an observation and its sightings; return the observation's id."""
    absent = list(entry.absent)
    observation_id = store.insert(
        SQL.insert_observation,
        {
            "kind": entry.kind,
            "observed_at": entry.observed_at,
            "img_sha256": frame.sha256,
            "img_w": frame.width,
            "img_h": frame.height,
            "scale": seen.scale,
            "page": entry.page,
            "window_box": _window(seen.window, frame),
            "state_id": entry.state.id if entry.state else None,
            "similarity": entry.state.similarity if entry.state else None,
            "found": len(seen.hits),
            "absent": len(absent),
            "learned": len(entry.learned),
            "duration_ms": round(sum(seen.ms.values()), 3),
            "stages": json.dumps({stage: round(ms, 3) for stage, ms in seen.ms.items()}),
            "app_version": entry.app_version,
        },
    )
    found = [_found(observation_id, key, seen) for key in seen.hits]
    # What is learned is seen, too: sightings add up to seen_count, and a delete finds by them
    # the kept screenshots that show a component.
    first = [_first(observation_id, one) for one in entry.learned if not one.new_look]
    missing = [_missing(observation_id, one) for one in absent]
    store.execute_many(SQL.insert_sighting, found + first + missing)
    return observation_id


def keep_screenshot(store: Store, settings: Settings, observation_id: int, png: bytes) -> None:
    """Keep a full screenshot, and only as many as the setting ``keep_screenshots`` says."""
    store.execute(SQL.insert_screenshot, {"observation_id": observation_id, "png": png})
    store.execute(SQL.trim_screenshots, {"keep": settings.integer("keep_screenshots")})


def _window(window: Box, frame: Frame) -> str | None:
    if (window.w, window.h) == (frame.width, frame.height):
        return None
    return json.dumps([window.x, window.y, window.w, window.h])


def _found(observation_id: int, component_id: int, seen: Sightings) -> dict[str, object]:
    hit = seen.hits[component_id]
    return {
        "observation_id": observation_id,
        "component_id": component_id,
        "found": 1,
        "template_id": hit.template_id,
        "x": hit.box.x,
        "y": hit.box.y,
        "w": hit.box.w,
        "h": hit.box.h,
        "score": hit.score,
        "how": hit.how,
    }


def _first(observation_id: int, learned: Learned) -> dict[str, object]:
    return {
        "observation_id": observation_id,
        "component_id": learned.component_id,
        "found": 1,
        "template_id": learned.template_id,
        "x": learned.x,
        "y": learned.y,
        "w": learned.w,
        "h": learned.h,
        "score": 1.0,
        "how": "learned",
    }


def _missing(observation_id: int, absent: Absent) -> dict[str, object]:
    return {
        "observation_id": observation_id,
        "component_id": absent.component_id,
        "found": 0,
        "template_id": None,
        "x": absent.x,
        "y": absent.y,
        "w": None,
        "h": None,
        "score": absent.best_score,
        "how": absent.why,
    }
