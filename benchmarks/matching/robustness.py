"""Lossy screenshots, half-pixel shifts, other scales."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from benchmarks.matching.oracle import brute_force, passes
from benchmarks.matching.shots import Crop, Shot, crops, templates
from memctl.visual.frame import Frame
from memctl.visual.match_results import DEFAULT
from memctl.visual.matching.find import find
from memctl.visual.matching.template_set import TemplateSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.matching.speed import Truths

__all__ = ["disturbed", "rescaled"]

Picture = np.ndarray[Any, np.dtype[np.uint8]]

NEAR = 14
"""An element found this near to its box is found, in image pixels."""

MATCHER = replace(DEFAULT, identity=False)


def _jpeg(picture: Picture) -> Picture:
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def _noise(picture: Picture) -> Picture:
    rng = np.random.default_rng(0)
    noisy = np.clip(picture + rng.normal(0, 2, picture.shape), 0, 255)
    return np.asarray(noisy.round(), dtype=np.uint8)


def _half_pixel(picture: Picture) -> Picture:
    shift = np.array([[1, 0, 0.5], [0, 1, 0.5]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


DISTURBANCES: dict[str, Callable[[Picture], Picture]] = {
    "JPEG quality 80": _jpeg,
    "noise, sigma 2": _noise,
    "half-pixel shift": _half_pixel,
}


def disturbed(listed: list[Shot], memory: list[Crop], truth: Truths) -> list[dict[str, Any]]:
    """Count what is found cold on disturbed screenshots.

    Asked for are the templates that brute force verifies on the undisturbed screenshot;
    expected are those that it verifies on the disturbed one too.
    """
    rows = []
    for name, disturb in DISTURBANCES.items():
        counts = {"expected": 0, "found": 0, "extra": 0}
        for shot in listed:
            there = [i for i, one in enumerate(truth[shot.path.name]) if one.verified]
            frame = Frame(disturb(shot.frame.bgr))
            some = [memory[i] for i in there]
            wanted = [brute_force(frame.bgr, frame.gray, crop.bgr).verified for crop in some]
            _count(counts, frame, some, wanted)
        rows.append({"disturbance": name, **counts})
    return rows


def _count(
    row: dict[str, int], frame: Frame, some: list[Crop], wanted: list[frozenset[tuple[int, int]]]
) -> None:
    known = TemplateSet(templates(some, remember=False))
    places = find(frame, known, settings=MATCHER).places
    found = {place.template_id for place in places}
    row["expected"] += sum(bool(spots) for spots in wanted)
    row["found"] += sum(bool(spots) and key in found for key, spots in enumerate(wanted))
    row["extra"] += sum(
        (p.box.x, p.box.y) not in wanted[p.template_id]
        and not passes(frame.bgr, some[p.template_id].bgr, (p.box.x, p.box.y))
        for p in places
    )


def rescaled(listed: list[Shot]) -> list[dict[str, Any]]:
    """Count elements learned at ratio 1 and found on the same page at another, after the vote."""
    rows = []
    for shot in listed:
        if shot.scale == 1 or shot.state != "base":
            continue
        learned = [c for c in crops(_twins(shot, listed)) if c.ident]
        frame = shot.frame
        truth: dict[str, list[tuple[int, int]]] = {}
        for box, ident in shot.boxes(frame):
            truth.setdefault(ident, []).append((box.x, box.y))
        asked = [crop for crop in learned if crop.ident in truth]
        if asked:
            findings = find(frame, TemplateSet(templates(asked, remember=True)))
            found = {
                place.template_id
                for place in findings.places
                for x, y in truth[asked[place.template_id].ident]
                if max(abs(place.box.x - x), abs(place.box.y - y)) <= NEAR
            }
            figures = {"asked": len(asked), "found": len(found), "voted": findings.scale}
            rows.append({"shot": shot.path.name, "ratio": shot.scale, **figures})
    return rows


def _twins(shot: Shot, listed: list[Shot]) -> list[Shot]:
    """Return the shots of the same page and state at ratio 1."""
    same = (shot.app, shot.page, shot.state, 1.0)
    return [o for o in listed if (o.app, o.page, o.state, o.scale) == same]
