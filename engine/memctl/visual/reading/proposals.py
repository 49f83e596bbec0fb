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
from memctl.visual.reading.proposal_boxes import (
    BLOCK_GAP,
    blocks,
    inside,
    line_kinds,
    near_pairs,
    rectangle_kinds,
    spread,
    squarish,
    strongest,
    text_lines,
    worth_having,
)
from memctl.visual.reading.proposal_masks import (
    Boxes,
    Edges,
    area,
    blobs,
    change,
    dimmed,
    grown,
    ink_mask,
    pictures,
    rectangles,
    sizes,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Frame

__all__ = [
    "LARGEST_SHARE",
    "LEAST_SIDE",
    "LEAST_STD",
    "SOURCE",
    "Proposal",
    "find_proposals",
    "propose",
]

SOURCE = "proposer"
"""The source of a proposed box."""

MAX_PROPOSALS = 1_000
"""A dense admin page has 300; noise has no end."""

MAX_WORDS = 6_000
"""Blobs of ink that are looked at, the largest first; a 4K page of small print has 4,000."""

MAX_RECTANGLES = 2_000
"""The same for rectangles; a page that is one large table has 600 cells."""

LEAST_SIDE = 8
"""Pixels; smaller crops are found everywhere."""

LARGEST_SHARE = 0.06
"""Of the screen: a third of its width by a fifth of its height. Beyond that something inside
will change."""

LEAST_STD = 6.0
"""Standard deviation, in gray levels, below which a crop is flat and matches everywhere."""

SAME_BOX = 0.8
"""IoU from which two proposals are one."""

BLOCK_SIDE = 20
"""Pixels; smaller groups are letters."""

PIECE = 0.35
"""Share of a box in a picture from which on it is a piece of it."""

SAME_PICTURE = 0.5
"""IoU from which a box is the whole picture."""

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
    source: str = SOURCE


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
    if min(frame.width, frame.height) < LEAST_SIDE:
        return Proposals(())
    changes, edges = change(frame.bgr), Edges.of(frame.gray)
    outlines, unseen_outlines = _largest(rectangles(changes, least_side=LEAST_SIDE), MAX_RECTANGLES)
    words, unseen_words = _largest(blobs(ink_mask(changes, edges, outlines)), MAX_WORDS)
    pairs = near_pairs(words, BLOCK_GAP[1])
    lines = text_lines(words, pairs)
    shapes, shape_kinds, labels = _rectangles(outlines, lines, frame)
    # The label of a button is remembered with its button.
    texts = lines[~labels]
    icons = words[squarish(words) & ~_among(words, lines[labels])]
    groups = blocks(words, pairs)
    groups = groups[(sizes(groups)[0] >= BLOCK_SIDE) & (sizes(groups)[1] >= BLOCK_SIDE)]
    drawn = pictures(edges, outlines)
    dialog, dark = dimmed(frame.gray, outlines)
    boxes, kinds = _together(
        (shapes, shape_kinds),
        (texts, line_kinds(texts)),
        (icons, "icon"),
        (groups, np.where(squarish(groups), "icon", "image")),
        (drawn.boxes, np.where(squarish(drawn.boxes), "icon", "image")),
    )
    boxes, fit = _fit(boxes, frame)
    whole = _same(boxes, drawn.boxes)
    kinds = np.where(whole & ~squarish(boxes), "image", kinds[fit])
    shown = ~inside(boxes, dark).any(axis=1) | inside(boxes, dialog).any(axis=1)
    shown &= whole | (drawn.share(boxes) < PIECE)
    boxes, kinds = boxes[shown], kinds[shown]
    chosen = _ranked(boxes, kinds, spread(boxes, frame.gray))
    found = sorted(chosen[:most], key=lambda each: (each.box.y, each.box.x, each.box.w))
    left_out = unseen_words + unseen_outlines + max(len(chosen) - most, 0)
    return Proposals(tuple(found), left_out)


def _same(boxes: Boxes, pictures: Boxes) -> NDArray[np.bool_]:
    """Mark the boxes that are a whole picture."""
    shared = np.minimum(boxes[:, None, 2:], pictures[:, 2:]) - np.maximum(
        boxes[:, None, :2], pictures[:, :2]
    )
    common = np.maximum(shared, 0).astype(np.int64).prod(axis=2)
    both = area(boxes)[:, None] + area(pictures)
    return np.asarray((common > SAME_PICTURE * (both - common)).any(axis=1))


def _rectangles(
    outlines: Boxes, lines: Boxes, frame: Frame
) -> tuple[Boxes, NDArray[np.str_], NDArray[np.bool_]]:
    """Return the rectangles that are components, their kinds, and which lines label buttons."""
    shapes, _ = _fit(outlines, frame)
    # A label keeps clear of its border; a rectangle as large as its line is the line.
    held = inside(lines, grown(shapes, -1))
    kinds = rectangle_kinds(shapes, lines, held, outlines, (frame.width, frame.height))
    part_of_a_word = inside(shapes, lines).any(axis=1) & ~held.any(axis=0) & ~squarish(shapes)
    useful = worth_having(shapes, held) & ~part_of_a_word
    # An icon beside a label is a thing of its own.
    named = held & (~squarish(lines)[:, None] | (held.sum(axis=0) == 1))
    labels = named[:, useful & (kinds == "button")].any(axis=1)
    return shapes[useful], kinds[useful], labels


def _fit(boxes: Boxes, frame: Frame) -> tuple[Boxes, NDArray[np.bool_]]:
    """Return the boxes that would make a template, clipped to the screen, and which they are."""
    clear = np.clip(boxes, 0, [frame.width, frame.height] * 2).astype(np.int32)
    width, height = sizes(clear)
    fit = (width >= LEAST_SIDE) & (height >= LEAST_SIDE)
    fit &= area(clear) <= LARGEST_SHARE * frame.width * frame.height
    fit[fit] = spread(clear[fit], frame.gray) >= LEAST_STD
    return clear[fit], fit


def _among(boxes: Boxes, others: Boxes) -> NDArray[np.bool_]:
    """Mark the boxes that are one of the others."""
    known = set(map(tuple, others.tolist()))
    return np.array([tuple(box) in known for box in boxes.tolist()], dtype=bool)


def _largest(boxes: Boxes, most: int) -> tuple[Boxes, int]:
    """Keep as many boxes as can be compared in time, and count the others."""
    if len(boxes) <= most:
        return boxes, 0
    by_size = np.argsort(-area(boxes), kind="stable")
    return boxes[np.sort(by_size[:most])], len(boxes) - most


def _together(*parts: tuple[Boxes, NDArray[np.str_] | str]) -> tuple[Boxes, NDArray[np.str_]]:
    boxes = np.concatenate([part for part, _ in parts])
    kinds = np.concatenate([np.broadcast_to(kind, len(part)) for part, kind in parts])
    return boxes, kinds


def _ranked(boxes: Boxes, kinds: NDArray[np.str_], contrast: NDArray[np.float64]) -> list[Proposal]:
    """Return each box once, the most trusted first."""
    trust = np.array([CONFIDENCE[kind] for kind in kinds])
    # Of two outlines of one rectangle the tighter one is exact.
    order = np.lexsort((boxes[:, 2], boxes[:, 0], boxes[:, 1], area(boxes), -trust))
    order = order[strongest(boxes[order], SAME_BOX)]
    # Faint crops match by chance more easily: up to a tenth is taken off.
    trust = np.round(trust - 0.1 * np.clip(1 - contrast / FULL_CONTRAST, 0, 1), 2)
    order = order[np.argsort(-trust[order], kind="stable")]
    return [
        Proposal(Box(left, top, right - left, bottom - top), str(kinds[at]), float(trust[at]))
        for at, (left, top, right, bottom) in zip(order, boxes[order].tolist(), strict=True)
    ]
