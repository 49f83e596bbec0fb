"""Gives boxes the text that is read on them, and every text a box of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.visual.reading.boxes_file import GivenBox
from memctl.visual.reading.ocr import label_boxes, nearest_text, read_text
from memctl.visual.reading.proposals import SOURCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame

__all__ = ["with_text"]

_INSIDE = 0.7  # share of a proposed box inside a text that makes it a part of the text


def with_text(frame: Frame, given: Sequence[GivenBox]) -> list[GivenBox]:
    """Return the boxes with their texts read, followed by a box for each text.

    What was proposed inside a text (a word of a line) gives way to the text. A label that came
    with a box stays. An unlabelled box may take its name from the text
    beside it, which is not its label: a caption moves without its icon.

    Raises
    ------
    UsageError
        When the extra ``ocr`` is not installed.
    """
    runs = read_text(frame)
    given = [one for one in given if not _part_of_text(one, [run.box for run in runs])]
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


def _part_of_text(given: GivenBox, texts: Sequence[Box]) -> bool:
    if given.source != SOURCE:
        return False
    return any(given.box.overlap(text) > _INSIDE * given.box.area for text in texts)
