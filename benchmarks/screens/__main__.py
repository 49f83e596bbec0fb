"""Learn real screenshots and meet them again, by the shipped API alone.

    python -m benchmarks.screens [--screens DIR] [--kde DIR] [--gnome DIR] [--needles DIR ...]
                                 [--parts pages looks desktop versions areas again]

``--screens`` holds rendered pages with the boxes of their DOM, ``--kde`` a desktop with marked
areas, ``--gnome`` one in an older and a newer version, as ``--needles`` further folders do. Thresholds were chosen on every other page of each app, by name ("tuned on"); the others
are "held out". Each part writes its raw figures to ``screens-PART.json`` as it goes: ``pages``
are met again, ``looks`` are made of them and met with and without knowing the page, ``desktop``
areas and screens found again, ``versions`` matches newer screens with older ones, ``areas`` looks
for the marked areas of the older on the newer, beside plain template matching, ``again`` meets
learned desktop screens as JPEG, in other sizes, with another clock, on another wallpaper. One thread.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2

from benchmarks.keeping import FOLDER, keep
from benchmarks.screens.again import met_again
from benchmarks.screens.areas import areas_on_newer
from benchmarks.screens.desktop import areas_again, states_again
from benchmarks.screens.looks import meet_looks
from benchmarks.screens.rendered import meet_again
from benchmarks.screens.report import (
    print_areas,
    print_areas_on_newer,
    print_learning,
    print_looks,
    print_met_again,
    print_states,
)
from benchmarks.screens.shots import PageShot, desktop_shots, page_shots
from benchmarks.screens.versions import newer_versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data" / "screens"
NEEDLES = [DATA / "almalinux" / "text-editor", DATA / "almalinux" / "calculator"]
PARTS = ("pages", "looks", "desktop", "versions", "areas", "again")
BOXES = ("DOM", "none")


def main() -> None:
    """Run what there is data for, print the tables, write the raw figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screens")
    parser.add_argument("--screens", type=Path, default=DATA / "rendered")
    parser.add_argument("--kde", type=Path, default=DATA / "kde")
    parser.add_argument("--gnome", type=Path, default=DATA / "gnome")
    parser.add_argument("--needles", type=Path, nargs="*", default=NEEDLES)
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
    if rendered and "looks" in options.parts:
        _looks(options.screens, options.out)
    if not any(options.gnome.glob("*.png")):
        _missing("desktop in two versions", "--gnome", options.gnome)
    elif "versions" in options.parts:
        _versions(options.gnome, options.out)
    if "areas" in options.parts:
        _areas([options.gnome, options.kde, *options.needles], options.out)
    if "again" in options.parts:
        _again([*options.needles, options.gnome, options.kde], options.out, options.seed)


def _pages(folder: Path, out: Path) -> None:
    runs: list[dict[str, Any]] = []
    for boxes in BOXES:
        for app, shots in _apps(folder):
            steps = meet_again(shots, with_boxes=boxes == "DOM")
            runs.append({"app": app, "boxes": boxes, "steps": steps})
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


def _looks(folder: Path, out: Path) -> None:
    runs: dict[str, list[dict[str, Any]]] = {}
    apps = dict(_apps(folder))
    for boxes in BOXES:
        rows = runs[boxes] = []
        for app, shots in apps.items():
            others = [
                shot for name in apps if name != app for shot in apps[name] if shot.kind == "base"
            ]
            rows += meet_looks(shots, others or shots, with_boxes=boxes == "DOM")
            keep("screens-looks", runs, out)
        print_looks(f"Made looks, boxes: {boxes}", rows)


def _versions(folder: Path, out: Path) -> None:
    runs: dict[str, list[dict[str, Any]]] = {}
    for boxes in ("areas", "none"):
        runs[boxes] = newer_versions(desktop_shots(folder), with_boxes=boxes == "areas")
        keep("screens-versions", runs, out)
        print_looks(f"Newer versions of a desktop's screens, boxes: {boxes}", runs[boxes])


def _areas(folders: Iterable[Path], out: Path) -> None:
    runs = {}
    for folder in folders:
        if any(folder.glob("*.png")):
            runs[folder.name] = areas_on_newer(desktop_shots(folder))
            keep("screens-areas", runs, out)
    print_areas_on_newer(runs)


def _again(folders: Sequence[Path], out: Path, seed: int) -> None:
    """Meet each desktop's screens again; those of the others are strangers."""
    shots = {folder.name: desktop_shots(folder) for folder in folders}
    runs: dict[str, dict[str, Any]] = {}
    for name, own in shots.items():
        others = [shot for key in shots if key != name for shot in shots[key]]
        if not own:
            _missing("desktop shots", "--needles, --gnome or --kde", Path(name))
            continue
        rows = met_again(own, others, seed=seed)
        counts = Counter(f"{row['look']}: {_expected(row)}" for row in rows)
        missed = [row for row in rows if _expected(row) == "otherwise"]
        runs[name] = {"counts": counts, "otherwise": missed}
        keep("screens-again", runs, out)
        print_looks(f"Learned screens met again: {name}", rows)


def _expected(row: Mapping[str, Any]) -> str:
    if row["answer"] != ("none" if row["stranger"] else "right"):
        return "otherwise"
    return "stranger refused" if row["stranger"] else "right"


def _apps(folder: Path) -> list[tuple[str, list[PageShot]]]:
    shots = page_shots(folder)
    apps = sorted({shot.app for shot in shots})
    return [(app, [shot for shot in shots if shot.app == app]) for app in apps]


def _missing(what: str, option: str, folder: Path) -> None:
    print(f'skipped: no {what} in "{folder}"; say where they are with {option} DIR')


if __name__ == "__main__":
    main()
