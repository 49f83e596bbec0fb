"""The truth about a screen: the elements of its document, by label, kind and row."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from benchmarks.realapp.looking import Shot
    from memctl.drivers.look import Look
    from memctl.memory import Memory
    from memctl.visual.match_results import Learn, Learned, Match, Sighting


# -- truth -------------------------------------------------------

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
    _interactive: list[tuple[Element, list[Element], int | None]] = field(default_factory=list)

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
        self._note_names(there, answer)
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

    def names(self) -> dict[str, Any]:
        """Count the interactive elements of the learned screens whose names are understandable."""
        called = {one.id: one.name for one in self.memory.components.list()}
        known = [(element, there, called[key]) for element, there, key in self._interactive if key]
        others = [one for one in known if not understandable(one[2], one[0], one[1])]
        return {
            "elements": len(self._interactive),
            "with_component": len(known),
            "understandable": len(known) - len(others),
            "others": [{**_told(element), "name": name} for element, _, name in others],
            "without": [_told(element) for element, _, key in self._interactive if not key],
        }

    def _note_state(self, screen: str, answer: Learn) -> None:
        for one in answer.states_merged:
            self.screens.setdefault(one.into, set()).update(self.screens.pop(one.merged, set()))
        if answer.state is not None:
            self.screens.setdefault(answer.state.id, set()).add(screen)

    def _note_names(self, there: list[Element], answer: Learn) -> None:
        known: list[Learned | Sighting] = [*answer.learned, *answer.sightings]
        for element in there:
            if element.kind in INTERACTIVE:
                best = max(known, key=lambda one: element.box.iou(_place(one)), default=None)
                found = best is not None and element.box.iou(_place(best)) >= SAME_PLACE
                key = best.component_id if best is not None and found else None
                self._interactive.append((element, there, key))

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
