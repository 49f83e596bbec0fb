"""Writes new components and new looks of known ones. In a transaction of the caller's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.graph.naming import NamesInUse, component_name, is_place_name
from memctl.visual.match_results import Learned
from memctl.visual.matching import FEATURE_VERSION, extract, is_learnable
from memctl.visual.reading.image import encode_png, pixels_digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.learning.looking import Look
    from memctl.visual.reading.sifting import Candidate

__all__ = ["add_components", "add_look", "label_known"]

SQL = statements.load("store/component")


def add_components(
    store: Store,
    frame: Frame,
    candidates: Sequence[Candidate],
    *,
    look: Look,
    page: str | None,
    seen_at: str,
) -> list[Learned]:
    """Write each candidate as a component of its own, named by its label."""
    names = NamesInUse(row["name"] for row in store.rows(SQL.living_names))
    return [
        _add(store, frame, candidate, names.claim(_name(candidate)), look, page, seen_at)
        for candidate in candidates
    ]


def learn_scale(store: Store, frame: Frame, look: Look, secrets: Sequence[Box], at: str) -> None:
    """Give components that were found by a resized look one that is native to this scale.

    Parameters
    ----------
    secrets
        Boxes that no picture may be taken of.
    """
    for component_id, hit in look.hits.items():
        if look.scales.get(hit.template_id, look.scale) == look.scale:
            continue
        crop = frame.bgr[hit.box.y : hit.box.bottom, hit.box.x : hit.box.right]
        if is_learnable(crop) is None and not any(map(hit.box.overlap, secrets)):
            _add_template(store, frame, hit.box, component_id, look.scale, at)


def add_look(
    store: Store, frame: Frame, candidate: Candidate, component_id: int, *, scale: float, at: str
) -> Learned:
    """Write another look of a component that is known already."""
    box = candidate.box
    template_id = _add_template(store, frame, box, component_id, scale, at)
    row = store.row(SQL.by_id, {"id": component_id})
    assert row is not None  # noqa: S101  (read in the same transaction)
    return Learned(
        component_id,
        row["name"],
        row["type"],
        row["label"],
        box.x,
        box.y,
        box.w,
        box.h,
        template_id,
        new_look=True,
    )


def label_known(store: Store, candidates: Mapping[int, Candidate]) -> None:
    """Give unlabelled components the label that a better source reads on them.

    Parameters
    ----------
    candidates
        Component id to the box that covers it.
    """
    names = NamesInUse(row["name"] for row in store.rows(SQL.living_names))
    for component_id, candidate in candidates.items():
        row = store.row(SQL.by_id, {"id": component_id})
        if row is None or row["label"] is not None or candidate.label is None:
            continue
        name = names.claim(_name(candidate)) if is_place_name(row["name"]) else row["name"]
        store.execute(SQL.set_label, {"id": component_id, "label": candidate.label, "name": name})


def _add(
    store: Store,
    frame: Frame,
    candidate: Candidate,
    name: str,
    look: Look,
    page: str | None,
    seen_at: str,
) -> Learned:
    box = candidate.box
    component_id = store.insert(
        SQL.insert_component,
        {
            "name": name,
            "type": candidate.kind,
            "source": candidate.source,
            "label": candidate.label,
            "page": page,
            "scale": look.scale,
            "rel_x": box.x - look.window.x,
            "rel_y": box.y - look.window.y,
            "w": box.w,
            "h": box.h,
            "confidence": candidate.confidence,
            "seen_at": seen_at,
        },
    )
    template_id = _add_template(store, frame, box, component_id, look.scale, seen_at)
    return Learned(
        component_id,
        name,
        candidate.kind,
        candidate.label,
        box.x,
        box.y,
        box.w,
        box.h,
        template_id,
    )


def _add_template(
    store: Store, frame: Frame, box: Box, component_id: int, scale: float, at: str
) -> int:
    crop = frame.bgr[box.y : box.bottom, box.x : box.right]
    digest = pixels_digest(crop)
    known = store.value(SQL.template_with_pixels, {"component_id": component_id, "sha256": digest})
    if known is not None:
        return int(known)
    return store.insert(
        SQL.insert_template,
        {
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


def _name(candidate: Candidate) -> str:
    label = candidate.label or ""
    kind, box, beside = candidate.kind, candidate.box, candidate.beside
    return component_name(label, kind=kind, box=box, nearest_text=beside)
