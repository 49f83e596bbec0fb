"""Measure matching: N templates on whole screenshots, against brute force beside it.

    python -m benchmarks.matching --screens DIR [--half report] [--shots 8]

``DIR`` has ``rendered`` (pages with the boxes of their DOM) and ``kde`` (other pictures, cut up to
fill the memory where the pages have too few distinct looks), or is a folder in the format of
``rendered``. Pages are split in two halves by name: settings were tuned on ``tune``, figures are
reported on ``report``. One thread; ``ms`` and ``p95`` are by the clock, ``cpu`` and ``times`` of the processor.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from benchmarks.matching.shots import Crop, Shot, crops, filling, half_of, shots
from benchmarks.matching.speed import CAPTION, HEADS, disturbed, measure, truths
from benchmarks.running import arguments, keep, print_table, share
from memctl.visual.match_results import DEFAULT, MatchSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (50, 200, 1000)
SETTINGS: dict[str, MatchSettings] = {
    # The matcher alone, as plain matching is: whose label stands at a place is asked afterwards.
    "search": replace(DEFAULT, identity=False),
    "+ labels": DEFAULT,
}


def main(words: Sequence[str] | None = None) -> None:
    """Run what is asked for, print the tables, write the raw figures."""
    parser = arguments(__doc__, "matching")
    parser.add_argument("--screens", type=Path, required=True, help="folder of screenshots")
    parser.add_argument("--half", choices=["tune", "report", "all"], default="report")
    parser.add_argument("--shots", type=int, default=8, help="screenshots to search")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="templates")
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    rendered = options.screens / "rendered"
    folder = rendered if rendered.is_dir() else options.screens
    known = shots(folder)
    wanted = [one for one in known if options.half in {"all", half_of(one, known)}]
    searched = _spread([s for s in wanted if "1920x1080@1." in s.path.name], options.shots)
    if not searched:
        sys.exit(
            f'"{folder}" has no screenshots; expected app__page__state__WxH@ratio.png files with '
            "their .json boxes. Skipped."
        )
    memory = _memory(folder, known, max(options.sizes))
    keep("matching", _measured(searched, memory, options.sizes), options.out)


def _measured(searched: list[Shot], memory: list[Crop], sizes: Sequence[int]) -> dict[str, Any]:
    truth = truths(searched, memory)
    rows = [
        measure(searched, memory[:size], truth, setting, warm=warm)
        for size in sizes
        for setting in SETTINGS.items()
        for warm in (False, True)
        if size == max(sizes) or setting[1] is not DEFAULT
    ]
    print_table(f"{len(searched)} screenshots", HEADS, [row.cells() for row in rows], CAPTION)
    lossy = disturbed(searched[:3], memory, truth, SETTINGS["search"])
    print_table(
        "disturbed screenshots, cold",
        ("", "found of what brute force verifies", "verified by nobody"),
        [(row["disturbance"], share(row["found"], row["expected"]), row["extra"]) for row in lossy],
    )
    return {"rows": [row.as_json() for row in rows], "disturbed": lossy}


def _memory(folder: Path, known: list[Shot], most: int) -> list[Crop]:
    """Return the memory in a fixed shuffled order, filled up with crops of other pictures."""
    own = crops(known)
    order = np.random.default_rng(0).permutation(len(own))
    memory = [own[i] for i in order][:most]
    fill = filling(folder.parent / "kde", most - len(memory))
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


if __name__ == "__main__":
    main()
