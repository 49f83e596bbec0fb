"""The questions: siblings in a component's place, and buttons of rows that have changed.

Of siblings one is learned, and the other is drawn in its place, or the same one elsewhere. A page of
rows is learned once, then its records change.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.identity.asking import Asked, Given, judge, pupil
from benchmarks.identity.drawing import (
    ONE,
    OTHER,
    board,
    draw,
    look_alike,
    make,
    moved,
    other_status,
    other_time,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.identity.asking import Notes, Pupil
    from benchmarks.identity.drawing import Cell, Layout, Pair, Record, Style
    from benchmarks.identity.pages import Box, Page, Shot, Studio


# -- siblings ----------------------------------------------------

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
        answer = judge(asked, given[key], shot.boxes, optional=optional)
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


# -- rows --------------------------------------------------------

CHANGES = (
    "unchanged",
    "removed",
    "inserted",
    "look-alike name",
    "sorted",
    "filtered",
    "scrolled by rows",
    "scrolled by some",
    "page 2",
    "status",
    "one cell",
    "replaced",
    "another row's state",
)
SOME = 37
SHOWN = 0.99
TWINS = ("r2", "r5")


def learned_records(layout: Layout) -> list[Record]:
    """Return the records of the learned page."""
    records = make(layout.noun, layout.count, layout.half, _seed(layout))
    if layout.namesakes:
        others = [one for one in ("Editor", "Guest") if one != records[1].role]
        records[4] = replace(records[4], name=records[1].name, role=others[0])
    if layout.twins:
        records[5] = replace(records[2], ident="r5")
    if layout.same:
        said = {column: getattr(records[0], column) for column in layout.same.split()}
        records = [replace(one, **said) for one in records]
    if layout.state:
        records[1] = replace(records[1], on=True)
    return records


def changed(layout: Layout, change: str) -> list[Record]:
    """Return the records of the page after a change."""
    records = learned_records(layout)
    whole = make(layout.noun, 2 * layout.count + 1, layout.half, _seed(layout))
    if change == "removed":
        del records[1]
    elif change == "inserted":
        records.insert(1, replace(whole[-1], ident="new"))
    elif change == "look-alike name":
        records[3] = look_alike(records[3])
    elif change == "sorted":
        records.sort(key=lambda one: (one.name, one.seed))
    elif change == "filtered":
        records = records[1::2]
    elif change == "page 2":
        return _page_two(layout, records, whole[layout.count : 2 * layout.count])
    elif change == "replaced":
        records[2] = replace(other_time(records[2]), ident="new")
    elif change in {"status", "one cell"}:
        other = other_status if change == "status" else other_time
        return [other(one) if i in {1, 3, 4} else one for i, one in enumerate(records)]
    elif layout.state and change == "another row's state":
        return [replace(one, on=i == 4) for i, one in enumerate(records)]
    return records


def ask_rows(studio: Studio, layout: Layout, notes: Notes) -> None:
    """Learn a layout's page with all boxes and with its buttons alone; ask after every change."""
    learned = studio.shoot(draw(layout, learned_records(layout), title="learned"))
    boxes = [box for box in learned.boxes if box.shown >= SHOWN]
    shots = []
    for change in CHANGES:
        shot = studio.shoot(changed_page(layout, change, learned))
        if change != "unchanged" and np.array_equal(shot.bgr, learned.bgr):
            notes.say(f"{layout.name}, {change}: drawn as before, so nobody can tell; left out")
        else:
            shots.append((change, shot))
        if layout.dark and change in {"unchanged", "removed", "sorted"}:
            dark = changed_page(layout, change, learned, dark=True)
            shots.append((f"{change}, dark", studio.shoot(dark)))
    for memory in ("all boxes", "buttons only"):
        chosen = [box for box in boxes if box.role == "button" or memory == "all boxes"]
        with pupil() as one:
            one.learn(learned, chosen, layout.name)
            if layout.dark:
                other = studio.shoot(draw(layout, learned_records(layout), title="dark", dark=True))
                keys = {box.key for box in chosen}
                one.learn(other, [box for box in other.boxes if box.key in keys], layout.name)
            for change, shot in shots:
                _rows_ask(layout, one, (change, memory), shot, notes)
            notes.pupil(f"{layout.name}, {memory}", one)


def _rows_ask(layout: Layout, one: Pupil, about: tuple[str, str], shot: Shot, notes: Notes) -> None:
    change, memory = about
    given, ms = one.match(shot)
    notes.match(ms)
    buttons = [box for box in shot.boxes if box.role == "button"]
    for key in _asked_keys(layout, given):
        asked = Asked(
            "rows",
            layout.half,
            layout.name,
            change,
            _kind(layout, key),
            memory,
            shot.page.name,
            f"{key[1]} of {key[0]}",
            key,
        )
        other = change == "another row's state" and key[0] in {"r1", "r4"}
        judged = judge(asked, _told(change, given[key]), buttons, optional=other)
        notes.add(judged, shot, buttons, one.learned[key])


def _told(change: str, given: Given) -> Given:
    """Return an answer without a place where it says itself that the row is another by a cell."""
    marked = change == "replaced" and given.changed == "row changed"
    return replace(given, place=None) if marked else given


def _kind(layout: Layout, key: tuple[str, str]) -> str:
    """Return whether this record can be told from the others of the learned page."""
    if layout.twins and key[0] not in TWINS:
        return "rows"
    return layout.kind


def _asked_keys(layout: Layout, given: Mapping[tuple[str, str], Given]) -> list[tuple[str, str]]:
    return [key for key in given if key[1] in layout.buttons]


def changed_page(layout: Layout, change: str, learned: Shot, *, dark: bool = False) -> Page:
    """Return the page as it is after a change."""
    scroll = {"scrolled by rows": 2 * _pitch(learned), "scrolled by some": SOME}.get(change, 0)
    return draw(layout, changed(layout, change), scroll=scroll, title=change, dark=dark)


def _pitch(learned: Shot) -> int:
    """Return how far the second row lies below the first."""
    tops = sorted({box.place[1] for box in learned.boxes if box.role == "button"})
    first = tops[0]
    return next((top - first for top in tops if top - first > 12), 0)


def _page_two(layout: Layout, records: Sequence[Record], others: Sequence[Record]) -> list[Record]:
    """Return other records; where a role is shown, two of them are namesakes of learned ones."""
    page = list(others)
    if "role" in layout.columns.split():
        for at, of in ((1, records[1]), (3, records[0])):
            role = next(one for one in ("Planner", "Viewer") if one != of.role)
            page[at] = replace(page[at], name=of.name, role=role)
    return page


def _seed(layout: Layout) -> int:
    return sum(ord(letter) * at for at, letter in enumerate(layout.name, 1))
