"""Reading the text on a screenshot, for those who install the extra ``ocr``.

RapidOCR runs PP-OCR models, which its wheel carries, in ONNX Runtime: Latin script, Chinese and
Japanese, without a network. It takes seconds for a full screen, so it is never run unasked.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memctl.base.errors import UsageError
from memctl.visual.boxes import Box
from memctl.visual.reading.boxes_file import GivenBox
from memctl.visual.reading.proposals import SOURCE
from memctl.visual.reading.sifting import in_field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.frame import Frame


LEAST_SIDE = 8
"""Pixels; nothing smaller has readable text."""

INSIDE = 0.6
"""Share of a text's area that lies in the box that it labels."""

LEAST_IOU = 0.3
"""Overlap from which a text that sticks out still labels a box: the original's threshold."""

NEAR = 24
"""Pixels between a component and the text beside it that may lend its name."""

_HINT = "pip install 'memctl-engine[ocr]'"
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class TextRun:
    """One piece of text as it was read."""

    box: Box  # where it stands, inside the screenshot
    text: str  # what it says
    confidence: float  # 0 to 1, as the recogniser gives it; nothing below .5 is returned


def read_text(frame: Frame) -> list[TextRun]:
    """Read all text on a screenshot, in reading order.

    The recogniser is loaded once for each process, and used by one thread at a time.

    Raises UsageError if the extra ``ocr`` is not installed, or its models are missing.
    """
    with _lock:
        engine = _engine(os.getpid())
        if min(frame.width, frame.height) < LEAST_SIDE:
            return []
        result = engine(np.array(frame.bgr))
    if result.boxes is None or result.txts is None:
        return []
    runs = [
        TextRun(_bounds(quad, frame), text.strip(), round(float(score), 3))
        for quad, text, score in zip(result.boxes, result.txts, result.scores, strict=True)
        if text.strip()
    ]
    return _reading_order([run for run in runs if run.box.area > 0])


def label_boxes(boxes: Sequence[Box], runs: Sequence[TextRun]) -> list[str]:
    """Return for each box the text that belongs to it, or an empty string.

    Text inside a box labels it, several pieces joined in reading order; failing that, the text
    that overlaps it best. Every box stays: an icon beside its caption is a component too.
    """
    return [_label(box, runs) for box in boxes]


def nearest_text(box: Box, runs: Sequence[TextRun]) -> str:
    """Return the text closest to a box, if it is within 24 pixels; else an empty string."""
    close = [(max(*box.gap(run.box), 0), run.box, run.text) for run in runs]
    return min((each for each in close if each[0] <= NEAR), default=(0, box, ""))[2]


def refuse_missing() -> None:
    """Refuse to read texts where the extra is not installed."""
    _engine(os.getpid())


@lru_cache(maxsize=1)
def _engine(_pid: int) -> Any:
    """Load the recogniser; after a fork it is loaded anew, for its threads stay behind."""
    try:
        import rapidocr
    except ImportError:
        raise UsageError('reading text needs the extra "ocr"', hint=_HINT) from None
    folder = Path(str(rapidocr.__file__)).parent / "models"
    # Given by path, the models are never looked for on the network.
    paths = {part: _model(folder, part) for part in ("det", "rec")}
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,  # screens are not upside down
            "Det.model_path": str(paths["det"]),
            "Rec.model_path": str(paths["rec"]),
        }
    )


def _model(folder: Path, part: str) -> Path:
    result = sorted(folder.glob(f"*_{part}_*.onnx"))
    if not result:
        raise UsageError(f'the installed "rapidocr" carries no "{part}" model', hint=_HINT)
    return result[0]


def _bounds(quad: np.ndarray[Any, np.dtype[np.float32]], frame: Frame) -> Box:
    left, top = np.floor(quad.min(axis=0)).astype(int).clip(0)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int)
    right, bottom = min(int(right), frame.width), min(int(bottom), frame.height)
    return Box(int(left), int(top), max(right - int(left), 0), max(bottom - int(top), 0))


def _label(box: Box, runs: Sequence[TextRun]) -> str:
    inside = [run for run in runs if run.box.overlap(box) >= INSIDE * run.box.area]
    if inside:
        return " ".join(run.text for run in _reading_order(inside))
    best = max(runs, key=lambda run: run.box.iou(box), default=None)
    return best.text if best is not None and best.box.iou(box) >= LEAST_IOU else ""


def _reading_order(runs: Sequence[TextRun]) -> list[TextRun]:
    """Sort into rows from the top, each from the left: a row is what overlaps by half its height."""
    rows: list[list[TextRun]] = []
    for run in sorted(runs, key=lambda run: (run.box.y, run.box.x)):
        if rows and _same_row(rows[-1][0].box, run.box):
            rows[-1].append(run)
        else:
            rows.append([run])
    return [run for row in rows for run in sorted(row, key=lambda run: run.box.x)]


def _same_row(box: Box, other: Box) -> bool:
    shared = min(box.bottom, other.bottom) - max(box.y, other.y)
    return 2 * shared >= min(box.h, other.h)


_INSIDE = 0.7  # share of a proposed box inside a text that makes it a part of the text


def with_text(frame: Frame, given: Sequence[GivenBox]) -> list[GivenBox]:
    """Return the boxes with their texts read, followed by a box for each text.

    What was proposed inside a text (a word of a line) gives way to the text. A label that came
    with a box stays. An unlabelled box may take its name from the text
    beside it, which is not its label: a caption moves without its icon. The contents of fields
    are left out.

    Raises UsageError when the extra ``ocr`` is not installed.
    """
    fields = [one.box for one in given if one.field]
    runs = [run for run in read_text(frame) if not in_field(run.box, fields)]
    given = [
        one
        for one in given
        if one.source != SOURCE
        or not any(one.box.overlap(run.box) > _INSIDE * one.box.area for run in runs)
    ]
    labels = label_boxes([one.box for one in given], runs)
    labelled = [
        replace(one, label=one.label or label, beside=nearest_text(one.box, runs))
        for one, label in zip(given, labels, strict=True)
    ]
    texts = [
        GivenBox(run.box, label=run.text, kind="text", source="ocr", confidence=run.confidence)
        for run in runs
    ]
    return labelled + texts
