"""Measure identity: siblings in a component's place, and equal buttons of moving rows.

    python -m benchmarks.identity [--half development] [--part rows] [--cache DIR]

Pages of our own are drawn with the system's Chromium and kept in ``--cache``. Settings are tuned on
the development half; the report half has styles, words and layouts of its own. Only `learn` and
`match` are called. Plain template matching at .8 is asked a sample of the same questions.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import cv2

from benchmarks.identity.asking import ABSENT, RIGHT, WRONG, Answer, Given, Noted, Notes, judge
from benchmarks.identity.drawing import LAYOUTS, PAIRS, STYLES
from benchmarks.identity.pages import Picture, Place, Studio, studio
from benchmarks.identity.questions import Board, ask_rows, ask_siblings
from benchmarks.running import CONSOLE, arguments, keep, print_table, share
from memctl.base.errors import NotFoundError
from memctl.drivers.browsers import find_browser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

HALVES = ("development", "report")
_CONFIDENCE = 0.8  # of plain template matching
_CAPTION = (
    "wrong: something else was taken for what was asked. found: of what could be seen. absent: "
    "of what could not be seen, nothing was taken for it."
)


@dataclass(frozen=True, slots=True)
class Count:
    """How many questions ended how.

    Parameters
    ----------
    there, right
        Elements that could be seen, and those of them that were found.
    gone, absent
        Elements that could not be seen, and those of them that nothing was taken for.
    wrong
        Answers that point at something else, whether the element could be seen or not.
    """

    asked: int
    wrong: int
    there: int
    right: int
    gone: int
    absent: int

    def cells(self) -> tuple[str, str, str, str]:
        """Return the cells of a table."""
        counts = str(self.asked), str(self.wrong)
        return *counts, share(self.right, self.there), share(self.absent, self.gone)


def count(answers: Iterable[Answer]) -> Count:
    """Count the outcomes of some answers."""
    seen = Counter((one.there, one.outcome) for one in answers)
    return Count(
        asked=seen.total(),
        wrong=sum(seen[there, WRONG] for there in (True, False, None)),
        there=sum(n for (there, _), n in seen.items() if there is True),
        right=seen[True, RIGHT],
        gone=sum(n for (there, _), n in seen.items() if there is False),
        absent=seen[False, ABSENT],
    )


def main(words: Sequence[str] | None = None) -> None:
    """Ask everything of the chosen halves, print the tables, write the raw figures."""
    parser = arguments(__doc__, "identity")
    parser.add_argument("--half", choices=[*HALVES, "both"], default="development")
    parser.add_argument("--part", choices=["siblings", "rows", "both"], default="both")
    parser.add_argument("--only", default="", help="styles and layouts whose name has this")
    cache = Path(tempfile.gettempdir(), "memctl-identity")
    parser.add_argument("--cache", type=Path, default=cache, help="folder of drawn pages")
    parser.add_argument("--rival", type=int, default=300, help="questions to ask cv2; 0: none")
    options = parser.parse_args(words)
    try:
        browser = find_browser()
    except NotFoundError as error:
        sys.exit(f"{error}; install chromium. Skipped.")
    cv2.setNumThreads(1)
    figures: dict[str, Any] = {}
    with studio(browser, options.cache) as drawing:
        for half in HALVES if options.half == "both" else (options.half,):
            notes = _asked(half, drawing, options)
            _print_half(half, notes)
            figures[half] = _figures(notes) | {"cv2": _beside_cv2(half, notes, options.rival)}
    keep("identity", figures, options.out)


def _asked(half: str, drawing: Studio, options: argparse.Namespace) -> Notes:
    notes = Notes()
    for style in STYLES:
        if style.half == half and options.only in style.name and options.part != "rows":
            ask_siblings(Board(drawing, style, PAIRS[half]), notes)
    for layout in LAYOUTS:
        if layout.half == half and options.only in layout.name and options.part != "siblings":
            ask_rows(drawing, layout, notes)
    return notes


def _print_half(half: str, notes: Notes) -> None:
    """Print everything about memctl in one half."""
    siblings = [one for one in notes.answers if one.asked.part == "siblings"]
    alone = [one for one in siblings if one.asked.memory == "one of them"]
    plain = [one for one in alone if one.asked.kind != "confusable"]
    unlike = [one for one in alone if one.asked.kind == "confusable"]
    both = [one for one in siblings if one.asked.memory == "both"]
    _print(f"Siblings, {half}", "variation", plain)
    _print(f"Confusables, {half}", "variation", unlike)
    _print(f"Siblings by style, {half}", "group", plain)
    _print(f"Both siblings known, {half}", "variation", both)
    for memory in ("all boxes", "buttons only"):
        some = [one for one in notes.answers if one.asked.memory == memory]
        rows = [one for one in some if one.asked.kind == "rows"]
        _print(f"Rows, {memory}, {half}", "variation", rows)
        _print(f"Rows by layout, {memory}, {half}", "group", rows)
        odd = [one for one in some if one.asked.kind != "rows"]
        _print(f"Rows that nothing tells apart, {memory}, {half}", "group", odd)
    for remark in notes.remarks:
        CONSOLE.print(remark, style="dim", markup=False)


def _print(title: str, by: str, answers: Sequence[Answer]) -> None:
    groups: dict[str, list[Answer]] = {}
    for one in answers:
        groups.setdefault(getattr(one.asked, by), []).append(one)
    if groups:
        rows = [(name, *count(some).cells()) for name, some in groups.items()]
        rows += [("all", *count(answers).cells())]
        print_table(title, (by, "asked", "wrong", "found", "absent"), rows, _CAPTION)


def _figures(notes: Notes) -> dict[str, Any]:
    """Return the counts of every heading, what was wrong, and the medians of the calls."""
    groups: dict[str, list[Answer]] = {}
    for one in notes.answers:
        asked = one.asked
        about = asked.part, asked.group, asked.variation, asked.kind, asked.memory, one.given.by
        groups.setdefault(" | ".join(about), []).append(one)
    times = {"learn": notes.learn_ms, "match": notes.match_ms}
    return {
        "median_ms": {call: round(median(ms), 1) for call, ms in times.items() if ms},
        "made_no_component": notes.unlearned,
        "counts": {heading: asdict(count(some)) for heading, some in groups.items()},
        "wrong": [
            f"{one.given.by}, {one.asked.page}: {one.asked.label}, taken for it: {one.met}"
            for one in notes.answers
            if one.outcome == WRONG
        ],
    }


# -- plain template matching -----------------------------------------------------------------


def _beside_cv2(half: str, notes: Notes, most: int) -> dict[str, Any]:
    """Ask plain template matching a sample, as many of rows as of siblings; print both."""
    once = [one for one in notes.noted if one.answer.asked.memory in {"one of them", "all boxes"}]
    pick, figures = random.Random(5), {}
    for part in ("siblings", "rows"):
        some = [one for one in once if one.answer.asked.part == part]
        some = pick.sample(some, min(most // 2, len(some)))
        if some:
            counts = {
                "memctl": count(one.answer for one in some),
                f"cv2 {_CONFIDENCE}": count(_asked_of_cv2(one) for one in some),
            }
            rows = [(who, *one.cells()) for who, one in counts.items()]
            heads = ("who", "asked", "wrong", "found", "absent")
            print_table(f"The same questions, {part}, {half}", heads, rows)
            figures[part] = {who: asdict(one) for who, one in counts.items()}
    return figures


def _asked_of_cv2(one: Noted) -> Answer:
    started = time.perf_counter()
    place = plainly(one.shot.bgr, one.learned.picture)
    ms = (time.perf_counter() - started) * 1000
    given = Given("cv2", place, "", ms)
    return judge(one.answer.asked, given, one.marked, optional=one.answer.there is None)


def plainly(screen: Picture, template: Picture) -> Place | None:
    """Return where a template fits best, by correlation alone."""
    if template.shape[0] > screen.shape[0] or template.shape[1] > screen.shape[1]:
        return None
    scores = cv2.matchTemplate(screen, template, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(scores)
    return (x, y, template.shape[1], template.shape[0]) if best >= _CONFIDENCE else None


if __name__ == "__main__":
    main()
