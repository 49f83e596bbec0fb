"""Learn real screenshots and meet them again, by the shipped API alone.

    python -m benchmarks.screens [--screens DIR] [--kde DIR] [--quick] [--out FILE]

``--screens`` holds rendered pages with the boxes of their DOM, ``--kde`` a desktop with marked
areas. Thresholds were chosen on every other page of each app, by name ("tuned on"); the others
are "held out". One thread. ``--quick`` leaves out the margins, which take most of the time.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2

from benchmarks.screens.desktop import areas_again, states_again
from benchmarks.screens.rendered import POLICIES, meet_again, resemblance
from benchmarks.screens.report import print_desktop, print_rendered, write
from benchmarks.screens.shots import desktop_shots, page_shots
from memctl.settings import KNOWN

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data" / "screens"
RESULTS = ROOT / "benchmarks" / "results" / "screens.json"
BOXES = ("DOM", "none")


def main() -> None:
    """Run what there is data for, print the tables, write the raw figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screens")
    parser.add_argument("--screens", type=Path, default=DATA / "rendered")
    parser.add_argument("--kde", type=Path, default=DATA / "kde")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    raw: dict[str, Any] = {"seed": options.seed}
    if (options.screens / "manifest.json").is_file():
        raw["rendered"] = _rendered(options.screens, quick=options.quick)
    else:
        _missing("rendered pages", "--screens", options.screens)
    if any(options.kde.glob("*.png")):
        raw["kde"] = _desktop(options.kde, options.seed)
    else:
        _missing("desktop shots", "--kde", options.kde)
    if len(raw) > 1:
        write(options.out, raw)


def _rendered(folder: Path, *, quick: bool) -> dict[str, Any]:
    shots = page_shots(folder)
    runs: list[dict[str, Any]] = []
    alike: list[dict[str, Any]] = []
    for app in sorted({shot.app for shot in shots}):
        own = [shot for shot in shots if shot.app == app]
        for boxes in BOXES:
            for policy in POLICIES:
                settings = {"state_similarity": policy}
                steps = meet_again(own, with_boxes=boxes == "DOM", settings=settings)
                runs.append({"app": app, "boxes": boxes, "policy": policy, "steps": steps})
            if not quick:
                rows = resemblance(own, with_boxes=boxes == "DOM")
                alike += [{"boxes": boxes, **row} for row in rows]
    thresholds = {p: float(KNOWN[f"state_match_{p}"].default) for p in POLICIES}
    print_rendered(runs, alike, thresholds)
    return {"thresholds": thresholds, "runs": runs, "resemblance": alike}


def _desktop(folder: Path, seed: int) -> dict[str, Any]:
    shots = desktop_shots(folder)
    areas = areas_again(shots, unrelated=6, seed=seed)
    states = states_again(shots, unrelated=150, seed=seed)
    print_desktop(areas, states)
    return {"areas": areas, "states": states}


def _missing(what: str, option: str, folder: Path) -> None:
    print(f'skipped: no {what} in "{folder}"; say where they are with {option} DIR')


if __name__ == "__main__":
    main()
