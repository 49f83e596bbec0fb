"""The shipped calls alone: learn a page, ask for what was learned, by match and by locate."""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import memctl
from benchmarks.identity.answers import Given
from benchmarks.identity.pages import Learned, iou

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.identity.pages import Box, Place, Shot
    from memctl.memory import Memory

__all__ = ["Pupil", "pupil"]

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
            one.component_id: Given("match", None, one.why, ms, one.strangeness)
            for one in answer.absent
        }
        for seen in answer.sightings:
            place = (seen.x, seen.y, seen.w, seen.h)
            given[seen.component_id] = Given("match", place, "", ms, seen.strangeness, seen.changed)
        nothing = Given("match", None, "", ms)
        return {key: given.get(one, nothing) for key, one in self.names.items()}, ms

    def locate(self, shot: Shot, key: tuple[str, str]) -> Given:
        """Return where one element is located."""
        started = time.perf_counter()
        found = self.memory.locate(self.names[key], shot.encoded or shot.path)
        ms = (time.perf_counter() - started) * 1000
        if not found.found or found.x is None or found.y is None:
            return Given("locate", None, found.how, ms)
        return Given("locate", (found.x, found.y, found.w, found.h), found.how, ms)


def _as_box(box: Box, margin: int) -> dict[str, object]:
    x, y, w, h = _wider(box.place, margin)
    listed: dict[str, object] = {"x": x, "y": y, "w": w, "h": h, "source": "dom"}
    # A label of digits alone is refused as a value that changes: a badge is learned by its look.
    return listed if box.label.isdecimal() else listed | {"label": box.label}


def _wider(place: Place, margin: int) -> Place:
    x, y, w, h = place
    return x - margin, y - margin, w + 2 * margin, h + 2 * margin
