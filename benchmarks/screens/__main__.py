"""Learn real screenshots and meet them again, by the shipped API alone.

    python -m benchmarks.screens [--screens DIR] [--kde DIR] [--parts pages desktop margins]

``--screens`` holds rendered pages with the boxes of their DOM, ``--kde`` a desktop with marked
areas. Thresholds were chosen on every other page of each app, by name ("tuned on"); the others
are "held out". Each part writes its raw figures to ``screens-PART.json`` as it goes: ``pages``
are met again, ``desktop`` areas and screens found again, ``margins`` (which takes most of the
time) compares each page with a store that holds all others. One thread.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2

from benchmarks.keeping import FOLDER, keep
from benchmarks.screens.desktop import areas_again, states_again
from benchmarks.screens.rendered import POLICIES, meet_again, resemblance
from benchmarks.screens.report import (
    print_areas,
    print_learning,
    print_margin,
    print_met_again,
    print_states,
)
from benchmarks.screens.shots import PageShot, desktop_shots, page_shots
from memctl.config.settings import KNOWN

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data" / "screens"
PARTS = ("pages", "desktop", "margins")
BOXES = ("DOM", "none")
RUNS = (("DOM", "weighted"), ("none", "weighted"), ("DOM", "plain"))
"""Where boxes come from, and how screens are compared."""


def main() -> None:
    """Run what there is data for, print the tables, write the raw figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screens")
    parser.add_argument("--screens", type=Path, default=DATA / "rendered")
    parser.add_argument("--kde", type=Path, default=DATA / "kde")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rendered = (options.screens / "manifest.json").is_file()
    if not rendered:
        _missing("rendered pages", "--screens", options.screens)
    if rendered and "pages" in options.parts:
        _pages(options.screens, options.out)
    if not any(options.kde.glob("*.png")):
        _missing("desktop shots", "--kde", options.kde)
    elif "desktop" in options.parts:
        _desktop(options.kde, options.out, options.seed)
    if rendered and "margins" in options.parts:
        _margins(options.screens, options.out)


def _pages(folder: Path, out: Path) -> None:
    runs: list[dict[str, Any]] = []
    for boxes, policy in RUNS:
        for app, shots in _apps(folder):
            settings = {"state_similarity": policy}
            steps = meet_again(shots, with_boxes=boxes == "DOM", settings=settings)
            runs.append({"app": app, "boxes": boxes, "policy": policy, "steps": steps})
            print_met_again(runs[-1])
            keep("screens-pages", {"runs": runs}, out)
    print_learning(runs)


def _desktop(folder: Path, out: Path, seed: int) -> None:
    shots = desktop_shots(folder)
    areas = areas_again(shots, unrelated=6, seed=seed)
    print_areas(areas)
    raw: dict[str, Any] = {"seed": seed, "areas": areas}
    keep("screens-desktop", raw, out)
    states = states_again(shots, unrelated=150, seed=seed)
    print_states(states)
    keep("screens-desktop", raw | {"states": states}, out)


def _margins(folder: Path, out: Path) -> None:
    thresholds = {p: float(KNOWN[f"state_match_{p}"].default) for p in POLICIES}
    alike: list[dict[str, Any]] = []
    for boxes in BOXES:
        for _, shots in _apps(folder):
            rows = resemblance(shots, with_boxes=boxes == "DOM")
            alike += [{"boxes": boxes, **row} for row in rows]
            keep("screens-margins", {"thresholds": thresholds, "shots": alike}, out)
    print_margin(alike, thresholds)


def _apps(folder: Path) -> list[tuple[str, list[PageShot]]]:
    shots = page_shots(folder)
    apps = sorted({shot.app for shot in shots})
    return [(app, [shot for shot in shots if shot.app == app]) for app in apps]


def _missing(what: str, option: str, folder: Path) -> None:
    print(f'skipped: no {what} in "{folder}"; say where they are with {option} DIR')


if __name__ == "__main__":
    main()
