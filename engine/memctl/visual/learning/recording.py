"""Writes what a look at a screen found: new components and templates, sightings, counts, misses.

A row is made without its ids, apart from the store; it is written in a transaction of the caller's.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from memctl.store import statements
from memctl.visual.boxes import SAME_PLACE, Box
from memctl.visual.frame import is_learnable
from memctl.visual.graph.naming import folded, is_place_name
from memctl.visual.identity.dress import blank_beside
from memctl.visual.match_results import ForgottenComponent, Learned
from memctl.visual.matching.template import FEATURE_VERSION, extract
from memctl.visual.reading.image import encode_png, pixels_digest
from memctl.visual.recognition.recognition import components_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.learning.new_names import Namer
    from memctl.visual.match_results import Absent, StateMatch
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex


COMPONENTS = statements.load("store/component")

Row = dict[str, Any]


def new_templates(
    store: Store,
    index: StateIndex,
    seen: Sightings,
    new: Sequence[GivenBox],
    recognised: Recognised | None,
    page: str | None,
) -> dict[int, GivenBox]:
    """Return the new boxes that are other templates of known components (hover, theme, disabled).

    On a screen that is known, by its state or by the name that the caller gave its page, a
    box with the label, the type and the place of a component that is missing there is that
    component. Anywhere else an equal label proves nothing.
    """
    missing = set(seen.misses)
    if recognised is not None:
        missing &= components_of(index, seen, recognised)
    elif page is not None:
        missing &= {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
    else:
        return {}
    wanted = [row for row in store.rows(COMPONENTS.living) if row["id"] in missing and row["label"]]
    labelled: dict[str, list[GivenBox]] = {}
    for candidate in new:
        labelled.setdefault(folded(candidate.label), []).append(candidate)
    result: dict[int, GivenBox] = {}
    for row in wanted:
        for candidate in labelled.get(folded(row["label"]), ()):
            place = Box(*(round(row[k] / row["scale"]) for k in ("rel_x", "rel_y", "w", "h")))
            at_place = seen.at_scale_one(candidate.box).iou(place) > SAME_PLACE
            if at_place and row["type"] == candidate.kind:
                result.setdefault(row["id"], candidate)
    # One box cannot be a template of two components.
    claims = Counter(result.values())
    return {key: one for key, one in result.items() if claims[one] == 1}


def component_rows(
    boxes: Sequence[GivenBox], names: Sequence[str], seen: Sightings, page: str | None
) -> list[Row]:
    """Return the rows of new components, without ids and times."""
    return [
        {
            "name": name,
            "type": one.kind,
            "source": one.source,
            "label": one.label or None,
            "page": page,
            "scale": seen.scale,
            "rel_x": one.box.x - seen.window.x,
            "rel_y": one.box.y - seen.window.y,
            "w": one.box.w,
            "h": one.box.h,
            "confidence": one.confidence,
            "row_text": one.row or None,
            "section": one.section or None,
            "cut": int(one.cut),
            "field": int(one.field),
            "dynamic": one.dynamic,
        }
        for one, name in zip(boxes, names, strict=True)
    ]


def taken(frame: Frame, box: Box, scale: float, *, alone: bool = False) -> Row:
    """Return the row of a picture that is taken of a screenshot, without ids and times.

    ``alone``: the frame is the picture itself: what stood beside it is not known.
    """
    crop = frame.crop(box)
    blank_left, blank_right = (None, None) if alone else blank_beside(frame.gray, box)
    return {
        "blank_left": blank_left,
        "blank_right": blank_right,
        "png": encode_png(crop),
        "sha256": pixels_digest(crop),
        "w": box.w,
        "h": box.h,
        "scale": scale,
        "features": extract(frame, box),
        "feature_version": FEATURE_VERSION,
    }


def pictures_at_scale(frame: Frame, seen: Sightings, secrets: Sequence[Box]) -> dict[int, Row]:
    """Return pictures at this scale of components that were learned at another one, by their ids.

    ``secrets``: boxes that no picture may be taken of.
    """
    return {
        key: taken(frame, hit.box, seen.scale)
        for key, hit in seen.hits.items()
        if seen.scales.get(hit.template_id, seen.scale) != seen.scale
        and is_learnable(frame.crop(hit.box)) is None
        and not any(map(hit.box.overlap, secrets))
    }


def new_labels(
    namer: Namer, candidates: Mapping[int, GivenBox], about: Mapping[int, sqlite3.Row]
) -> list[Row]:
    """Return the labels and the rows that a better source reads on components without any.

    A name that a person gave stays.

    ``candidates``: component id to the box that covers it. ``about``: living component id to its
    row of ``component``.
    """
    labels = []
    for key, candidate in candidates.items():
        row = about.get(key)
        if row is None or row["label"] is not None or not candidate.label:
            continue
        own = row["made_name"] == row["name"] or is_place_name(row["name"])
        labels.append(
            {
                "id": key,
                "label": candidate.label,
                "name": namer.names([candidate])[0] if own else row["name"],
                "own": int(own),
                "cut": int(candidate.cut),
                "row_text": candidate.row or None,
                "section": candidate.section or None,
            }
        )
    return labels


def add_components(
    store: Store, rows: Sequence[Row], pictures: Sequence[Row], boxes: Sequence[Box], at: str
) -> list[Learned]:
    """Write new components, each with its picture. In a transaction."""
    if not rows:
        return []
    first, picture = store.rows(COMPONENTS.next_ids)[0]
    numbered = list(enumerate(zip(rows, pictures, boxes, strict=True)))
    store.execute_many(
        COMPONENTS.insert_component,
        [
            {**row, "id": first + n, "seen_at": at, "changing_at": at if row["dynamic"] else None}
            for n, (row, _, _) in numbered
        ],
    )
    store.execute_many(
        COMPONENTS.insert_template,
        [
            {**one, "id": picture + n, "component_id": first + n, "learned_at": at}
            for n, (_, one, _) in numbered
        ],
    )
    return [
        Learned(first + n, row["name"], row["type"], row["label"], *box.xywh, picture + n)
        for n, (row, _, box) in numbered
    ]


def add_picture(store: Store, component_id: int, picture: Row, at: str) -> int:
    """Write a picture of a component; return its id, or that of the same picture it has already.

    In a transaction.
    """
    key = {"component_id": component_id, "sha256": picture["sha256"]}
    known = store.value(COMPONENTS.template_with_pixels, key)
    if known is not None:
        return int(known)
    row = {**picture, "id": None, "component_id": component_id, "learned_at": at}
    return store.insert(COMPONENTS.insert_template, row)


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

    ``kind``: learn or match. ``learned``: the components and templates that were added.
    ``app_version``: what the setting says of the app, ``None`` where it says nothing.
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
            "window_box": window_text(seen.window, frame),
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

    ``missed``: the components that were looked for in vain where they are expected.
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
    """Keep a full screenshot, and at most as many as the setting ``keep_screenshots``."""
    store.execute(SQL.insert_screenshot, {"observation_id": observation_id, "png": png})
    store.execute(SQL.trim_screenshots, {"keep": settings.integer("keep_screenshots")})


def drop_screenshots(store: Store) -> None:
    """Drop every full screenshot that was kept."""
    store.execute(SQL.trim_screenshots, {"keep": 0})


def window_text(window: Box, frame: Frame) -> str | None:
    """Return a window as it is kept; ``None`` for the whole screenshot."""
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
