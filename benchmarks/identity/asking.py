"""Questions about learned elements, asked by the shipped calls, and how their answers are judged."""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import memctl
from benchmarks.identity.pages import Box, Learned, Place, iou

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.identity.pages import Box, Place, Shot
    from memctl.memory import Memory


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
    """An answer: a place, or none and why; ``changed`` is what memctl says to differ since."""

    by: str
    place: Place | None
    why: str = ""
    ms: float = 0.0
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
    if given.place is None:
        return Answer(asked, given, MISSED if there else ABSENT, there, "")
    if own is not None and _same_place(given.place, own.place):
        return Answer(asked, given, RIGHT, there, "")
    return Answer(asked, given, WRONG, there, _met(given.place, boxes))


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


# -- notes -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Noted:
    """An answer, the asked screenshot with what is marked on it, and what was learned."""

    answer: Answer
    shot: Shot
    marked: tuple[Box, ...]
    learned: Learned


@dataclass
class Notes:
    """All answers of a run."""

    noted: list[Noted] = field(default_factory=list)
    match_ms: list[float] = field(default_factory=list)
    learn_ms: list[float] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    unlearned: dict[str, int] = field(default_factory=dict)

    def add(self, answer: Answer, shot: Shot, marked: Sequence[Box], learned: Learned) -> None:
        """Keep an answer."""
        self.noted.append(Noted(answer, shot, tuple(marked), learned))

    def match(self, ms: float) -> None:
        """Keep the time of a match."""
        self.match_ms.append(ms)

    def say(self, remark: str) -> None:
        """Keep something that the reader should know."""
        self.remarks.append(remark)

    def pupil(self, what: str, one: Pupil) -> None:
        """Keep what a memory did not learn as things of their own, and how long it took."""
        self.learn_ms += one.learn_ms
        if one.unlearned:
            self.unlearned[what] = len(one.unlearned)
            names = ", ".join(box.label[:20] or box.name for box in one.unlearned[:4])
            self.say(f"{what}: {len(one.unlearned)} boxes made no component: {names}")

    @property
    def answers(self) -> list[Answer]:
        """The answers alone."""
        return [one.answer for one in self.noted]


# -- asking ------------------------------------------------------

SAME = 0.8


@contextmanager
def pupil() -> Iterator[Pupil]:
    """Open a store of its own in a folder that goes afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="identity-") as home,
        memctl.open("identity", home=home) as memory,
    ):
        yield Pupil(memory)


class Pupil:
    """A memory that learns marked elements and knows which of them became which component."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.names: dict[tuple[str, str], int] = {}
        self.learned: dict[tuple[str, str], Learned] = {}
        self.unlearned: list[Box] = []
        self.learn_ms: list[float] = []
        self._page: str | None = None

    def learn(self, shot: Shot, boxes: Sequence[Box], page: str, margin: int = 0) -> None:
        """Learn these boxes of a screenshot."""
        listed = [_as_box(box, margin) for box in boxes]
        self._page = page if self._page in {None, page} else None
        started = time.perf_counter()
        lesson = self.memory.learn(shot.path, listed, page=page)
        self.learn_ms.append((time.perf_counter() - started) * 1000)
        places = [(one.component_id, (one.x, one.y, one.w, one.h)) for one in lesson.learned]
        for box in boxes:
            place = _wider(box.place, margin)
            self.learned[box.key] = Learned(shot.path, place, shot.crop(place))
            self._assign(box, places, margin)

    def _assign(self, box: Box, places: Sequence[tuple[int, Place]], margin: int) -> None:
        wanted = _wider(box.place, margin)
        fits = [(iou(place, wanted), key) for key, place in places]
        best, key = max(fits, default=(0.0, 0))
        if best >= SAME:
            self.names[box.key] = key
        else:
            self.unlearned.append(box)

    def match(self, shot: Shot) -> tuple[dict[tuple[str, str], Given], float]:
        """Return what a match says of each learned element, and its milliseconds.

        The page is named, so that all that was learned there is told to be absent, and why.
        """
        started = time.perf_counter()
        pixels = shot.encoded or shot.path
        answer = self.memory.match(pixels, record=False, page=self._page)
        ms = (time.perf_counter() - started) * 1000
        given: dict[int, Given] = {
            one.component_id: Given("match", None, one.why, ms) for one in answer.absent
        }
        for seen in answer.sightings:
            place = (seen.x, seen.y, seen.w, seen.h)
            given[seen.component_id] = Given("match", place, "", ms, seen.changed)
        nothing = Given("match", None, "", ms)
        return {key: given.get(one, nothing) for key, one in self.names.items()}, ms


def _as_box(box: Box, margin: int) -> dict[str, object]:
    x, y, w, h = _wider(box.place, margin)
    listed: dict[str, object] = {"x": x, "y": y, "w": w, "h": h, "source": "dom"}
    # A label of digits alone is refused as a value that changes: a badge is learned by its look.
    return listed if box.label.isdecimal() else listed | {"label": box.label}


def _wider(place: Place, margin: int) -> Place:
    x, y, w, h = place
    return x - margin, y - margin, w + 2 * margin, h + 2 * margin
