"""Other finders, asked the same questions: a template, a screenshot, one place or none."""

from __future__ import annotations

import importlib
import random
import time
from typing import TYPE_CHECKING

import cv2

from benchmarks.identity.answers import Answer, Given, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.identity.notes import Noted
    from benchmarks.identity.pages import Picture, Place

    Finder = Callable[[Picture, Picture], Place | None]

__all__ = ["RIVALS", "ask_rival", "sample"]

CONFIDENCE = 0.8
PARTS = ("siblings", "rows")


def _cv2() -> Finder:
    def find(screen: Picture, template: Picture) -> Place | None:
        if template.shape[0] > screen.shape[0] or template.shape[1] > screen.shape[1]:
            return None
        scores = cv2.matchTemplate(screen, template, cv2.TM_CCOEFF_NORMED)
        _, best, _, (x, y) = cv2.minMaxLoc(scores)
        return (x, y, template.shape[1], template.shape[0]) if best >= CONFIDENCE else None

    return find


def _pyscreeze() -> Finder:
    module = importlib.import_module("pyscreeze")
    setattr(module, "USE_IMAGE_NOT_FOUND_EXCEPTION", False)  # noqa: B010 - it has no types

    def find(screen: Picture, template: Picture) -> Place | None:
        found = module.locate(template, screen, confidence=CONFIDENCE)
        return tuple(int(value) for value in found) if found else None  # type: ignore[return-value]

    return find


RIVALS = {"cv2 .8": _cv2, "pyscreeze .8": _pyscreeze}
"""Name and what makes the finder; pyscreeze comes with the extra ``bench``."""


def sample(noted: Sequence[Noted], most: int) -> list[Noted]:
    """Return some of the questions that `match` was asked, as many of rows as of siblings."""
    once = [
        one
        for one in noted
        if one.answer.given.by == "match"
        and one.answer.asked.memory in {"one of them", "all boxes"}
    ]
    pick = random.Random(5)
    parts = [[one for one in once if one.answer.asked.part == part] for part in PARTS]
    return [one for some in parts for one in pick.sample(some, min(most // 2, len(some)))]


def ask_rival(name: str, some: Sequence[Noted]) -> list[Answer] | None:
    """Return a rival's answers; None where it is not installed."""
    try:
        find = RIVALS[name]()
    except ImportError:
        return None
    return [_ask(name, find, one) for one in some]


def _ask(name: str, find: Finder, one: Noted) -> Answer:
    screen = one.shot.bgr
    started = time.perf_counter()
    place = find(screen, one.learned.picture)
    ms = (time.perf_counter() - started) * 1000
    optional = one.answer.there is None
    given = Given(name, place, "", ms)
    return judge(one.answer.asked, given, one.marked, optional=optional)
