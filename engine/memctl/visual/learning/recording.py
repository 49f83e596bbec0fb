"""What every look at a screen writes: observations, sightings, counts, and what is forgotten.

In a transaction of the caller's.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.match_results import ForgottenComponent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.match_results import Absent, Learned, StateMatch
    from memctl.visual.recognition.sightings import Sightings

COMPONENTS = statements.load("store/component")
SQL = statements.load("store/observation")
STATES = statements.load("store/state")


def record_look(
    store: Store,
    frame: Frame,
    seen: Sightings,
    kind: str,
    at: str,
    *,
    page: str | None,
    state: StateMatch | None,
    absent: Iterable[Absent],
    learned: Sequence[Learned] = (),
    app_version: str | None = None,
) -> int:
    """Write an observation and its sightings; return the observation's id.

    An absence that is no miss (`Absent.counted`) is no sighting either.

    Parameters
    ----------
    kind
        learn or match.
    learned
        The components and variants that were added.
    app_version
        What the setting says of the app, ``None`` where it says nothing.
    """
    absent = [one for one in absent if one.counted]
    observation_id = store.insert(
        SQL.insert_observation,
        {
            "kind": kind,
            "observed_at": at,
            "img_sha256": frame.sha256,
            "img_w": frame.width,
            "img_h": frame.height,
            "scale": seen.scale,
            "page": page,
            "window_box": _window(seen.window, frame),
            "state_id": state.id if state else None,
            "similarity": state.similarity if state else None,
            "found": len(seen.hits),
            "absent": len(absent),
            "learned": len(learned),
            "duration_ms": round(sum(seen.ms.values()), 3),
            "stages": json.dumps({stage: round(ms, 3) for stage, ms in seen.ms.items()}),
            "app_version": app_version,
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
        for one in learned
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


def count_seen(store: Store, seen: Sightings, seen_at: str) -> None:
    """Note that components were seen, and where."""
    rows = [
        {"id": key, "seen_at": seen_at, "x": place.x, "y": place.y}
        for key, place in seen.places.items()
    ]
    store.execute_many(COMPONENTS.seen, rows)


def forget_missed(
    store: Store, settings: Settings, missed: Iterable[int], at: str
) -> list[ForgottenComponent]:
    """Count misses, and mark as forgotten what was missed too often.

    A component is forgotten when it was missed ``forget_threshold`` times in a row (so the store
    has looked at more screenshots than that); a pinned one never is. States that nothing living
    defines any more are marked with it, and with them their transitions leave the graph.

    Parameters
    ----------
    missed
        The components that were looked for in vain where they are expected.
    """
    store.execute_many(COMPONENTS.missed, [{"id": key} for key in missed])
    threshold = settings.integer("forget_threshold")
    forgotten = [
        ForgottenComponent(
            row["id"], row["name"], f"missed {row['consecutive_misses']} times in a row"
        )
        for row in store.rows(COMPONENTS.due_to_be_forgotten, {"threshold": threshold})
    ]
    marks = [{"id": f.component_id, "forgotten_at": at, "why": f.why} for f in forgotten]
    store.execute_many(COMPONENTS.forget, marks)
    if forgotten:
        store.execute(STATES.forget_empty, {"forgotten_at": at})
    return forgotten


def may_forget(store: Store, settings: Settings) -> bool:
    """Return True if one more miss could make a component forgotten."""
    threshold = settings.integer("forget_threshold") - 1
    return bool(store.rows(COMPONENTS.due_to_be_forgotten, {"threshold": threshold}))


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
