"""Keeps raw figures as JSON, with the machine, the versions and the commit that made them."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "keep"]

FOLDER = Path(__file__).parent / "results"
_ROOT = Path(__file__).parents[1]
# What is measured, and what it is measured against; those that are not installed are left out.
_PACKAGES = (
    "memctl-engine",
    "numpy",
    "opencv-python-headless",
    "scikit-image",
    "pillow",
    "duckdb",
    "torch",
    "sentence-transformers",
    "bm25s",
    "chromadb",
    "mem0ai",
    "qdrant-client",
    "pyscreeze",
    "Multi-Template-Matching",
)


def keep(name: str, figures: Any, folder: Path = FOLDER) -> Path:
    """Write figures as ``<name>.json``.

    Parameters
    ----------
    name
        The benchmark, with its part where it has several: ``screens-pages``.
    figures
        What was measured: anything that JSON holds.
    folder
        Where to; it is made if it is not there.

    Returns
    -------
    Path
        The file. It holds ``made_at``, ``command``, ``commit``, ``changed`` (whether the code
        differed from the commit), ``machine``, ``versions`` and ``figures``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json"
    record = {
        "made_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": _command(name),
        "commit": _git("rev-parse", "HEAD") or None,
        # Figures that this very run wrote are no change of the code.
        "changed": bool(_git("status", "--porcelain", "-uno", "--", ".", ":!benchmarks/results")),
        "machine": _machine(),
        "versions": _versions(),
        "figures": figures,
    }
    file.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return file


def _command(name: str) -> str:
    """Return the command without this machine's folders."""
    words = [Path(word).name if os.sep in word else word for word in sys.argv[1:]]
    return " ".join(["python -m", f"benchmarks.{name.split('-', maxsplit=1)[0]}", *words])


def _machine() -> dict[str, Any]:
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _git(*words: str) -> str:
    # A fixed command without a shell; outside of a repository it fails and says nothing.
    done = subprocess.run(  # noqa: S603
        ["git", *words],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        cwd=_ROOT,
    )
    return done.stdout.strip()
