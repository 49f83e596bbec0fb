"""Moving parts: pixels that differ between two screenshots of one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

# Grey levels, 0 to 255: less is the noise of drawing the same thing twice.
_NOISE = 12


def decoded(png: bytes) -> Pixels:
    """Return the pixels of a screenshot, ``(H, W, 3)`` BGR."""
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None  # noqa: S101  (a driver's own picture)
    return np.asarray(pixels, dtype=np.uint8)


def share_changed(first: Pixels, second: Pixels) -> float:
    """Return the share of pixels, 0 to 1, that differ; 1 where the sizes do."""
    mask = _changes(first, second)
    return 1.0 if mask is None else float(mask.mean())


def marked_dynamic(
    boxes: list[dict[str, Any]], first: Pixels, second: Pixels
) -> list[dict[str, Any]]:
    """Return boxes with ``dynamic`` where their pixels differ between two screenshots.

    Parameters
    ----------
    boxes
        In the boxes-file format, with ``scale``.
    first, second
        Two screenshots of one size.
    """
    mask = _changes(first, second)
    if mask is None or not mask.any():
        return boxes
    return [{**box, "dynamic": True} if _moves(box, mask) else box for box in boxes]


def standing_still(
    boxes: list[dict[str, Any]], again: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return boxes that a second list has at the same place; ``dynamic`` if otherwise called there."""
    there = {(one["type"], one["x"], one["y"]): one for one in again}
    pairs = [(box, there.get((box["type"], box["x"], box["y"]))) for box in boxes]
    return [
        box if _alike(box, other) else {**box, "dynamic": True}
        for box, other in pairs
        if other is not None
    ]


def _alike(box: dict[str, Any], other: dict[str, Any]) -> bool:
    same = other["label"] in {"", box["label"]}
    return bool(same and (box["w"], box["h"]) == (other["w"], other["h"]))


def _changes(first: Pixels, second: Pixels) -> NDArray[np.bool_] | None:
    if first.shape != second.shape:
        return None
    return np.asarray(cv2.absdiff(first, second).max(axis=2) > _NOISE)


def _moves(box: dict[str, Any], mask: NDArray[np.bool_]) -> bool:
    scale = box.get("scale", 1)
    left, top = (max(0, int(box[key] * scale)) for key in "xy")
    right, bottom = int((box["x"] + box["w"]) * scale), int((box["y"] + box["h"]) * scale)
    return bool(mask[top:bottom, left:right].any())
