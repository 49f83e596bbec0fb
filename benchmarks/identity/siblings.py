"""Siblings: one of a pair is learned, the other stands in its place; or the same one elsewhere."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.identity.answers import Asked, judge
from benchmarks.identity.asking import pupil
from benchmarks.identity.board import ONE, OTHER, board, moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.identity.asking import Pupil
    from benchmarks.identity.board import Cell
    from benchmarks.identity.browser import Studio
    from benchmarks.identity.notes import Notes
    from benchmarks.identity.pages import Box, Shot
    from benchmarks.identity.pairs import Pair
    from benchmarks.identity.styles import Style

__all__ = ["VARIATIONS", "Board", "ask_siblings"]

JPEG = 80


@dataclass(frozen=True, slots=True)
class Variation:
    """How the asked page differs from the learned one, apart from what stands on it.

    What is ``dressed`` is asked for where it was learned.
    """

    name: str
    nudge: str = ""
    dpr: float = 1.0
    jpeg: bool = False
    other_theme: bool = False
    dressed: bool = False


VARIATIONS = (
    Variation("same scale"),
    Variation("half px, transform", nudge="transform"),
    Variation("half px, margin", nudge="margin"),
    Variation("JPEG 80", jpeg=True),
    Variation("JPEG 80, half px", nudge="transform", jpeg=True),
    Variation("scale 1.25", dpr=1.25),
    Variation("scale 1.5", dpr=1.5),
    Variation("scale 2", dpr=2.0),
    Variation("other theme", other_theme=True),
    Variation("ring", nudge="ring", dressed=True),
    Variation("selected", nudge="selected", dressed=True),
    Variation("pressed", nudge="pressed", dressed=True),
    Variation("other theme, in place", other_theme=True, dressed=True),
)
AMONG_RIVALS = ("same scale", "half px, transform", "JPEG 80", "scale 1.5", "other theme")


class Board:
    """The boards of one style, drawn when they are asked for."""

    def __init__(self, studio: Studio, style: Style, pairs: Sequence[Pair]) -> None:
        self.style = style
        self.pairs = pairs
        self._studio = studio

    def shot(self, cells: Sequence[Cell], variation: Variation = VARIATIONS[0]) -> Shot:
        """Return a board as it looks in a variation."""
        page = board(
            self.style,
            self.pairs,
            cells,
            nudge=variation.nudge,
            dpr=variation.dpr,
            other_theme=variation.other_theme,
        )
        shot = self._studio.shoot(page)
        return shot.as_jpeg(JPEG) if variation.jpeg else shot

    def all_of(self, which: int) -> list[Cell]:
        """Return the cells that show one of every pair, in the usual order."""
        return [(number, which) for number in range(len(self.pairs))]

    def mixed(self) -> list[Cell]:
        """Return cells in another order, some of either."""
        pick = random.Random(2)
        order = moved(len(self.pairs), seed=3)
        return [(number, pick.choice((ONE, OTHER))) for number in order]

    def kind(self, key: tuple[str, str]) -> str:
        """Return how near the siblings of a pair are."""
        return self.pairs[int(key[0])].nearness


def ask_siblings(boards: Board, notes: Notes) -> None:
    """Ask a memory of one of each pair, then a memory of both."""
    learned = boards.shot(boards.all_of(ONE))
    other = boards.shot(boards.all_of(OTHER))
    alike = _identical(learned, other)
    for pair in sorted(alike):
        notes.say(f"{boards.style.name}: drawn alike, left out: {boards.pairs[int(pair)]}")
    with pupil() as one:
        one.learn(learned, learned.boxes, "board", boards.style.margin)
        for variation, what, shot in _asked(boards):
            _ask(boards, one, (variation, what, "one of them"), shot, alike, notes)
        notes.pupil(f"{boards.style.name}, one of them", one)
    with pupil() as both:
        both.learn(learned, learned.boxes, "board", boards.style.margin)
        both.learn(other, other.boxes, "other board", boards.style.margin)
        for variation in VARIATIONS:
            if variation.name in AMONG_RIVALS:
                shot = boards.shot(boards.mixed(), variation)
                _ask(boards, both, (variation, "mixed", "both"), shot, alike, notes)
        notes.pupil(f"{boards.style.name}, both", both)


def _asked(boards: Board) -> Iterator[tuple[Variation, str, Shot]]:
    everything = [(number, ONE) for number in moved(len(boards.pairs))]
    for variation in VARIATIONS:
        yield variation, "sibling", boards.shot(boards.all_of(OTHER), variation)
        own = boards.all_of(ONE) if variation.dressed else everything
        yield variation, "in place" if variation.dressed else "moved", boards.shot(own, variation)


def _ask(
    boards: Board,
    one: Pupil,
    about: tuple[Variation, str, str],
    shot: Shot,
    alike: set[str],
    notes: Notes,
) -> None:
    """Ask for every learned element on one screenshot."""
    variation, what, memory = about
    given, ms = one.match(shot)
    notes.match(ms)
    optional = variation.other_theme or variation.dressed
    for key in given:
        if key[0] in alike:
            continue
        asked = _asked_for(boards, key, variation.name, memory, f"{shot.page.name}, {what}")
        some = [given[key]]
        if notes.wants_locate():
            some.append(one.locate(shot, key))
        for said in some:
            answer = judge(asked, said, shot.boxes, optional=optional)
            notes.add(answer, shot, shot.boxes, one.learned[key])


def _asked_for(
    boards: Board, key: tuple[str, str], variation: str, memory: str, page: str
) -> Asked:
    pair = boards.pairs[int(key[0])]
    label = pair.one if int(key[1]) == ONE else pair.other
    style = boards.style
    return Asked(
        "siblings",
        style.half,
        style.name,
        variation,
        pair.nearness,
        memory,
        page,
        f"{pair.kind} {label}",
        key,
    )


def _identical(learned: Shot, other: Shot) -> set[str]:
    """Return the pairs whose two are drawn with the same pixels."""
    there: dict[str, Box] = {box.record: box for box in other.boxes}
    return {
        box.record
        for box in learned.boxes
        if _equal(learned.crop(box.place), other.crop(there[box.record].place))
    }


def _equal(one: Any, other: Any) -> bool:
    return one.shape == other.shape and bool(np.array_equal(one, other))
