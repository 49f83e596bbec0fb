"""One measurement in a process of its own: ``... once WHAT APP HOME``.

Prints one line of JSON. The peak of memory is then that of this measurement alone.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

_ROUNDS = 5


def main() -> None:
    """Measure a report, all of them, or loading; print the figures."""
    what, app, home = sys.argv[1:]
    figures = _loading(app, home) if what == "loading" else _report(what, app, home)
    print(json.dumps(figures | {"peak_bytes": peak_bytes()}))


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


def _report(name: str, app: str, home: str) -> dict[str, Any]:
    wall, cpu = time.perf_counter(), time.process_time()
    from memctl.reports.questions import REPORTS
    from memctl.reports.report import make_reports
    from memctl.reports.sources import store_at

    made = make_reports(REPORTS if name == "all" else [name], store_at(app, home))
    return {
        "name": name,
        "call_s": time.perf_counter() - wall,
        "cpu_s": time.process_time() - cpu,
        "load_s": made[0].ms["load"] / 1000,
        "ms": {report.name: dict(report.ms) for report in made},
        "rows": {
            f"{report.name}-{answer.name}": len(answer.rows)
            for report in made
            for answer in report.answers
        },
    }


def _loading(app: str, home: str) -> dict[str, Any]:
    """Load what all reports need, and the same columns by a bare loop, in turns."""
    from benchmarks.reports.bare import append_all
    from memctl.reports.loading import engine, load
    from memctl.reports.questions import REPORTS, needed, questions_of
    from memctl.reports.sources import store_at

    wanted, _ = needed([one for name in REPORTS for one in questions_of(name)])
    source = store_at(app, home)
    ours: list[tuple[float, float]] = []
    bare: list[tuple[float, float]] = []
    rows = 0
    for _ in range(_ROUNDS):
        began = time.perf_counter(), time.process_time()
        with engine() as connection:
            load(connection, [source], wanted, alone=True)
        ours.append((time.perf_counter() - began[0], time.process_time() - began[1]))
        began = time.perf_counter(), time.process_time()
        rows = append_all(source.path, wanted)
        bare.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    sums = [[sum(one[i] for one in several) for several in (ours, bare)] for i in (0, 1)]
    return {
        "rounds": _ROUNDS,
        "rows": rows,
        "tables": len(wanted),
        "load_s": ours,
        "bare_s": bare,
        "wall_ratio": sums[0][0] / sums[0][1],
        "cpu_ratio": sums[1][0] / sums[1][1],
    }


if __name__ == "__main__":
    main()
