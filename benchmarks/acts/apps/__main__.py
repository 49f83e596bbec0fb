"""Do two deeds in each of four real apps once, and have them done again with other data.

    python -m benchmarks.acts.apps [--app django,sqlite-web] [--deed NAME] [--runs 10] [--cache DIR]

Each app is installed from PyPI into an environment of its own, once, and served on loopback. A deed
is shown once, recorded as a skill, and run in ten situations: another row, another order, more rows,
namesakes, a row that is gone, a name that the app refuses. What happened is asked of the app's own
records. The raw figures go to ``benchmarks/results/acts-apps.json``. Needs Chromium and the extra
``browser``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.acts.apps.hotel import DJANGO, SQLITE_WEB
from benchmarks.acts.apps.jupyter import JUPYTERLAB
from benchmarks.acts.apps.measuring import RIGHT, measured
from benchmarks.acts.apps.mlflow_server import MLFLOW
from benchmarks.keeping import FOLDER, keep
from benchmarks.realapp.environment import CACHE, NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Sequence


APPS = (DJANGO, SQLITE_WEB, MLFLOW, JUPYTERLAB)
_COUNTS = ("runs", "doable", "done", "wrong deeds", "falsely done", "needless halts")
_LINE = "{:<11} {:<18} {:>5} {:>7} {:>5} {:>12} {:>13} {:>15}"


def main() -> None:
    """Measure the apps that are asked for, print what came of it, write the raw figures."""
    options = _options()
    rows: list[dict[str, Any]] = []
    for app in APPS:
        if options.app and app.name not in options.app.split(","):
            continue
        try:
            for row in measured(app, options.cache, options.runs, options.deed):
                rows.append(row)
                _print_row(row)
        except NotInstalledError as error:
            print(f"skipped: {app.requirement} cannot be installed from PyPI: {error}")
    _print_table(rows)
    figures = {"apps": {app.name: app.requirement for app in APPS}, "rows": rows}
    print(f"raw figures: {keep('acts-apps', figures, options.out)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.acts.apps")
    parser.add_argument("--app", help="only these: " + ",".join(app.name for app in APPS))
    parser.add_argument(
        "--deed", action="append", default=[], help="only this one; may be repeated"
    )
    parser.add_argument("--runs", type=int, default=10, help="most runs of each deed")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    return parser.parse_args()


def _print_row(row: dict[str, Any]) -> None:
    """Print what was recorded, or a run that is not right, with the why of it."""
    about = f"{row['app']} {row['deed']}"
    if row["kind"] == "recording":
        print(f"{about}: recorded", row.get("steps", row.get("refused")), flush=True)
    elif row["verdict"] in RIGHT:
        print(f"{about} | {row['situation']} | {row['verdict']}", flush=True)
    else:
        said = (row["verdict"], f"said {row['status']}", row["why"], " ".join(row["changed"]))
        print(about, row["situation"], *said, sep=" | ", flush=True)


def _print_table(rows: Sequence[dict[str, Any]]) -> None:
    """Print the counts of each deed, of each app and of all."""
    runs = [row for row in rows if row["kind"] == "run"]
    print(_LINE.format("app", "deed", *_COUNTS))
    for app in dict.fromkeys(row["app"] for row in rows):
        own = [row for row in runs if row["app"] == app]
        for deed in dict.fromkeys(row["deed"] for row in rows if row["app"] == app):
            _print_counts(app, deed, [row for row in own if row["deed"] == deed])
        _print_counts(app, "both", own)
    _print_counts("all", "", runs)


def _print_counts(app: str, deed: str, runs: Sequence[dict[str, Any]]) -> None:
    """Print one line; a deed that was done but not called so is needless as well."""
    counts = Counter(row["verdict"] for row in runs)
    needless = counts["needless halt"] + counts["needless doubt"]
    wrong, false = counts["wrong deed"], counts["falsely done"]
    doable = sum(row["doable"] for row in runs)
    print(_LINE.format(app, deed, len(runs), doable, counts["done"], wrong, false, needless))


if __name__ == "__main__":
    main()
