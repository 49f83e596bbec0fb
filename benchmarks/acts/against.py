"""Seconds a step of another commit, on the same pages and in the same run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.replay.checkouts import HERE, Side, checked_out

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["seconds_beside"]

_SITUATION = "same"  # what a commit without any care for rows does as well
Result = dict[str, Any]


def seconds_beside(commit: str, results: Sequence[Result]) -> dict[str, Any]:
    """Print and return seconds a step of both, where both did what was shown once more.

    Parameters
    ----------
    commit
        A commit, or a folder with a checkout.
    results
        The runs of this code.
    """
    own = {one["layout"]: one for one in results if one["situation"] == _SITUATION}
    with TemporaryDirectory(prefix="memctl-acts-") as name:
        folder = Path(name)
        with checked_out(commit, folder / "checkout") as checkout:
            side = Side(checkout, folder / "environment")
            words = ["-m", "benchmarks.acts", "--parts", "situations", "--situations", _SITUATION]
            chosen = ["--layouts", ",".join(own), "--out", str(folder)]
            # This benchmark, by the interpreter of the environment that was just made.
            command = [str(side.python), *words, *chosen]
            subprocess.run(command, cwd=HERE, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        then = json.loads((folder / "acts-situations.json").read_text("utf-8"))["figures"]["runs"]
    both = [(own[one["layout"]], one) for one in then if _done(one) and _done(own[one["layout"]])]
    if not both:
        print(f"seconds a step: nothing was done by {commit} as well")
        return {"commit": commit, "layouts": 0}
    now, before = (median(_a_step(pair[side]) for pair in both) for side in (0, 1))
    print(
        f"seconds a step: {now:.2f}, by {commit} {before:.2f}, {now / before:.2f} times ({len(both)} layouts)"
    )
    return {"commit": commit, "layouts": len(both), "now": now, "before": before}


def _done(result: Result) -> bool:
    return bool(result["outcome"] == "done" and result["steps"])


def _a_step(result: Result) -> float:
    return float(result["seconds"]) / int(result["steps"])
