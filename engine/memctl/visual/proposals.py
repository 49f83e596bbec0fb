"""Boxes that could be components, found without a model.

Three kinds of evidence, each cheap and each local: runs of ink with the gaps of one line of text
(labels, links, menu entries); squarish blobs and groups of them (icons, pictures); rectangles
made by a border or a fill (buttons, fields, cells). What would make a poor template is left out:
too small, too large, flat, or a container whose content will change.

The same pixels give the same boxes, and a change in one place leaves boxes elsewhere as they
are: every threshold is fixed and every rule looks only at the neighbourhood.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.proposing.groups import (
    BLOCK_GAP,
    Pairs,
    blocks,
    near_pairs,
    strongest,
    text_lines,
)
from memctl.visual.proposing.judging import (
    clipped,
    content,
    rectangle_kinds,
    sizes,
    spread,
    squarish,
    within,
    worth_having,
)
from memctl.visual.proposing.masks import change, flat_mask, ink_mask, joined
from memctl.visual.proposing.shapes import Boxes, blobs, rectangles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Frame

__all__ = ["Proposal", "Proposals", "find_proposals", "propose"]

MAX_PROPOSALS = 1_000
"""A dense admin page has 300; noise has no end."""

MAX_WORDS = 6_000
"""Blobs of ink that are looked at, the largest first; a 4K page of small print has 4,000."""

LEAST_SIDE = 8
"""Pixels; smaller crops are found everywhere."""

LARGEST_SHARE = 0.06
"""Of the screen: a third of its width by a fifth of its height. Beyond that something inside
will change."""

LEAST_STD = 6.0
"""Standard deviation, in gray levels, below which a crop is flat and matches everywhere."""

SAME_BOX = 0.8
"""IoU from which two proposals are one."""

LETTER_GAP = 5
"""Columns that are closed between letters; wider gaps are judged by the height of the text."""

BLOCK_SIDE = 20
"""Pixels; smaller groups are letters."""

FULL_CONTRAST = 40.0
"""Standard deviation, in gray levels, of a crop that is beyond doubt: black print has 60."""

CONFIDENCE = {"button": 0.85, "input": 0.8, "text": 0.7, "icon": 0.65, "image": 0.55, "area": 0.5}
"""Ranks, not probabilities: a rectangle with a label is rarely an accident, a group of blobs is."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One box that could be a component.

    Parameters
    ----------
    box
        Inside the screenshot, at least 8 x 8 pixels.
    kind
        ``"text"``, ``"icon"``, ``"button"``, ``"input"``, ``"image"`` or ``"area"``: a guess by
        shape.
    confidence
        0 to 1: how far the shape is to be trusted.
    source
        Always ``"proposer"``.
    """

    box: Box
    kind: str
    confidence: float
    source: str = "proposer"


@dataclass(frozen=True, slots=True)
class Proposals:
    """All proposals of one screenshot, from top to bottom.

    Parameters
    ----------
    found
        At most 1,000.
    left_out
        How many more there were; above 0 only for noise and the like.
    """

    found: tuple[Proposal, ...]
    left_out: int = 0


def propose(frame: Frame) -> list[Proposal]:
    """Return the boxes of one screenshot that could be components, from top to bottom."""
    return list(find_proposals(frame).found)


def find_proposals(frame: Frame, *, most: int = MAX_PROPOSALS) -> Proposals:
    """Find the boxes of one screenshot that could be components.

    Parameters
    ----------
    frame
        The screenshot.
    most
        How many to return at most; the most trusted stay.
    """
    changes = change(frame.bgr)
    words, unseen = _largest(blobs(joined(ink_mask(frame.gray, changes), LETTER_GAP)))
    pairs = near_pairs(words, BLOCK_GAP[1])
    lines = text_lines(words, pairs)
    shapes = rectangles(flat_mask(changes), least_width=LEAST_SIDE, least_height=LEAST_SIDE)
    shapes = shapes[~within(shapes, lines) | squarish(shapes)]
    inside = content(shapes, lines)
    shape_kinds = rectangle_kinds(shapes, lines, inside)
    labels = inside.only[shape_kinds == "button"]
    icons = words[squarish(words)]
    groups = _groups(words, pairs)
    useful = worth_having(shapes, inside)
    boxes, kinds = _together(
        (shapes[useful], shape_kinds[useful]),
        (np.delete(lines, labels, axis=0), "text"),
        (icons, "icon"),
        (groups, np.where(squarish(groups), "icon", "image")),
    )
    chosen = _ranked(*_worth_keeping(boxes, kinds, frame))
    found = sorted(chosen[:most], key=lambda each: (each.box.y, each.box.x, each.box.w))
    return Proposals(tuple(found), unseen + max(len(chosen) - most, 0))


def _largest(words: Boxes) -> tuple[Boxes, int]:
    """Keep as many blobs as can be compared, and count the others."""
    if len(words) <= MAX_WORDS:
        return words, 0
    by_size = np.argsort(-_area(words), kind="stable")
    return words[np.sort(by_size[:MAX_WORDS])], len(words) - MAX_WORDS


def _groups(words: Boxes, pairs: Pairs) -> Boxes:
    groups = blocks(words, pairs)
    width, height = sizes(groups)
    return groups[(width >= BLOCK_SIDE) & (height >= BLOCK_SIDE)]


def _together(*parts: tuple[Boxes, NDArray[np.str_] | str]) -> tuple[Boxes, NDArray[np.str_]]:
    boxes = np.concatenate([part for part, _ in parts])
    kinds = np.concatenate([np.broadcast_to(kind, len(part)) for part, kind in parts])
    return boxes, kinds


def _worth_keeping(
    boxes: Boxes, kinds: NDArray[np.str_], frame: Frame
) -> tuple[Boxes, NDArray[np.str_], NDArray[np.float64]]:
    """Drop what would be a poor template; return the rest with its contrast."""
    boxes = clipped(boxes, frame.width, frame.height)
    width, height = sizes(boxes)
    large = (width >= LEAST_SIDE) & (height >= LEAST_SIDE)
    fitting = large & (_area(boxes) <= LARGEST_SHARE * frame.width * frame.height)
    boxes, kinds = boxes[fitting], kinds[fitting]
    contrast = spread(boxes, frame.gray)
    visible = contrast >= LEAST_STD
    return boxes[visible], kinds[visible], contrast[visible]


def _ranked(boxes: Boxes, kinds: NDArray[np.str_], contrast: NDArray[np.float64]) -> list[Proposal]:
    """Return each box once, the most trusted first."""
    trust = np.array([CONFIDENCE[kind] for kind in kinds])
    # Faint crops match by chance more easily: up to a tenth is taken off.
    trust = np.round(trust - 0.1 * np.clip(1 - contrast / FULL_CONTRAST, 0, 1), 2)
    order = np.lexsort((boxes[:, 3], boxes[:, 2], boxes[:, 0], boxes[:, 1], -trust))
    order = order[strongest(boxes[order], SAME_BOX)]
    return [
        Proposal(Box(left, top, right - left, bottom - top), str(kinds[at]), float(trust[at]))
        for at, (left, top, right, bottom) in zip(order, boxes[order].tolist(), strict=True)
    ]


def _area(boxes: Boxes) -> NDArray[np.int64]:
    width, height = sizes(boxes)
    return width.astype(np.int64) * height
