"""The worst cases: listed, and cut out to look at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import cv2
import numpy as np

from benchmarks.identity.answers import MISSED, WRONG

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.identity.notes import Noted, Notes
    from benchmarks.identity.pages import Picture, Place, Shot

__all__ = ["print_worst", "save_pictures"]

AROUND = 8
ENLARGED = 4
GAP = 6


def worst(notes: Notes, most: int) -> list[Noted]:
    """Return wrong answers, then missed ones, as many of each page as of the others."""
    bad: list[Noted] = []
    for outcome in (WRONG, MISSED):
        pages: dict[str, list[Noted]] = {}
        for one in notes.noted:
            if one.answer.outcome == outcome:
                pages.setdefault(one.answer.asked.page, []).append(one)
        turns = max((len(some) for some in pages.values()), default=0)
        bad += [some[i] for i in range(turns) for some in pages.values() if i < len(some)]
    return bad[:most]


def print_worst(notes: Notes, most: int) -> None:
    """List wrong and missed ones: page, component, reason."""
    for one in worst(notes, most):
        answer = one.answer
        asked, given = answer.asked, answer.given
        at = f" at {given.place[0]},{given.place[1]}" if given.place else ""
        said = f": taken for it: {answer.met}{at}" if given.place else f": {given.why}"
        print(
            f"{answer.outcome}, {given.by}, {asked.page}, {asked.variation}, {asked.memory}: "
            f"{asked.label}{said}"
        )


def save_pictures(notes: Notes, folder: Path, most: int) -> None:
    """Write for each of the worst what was learned, what was found and where it stands."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(worst(notes, most)):
        answer = one.answer
        places = [place for place in (answer.given.place, answer.target) if place is not None]
        parts = [one.learned.picture, *(_around(one.shot, place) for place in places)]
        asked = answer.asked
        name = f"{number:03} {answer.outcome} {asked.group} {asked.variation} {asked.label}"
        file = folder / (re.sub(r"[^\w.]+", "-", name) + ".png")
        cv2.imwrite(str(file), _stacked(parts))


def _around(shot: Shot, place: Place) -> Picture:
    x, y, w, h = place
    return shot.crop((x - AROUND, y - AROUND, w + 2 * AROUND, h + 2 * AROUND))


def _stacked(parts: list[Picture]) -> Picture:
    """Return the pictures one below the other, enlarged, pixel by pixel."""
    width = max(part.shape[1] for part in parts)
    height = sum(part.shape[0] + GAP for part in parts)
    sheet = np.full((height, width, 3), 128, np.uint8)
    top = 0
    for part in parts:
        sheet[top : top + part.shape[0], : part.shape[1]] = part
        top += part.shape[0] + GAP
    return np.asarray(np.kron(sheet, np.ones((ENLARGED, ENLARGED, 1))), np.uint8)
