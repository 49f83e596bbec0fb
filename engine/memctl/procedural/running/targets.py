"""Targets: where the component of a step is now, by a glance, else by a look, else by scrolling."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.errors import NotFoundError
from memctl.procedural.parameters import filled
from memctl.procedural.running.body import ViewportPoint
from memctl.visual.graph.naming import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.drivers.look import Look
    from memctl.procedural.running.body import Sight
    from memctl.procedural.skill_records import SkillStep
    from memctl.visual.graph.components import Component, Components
    from memctl.visual.match_results import Location
    from memctl.visual.visual import Visual

    AnyBox = Mapping[str, Any]

__all__ = ["Target", "Targets"]

_OTHERWISE = "known by its label: it looks otherwise now"
_PLACELESS = ("type", "key", "goto", "scroll")
_SCROLLS = 8
_SCROLL_SECONDS = 0.15  # until the page has moved
_SAME_SIZE = 2.0  # pixels, by which the rounding of a box's edges may differ
_PAGE = 0.8  # of the viewport, that one scroll moves


@dataclass(frozen=True, slots=True)
class Target:
    """Where a step acts, or why nowhere.

    Parameters
    ----------
    point
        The middle of the component; ``None`` where it was not found, or none is needed.
    found
        Whether the step may act.
    why
        Why it may not, or what was mended.
    look
        What was looked at: ``none``, ``target`` or ``full``.
    seen
        The full look, where one was taken.
    """

    point: ViewportPoint | None
    found: bool
    why: str = ""
    look: str = "none"
    seen: Look | None = None


class Targets:
    """Finds the components of steps on a live screen.

    Parameters
    ----------
    components, visual
        The components of the store, and the visual memory.
    body
        The app.
    """

    def __init__(self, components: Components, visual: Visual, body: Sight) -> None:
        self._components = components
        self._visual = visual
        self._body = body

    def find(self, step: SkillStep, values: Mapping[str, str]) -> Target:
        """Return where a step acts: identity that is not settled is no target.

        By the pixels of its component on a picture taken now; else by what the app says of its
        boxes; else by a full look, and scrolling.
        """
        if step.component_id is None and (step.target is None or step.action in _PLACELESS):
            return Target(None, found=True)
        label, beside = filled(step.target, values) or "", filled(step.beside, values)
        if step.component_id is None:
            if label == step.target:
                return Target(None, found=False, why=f"{label} was forgotten")
            return self._labelled(label)
        if point := self.at_a_glance(step.component_id, beside):
            return Target(point, found=True, look="target")
        if point := self._by_label(step.component_id, beside, self._body.boxes()):
            cut = self._components.get(step.component_id).cut
            return Target(point, found=True, why="" if cut else _OTHERWISE, look="target")
        return self._looked_for(step.component_id, beside)

    def _labelled(self, label: str) -> Target:
        """Find what bears a label that varies: a component that is known by it, else a box."""
        known = self._components.labelled(label)
        if len(known) == 1 and (point := self.at_a_glance(known[0])):
            return Target(point, found=True, look="target")
        boxes = _bearing(label, self._body.boxes())
        if len(boxes) == 1:
            return Target(_middle_of(boxes[0]), found=True, look="target")
        look = self._body.look()
        boxes = _bearing(label, look.learnable() or [])
        if not boxes and (scrolled := self._scrolled_to(label, look)):
            boxes, look = _bearing(label, scrolled.learnable() or []), scrolled
        if len(boxes) == 1:
            return Target(_middle_of(boxes[0]), found=True, look="full", seen=look)
        why = f'"{label}" is not on the screen' if not boxes else f'{len(boxes)} are "{label}"'
        return Target(None, found=False, why=why, look="full", seen=look)

    def _scrolled_to(self, label: str, look: Look) -> Look | None:
        width, height = (side / look.scale for side in look.size)
        for _ in range(_SCROLLS):
            before = look.png
            self._body.scroll(width / 2, height / 2, 0, height * _PAGE)
            look = self._body.look()
            if look.png == before:
                return None
            if _bearing(label, look.learnable() or []):
                return look
        return None

    def _looked_for(self, component: int, beside: str | None) -> Target:
        look = self._body.look()
        boxes = look.learnable()
        try:
            place = self._visual.locate(component, look.png, beside=beside, boxes=boxes)
        except NotFoundError as error:
            return Target(None, found=False, why=error.message, look="full", seen=look)
        if place.found:
            return Target(_middle(place, look.scale), found=True, look="full", seen=look)
        if point := self._by_label(component, beside, boxes or []):
            return Target(point, found=True, why=_OTHERWISE, look="full", seen=look)
        if point := self._scrolled(component, beside, look):
            return Target(point, found=True, why="found by scrolling", look="full", seen=look)
        return Target(None, found=False, why=f"{place.name}: {place.how}", look="full", seen=look)

    def _by_label(
        self, component: int, beside: str | None, boxes: Sequence[AnyBox]
    ) -> ViewportPoint | None:
        """Return the one place that bears a component's label, in the row or section wanted.

        The app's own word for what it shows outlives themes and versions, which change its pixels.
        Where others bear it too, as a field's caption or the title of a dialog does, it is the one
        of the component's kind and, if need be, of its size.
        """
        one = self._components.get(component)
        if one.label is None or not boxes:
            return None
        wanted = beside or one.row_text or ""
        there = [box for box in _bearing(one.label, boxes) if _stands(box, wanted, beside)]
        for is_like in (_is_of_kind, _is_of_size):
            if len(there) > 1:
                there = [box for box in there if is_like(box, one)]
        return _middle_of(there[0]) if len(there) == 1 else None

    def present(
        self,
        components: Sequence[int],
        png: bytes,
        scale: float,
        boxes: Callable[[], Sequence[AnyBox]],
        enough: int,
    ) -> int:
        """Return how many of some components are there, up to `enough`.

        Each by its pixels on the picture, or else by its label, as the boxes say: an app that
        writes another name beside a button moves its pixels, and two buttons may share a label.
        """
        missing: list[int] = []
        there = 0
        for one in components:
            if there >= enough:
                return there
            if self._on(png, scale, one) is None:
                missing.append(one)
            else:
                there += 1
        told = boxes() if missing and there < enough else ()
        return there + sum(self._by_label(one, None, told) is not None for one in missing)

    def at_a_glance(self, component: int, beside: str | None = None) -> ViewportPoint | None:
        """Return where a component is on a picture taken now; ``None`` where that is not settled."""
        return self._on(*self._body.glance(), component, beside)

    def _on(
        self, png: bytes, scale: float, component: int, beside: str | None = None
    ) -> ViewportPoint | None:
        try:
            place = self._visual.locate(component, png, beside=beside)
        except NotFoundError:
            return None
        return _middle(place, scale) if place.found else None

    def _scrolled(self, component: int, beside: str | None, look: Look) -> ViewportPoint | None:
        """Turn the wheel down until the component is there, or nothing moves any more."""
        width, height = (side / look.scale for side in look.size)
        before, _ = self._body.glance()
        for _ in range(_SCROLLS):
            self._body.scroll(width / 2, height / 2, 0, height * _PAGE)
            time.sleep(_SCROLL_SECONDS)
            now, _ = self._body.glance()
            if now == before:
                return None
            if point := self.at_a_glance(component, beside):
                return point
            before = now
        return None


def _middle(place: Location, scale: float) -> ViewportPoint | None:
    if place.x is None or place.y is None:
        return None
    return ViewportPoint((place.x + place.w / 2) / scale, (place.y + place.h / 2) / scale)


def _bearing(label: str, boxes: Sequence[AnyBox]) -> list[AnyBox]:
    """Return the boxes that bear a label, whatever its letters' case."""
    return [box for box in boxes if folded(str(box.get("label") or "")) == folded(label)]


def _stands(box: AnyBox, wanted: str, beside: str | None) -> bool:
    """Return whether a box stands in a row or section; one that says neither may, unless asked."""
    told = {folded(str(box.get(key) or "")) for key in ("row", "section")} - {""}
    return not wanted or (folded(wanted) in told if told or beside else True)


def _is_of_kind(box: AnyBox, one: Component) -> bool:
    return bool(box.get("type") == one.type)


def _is_of_size(box: AnyBox, one: Component) -> bool:
    """Return whether a box is as large as a component was, but for two pixels."""
    scale = box.get("scale", 1.0)
    return bool(
        abs(box["w"] * scale - one.w) <= _SAME_SIZE and abs(box["h"] * scale - one.h) <= _SAME_SIZE
    )


def _middle_of(box: AnyBox) -> ViewportPoint:
    return ViewportPoint(box["x"] + box["w"] / 2, box["y"] + box["h"] / 2)  # in CSS pixels
