"""A row's button, asked for by the row's name: ``locate(name, image, beside=...)``."""

from __future__ import annotations

import inspect
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.identity.answers import Asked, Given, judge
from benchmarks.identity.asking import pupil
from benchmarks.identity.drawing import draw
from benchmarks.identity.rows import CHANGES, changed_page, learned_records
from memctl.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.identity.asking import Pupil
    from benchmarks.identity.browser import Studio
    from benchmarks.identity.layout import Layout
    from benchmarks.identity.notes import Notes
    from benchmarks.identity.pages import Shot

__all__ = ["ask_beside", "has_beside"]

SHOWN = 0.99


def has_beside() -> bool:
    """Return whether this memctl takes ``beside``."""
    return "beside" in inspect.signature(Memory.locate).parameters


def ask_beside(studio: Studio, layout: Layout, notes: Notes) -> None:
    """Ask for one button of the first row, beside the name of every learned record in turn."""
    if "name" not in layout.columns.split() or layout.kind != "rows":
        return
    learned = studio.shoot(draw(layout, learned_records(layout), title="learned"))
    with pupil() as one:
        one.learn(learned, [box for box in learned.boxes if box.shown >= SHOWN], layout.name)
        for change in CHANGES:
            shot = studio.shoot(changed_page(layout, change, learned))
            for asked, said in _questions(layout, one, change, shot):
                template = one.learned[asked.key]
                notes.add(judge(asked, said, shot.boxes), shot, shot.boxes, template)


def _questions(
    layout: Layout, one: Pupil, change: str, shot: Shot
) -> Iterator[tuple[Asked, Given]]:
    names = Counter(record.name for record in learned_records(layout))
    for record in learned_records(layout):
        key = (record.ident, layout.buttons[-1])
        # Of two namesakes nobody can say which is meant.
        if names[record.name] > 1 or key not in one.names:
            continue
        label = f"{key[1]} beside {record.name}"
        about = (change, layout.kind, "all boxes", shot.page.name, label, key)
        yield (
            Asked("beside", layout.half, layout.name, *about),
            _beside(one, shot, key[1], record.name),
        )


def _beside(one: Pupil, shot: Shot, button: str, text: str) -> Given:
    """Locate the button that was learned first among those of its name, beside a text."""
    locate: Any = one.memory.locate
    component = next(number for key, number in one.names.items() if key[1] == button)
    started = time.perf_counter()
    try:
        found = locate(component, shot.path, beside=text)
    except memctl.MemctlError as refused:  # nothing of that name is known, or two of it
        return Given("beside", None, str(refused), (time.perf_counter() - started) * 1000)
    ms = (time.perf_counter() - started) * 1000
    place = (found.x, found.y, found.w, found.h) if found.found else None
    return Given("beside", place, found.how, ms)
