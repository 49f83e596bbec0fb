"""Which boxes on a screenshot may become components, and why the others may not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl import guard
from memctl.visual.dynamic_text import dynamic_rule
from memctl.visual.matching import is_learnable
from memctl.visual.place_index import PlaceIndex
from memctl.visual.results import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.boxes_file import GivenBox
    from memctl.visual.frame import Frame

__all__ = ["Candidate", "sift"]

# A crop of more than a quarter of the screen is a layout, not a component: it would be found
# only where everything in it is unchanged.
_MAX_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Candidate:
    """A box that may be learned; ``label`` is cleaned, ``None`` where nothing is readable."""

    box: Box
    kind: str
    label: str | None
    source: str
    confidence: float


def sift(
    frame: Frame, boxes: Sequence[GivenBox], window: Box, foreign: Sequence[Box]
) -> tuple[list[Candidate], list[Refused]]:
    """Split boxes into candidates and refused ones.

    Parameters
    ----------
    frame
        The screenshot.
    boxes
        Boxes of any source, clipped to the screenshot.
    window
        Only boxes inside it are learned.
    foreign
        Places of another store's components (the browser around a site); they stay there.
    """
    secrets = [box.box for box in boxes if box.label and guard.secret_rule(box.label)]
    kept: list[Candidate] = []
    refused: list[Refused] = []
    places = PlaceIndex()
    for given in sorted(boxes, key=_labelled_first):
        why = (
            _misplaced(given.box, window, foreign, secrets)
            or _unfit(given, frame, window)
            or _repeated(given.box, places)
        )
        if why:
            box = given.box
            refused.append(Refused((box.x, box.y, box.w, box.h), why))
        else:
            places.add(given.box, len(kept))
            kept.append(_candidate(given))
    kept.sort(key=lambda candidate: (candidate.box.y, candidate.box.x))
    return kept, refused


def _labelled_first(given: GivenBox) -> tuple[bool, float]:
    # Of two boxes at one place the one that says something is kept.
    return not given.label, -given.confidence


def _misplaced(box: Box, window: Box, foreign: Iterable[Box], secrets: Iterable[Box]) -> str | None:
    if not box.inside(window):
        return "outside the window"
    if any(box.overlap(other) * 2 > box.area for other in foreign):
        return "part of the browser, not of the site"
    if any(box.overlap(secret) for secret in secrets):
        return "shows text that looks like a secret"
    return None


def _unfit(given: GivenBox, frame: Frame, window: Box) -> str | None:
    rule = dynamic_rule(given.label) if given.label else None
    if rule:
        return f"dynamic text: {rule}"
    if given.box.area > _MAX_SHARE * window.area:
        return "covers more than a quarter of the screen"
    box = given.box
    return is_learnable(frame.bgr[box.y : box.bottom, box.x : box.right])


def _repeated(box: Box, places: PlaceIndex) -> str | None:
    return None if places.owner(box) is None else "another box is at the same place"


def _candidate(given: GivenBox) -> Candidate:
    label = guard.clean(given.label[: guard.MAX_LABEL], what="label").strip()
    kind = guard.clean(given.kind[: guard.MAX_NAME], what="type").strip() or "element"
    source = guard.clean(given.source[: guard.MAX_NAME], what="source").strip() or "given"
    return Candidate(given.box, kind, label or None, source, given.confidence)
