"""Looks of a page that were not photographed: made of its screenshot and of other pages."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

import memctl
from benchmarks.running import timed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks.screens.shots import PageShot
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels


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


POPUP = (560, 320)  # pixels of a popup's width and height
DESKTOP = (2560, 1440)
TWO = "two monitors"


def _enlarged(factor: float) -> Callable[[Pixels, Pixels], Pixels]:
    def look(page: Pixels, _: Pixels) -> Pixels:
        return _bytes(cv2.resize(page, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC))

    return look


def _inverted(page: Pixels, _: Pixels) -> Pixels:
    return _bytes(255 - page)


def _night(page: Pixels, _: Pixels) -> Pixels:
    """Return the page in a dark theme of low contrast: as bright as it was dark."""
    return _bytes(36 + (255 - page.astype(np.float32)) * 0.75)


def _stark(page: Pixels, _: Pixels) -> Pixels:
    """Return the page in high contrast."""
    return _bytes((page.astype(np.float32) - 150) * 1.9 + 150)


def _accent(page: Pixels, _: Pixels) -> Pixels:
    """Return the page with every colour turned by a third of the circle."""
    hsv = cv2.cvtColor(page, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + 60) % 180
    return _bytes(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))


def _popup(page: Pixels, other: Pixels) -> Pixels:
    """Return the page under a popup that shows the middle of another page."""
    made = page.copy()
    x, y, w, h = popup_place(page)
    made[y : y + h, x : x + w] = other[h : 2 * h, w : 2 * w]
    cv2.rectangle(made, (x, y), (x + w - 1, y + h - 1), (120, 120, 120), 1)
    return made


def _dimmed(page: Pixels, other: Pixels) -> Pixels:
    """Return the page dimmed to half, with a popup above."""
    shown = _popup(page, other)
    x, y, w, h = popup_place(page)
    made = _bytes(page * 0.5)
    made[y : y + h, x : x + w] = shown[y : y + h, x : x + w]
    return made


def _moved(page: Pixels, _: Pixels) -> Pixels:
    """Return a desktop with the page in a window of its own."""
    width, height = DESKTOP
    made = np.zeros((height, width, 3), np.uint8)
    made[..., 0] = np.linspace(60, 140, width, dtype=np.uint8)
    made[..., 1] = np.linspace(40, 110, height, dtype=np.uint8)[:, None]
    made[211 : 211 + page.shape[0], 389 : 389 + page.shape[1]] = page[: height - 211, : width - 389]
    return made


def _two(page: Pixels, other: Pixels) -> Pixels:
    """Return two monitors: another page left, this one right."""
    return np.ascontiguousarray(np.hstack([other, page]))


LOOKS: Mapping[str, Callable[[Pixels, Pixels], Pixels]] = {
    "scale 1.25": _enlarged(1.25),
    "scale 3": _enlarged(3),
    "dark, inverted": _inverted,
    "dark, pale": _night,
    "contrast": _stark,
    "accent": _accent,
    "popup": _popup,
    "dimmed popup": _dimmed,
    "moved window": _moved,
    TWO: _two,
}


def popup_place(page: Pixels) -> tuple[int, int, int, int]:
    """Return where a popup lies: left, top, width and height."""
    height, width = page.shape[:2]
    return (width - POPUP[0]) // 2, (height - POPUP[1]) // 3, *POPUP


def meet_looks(
    shots: Sequence[PageShot], others: Sequence[PageShot], *, with_boxes: bool
) -> list[dict[str, Any]]:
    """Learn each page's base shot and match its made looks, with and without knowing the page.

    Parameters
    ----------
    others
        Pages of another app: what popups show.
    """
    base = [shot for shot in shots if shot.kind == "base"]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        everything = Path(scratch, "all")
        owner = learn_bases(everything, base, with_boxes=with_boxes)
        for shot in base:
            beside = base[base.index(shot) - 1]
            with memctl.open(shot.app, home=everything) as memory:
                rows += _looks(memory, shot, beside, others, owner)
        for shot, home in leaving_one_out(Path(scratch), base, with_boxes=with_boxes):
            with memctl.open(shot.app, home=home) as memory:
                rows += _looks(memory, shot, None, others, {})
    return rows


def _looks(
    memory: Memory,
    shot: PageShot,
    beside: PageShot | None,
    others: Sequence[PageShot],
    owner: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Match every look of one page; `beside` is on the first of two monitors, `None`: a stranger."""
    page = _read(shot)
    rows = []
    for look, make in LOOKS.items():
        foreign = others[len(shot.page) % len(others)]
        image = make(page, _read(beside if beside and look == TWO else foreign))
        took, found = timed(lambda image=image: memory.match(image, record=False))  # type: ignore[misc]
        pages = {owner.get(one.id, "?") for one in (found.state, *found.also) if one is not None}
        wanted = {shot.page} | ({beside.page} if beside and look == TWO else set())
        answer = "right" if pages == wanted else "other" if pages - wanted else "none"
        rows.append(
            {
                "app": shot.app,
                "page": shot.page,
                "half": shot.half,
                "look": look,
                "stranger": beside is None,
                "answer": answer,
                "ms": took.wall,
            }
        )
    return rows


def _read(shot: PageShot) -> Pixels:
    image = cv2.imread(str(shot.path))
    assert image is not None  # noqa: S101  (the manifest names it)
    return np.asarray(image, np.uint8)


def _bytes(values: Any) -> Pixels:
    return np.asarray(np.clip(values, 0, 255), np.uint8)
