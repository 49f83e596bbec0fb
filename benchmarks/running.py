"""The one way to run a benchmark: options, timing, tables at 80 columns, raw figures as JSON.

Each benchmark is a module that ``python -m benchmarks.NAME`` runs. Its `main` takes its options from
`arguments`, prints with `print_table`, and hands what it measured to `keep`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
CONSOLE = Console(width=80, highlight=False)
# What is measured, and what it is measured against; those that are not installed are left out.
_PACKAGES = (
    "memctl-engine", "numpy", "opencv-python-headless", "scikit-image", "pillow", "duckdb", "torch",
    "sentence-transformers", "mem0ai", "qdrant-client", "tantivy", "sqlite-utils",
)  # fmt: skip
_SAMPLES, _SEED = 4000, 16

Answer = TypeVar("Answer")


class Took(NamedTuple):
    """Milliseconds of a call: by the clock, and of the processor alone."""

    wall: float
    cpu: float


def arguments(doc: str | None, name: str) -> argparse.ArgumentParser:
    """Return the parser of a benchmark, which has ``--out``; the others are added to it."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{name}",
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the raw figures")
    return parser


def listed(text: str) -> list[str]:
    """Return the words of an option that takes several, with commas."""
    return text.split(",")


def timed(act: Callable[[], Answer]) -> tuple[Took, Answer]:
    """Call a function; return what that took, and its answer."""
    wall, cpu = time.perf_counter(), time.process_time()
    answer = act()
    took = Took((time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000)
    return took, answer


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of `values` lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean: of shares, or of paired differences."""
    import numpy as np

    if not values:
        return (0.0, 0.0)
    given = np.asarray(values, float)
    chosen = np.random.default_rng(_SEED).integers(0, len(given), (_SAMPLES, len(given)))
    low, high = np.quantile(given[chosen].mean(axis=1), (0.025, 0.975))
    return (float(low), float(high))


def share(part: int, whole: int) -> str:
    """Return ``"9/10 90%"``, a dash for nothing of nothing."""
    return f"{part}/{whole} {part / whole:.0%}" if whole else "-"


def print_table(
    title: str, heads: Sequence[str], rows: Iterable[Iterable[object]], caption: str = ""
) -> None:
    """Print a table whose first column is on the left; a row of nothing is a rule."""
    table = Table(
        title=title, title_justify="left", caption=caption or None, caption_justify="left",
        box=SIMPLE_HEAD, padding=(0, 1, 0, 0),
    )  # fmt: skip
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left")
    for row in rows:
        if cells := [*map(str, row)]:
            table.add_row(*cells)
        else:
            table.add_section()
    CONSOLE.print(table)


def keep(name: str, figures: Any, folder: Path = RESULTS) -> Path:
    """Write raw figures as ``<name>.json``, with what made them, and print where they are.

    Parameters
    ----------
    name
        The benchmark, with its part where it has several: ``screens-pages``.
    figures
        Anything that JSON has.

    Returns
    -------
    Path
        The file: ``made_at``, ``command``, ``commit``, ``changed`` (whether the code differed
        from the commit), ``machine``, ``versions`` and ``figures``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json"
    record = {
        "made_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": _command(name),
        "commit": git("rev-parse", "HEAD") or None,
        "changed": bool(git("status", "--porcelain", "-uno")),
        "machine": _machine(),
        "versions": _versions(),
        "figures": figures,
    }
    file.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"raw figures: {file}")
    return file


def git(*words: str) -> str:
    """Return what git answers in this project; nothing outside of a repository."""
    # A fixed command without a shell.
    done = subprocess.run(  # noqa: S603
        ["git", *words],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return done.stdout.strip() if not done.returncode else ""


def _command(name: str) -> str:
    """Return the command without this machine's folders."""
    words = [Path(word).name if os.sep in word else word for word in sys.argv[1:]]
    return " ".join(["python -m", f"benchmarks.{name.split('-', maxsplit=1)[0]}", *words])


def _machine() -> dict[str, Any]:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
