"""The first match of a new process against the next ones, on a real store."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.matching.stores import APP, learned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.matching.shots import Crop, Shot

__all__ = ["first_match"]

SCRIPT = """
import json, sys, time
import cv2, numpy
import memctl, memctl.visual.visual
cv2.setNumThreads(1)
home, app, *files = sys.argv[1:]
screens = [cv2.imread(file) for file in files]
taken = []
started = time.perf_counter(), time.thread_time()
with memctl.open(app, home=home) as store:
    for turn in range(7):
        store.match(screens[turn % len(screens)])
        now = time.perf_counter(), time.thread_time()
        taken.append([(after - before) * 1000 for before, after in zip(started, now)])
        started = now
print(json.dumps(taken))
"""
"""Two screenshots take turns, for one that equals the one before is not searched."""


def first_match(
    shots: Sequence[Shot], memory: Sequence[Crop], wanted: int, rounds: int = 3
) -> dict[str, float]:
    """Time it in processes of their own, without imports and without decoding screenshots.

    Parameters
    ----------
    shots
        Two screenshots.
    wanted
        Components of the store.

    Returns
    -------
    dict
        ``first``, opening the store included, and ``warm``, in milliseconds: medians over the
        processes; ``times`` is their ratio in processor time.
    """
    with tempfile.TemporaryDirectory() as home:
        n = len(learned(Path(home), memory, wanted))
        runs = np.array([_run(home, [shot.path for shot in shots]) for _ in range(rounds)])
    first = np.median(runs[:, 0], axis=0)
    warm = np.median(np.median(runs[:, 1:], axis=1), axis=0)
    times = first[1] / warm[1]
    return {"n": n, "first": float(first[0]), "warm": float(warm[0]), "times": float(times)}


def _run(home: str, pictures: list[Path]) -> list[list[float]]:
    command = [sys.executable, "-c", SCRIPT, home, APP, *map(str, pictures)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    taken: list[list[float]] = json.loads(answer.stdout)
    return taken
