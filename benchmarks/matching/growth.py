"""How the time of learn and match grows with the boxes on a screen, against brute force beside it.

The screens are drawn, so that this needs no screenshots: sheets of different numbers, calendars of
a few numbers again and again, equal buttons.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

import memctl
from benchmarks.running import print_table
from memctl.visual.boxes import Box
from memctl.visual.frame import Frame
from memctl.visual.matching.find import find
from memctl.visual.matching.template import Template, extract
from memctl.visual.matching.template_set import TemplateSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.memory import Memory
    from memctl.visual.frame import Pixels

BOXES = (100, 200, 400, 800)
SHEET = 3000
TEMPLATES = (50, 500, 5000)
STYLES = ("sheet", "calendar", "equal")

_FACE = cv2.FONT_HERSHEY_SIMPLEX
_HD, _4K = (1920, 1080), (3840, 2160)
_BESIDE = 8  # templates that brute force is timed on


@dataclass
class Growth:
    """One line: a screen of so many boxes, in seconds and milliseconds of processor time.

    ``locked`` is the longest time, by the clock, for which other processes could not write.
    """

    style: str
    boxes: int
    learned: int
    learn: float
    locked: float
    match: float
    ratio: float
    found: int


def cells(
    style: str, count: int, size: tuple[int, int] = _HD
) -> tuple[Pixels, list[Box], list[str]]:
    """Draw a screen of cells; return it with their boxes and labels."""
    width, height = size
    columns = int(np.ceil(np.sqrt(count * width / height / 2)))
    wide, high = min(width // columns, 90), min(height // -(-count // columns), 40)
    picture = np.full((height, width, 3), 250, np.uint8)
    numbers = np.random.default_rng(0).integers(0, 10_000, count)
    boxes, labels = [], []
    for at in range(count):
        x, y = at % columns * wide, at // columns * high
        label = {"sheet": str(numbers[at]), "calendar": str(at % 31 + 1)}.get(style, "Open")
        box = Box(x + 2, y + 2, wide - 4, high - 4)
        cv2.rectangle(picture, (box.x, box.y), (box.right - 1, box.bottom - 1), (160,) * 3, 1)
        place = (box.x + 4, box.bottom - high // 4)
        cv2.putText(picture, label, place, _FACE, 0.35, (30,) * 3, 1, cv2.LINE_AA)
        boxes.append(box)
        labels.append(label)
    return picture, boxes, labels


def learned_and_matched(style: str, count: int, size: tuple[int, int] = _HD) -> Growth:
    """Learn one screen and match it twice with a pixel changed; time the second match."""
    picture, boxes, labels = cells(style, count, size)
    given = [
        {**dict(zip("xywh", box.xywh, strict=True)), "label": label, "type": "button"}
        for box, label in zip(boxes, labels, strict=True)
    ]
    with tempfile.TemporaryDirectory() as home, memctl.open("growth", home=home) as memory:
        with _locks(memory) as locked:
            started = time.process_time()
            learned = memory.learn(picture, given)
            learn = time.process_time() - started
        times = []
        for shade in (9, 19, 29):
            picture[-3:, -3:] = shade
            started = time.process_time()
            answer = memory.match(picture)
            times.append((time.process_time() - started) * 1000)
    match = min(times[1:])
    ratio = brute_force(picture, boxes) * len(learned.learned) / match
    counts = len(learned.learned), learn, max(locked), match, ratio, len(answer.sightings)
    return Growth(style, count, *counts)


def searched(count: int) -> dict[str, float]:
    """Time the search alone for so many templates, most of which are not on the screen."""
    shown, boxes, _ = cells("sheet", min(count, 400))
    frame = Frame(shown)
    templates = [
        Template(at, at, frame.crop(box), extract(frame, box), last=(box.x, box.y))
        for at, box in enumerate(boxes)
    ]
    for part in range(len(boxes), count, SHEET):
        other, more, _ = cells("sheet", min(SHEET, count - part), _4K)
        away = Frame(255 - other)
        templates += [
            Template(part + at, part + at, away.crop(box), extract(away, box))
            for at, box in enumerate(more)
        ]
    known = TemplateSet(templates)
    find(frame, known, scale=1.0)
    started = time.process_time()
    find(Frame(shown), known, scale=1.0)
    match = (time.process_time() - started) * 1000
    return {"templates": count, "match": match, "ratio": brute_force(shown, boxes) * count / match}


def brute_force(picture: Pixels, boxes: Sequence[Box]) -> float:
    """Return processor milliseconds of brute force for one template."""
    gray = Frame(picture).gray
    some = [gray[b.y : b.bottom, b.x : b.right] for b in boxes[:: max(len(boxes) // _BESIDE, 1)]]
    started = time.process_time()
    for one in some:
        cv2.minMaxLoc(cv2.matchTemplate(gray, np.ascontiguousarray(one), cv2.TM_CCOEFF_NORMED))
    return (time.process_time() - started) * 1000 / len(some)


def growth() -> dict[str, Any]:
    """Print the tables; return the raw figures."""
    screens = [(style, count, _HD) for style in STYLES for count in BOXES]
    rows = [asdict(learned_and_matched(*one)) for one in (*screens, ("sheet", SHEET, _4K))]
    print_table(
        "drawn screens, processor time",
        ("screen", "boxes", "learned", "learn s", "lock ms", "match ms", "times", "found"),
        [
            (
                *(row["style"], row["boxes"], row["learned"], f"{row['learn']:.2f}"),
                *(f"{row['locked']:.0f}", f"{row['match']:.1f}", f"{row['ratio']:.0f}x"),
                row["found"],
            )
            for row in rows
        ],
    )
    alone = [searched(count) for count in TEMPLATES]
    cells = [(one["templates"], f"{one['match']:.1f}", f"{one['ratio']:.0f}x") for one in alone]
    print_table("the search alone, a sheet of 400 cells", ("templates", "match ms", "times"), cells)
    return {"screens": rows, "search": alone}


@contextmanager
def _locks(memory: Memory) -> Iterator[list[float]]:
    """Collect how long each transaction holds the write lock, in milliseconds by the clock."""
    begun, locked = memory.store.transaction, [0.0]

    @contextmanager
    def timed(**told: bool) -> Iterator[None]:
        with begun(**told):
            started = time.perf_counter()
            yield
        locked.append((time.perf_counter() - started) * 1000)

    memory.store.transaction = timed  # type: ignore[method-assign]
    try:
        yield locked
    finally:
        memory.store.transaction = begun  # type: ignore[method-assign]
