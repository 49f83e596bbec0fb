"""What was asked, what came back, and which of four outcomes that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.identity.pages import Box, Place, iou

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["ABSENT", "MISSED", "RIGHT", "WRONG", "Answer", "Asked", "Given", "judge"]

RIGHT, WRONG, ABSENT, MISSED = "right", "wrong", "absent", "missed"
SHOWN = 0.99
"""An element counts as on the screen if so much of it can be seen."""
HALF_SHOWN = 0.3


@dataclass(frozen=True, slots=True)
class Asked:
    """A learned element, asked for on a screenshot.

    Parameters
    ----------
    group
        The style of a page of siblings, or the layout of a page of rows.
    variation
        What became of the asked page.
    kind
        How near the sibling is, or whether the rows can be told apart at all.
    memory
        What the memory holds: one or both siblings; all boxes or only buttons.
    """

    part: str
    half: str
    group: str
    variation: str
    kind: str
    memory: str
    page: str
    label: str
    key: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody answered: a place, or none and why.

    ``strangeness`` is memctl's: up to 1 the label is taken for the learned one; ``changed`` is what
    it says to differ from how it was learned.
    """

    by: str
    place: Place | None
    why: str = ""
    ms: float = 0.0
    strangeness: float | None = None
    changed: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with its answer and outcome.

    Parameters
    ----------
    there
        Whether the element can be seen; None where it is cut off or drawn in another theme, so
        that finding it is right and not finding it is no mistake.
    """

    asked: Asked
    given: Given
    outcome: str
    there: bool | None
    target: Place | None
    met: str


def judge(asked: Asked, given: Given, boxes: Sequence[Box], *, optional: bool = False) -> Answer:
    """Compare an answer with what stands on the screenshot.

    Parameters
    ----------
    boxes
        The marked elements of the asked page.
    optional
        Whether the element need not be found even where it can be seen.
    """
    own = next((box for box in boxes if box.key == asked.key and box.shown > 0), None)
    there: bool | None = own is not None and own.shown >= SHOWN
    if own is not None and (optional or HALF_SHOWN <= own.shown < SHOWN):
        there = None
    target = own.place if own else None
    if given.place is None:
        return Answer(asked, given, MISSED if there else ABSENT, there, target, "")
    if own is not None and _same_place(given.place, own.place):
        return Answer(asked, given, RIGHT, there, target, "")
    return Answer(asked, given, WRONG, there, target, _met(given.place, boxes))


def _same_place(found: Place, wanted: Place) -> bool:
    """Return whether a click in the middle of what was found hits what was wanted."""
    x, y = found[0] + found[2] / 2, found[1] + found[3] / 2
    return wanted[0] <= x <= wanted[0] + wanted[2] and wanted[1] <= y <= wanted[1] + wanted[3]


def _met(found: Place, boxes: Iterable[Box]) -> str:
    """Return what stands at a wrong place."""
    best = max(boxes, key=lambda box: iou(found, box.place) * (box.shown > 0), default=None)
    if best is None or not iou(found, best.place):
        return "nothing that is marked"
    return f"{best.label} of {best.record}" if best.label else f"{best.name} of {best.record}"
