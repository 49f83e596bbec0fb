"""The first match of a new process against the next ones, blobs as they come from a store."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.matching.shots import Crop, Shot

__all__ = ["first_match"]

SCRIPT = """
import json, pickle, sys, time
import cv2, numpy as np
from memctl.visual.frame import Frame
from memctl.visual.matching import Template, TemplateSet, find
cv2.setNumThreads(1)
rows = pickle.loads(open(sys.argv[1], "rb").read())
pixels = cv2.imread(sys.argv[2])
def decode(png):
    return lambda: cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
started = time.perf_counter()
known = TemplateSet([
    Template(i, i, decode(png), features=blob, last=last)
    for i, (png, blob, last) in enumerate(rows)
])
taken = []
for _ in range(6):
    find(Frame(pixels), known)
    now = time.perf_counter()
    taken.append((now - started) * 1000)
    started = now
print(json.dumps(taken))
"""


def first_match(shot: Shot, memory: list[Crop], rounds: int = 3) -> dict[str, float]:
    """Time it in processes of their own, without imports and without decoding the screenshot.

    Returns
    -------
    dict
        ``first`` and ``warm`` in milliseconds, the medians over the processes.
    """
    import cv2
    import numpy as np

    rows = []
    for crop in memory:
        _, png = cv2.imencode(".png", crop.bgr)
        rows.append((png.tobytes(), crop.features, (crop.box.x, crop.box.y)))
    with tempfile.TemporaryDirectory() as scratch:
        store = Path(scratch) / "rows"
        store.write_bytes(pickle.dumps(rows))
        runs = [_run(store, shot.path) for _ in range(rounds)]
    first = float(np.median([run[0] for run in runs]))
    warm = float(np.median([np.median(run[1:]) for run in runs]))
    return {"first": first, "warm": warm, "times": first / warm}


def _run(store: Path, picture: Path) -> list[float]:
    command = [sys.executable, "-c", SCRIPT, str(store), str(picture)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    taken: list[float] = json.loads(answer.stdout)
    return taken
