"""Do six tasks in JupyterLab once, and again: in another version, another look, among other files.

    python -m benchmarks.lift [--times 10] [--elsewhere 2] [--without 3] [--task NAME] [--cache DIR]

Each task is shown once in JupyterLab 4.1, with a full look before and after each act, and recorded
as a skill. Then the skills run again. Without the memory each task is done the first way each time,
in a store that knows nothing: the uplift is held against that. What was done is read from the app's
files and its page. Needs Chromium and the extra ``browser``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.lift.runs import run_again, show_once
from benchmarks.lift.tasks import AGAIN, CONDITIONS, TASKS
from benchmarks.lift.uplift import print_uplift, uplifts
from benchmarks.outcomes import print_bad, print_outcomes
from benchmarks.realapp.environment import CACHE, VERSIONS, NotInstalledError
from benchmarks.running import arguments, keep, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> None:
    """Show, run again, print, write the raw figures."""
    parser = arguments(__doc__, "lift")
    parser.add_argument("--times", type=int, default=10, help="runs of each task in the same app")
    parser.add_argument("--elsewhere", type=int, default=2, help="runs under each other condition")
    parser.add_argument("--without", type=int, default=3, help="times each task without the memory")
    parser.add_argument("--decider", type=float, default=4.0, help="seconds a decider takes a step")
    parser.add_argument("--task", choices=[task.name for task in TASKS], help="only this one")
    parser.add_argument("--condition", choices=[one.name for one in CONDITIONS], help="only here")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    options = parser.parse_args(words)
    tasks = [task for task in TASKS if options.task in {None, task.name}]
    chosen = [one for one in CONDITIONS if options.condition in {None, one.name}]
    rows: list[dict[str, Any]] = []
    without: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="memctl-lift-") as home:
        try:
            with memctl.open("jupyterlab", home=home) as memory:
                shown = show_once(memory, tasks, options.cache)
                for condition in chosen:
                    times = options.times if condition is AGAIN else options.elsewhere
                    rows += run_again(memory, tasks, condition, times, options.cache)
            for number in range(options.without):
                with memctl.open("jupyterlab", home=Path(home) / f"without-{number}") as nothing:
                    without += show_once(nothing, tasks, options.cache)
        except NotInstalledError as error:
            sys.exit(f"skipped: JupyterLab cannot be installed from PyPI: {error}")
    heads = ("task", "outcome", "acts", "looks", "seconds")
    print_table("shown: a full look a step", heads, [[one[key] for key in heads] for one in shown])
    for key in ("condition", "task"):
        print_outcomes(rows, key, f"again, by {key}")
    print(f"full looks a run: {mean(one['looks'] for one in rows):.2f}" if rows else "no runs")
    print_bad(rows, "condition", "task", "run")
    again = [row for row in rows if row["condition"] == AGAIN.name]
    lifts = uplifts(without, again, options.decider)
    print_uplift(lifts)
    figures = {"jupyterlab": VERSIONS, "decider_s": options.decider, "shown": shown, "runs": rows}
    keep("lift", {**figures, "without": without, "uplift": lifts}, options.out)


if __name__ == "__main__":
    main()
