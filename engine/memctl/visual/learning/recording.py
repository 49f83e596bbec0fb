"""Records observations and their sightings: rows that reports count. In a transaction."""

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
    from memctl.visual.match_results import Absent, Learned, StateMatch
    from memctl.visual.recognition.sightings import Sightings

SQL = statements.load("store/observation")


@dataclass(frozen=True, slots=True)
class Record:
    """One observation, as it is kept.

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
    """Write an observation and its sightings; return the observation's id.

    An absence that is no miss (`Absent.counted`) is no sighting either.
    """
    absent = [one for one in entry.absent if one.counted]
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
    rows = [
        _sighting(
            observation_id,
            key,
            hit.box.xywh,
            template_id=hit.template_id,
            score=hit.score,
            how=hit.how,
        )
        for key, hit in seen.hits.items()
    ]
    # A component learned is seen, too: sightings add up to seen_count, and a delete finds by them
    # the kept screenshots that show a component.
    rows += [
        _sighting(
            observation_id,
            one.component_id,
            (one.x, one.y, one.w, one.h),
            template_id=one.template_id,
            score=1.0,
            how="learned",
        )
        for one in entry.learned
        if not one.new_look
    ]
    rows += [
        _sighting(
            observation_id,
            one.component_id,
            (one.x, one.y, None, None),
            template_id=None,
            score=one.best_score,
            how=one.why,
        )
        for one in absent
    ]
    store.execute_many(SQL.insert_sighting, rows)
    return observation_id


def keep_screenshot(store: Store, settings: Settings, observation_id: int, png: bytes) -> None:
    """Keep a full screenshot, and only as many as the setting ``keep_screenshots`` says."""
    store.execute(SQL.insert_screenshot, {"observation_id": observation_id, "png": png})
    store.execute(SQL.trim_screenshots, {"keep": settings.integer("keep_screenshots")})


def drop_screenshots(store: Store) -> None:
    """Drop every full screenshot that was kept."""
    store.execute(SQL.trim_screenshots, {"keep": 0})


def _window(window: Box, frame: Frame) -> str | None:
    if (window.w, window.h) == (frame.width, frame.height):
        return None
    return json.dumps([window.x, window.y, window.w, window.h])


def _sighting(
    observation_id: int,
    component_id: int,
    place: tuple[int | None, ...],
    *,
    template_id: int | None,
    score: float | None,
    how: str,
) -> dict[str, object]:
    return {
        "observation_id": observation_id,
        "component_id": component_id,
        "found": int(template_id is not None),
        "template_id": template_id,
        **dict(zip("xywh", place, strict=True)),
        "score": score,
        "how": how,
    }
