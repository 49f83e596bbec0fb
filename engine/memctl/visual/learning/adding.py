"""Writes new components and new variants of known ones. In a transaction of the caller's."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memctl.store import statements
from memctl.visual.boxes import SAME_PLACE, Box
from memctl.visual.frame import is_learnable
from memctl.visual.graph.naming import folded, is_place_name
from memctl.visual.identity.label_ends import blank_beside
from memctl.visual.match_results import Learned
from memctl.visual.matching import FEATURE_VERSION, ComponentHit, extract
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


def with_variants(
    seen: Sightings, variants: Mapping[int, GivenBox], added: Sequence[Learned]
) -> Sightings:
    """Return the sightings with the new variants among the hits."""
    hits, misses = dict(seen.hits), dict(seen.misses)
    for learned in added:
        box = variants[learned.component_id].box
        hits[learned.component_id] = ComponentHit(
            learned.template_id, learned.component_id, box, 1.0, identical=True, how="learned"
        )
        del misses[learned.component_id]
    return replace(seen, hits=hits, misses=misses)


def add_components(
    store: Store,
    frame: Frame,
    candidates: Sequence[GivenBox],
    *,
    namer: Namer,
    seen: Sightings,
    page: str | None,
    at: str,
) -> list[Learned]:
    """Write each candidate as a component of its own, with a name of its own."""
    learned = []
    for candidate, name in zip(candidates, namer.names(candidates), strict=True):
        box = candidate.box
        row = {
            "name": name,
            "type": candidate.kind,
            "source": candidate.source,
            "label": candidate.label or None,
            "page": page,
            "scale": seen.scale,
            "rel_x": box.x - seen.window.x,
            "rel_y": box.y - seen.window.y,
            "w": box.w,
            "h": box.h,
            "confidence": candidate.confidence,
            "row_text": candidate.row or None,
            "section": candidate.section or None,
            "cut": int(candidate.cut),
            "field": int(candidate.field),
            "changing_at": at if candidate.dynamic else None,
            "seen_at": at,
        }
        component_id = store.insert(SQL.insert_component, row)
        template_id = add_template(store, frame, box, component_id, seen.scale, at)
        learned.append(_learned({**row, "id": component_id}, box, template_id))
    return learned


def add_variant(
    store: Store, frame: Frame, candidate: GivenBox, component_id: int, *, scale: float, at: str
) -> Learned:
    """Write another variant of a component that is known already."""
    template_id = add_template(store, frame, candidate.box, component_id, scale, at)
    row = store.row(SQL.by_id, {"id": component_id})
    assert row is not None  # noqa: S101  (read in the same transaction)
    return _learned(row, candidate.box, template_id, new_look=True)


def learn_scale(
    store: Store, frame: Frame, seen: Sightings, secrets: Sequence[Box], at: str
) -> None:
    """Give components that were found in a resized screenshot a variant of this scale.

    Parameters
    ----------
    secrets
        Boxes that no picture may be taken of.
    """
    for component_id, hit in seen.hits.items():
        if seen.scales.get(hit.template_id, seen.scale) == seen.scale:
            continue
        learnable = is_learnable(frame.crop(hit.box)) is None
        if learnable and not any(map(hit.box.overlap, secrets)):
            add_template(store, frame, hit.box, component_id, seen.scale, at)


def label_known(
    store: Store,
    namer: Namer,
    candidates: Mapping[int, GivenBox],
    about: Mapping[int, sqlite3.Row],
) -> None:
    """Give components the label and the row that a better source reads on them.

    A name that a person gave stays.

    Parameters
    ----------
    candidates
        Component id to the box that covers it.
    about
        Living component id to its row of ``component``.
    """
    for component_id, candidate in candidates.items():
        row = about.get(component_id)
        if row is None or row["label"] is not None or not candidate.label:
            continue
        own = row["made_name"] == row["name"] or is_place_name(row["name"])
        store.execute(
            SQL.set_label,
            {
                "id": component_id,
                "label": candidate.label,
                "name": namer.names([candidate])[0] if own else row["name"],
                "own": int(own),
                "cut": int(candidate.cut),
                "row_text": candidate.row or None,
                "section": candidate.section or None,
            },
        )


def _learned(
    row: Mapping[str, Any] | sqlite3.Row, box: Box, template_id: int, *, new_look: bool = False
) -> Learned:
    about = row["id"], row["name"], row["type"], row["label"]
    return Learned(*about, *box.xywh, template_id, new_look)


def add_template(
    store: Store,
    frame: Frame,
    box: Box,
    component_id: int,
    scale: float,
    at: str,
    *,
    alone: bool = False,
) -> int:
    """Write a picture of a component; return its id, or that of the same picture it has already.

    Parameters
    ----------
    alone
        The frame is the picture itself: what stood beside it is not known.
    """
    crop = frame.crop(box)
    digest = pixels_digest(crop)
    known = store.value(SQL.template_with_pixels, {"component_id": component_id, "sha256": digest})
    if known is not None:
        return int(known)
    blank_left, blank_right = (None, None) if alone else blank_beside(frame.gray, box)
    return store.insert(
        SQL.insert_template,
        {
            "blank_left": blank_left,
            "blank_right": blank_right,
            "component_id": component_id,
            "png": encode_png(crop),
            "sha256": digest,
            "w": box.w,
            "h": box.h,
            "scale": scale,
            "features": extract(frame, box),
            "feature_version": FEATURE_VERSION,
            "learned_at": at,
        },
    )
