"""Time every report on a store with a long history.

    python -m benchmarks.reports [--sightings 100000] [--recalls 50000] [--facts 20000]

Grows the store (seeded), lets the doctor look at it, and makes each report in a process of its
own: ``call`` is `memctl.reports.make_report`, the imports of DuckDB included; ``command`` is
``memctl report NAME --json`` from start to end. The peak is that of the whole process. Then
loading is compared, in the same run and turn by turn, with a bare loop that appends the same
columns. The raw figures go to ``benchmarks/results/reports.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.keeping import FOLDER, keep
from benchmarks.reports.growing.store import APP, Size, grow
from memctl.reports.questions import REPORTS

_LIMIT_SECONDS, _LIMIT_RATIO = 3.0, 1.5
_ALL = "all"
_FULL = Size()

Row = dict[str, Any]


def main() -> None:
    """Grow, time, print, keep."""
    options = _arguments()
    size = Size(options.sightings, options.recalls, options.facts)
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder)
        figures: Row = {"store": _grown(home, size, options.seed), "reports": []}
        print(f"\n{'':9}{'call s':>8}{'cpu s':>8}{'load s':>8}{'command s':>11}{'peak MB':>9}")
        for name in (*REPORTS, _ALL):
            figures["reports"].append(_timed(name, home, size.end))
            print(_line(figures["reports"][-1]))
        figures["loading"] = _run("loading", home, size.end)
        _print_loading(figures["loading"])
    print(f"raw figures: {keep('reports', figures, options.out)}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reports")
    parser.add_argument("--sightings", type=int, default=_FULL.sightings)
    parser.add_argument("--recalls", type=int, default=_FULL.recalls)
    parser.add_argument("--facts", type=int, default=_FULL.facts)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path, help="an empty folder in which the store stays")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    return parser.parse_args()


def _grown(home: Path, size: Size, seed: int) -> Row:
    began = time.perf_counter()
    path = grow(home, size, seed)
    took = time.perf_counter() - began
    command = [
        sys.executable,
        "-m",
        "memctl",
        "--home",
        str(home),
        "--app",
        APP,
        "--json",
        "doctor",
    ]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    found = json.loads(answer.stdout)["data"]
    sound = all(one["ok"] for one in found)
    told = f"{size.sightings:,} sightings, {size.recalls:,} recalls, {size.facts:,} facts"
    print(f"{told}: {path.stat().st_size / 1e6:.0f} MB, grown in {took:.0f} s")
    print(f"memctl doctor: {'sound' if sound else 'NOT SOUND'}")
    return {"bytes": path.stat().st_size, "grown_s": took, "seed": seed, "doctor": found}


def _timed(name: str, home: Path, now: str) -> Row:
    figures = _run(name, home, now)
    words = ["--home", str(home), "--app", APP, "--json", "report", name]
    began = time.perf_counter()
    _process([sys.executable, "-m", "memctl", *words], now)
    return figures | {"command_s": time.perf_counter() - began}


def _run(what: str, home: Path, now: str) -> Row:
    """Measure one thing in a process of its own, which prints its figures as JSON."""
    measured: Row = json.loads(
        _process([sys.executable, "-m", "benchmarks.reports.once", what, APP, str(home)], now)
    )
    return measured


def _process(command: list[str], now: str) -> str:
    done = subprocess.run(  # noqa: S603
        command,
        env={**os.environ, "MEMCTL_NOW": now},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def _line(row: Row) -> str:
    slow = "  over the limit" if row["command_s"] > _LIMIT_SECONDS and row["name"] != _ALL else ""
    return (
        f"{row['name']:9}{row['call_s']:8.2f}{row['cpu_s']:8.2f}{row['load_s']:8.2f}"
        f"{row['command_s']:11.2f}{row['peak_bytes'] / 1e6:9.0f}{slow}"
    )


def _print_loading(loading: Row) -> None:
    ratio = loading["cpu_ratio"]
    print(
        f"\nloading {loading['rows']:,} rows in {loading['tables']} tables, {loading['rounds']} "
        f"rounds: {ratio:.2f} of a bare appender loop's processor time "
        f"(wall {loading['wall_ratio']:.2f}), limit {_LIMIT_RATIO}"
        + ("" if ratio <= _LIMIT_RATIO else "  over the limit")
    )


if __name__ == "__main__":
    main()
