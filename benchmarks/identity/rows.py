"""Rows: a page of records is learned once, then its records change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.identity.answers import Asked, judge
from benchmarks.identity.asking import pupil
from benchmarks.identity.drawing import draw
from benchmarks.identity.records import look_alike, make, other_status, other_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.identity.answers import Given
    from benchmarks.identity.asking import Pupil
    from benchmarks.identity.browser import Studio
    from benchmarks.identity.layout import Layout
    from benchmarks.identity.notes import Notes
    from benchmarks.identity.pages import Page, Shot
    from benchmarks.identity.records import Record

__all__ = ["CHANGES", "ask_rows", "changed", "changed_page", "learned_records"]

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
                _ask(layout, one, (change, memory), shot, notes)
            notes.pupil(f"{layout.name}, {memory}", one)


def _ask(layout: Layout, one: Pupil, about: tuple[str, str], shot: Shot, notes: Notes) -> None:
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
        some = [_told(change, given[key])]
        if notes.wants_locate():
            some.append(one.locate(shot, key))
        for answer in some:
            other = change == "another row's state" and key[0] in {"r1", "r4"}
            judged = judge(asked, answer, buttons, optional=other)
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
