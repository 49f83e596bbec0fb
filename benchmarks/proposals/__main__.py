"""Measure the proposer against known boxes.

    python -m benchmarks.proposals --screens DIR [--out DIR]

``DIR`` holds ``rendered`` (pages with the boxes of their DOM) and ``kde`` (a desktop with marked
areas), or is one of the two. Prints tables; the raw figures go to
``benchmarks/results/proposals.json``. One thread; times are the median over shots of 1920x1080.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from benchmarks.keeping import FOLDER, keep
from benchmarks.proposals.agreement import agreement
from benchmarks.proposals.measures import compare, edges, ink_table
from benchmarks.proposals.rivals import RIVALS, Found
from benchmarks.proposals.screens import Shot, areas, folder, rendered
from memctl.visual.frame import Frame

SCROLLED = 173


@dataclass
class Tally:
    """Counts of one method on one part of the data."""

    shots: int = 0
    proposals: int = 0
    right: int = 0
    fitting: int = 0
    found: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    usable: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    true: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    ms_1080p: list[float] = field(default_factory=list)

    def add(self, shot: Shot, boxes: Found, ms: float) -> None:
        """Count one screenshot."""
        score = compare(shot.truth, edges(boxes), ink_table(shot.frame.gray))
        self.shots += 1
        self.proposals += len(boxes)
        self.right += int(score.right.sum())
        self.fitting += int(score.fitting.sum())
        for kind, found, usable in zip(shot.kinds, score.found, score.usable, strict=True):
            self.true[kind] += 1
            self.found[kind] += int(found)
            self.usable[kind] += int(usable)
        if (shot.frame.width, shot.frame.height) == (1920, 1080):
            self.ms_1080p.append(round(ms, 1))

    def line(self, name: str) -> str:
        """Return one row of the table."""
        true = max(sum(self.true.values()), 1)
        shares = [sum(self.found.values()) / true, sum(self.usable.values()) / true]
        shares += [self.right / max(self.proposals, 1), self.fitting / max(self.proposals, 1)]
        ms = f"{np.median(self.ms_1080p):6.0f}" if self.ms_1080p else "     -"
        each = self.proposals / max(self.shots, 1)
        return f"{name:32}{each:7.0f}" + "".join(f"{s:9.3f}" for s in shares) + ms

    def by_kind(self) -> str:
        """Return recall and usable recall for each kind of element."""
        return "  ".join(
            f"{kind} {self.found[kind] / n:.2f}/{self.usable[kind] / n:.2f} ({n})"
            for kind, n in sorted(self.true.items())
        )


def main() -> None:
    """Run every method on every screenshot, print the tables, write the raw figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proposals")
    parser.add_argument("--screens", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    pairs: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    rendered_folder, desktop = (folder(options.screens, name) for name in ("rendered", "kde"))
    if rendered_folder is None and desktop is None:
        parser.error(f'"{options.screens}" holds no screenshots; see the module\'s docstring')
    if rendered_folder is not None:
        _run_rendered(rendered_folder, tallies, pairs)
    if desktop is not None:
        for shot in areas(desktop):
            _run(shot, "desktop areas", tallies)
    _print(tallies, pairs)
    print(f"\nraw figures: {keep('proposals', _raw(tallies, pairs), options.out)}")


def _run(shot: Shot, part: str, tallies: dict[tuple[str, str], Tally]) -> dict[str, Found]:
    found = {}
    for name, method in RIVALS.items():
        started = time.perf_counter()
        found[name] = method(Frame(shot.frame.bgr))
        tallies[part, name].add(shot, found[name], (time.perf_counter() - started) * 1000)
    return found


def _run_rendered(
    path: Path, tallies: dict[tuple[str, str], Tally], pairs: dict[str, list[int]]
) -> None:
    last_base: dict[str, tuple[Shot, dict[str, Found]]] = {}
    for shot in rendered(path):
        found = _run(shot, f"DOM, {shot.half}", tallies)
        if shot.state == "base":
            last_base[shot.page] = shot, found
        elif shot.page in last_base:
            base, base_found = last_base[shot.page]
            dy = SCROLLED if shot.state == "scroll173" else 0
            for name in RIVALS:
                counted = agreement(base.frame, shot.frame, base_found[name], found[name], dy)
                kind = "scrolled" if dy else "same place"
                pairs[f"{kind}, {name}"][0] += counted[0]
                pairs[f"{kind}, {name}"][1] += counted[1]


def _print(tallies: dict[tuple[str, str], Tally], pairs: dict[str, list[int]]) -> None:
    print(f"{'':32}{'boxes':>7}{'recall':>9}{'usable':>9}{'right':>9}{'fitting':>9}{'ms':>6}")
    for (part, name), tally in sorted(tallies.items()):
        print(tally.line(f"{part}, {name}"))
    print("\nrecall/usable by kind (elements)")
    for (part, name), tally in sorted(tallies.items()):
        print(f"{part}, {name}: {tally.by_kind()}")
    print("\nboxes that recur where the pixels are the same")
    for name, (same, comparable) in sorted(pairs.items()):
        print(f"{name:32}{same} of {comparable} = {same / max(comparable, 1):.4f}")


def _raw(tallies: dict[tuple[str, str], Tally], pairs: dict[str, list[int]]) -> dict[str, object]:
    rows: list[dict[str, object]] = [
        {"part": part, "method": name, **vars(tally)}
        for (part, name), tally in sorted(tallies.items())
    ]
    return {"parts": rows, "recurring": pairs}


if __name__ == "__main__":
    main()
