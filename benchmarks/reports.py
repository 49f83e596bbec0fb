"""Time every report on a store with a long history.

    python -m benchmarks.reports [--sightings 100000] [--recalls 50000] [--facts 20000]

Grows the store (seeded), lets the doctor look at it, and makes each report in a process of its own:
``call`` is `memctl.reports.make_reports`, the imports of DuckDB included; ``command`` is ``memctl
report NAME --json`` from start to end. The peak is that of the whole process.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.growing import APP, Size, grow
from benchmarks.running import arguments, keep, print_table, timed
from memctl.reports.questions import REPORTS

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALL = "all"
_FULL = Size()


def main(words: Sequence[str] | None = None) -> None:
    """Grow, time, print, keep."""
    parser = arguments(__doc__, "reports")
    for table in ("sightings", "recalls", "facts"):
        parser.add_argument(f"--{table}", type=int, default=getattr(_FULL, table))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--once", nargs=2, help="a report and a home: measured in this process")
    options = parser.parse_args(words)
    if options.once:
        print(json.dumps(once(*options.once)))
        return
    size = Size(options.sightings, options.recalls, options.facts)
    with tempfile.TemporaryDirectory() as folder:
        took, path = timed(lambda: grow(Path(folder), size, options.seed))
        found = json.loads(_run(["-m", "memctl", *_store(folder), "doctor"], size.end))["data"]
        sound = "sound" if all(one["ok"] for one in found) else "NOT SOUND"
        megabytes = path.stat().st_size / 1e6
        print(f"{megabytes:.0f} MB, grown in {took.wall / 1000:.0f} s; memctl doctor: {sound}")
        rows = [_measured(name, folder, size.end) for name in (*REPORTS, _ALL)]
    print_table(
        f"{size.sightings:,} sightings, {size.recalls:,} recalls, {size.facts:,} facts",
        ("report", "call s", "cpu s", "load s", "command s", "peak MB"),
        [
            (
                *(row["name"], f"{row['call_s']:.2f}", f"{row['cpu_s']:.2f}"),
                *(f"{row['load_s']:.2f}", f"{row['command_s']:.2f}"),
                f"{row['peak_bytes'] / 1e6:.0f}",
            )
            for row in rows
        ],
    )
    keep("reports", {"megabytes": megabytes, "doctor": found, "reports": rows}, options.out)


def _store(home: str) -> list[str]:
    return ["--home", home, "--app", APP, "--json"]


def _measured(name: str, home: str, now: str) -> dict[str, Any]:
    figures = json.loads(_run(["-m", "benchmarks.reports", "--once", name, home], now))
    took, _ = timed(lambda: _run(["-m", "memctl", *_store(home), "report", name], now))
    return {**figures, "command_s": took.wall / 1000}


def _run(words: list[str], now: str) -> str:
    done = subprocess.run(  # noqa: S603  (this project's own commands)
        [sys.executable, *words],
        env={**os.environ, "MEMCTL_NOW": now},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def once(name: str, home: str) -> dict[str, Any]:
    """Make a report, or all, in this process, and return what that took."""

    def make() -> Any:
        from memctl.reports.report import make_reports
        from memctl.reports.sources import store_at

        return make_reports(REPORTS if name == _ALL else [name], store_at(APP, home))

    took, made = timed(make)
    return {
        "name": name,
        "call_s": took.wall / 1000,
        "cpu_s": took.cpu / 1000,
        "load_s": made[0].ms["load"] / 1000,
        "ms": {report.name: dict(report.ms) for report in made},
        "rows": {f"{r.name}-{answer.name}": len(answer.rows) for r in made for answer in r.answers},
        "peak_bytes": peak_bytes(),
    }


def peak_bytes() -> int:
    """Return the most memory that this process had in use, in bytes.

    Linux counts the parent's memory in ``ru_maxrss`` where the parent started this process
    by fork; VmHWM is its own.
    """
    status = Path("/proc/self/status")
    lines = status.read_text("utf-8").splitlines() if status.exists() else []
    for line in lines:
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


if __name__ == "__main__":
    main()
