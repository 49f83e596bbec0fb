"""Rendered pages: learned once, met again scrolled, hovered, in other themes and sizes."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.screens.identity import Identities

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.screens.shots import PageShot
    from memctl.memory import Memory

__all__ = ["learn_bases", "leaving_one_out", "meet_again"]


@dataclass(frozen=True, slots=True)
class Step:
    """One call, and what came of it.

    Parameters
    ----------
    answer
        ``"new"``, ``"same"`` (its own page) or ``"other"`` (taken for another page).
    """

    call: str
    app: str
    page: str
    kind: str
    half: str
    file: str
    answer: str
    similarity: float | None
    known: int
    ms: float
    expected: int = 0
    right: int = 0
    false: int = 0
    other_look: int = 0
    false_merges: int = 0


class Visitor:
    """Learns and matches the shots of one app in one store, and keeps the score."""

    def __init__(self, memory: Memory, *, with_boxes: bool) -> None:
        self._memory = memory
        self._with_boxes = with_boxes
        self._identities = Identities()
        self._owner: dict[str, str] = {}
        self._known = 0
        self.steps: list[Step] = []

    def learn(self, shot: PageShot) -> None:
        """Learn a shot."""
        boxes = shot.boxes if self._with_boxes else None
        started = time.perf_counter()
        lesson = self._memory.learn(shot.path, boxes)
        ms = (time.perf_counter() - started) * 1000
        answer = "new"
        if lesson.state is not None and lesson.state_created:
            self._owner[lesson.state.id] = shot.page
        elif lesson.state is not None:
            answer = "same" if self._owner.get(lesson.state.id) == shot.page else "other"
        merges = sum(
            self._owner.get(one.merged) != self._owner.get(one.into) for one in lesson.states_merged
        )
        self._note("learn", shot, answer, lesson, ms, false_merges=merges)
        self._identities.learn(shot, lesson)
        self._known += sum(not one.new_look for one in lesson.learned)

    def match(self, shot: PageShot) -> None:
        """Match a shot, leaving no trace."""
        started = time.perf_counter()
        found = self._memory.match(shot.path, record=False)
        ms = (time.perf_counter() - started) * 1000
        answer = "new"
        if found.state is not None:
            answer = "same" if self._owner.get(found.state.id) == shot.page else "other"
        score = asdict(self._identities.score(shot, found.sightings)) if self._with_boxes else {}
        self._note("match", shot, answer, found, ms, **score)

    def _note(
        self, call: str, shot: PageShot, answer: str, found: Any, ms: float, **score: int
    ) -> None:
        likeness = found.state.similarity if found.state else None
        self.steps.append(
            Step(
                call,
                shot.app,
                shot.page,
                shot.kind,
                shot.half,
                shot.path.name,
                answer,
                likeness,
                self._known,
                round(ms, 1),
                **score,
            )
        )


def meet_again(shots: Sequence[PageShot], *, with_boxes: bool) -> list[dict[str, Any]]:
    """Learn every page's base shot, then match all other shots, then learn them too."""
    with (
        tempfile.TemporaryDirectory() as home,
        memctl.open(shots[0].app, home=home) as memory,
    ):
        visitor = Visitor(memory, with_boxes=with_boxes)
        others = [shot for shot in shots if shot.kind != "base"]
        for shot in shots:
            if shot.kind == "base":
                visitor.learn(shot)
        for shot in others:
            visitor.match(shot)
        for shot in others:
            visitor.learn(shot)
        return [asdict(step) for step in visitor.steps]


def learn_bases(home: Path, shots: Sequence[PageShot], *, with_boxes: bool) -> dict[str, str]:
    """Learn shots under their pages' names; return state id to page."""
    owner = {}
    with memctl.open(shots[0].app, home=home) as memory:
        for shot in shots:
            boxes = shot.boxes if with_boxes else None
            state = memory.learn(shot.path, boxes, page=shot.page).state
            if state is not None:
                owner[state.id] = shot.page
    return owner


def leaving_one_out(
    scratch: Path, shots: Sequence[PageShot], *, with_boxes: bool, home: Path | None = None
) -> Iterator[tuple[PageShot, Path]]:
    """Yield each shot with a store that learned all others.

    Halving: what both parts of a half share is learned once, so n stores cost n log n learns.
    """
    home = home or scratch / "none"
    if len(shots) == 1:
        yield shots[0], home
        return
    middle = len(shots) // 2
    for left_out, learned in ((shots[:middle], shots[middle:]), (shots[middle:], shots[:middle])):
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            copy = Path(folder, "home")
            if home.exists():
                shutil.copytree(home, copy)
            learn_bases(copy, learned, with_boxes=with_boxes)
            yield from leaving_one_out(scratch, left_out, with_boxes=with_boxes, home=copy)
