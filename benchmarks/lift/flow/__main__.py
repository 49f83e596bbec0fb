"""Record Flow's own demonstration once, by Flow and by memctl, and do it again under its drifts.

    python -m benchmarks.lift.flow [--openadapt PYTHON] [--drift NAME] [--cache DIR]

The app is the demo app of openadapt-flow, the drifts are those of its query, the demonstration is
its own. Both drive the same browser with the same flags and viewport. What was done is read from
the app. Without ``--openadapt`` an environment with openadapt-flow is made in the cache folder.
The raw figures go to ``benchmarks/results/lift.flow.json``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.keeping import FOLDER, keep
from benchmarks.lift.flow.drifts import DRIFTS, judged, verdict
from benchmarks.lift.flow.own import SAVED, run_again, show_once
from benchmarks.lift.flow.report import print_drifts, summed
from benchmarks.lift.flow.rival import app_served, interpreter_of_flow, opened
from benchmarks.realapp.environment import CACHE, NotInstalledError

_NAME = "triage"
_SHOWN = "Knee pain for two weeks, worse on stairs."
_NOTE = "Pain is better, review in {weeks} weeks."


def main() -> None:
    """Record, run, print, write the raw figures."""
    options = _options()
    try:
        python, version, static = interpreter_of_flow(options.openadapt, options.cache)
    except NotInstalledError as error:
        sys.exit(f"skipped: openadapt-flow cannot be had: {error}")
    drifts = [one for one in DRIFTS if options.drift in {None, one.name}]
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="memctl-flow-") as folder, app_served(static) as url:
        home, log = Path(folder, "home"), Path(folder, "flow.log")
        with opened(python, log) as flow:
            recorded = {
                "flow": flow.ask(do="record", name=_NAME, url=url, note=_SHOWN),
                "memctl": show_once(home, url, _SHOWN),
            }
            for number, drift in enumerate(drifts, 2):
                address, note = url + drift.query, _NOTE.format(weeks=number)
                for side in ("flow", "flow_dom", "memctl"):
                    if side == "memctl":
                        row = run_again(home, address, note)
                    else:
                        how = {"dom": side == "flow_dom", "rows": {}, "after": SAVED}
                        order = {"do": "replay", "name": _NAME, "url": address, **how}
                        row = flow.ask(**order, values={"note": note})
                    was = judged(row["saved"], note)
                    row |= {"side": side, "drift": drift.name, "judged": was}
                    row["verdict"] = verdict(drift, row["status"], was)
                    rows.append(row)
                    said = (drift.name, side, row["verdict"], row["why"][:100])
                    print(*said, sep=" | ", file=sys.stderr, flush=True)
    print_drifts(rows, drifts)
    figures = {
        "openadapt_flow": version,
        "drifts": [one._asdict() for one in drifts],
        "recorded": recorded,
        "summary": summed(rows, drifts),
        "runs": rows,
    }
    print(f"raw figures: {keep('lift.flow', figures, options.out)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lift.flow")
    parser.add_argument("--openadapt", type=Path, help="a Python that has openadapt-flow[browser]")
    parser.add_argument("--drift", choices=[one.name for one in DRIFTS], help="only this one")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    return parser.parse_args()


if __name__ == "__main__":
    main()
