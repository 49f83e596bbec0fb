"""Do six tasks in JupyterLab once, and again: in another version, another look, among other files.

    python -m benchmarks.lift [--times 10] [--elsewhere 2] [--without 3] [--task NAME] [--cache DIR]

Each task is shown once in JupyterLab 4.1, with a full look before and after each act, and recorded
as a skill. Then the skills run again. Without the memory each task is done the first way each time,
in a store that knows nothing: the uplift is held against that. The app itself tells what was done: its files and its page.
Needs Chromium and the extra ``browser``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import memctl
from benchmarks.apps.environment import CACHE, VERSIONS, NotInstalledError
from benchmarks.lift.report import CONSOLE, print_runs, print_shown, print_uplift, uplifts
from benchmarks.lift.runs import run_again, show_once
from benchmarks.lift.tasks import AGAIN, CONDITIONS, TASKS
from benchmarks.running import arguments, keep

if TYPE_CHECKING:
    import argparse


def main() -> None:
    """Show, run again, print, write the raw figures."""
    options = _options()
    tasks = [task for task in TASKS if options.task in {None, task.name}]
    with tempfile.TemporaryDirectory(prefix="memctl-lift-") as home:
        try:
            with memctl.open("jupyterlab", home=options.home or home) as memory:
                shown = show_once(memory, tasks, options.cache)
                print_shown(shown)
                rows = []
                for condition in CONDITIONS:
                    if options.condition not in {None, condition.name}:
                        continue
                    times = options.times if condition is AGAIN else options.elsewhere
                    for row in run_again(memory, tasks, condition, times, options.cache):
                        rows.append(row)
                        if row["verdict"] != "done":
                            said = (row["verdict"], row["task"], row["run"], row["why"])
                            print(condition.name, *said, sep=" | ", flush=True)
            without = []
            for number in range(options.without):
                with memctl.open("jupyterlab", home=Path(home) / f"without-{number}") as nothing:
                    without += show_once(nothing, tasks, options.cache)
        except NotInstalledError as error:
            sys.exit(f"skipped: JupyterLab cannot be installed from PyPI: {error}")
    print_runs(shown, rows, options.decider)
    again = [row for row in rows if row["condition"] == AGAIN.name]
    lifts = uplifts(without, again, options.decider)
    print_uplift(CONSOLE, lifts)
    figures = {"jupyterlab": VERSIONS, "decider_s": options.decider, "shown": shown, "runs": rows}
    figures |= {"without": without, "uplift": lifts}
    keep("lift", figures, options.out)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__, "lift")
    parser.add_argument("--times", type=int, default=10, help="runs of each task in the same app")
    parser.add_argument("--elsewhere", type=int, default=2, help="runs under each other condition")
    parser.add_argument("--without", type=int, default=3, help="times each task without the memory")
    parser.add_argument("--decider", type=float, default=4.0, help="seconds a decider takes a step")
    parser.add_argument("--task", choices=[task.name for task in TASKS], help="only this one")
    parser.add_argument("--condition", choices=[one.name for one in CONDITIONS], help="only here")
    parser.add_argument("--home", type=Path, help="where the store is kept; else it goes")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    return parser.parse_args()


if __name__ == "__main__":
    main()
