"""New components and new pictures of known ones: made from a screenshot, then written.

A row is made without its ids, apart from the store; it is written in a transaction of the caller's.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from memctl.store import statements
from memctl.visual.boxes import SAME_PLACE, Box
from memctl.visual.frame import is_learnable
from memctl.visual.graph.naming import folded, is_place_name
from memctl.visual.identity.label_ends import blank_beside
from memctl.visual.match_results import Learned
from memctl.visual.matching.features import FEATURE_VERSION, extract
from memctl.visual.reading.image import encode_png, pixels_digest
from memctl.visual.recognition.recognition import components_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.learning.new_names import Namer
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

SQL = statements.load("store/component")

Row = dict[str, Any]


def new_variants(
    store: Store,
    index: StateIndex,
    seen: Sightings,
    new: Sequence[GivenBox],
    recognised: Recognised | None,
    page: str | None,
) -> dict[int, GivenBox]:
    """Return the new boxes that are variants of known components (hover, theme, disabled).

    On a screen that is known, by its state or by the name that the caller gave its page, a
    box with the label, the type and the place of a component that is missing there is that
    component. Anywhere else an equal label proves nothing.
    """
    missing = set(seen.misses)
    if recognised is not None:
        missing &= components_of(index, seen, recognised)
    elif page is not None:
        missing &= {row["id"] for row in store.rows(SQL.learned_on, {"page": page})}
    else:
        return {}
    wanted = [row for row in store.rows(SQL.living) if row["id"] in missing and row["label"]]
    labelled: dict[str, list[GivenBox]] = {}
    for candidate in new:
        labelled.setdefault(folded(candidate.label), []).append(candidate)
    variants: dict[int, GivenBox] = {}
    for row in wanted:
        for candidate in labelled.get(folded(row["label"]), ()):
            if _same_thing(row, candidate, seen):
                variants.setdefault(row["id"], candidate)
    # One box cannot be a variant of two components.
    claims = Counter(variants.values())
    return {key: one for key, one in variants.items() if claims[one] == 1}


def _same_thing(row: sqlite3.Row, candidate: GivenBox, seen: Sightings) -> bool:
    sides = (round(row[key] / row["scale"]) for key in ("rel_x", "rel_y", "w", "h"))
    told = (folded(row["label"]), row["type"]) == (folded(candidate.label), candidate.kind)
    return told and seen.at_scale_one(candidate.box).iou(Box(*sides)) > SAME_PLACE


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

    Parameters
    ----------
    alone
        The frame is the picture itself: what stood beside it is not known.
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

    Parameters
    ----------
    secrets
        Boxes that no picture may be taken of.
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

    Parameters
    ----------
    candidates
        Component id to the box that covers it.
    about
        Living component id to its row of ``component``.
    """
    labels = []
    for key, one in candidates.items():
        row = about.get(key)
        if row is None or row["label"] is not None or not one.label:
            continue
        own = row["made_name"] == row["name"] or is_place_name(row["name"])
        labels.append(
            {
                "id": key,
                "label": one.label,
                "name": namer.names([one])[0] if own else row["name"],
                "own": int(own),
                "cut": int(one.cut),
                "row_text": one.row or None,
                "section": one.section or None,
            }
        )
    return labels


def add_components(
    store: Store, rows: Sequence[Row], pictures: Sequence[Row], boxes: Sequence[Box], at: str
) -> list[Learned]:
    """Write new components, each with its picture. In a transaction."""
    if not rows:
        return []
    first, picture = store.rows(SQL.next_ids)[0]
    numbered = list(enumerate(zip(rows, pictures, boxes, strict=True)))
    store.execute_many(
        SQL.insert_component,
        [
            {**row, "id": first + n, "seen_at": at, "changing_at": at if row["dynamic"] else None}
            for n, (row, _, _) in numbered
        ],
    )
    store.execute_many(
        SQL.insert_template,
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
    known = store.value(SQL.template_with_pixels, key)
    if known is not None:
        return int(known)
    row = {**picture, "id": None, "component_id": component_id, "learned_at": at}
    return store.insert(SQL.insert_template, row)
