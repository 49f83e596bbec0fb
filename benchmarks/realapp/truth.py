"""The truth about a screen: the elements of its document, by label, kind and row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from memctl.drivers.look import Look

__all__ = ["INTERACTIVE", "SAME_PLACE", "Element", "elements", "nearest", "understandable"]

INTERACTIVE = frozenset(
    {"button", "link", "input", "checkbox", "radio", "tab", "option", "menuitem", "slider"}
)
SAME_PLACE = 0.5  # least IoU of a component and its element
_NEAR = 60  # pixels from an element within which a text may name it
_PREFIX = 12  # characters that tell a text in a name: names cut long ones


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a document on a screenshot, in image pixels."""

    box: Box
    kind: str
    label: str
    row: str = ""

    def same(self, other: Element) -> bool:
        """Return True if both have one label and kind, and one row where both have any."""
        rows = {self.row, other.row} - {""}
        return (self.label, self.kind) == (other.label, other.kind) and len(rows) <= 1

    def stands_at(self, place: Box) -> bool:
        """Return True if a place is this element's, or the middle of one lies in the other."""
        inside = _middle(place).overlap(self.box) or _middle(self.box).overlap(place)
        return bool(inside) or self.box.iou(place) >= SAME_PLACE


def _middle(box: Box) -> Box:
    x, y = box.center
    return Box(int(x), int(y), 1, 1)


def elements(look: Look, *, whole: bool = True) -> list[Element]:
    """Return the elements on a look.

    Parameters
    ----------
    whole
        Without those of which more than a fifth is covered.
    """
    boxes = look.learnable() or [] if whole else look.boxes
    return [_element(box) for box in boxes]


def _element(box: Mapping[str, Any]) -> Element:
    sides = [round(box[key] * box.get("scale", 1)) for key in "xywh"]
    label, row = (" ".join(str(box.get(key, "")).split()) for key in ("label", "row"))
    return Element(Box(*sides), str(box.get("type", "")), label, row)


def nearest(place: Box, some: Iterable[Element]) -> tuple[Element | None, float]:
    """Return the element that overlaps a place most, and their IoU."""
    best = max(some, key=lambda one: one.box.iou(place), default=None)
    overlap = best.box.iou(place) if best is not None else 0.0
    return (best, overlap) if overlap > 0 else (None, 0.0)


def understandable(name: str, element: Element, some: Sequence[Element]) -> bool:
    """Return True if a name holds an element's label, its row or a text beside it."""
    if _says(name, element.label) or _says(name, element.row):
        return True
    around = element.box.widened(_NEAR, _NEAR)
    return any(
        _says(name, one.label) for one in some if one is not element and around.overlap(one.box)
    )


def _says(name: str, text: str) -> bool:
    """Return True if a name holds the beginning of a text, by letters and digits alone."""
    said = _squeezed(text)[:_PREFIX]
    return bool(said) and said in _squeezed(name)


def _squeezed(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
