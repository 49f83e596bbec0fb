"""Measure identity: siblings in a component's place, and equal buttons of moving rows.

    python -m benchmarks.identity [--half development] [--cache DIR] [--worst 20]

Pages of our own are drawn with the system's Chromium and kept in ``--cache``. Settings are
tuned on the development half; the report half has styles, words and layouts of its own. Only
`learn`, `match` and `locate` are called. The raw figures go to
``benchmarks/results/identity.json``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2

from benchmarks.identity.beside import ask_beside, has_beside
from benchmarks.identity.browser import studio
from benchmarks.identity.cases import print_worst, save_pictures
from benchmarks.identity.curve import print_curve
from benchmarks.identity.keeping_counts import answers_as_json, notes_as_json
from benchmarks.identity.layouts import LAYOUTS
from benchmarks.identity.notes import Notes
from benchmarks.identity.openadapt import HOW_TO_GET, ask_openadapt
from benchmarks.identity.pairs import PAIRS
from benchmarks.identity.rivals import RIVALS, ask_rival, sample
from benchmarks.identity.rows import ask_rows
from benchmarks.identity.siblings import Board, ask_siblings
from benchmarks.identity.styles import STYLES
from benchmarks.identity.tables import print_half, print_rivals
from benchmarks.keeping import FOLDER, keep
from memctl.base.errors import NotFoundError
from memctl.drivers.browsers import find_browser

if TYPE_CHECKING:
    from benchmarks.identity.answers import Answer
    from benchmarks.identity.browser import Studio

HALVES = ("development", "report")


def main() -> None:
    """Ask everything of the chosen halves, print the tables, write the raw figures.

    What memctl did is kept before the rivals are asked: they take longer.
    """
    options = _options()
    try:
        browser = find_browser()
    except NotFoundError as error:
        sys.exit(f"{error}; install chromium. Skipped.")
    cv2.setNumThreads(1)
    figures: dict[str, Any] = {}
    with studio(browser, options.cache) as drawing:
        for half in HALVES if options.half == "both" else (options.half,):
            notes = _half(half, drawing, options)
            figures[half] = notes_as_json(notes)
            keep("identity", figures, options.out)
            figures[half]["rivals"] = _rivals(half, notes, options)
            print(f"raw figures: {keep('identity', figures, options.out)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.identity")
    parser.add_argument("--half", choices=[*HALVES, "both"], default="development")
    parser.add_argument("--part", choices=["siblings", "rows", "both"], default="both")
    parser.add_argument("--only", default="", help="styles and layouts whose name holds this")
    cache = Path(tempfile.gettempdir(), "memctl-identity")
    parser.add_argument("--cache", type=Path, default=cache, help="folder of drawn pages")
    parser.add_argument("--locate", type=int, default=12, help="locate every so many; 0: none")
    parser.add_argument("--rivals", type=int, default=300, help="questions to ask rivals; 0: none")
    parser.add_argument("--openadapt", type=Path, help="interpreter that has openadapt-flow")
    parser.add_argument("--openadapt-questions", type=int, default=100, help="questions for it")
    parser.add_argument("--worst", type=int, default=0, help="wrong and missed ones to list")
    parser.add_argument("--pictures", type=Path, help="folder for crops of the worst")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    return parser.parse_args()


def _half(half: str, drawing: Studio, options: argparse.Namespace) -> Notes:
    """Ask about one half, and print."""
    notes = Notes(options.locate)
    _ask(half, drawing, options, notes)
    print_half(half, notes)
    print_curve(half, (one.answer for one in notes.noted))
    print_worst(notes, options.worst)
    if options.pictures:
        save_pictures(notes, options.pictures, max(options.worst, 40))
    return notes


def _ask(half: str, drawing: Studio, options: argparse.Namespace, notes: Notes) -> None:
    for style in STYLES:
        if style.half == half and options.only in style.name and options.part != "rows":
            ask_siblings(Board(drawing, style, PAIRS[half]), notes)
    for layout in LAYOUTS:
        if layout.half == half and options.only in layout.name and options.part != "siblings":
            ask_rows(drawing, layout, notes)
            if has_beside():
                ask_beside(drawing, layout, notes)


def _rivals(half: str, notes: Notes, options: argparse.Namespace) -> dict[str, Any]:
    if not options.rivals:
        return {}
    some = sample(notes.noted, options.rivals)
    answers: dict[str, list[Answer]] = {"memctl": [one.answer for one in some]}
    for name in RIVALS:
        given = ask_rival(name, some)
        if given is None:
            print(f"{name}: not installed; it comes with the extra bench")
        else:
            answers[name] = given
    print_rivals(half, answers)
    figures = {name: answers_as_json(given) for name, given in answers.items()}
    return figures | _openadapt(half, notes, options)


def _openadapt(half: str, notes: Notes, options: argparse.Namespace) -> dict[str, Any]:
    if options.openadapt is None:
        print(HOW_TO_GET)
        return {}
    some = sample(notes.noted, options.openadapt_questions)
    given = ask_openadapt(options.openadapt, some)
    answers = {"memctl": [one.answer for one in some], "openadapt-flow": given}
    print_rivals(half, answers)
    return {f"{name}, fewer": answers_as_json(one) for name, one in answers.items()}


if __name__ == "__main__":
    main()
