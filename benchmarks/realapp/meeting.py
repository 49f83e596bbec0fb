"""Learns the screens of one version, meets them again, and judges both by their documents."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from benchmarks.realapp.looking import Shot
    from memctl.drivers.look import Look
    from memctl.memory import Memory
    from memctl.visual.match_results import Learn, Learned, Match, Sighting


# -- truth -------------------------------------------------------

SAME_PLACE = 0.5  # least IoU of a component and its element


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


# -- meeting -----------------------------------------------------


@dataclass
class Pupil:
    """A memory that learns the screens, and the truth about what it has learned.

    Parameters
    ----------
    named
        Whether each screen is learned with a page name.
    """

    memory: Memory
    named: bool
    learned: dict[int, Element] = field(default_factory=dict)
    screens: dict[str, set[str]] = field(default_factory=dict)
    steps: list[dict[str, Any]] = field(default_factory=list)

    def learn(self, shot: Shot) -> None:
        """Learn one screen, and note which component is which element."""
        started = time.perf_counter()
        answer = self.memory.learn(shot.look, page=shot.screen if self.named else None)
        seconds = time.perf_counter() - started
        there = elements(shot.look)
        for one in answer.learned:
            element, overlap = nearest(_place(one), there)
            if element is not None and overlap >= SAME_PLACE:
                self.learned.setdefault(one.component_id, element)
        self._note_state(shot.screen, answer)
        self.steps.append(
            {
                "screen": shot.screen,
                "elements": len(there),
                "learned": len(answer.learned),
                "refused": len(answer.refused),
                "state_created": answer.state_created,
                "look_s": round(shot.seconds, 3),
                "learn_s": round(seconds, 3),
            }
        )

    def meet(self, shot: Shot) -> dict[str, Any]:
        """Match a screen and judge the answer by the document."""
        started = time.perf_counter()
        answer = self.memory.match(shot.look, record=False)
        seconds = time.perf_counter() - started
        here = self.screens.get(answer.state.id, set()) if answer.state else set()
        known = "right" if shot.screen in here else "other" if answer.state else "unknown"
        return {
            "screen": shot.screen,
            "answer": known,
            "taken_for": sorted(here),
            "similarity": answer.state.similarity if answer.state else None,
            "match_s": round(seconds, 3),
            **self._judged(shot, answer),
        }

    def _note_state(self, screen: str, answer: Learn) -> None:
        for one in answer.states_merged:
            self.screens.setdefault(one.into, set()).update(self.screens.pop(one.merged, set()))
        if answer.state is not None:
            self.screens.setdefault(answer.state.id, set()).add(screen)

    def _judged(self, shot: Shot, answer: Match) -> dict[str, Any]:
        """Return what was found, taken for another and not found of what the document shows."""
        drawn = elements(shot.look, whole=False)
        given: list[tuple[Element, Box]] = []
        wrong = []
        for one in answer.sightings:
            element, place = self.learned.get(one.component_id), _place(one)
            if element is None or not element.label:
                continue  # nothing tells what it is
            given.append((element, place))
            if not any(other.same(element) and other.stands_at(place) for other in drawn):
                there, _ = nearest(place, drawn)
                wrong.append(
                    {
                        "name": one.name,
                        **_told(element),
                        "at": place.xywh,
                        "there": _told(there) if there else None,
                    }
                )
        known = [one for one in elements(shot.look) if one.label and self._knows(one)]
        missed = [
            one
            for one in known
            if not any(one.same(element) and one.stands_at(place) for element, place in given)
        ]
        why = {one.component_id: one.why for one in answer.absent}
        absent = [{**_told(one), "why": self._why(one, why)} for one in missed]
        return {"found": len(known) - len(missed), "wrong": wrong, "absent": absent}

    def _knows(self, element: Element) -> bool:
        return any(one.same(element) for one in self.learned.values())

    def _why(self, element: Element, why: Mapping[int, str]) -> str:
        """Return the reason that memctl gave for not finding an element."""
        keys = [key for key, one in self.learned.items() if one.same(element)]
        return next((why[key] for key in keys if key in why), "not told")


def _place(one: Learned | Sighting) -> Box:
    return Box(one.x, one.y, one.w, one.h)


def _told(element: Element) -> dict[str, Any]:
    return {key: value for key, value in asdict(element).items() if key != "box" and value}
