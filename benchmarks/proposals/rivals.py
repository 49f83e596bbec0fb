"""What the proposer is compared with, timed in the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.reading.proposals import propose

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.visual.frame import Frame

__all__ = ["RIVALS", "Found"]

Found = list[tuple[float, float, float, float]]


def _memctl(frame: Frame) -> Found:
    return [(p.box.x, p.box.y, p.box.w, p.box.h) for p in propose(frame)]


def _closings(frame: Frame) -> Found:
    """Components of the gradient, closed by 1, 5 and 9 pixels, duplicates (IoU > .85) removed."""
    square = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
    edges = cv2.morphologyEx(frame.gray, cv2.MORPH_GRADIENT, square)
    mask = cv2.threshold(edges, 20, 1, cv2.THRESH_BINARY)[1]
    parts = []
    for size in (1, 5, 9):
        bar = cv2.getStructuringElement(cv2.MORPH_RECT, (size, size))
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, bar)
        stats = cv2.connectedComponentsWithStats(closed)[2][1:, :4]
        parts.append(stats[(stats[:, 2:] >= 8).all(axis=1)])
    boxes = np.concatenate(parts)
    boxes = boxes[boxes[:, 2] * boxes[:, 3] < 0.5 * frame.width * frame.height]
    order = np.argsort(-boxes[:, 2] * boxes[:, 3], kind="stable")
    listed = [tuple(row) for row in boxes[order].tolist()]
    if not listed:
        return []
    kept = cv2.dnn.NMSBoxes(listed, np.linspace(1, 0.5, len(listed)).tolist(), 0.0, 0.85)
    return [listed[index] for index in np.asarray(kept).ravel().tolist()]


RIVALS: dict[str, Callable[[Frame], Found]] = {"memctl": _memctl, "closings 1,5,9": _closings}
