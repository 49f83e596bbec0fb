"""Measure matching: N templates on whole screenshots, against brute force and other matchers.

    python -m benchmarks.matching --screens DIR [--half report] [--shots 8] [--out DIR]
    python -m benchmarks.matching --growth [--out DIR]

The second draws its screens itself and tells how times grow with boxes and templates.

``DIR`` holds ``rendered`` (pages with the boxes of their DOM) and ``kde`` (other pictures,
cut up to fill the memory where the pages have too few distinct looks), or is a folder in the
format of ``rendered``. Pages are split in two halves by name: settings were tuned on
``tune``, figures are reported on ``report``. One thread. ``median`` and ``p95`` are wall
milliseconds; ``cpu`` and ``ratio`` are processor time, brute force timed beside every match.
The last sections time the whole call `match` on real stores, and tell which pages are
recognised. The raw figures go to ``benchmarks/results/matching.json``.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.keeping import FOLDER, keep
from benchmarks.matching.first_match import first_match
from benchmarks.matching.growth import growth
from benchmarks.matching.rivals import time_rivals
from benchmarks.matching.robustness import disturbed, rescaled
from benchmarks.matching.shots import Crop, Shot, crops, filling, half_of, shots
from benchmarks.matching.speed import HEADER, measure, truths
from benchmarks.matching.whole import WHOLE_HEADER, whole_calls
from benchmarks.screens.rendered import meet_again
from benchmarks.screens.report import print_learning
from benchmarks.screens.shots import PageShot, page_shots
from memctl.visual.match_results import DEFAULT, MatchSettings

SIZES = (50, 200, 1000)
MATCHER = replace(DEFAULT, identity=False)
"""The matcher alone, as its rivals are: whose label stands at a place is asked afterwards."""

CURVE: dict[str, MatchSettings] = {
    "light": replace(DEFAULT, anchors=1, identity=False),
    "default": MATCHER,
    "more": replace(DEFAULT, anchors=6, likeness=0.82, identity=False),
    "+ identity": DEFAULT,
}
"""MatchSettings of the recall-against-time curve."""
SPARE = 600
"""Further crops of other pictures, for stores: `learn` refuses some of them all."""

_FIRST = (
    "\nnew process, {n} components: first match, opening included, {first:.0f} ms, "
    "warm {warm:.0f} ms, {times:.2f}x in processor time"
)


def main() -> None:
    """Run everything, print the tables, write the raw figures."""
    arguments = _arguments()
    cv2.setNumThreads(1)
    if arguments.growth:
        print(f"\nraw figures: {keep('matching-growth', growth(), arguments.out)}")
        return
    folder = _rendered(arguments.screens)
    listed = shots(folder)
    if not listed:
        sys.exit(
            f'"{folder}" has no screenshots; expected app__page__state__WxH@ratio.png files with '
            "their .json boxes. Skipped."
        )
    _measure(arguments, folder, listed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matching")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--screens", type=Path, help="folder of screenshots")
    source.add_argument(
        "--growth", action="store_true", help="drawn screens of more and more boxes"
    )
    parser.add_argument("--half", choices=["tune", "report", "all"], default="report")
    parser.add_argument("--shots", type=int, default=8, help="screenshots to search")
    parser.add_argument("--big", type=int, default=1, help="4K screenshots to search")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    return parser.parse_args()


def _rendered(screens: Path) -> Path:
    return screens / "rendered" if (screens / "rendered").is_dir() else screens


def _measure(arguments: argparse.Namespace, folder: Path, listed: list[Shot]) -> None:
    """Go through the sections; what is measured is kept, even if a later section breaks off."""
    wanted = [s for s in listed if arguments.half in {"all", half_of(s, listed)}]
    searched = _spread([s for s in wanted if "1920x1080@1." in s.path.name], arguments.shots)
    big = [s for s in wanted if "3840x2160@1." in s.path.name][: arguments.big]
    memory = _memory(folder, listed)
    figures: dict[str, Any] = {"half": arguments.half}
    figures["settings"] = {name: asdict(settings) for name, settings in CURVE.items()}
    figures["1080p"], truth = _speed(searched, memory)
    keep("matching", figures, arguments.out)
    if big:
        figures["4K"], _ = _speed(big, memory, sizes=SIZES[:2])
    some = [crop.bgr for crop in memory[:: max(len(memory) // 8, 1)]]
    figures["rivals"] = time_rivals(searched[0].frame.bgr, some)
    _print_rivals(figures["rivals"])
    keep("matching", figures, arguments.out)
    figures["disturbed"] = disturbed(searched[:3], memory, truth)
    _print_disturbed(figures["disturbed"])
    figures["rescaled"] = rescaled(listed)
    _print_rescaled(figures["rescaled"])
    spare = filling(folder.parent / "kde", SPARE)
    figures["whole call"] = _whole([searched, big], memory + spare)
    keep("matching", figures, arguments.out)
    figures["first match"] = first_match(searched[:2], memory + spare, max(SIZES))
    print(_FIRST.format(**figures["first match"]))
    figures["screens"] = _screens(folder)
    print(f"\nraw figures: {keep('matching', figures, arguments.out)}")


def _whole(groups: list[list[Shot]], memory: list[Crop]) -> list[dict[str, Any]]:
    """Time the whole call in stores of each size."""
    print(f"\nthe whole call, in a store that learned them\n{WHOLE_HEADER}")
    # One screenshot alone would be met again at once: an equal one is not searched.
    rows = [whole_calls(group, memory, n) for group in groups if len(group) > 1 for n in SIZES]
    print("\n".join(row.lines() for row in rows))
    return [row.as_json() for row in rows]


def _screens(folder: Path) -> list[dict[str, Any]]:
    """Learn the pages, meet them again, and print which were recognised."""
    if not (folder / "manifest.json").is_file():
        return []
    by_app: dict[str, list[PageShot]] = {}
    for shot in page_shots(folder):
        by_app.setdefault(shot.app, []).append(shot)
    runs = [
        {
            "app": app,
            "boxes": "DOM",
            "steps": meet_again(some, with_boxes=True),
        }
        for app, some in by_app.items()
    ]
    print()
    print_learning(runs)
    return runs


def _print_rivals(figures: dict[str, float | None]) -> None:
    print("\nother matchers, milliseconds for one template")
    for name, ms in figures.items():
        print(f"  {name:12}" + ("not installed" if ms is None else f"{ms:8.1f}"))


def _print_disturbed(rows: list[dict[str, Any]]) -> None:
    print("\ndisturbed screenshots, cold")
    for row in rows:
        share = row["found"] / max(row["expected"], 1)
        found = f"{row['found']:5}/{row['expected']:<5}{share:8.1%}"
        print(f"  {row['disturbance']:18}{found}  extra {row['extra']}")


def _print_rescaled(rows: list[dict[str, Any]]) -> None:
    print("\nother scales, learned at 1")
    for ratio in sorted({row["ratio"] for row in rows}):
        some = [row for row in rows if row["ratio"] == ratio]
        found, asked = (sum(row[key] for row in some) for key in ("found", "asked"))
        right = sum(row["voted"] == ratio for row in some)
        share = f"{found}/{asked} {found / asked:.1%}"
        print(f"  {ratio:4}  voted right {right}/{len(some)}  found {share}")


def _memory(folder: Path, listed: list[Shot]) -> list[Crop]:
    """Return the memory in a fixed shuffled order, filled up with crops of other pictures."""
    own = crops(listed)
    order = np.random.default_rng(0).permutation(len(own))
    memory = [own[i] for i in order][: max(SIZES)]
    fill = filling(folder.parent / "kde", max(SIZES) - len(memory))
    print(f"memory: {len(memory)} looks of these pages, {len(fill)} of other pictures")
    return memory + fill


def _spread(some: list[Shot], count: int) -> list[Shot]:
    """Return shots spread over states and pages."""
    states: dict[str, list[Shot]] = {}
    for shot in some:
        states.setdefault(shot.state, []).append(shot)
    turns = max((len(shots) for shots in states.values()), default=0)
    mixed = [group[i] for i in range(turns) for group in states.values() if i < len(group)]
    return mixed[:count]


def _speed(
    searched: list[Shot], memory: list[Crop], sizes: tuple[int, ...] = SIZES
) -> tuple[dict[str, Any], Any]:
    width = searched[0].frame.width
    print(f"\n{len(searched)} screenshots, {width} pixels wide")
    memory = memory if max(sizes) >= len(memory) else memory[: max(sizes)]
    truth = truths(searched, memory, print)
    each = [one.ms for answers in truth.values() for one in answers]
    print(f"\nbrute force: {np.median(each):.1f} ms for one template\n{HEADER}")
    rows = []
    for n in sizes:
        chosen = list(range(min(n, len(memory))))
        for warm in (False, True):
            rows.append(measure(searched, memory, chosen, truth, ("default", MATCHER), warm=warm))
            print(rows[-1].line())
    print(f"\nrecall against time, cold\n{HEADER}")
    curve = []
    for setting in CURVE.items():
        chosen = list(range(len(memory)))
        curve.append(measure(searched, memory, chosen, truth, setting, warm=False))
        print(curve[-1].line())
    return {
        "shots": [shot.path.name for shot in searched],
        "brute_ms": float(np.median(each)),
        "rows": [row.as_json() for row in rows],
        "curve": [row.as_json() for row in curve],
    }, truth


if __name__ == "__main__":
    main()
