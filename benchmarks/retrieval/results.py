"""Keeps raw figures, with the machine and the versions that made them."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["keep"]

FOLDER = Path(__file__).parents[1] / "results"
_PACKAGES = ("memctl", "numpy", "bm25s", "chromadb", "sentence-transformers", "torch")


def keep(name: str, figures: Any, folder: Path = FOLDER) -> Path:
    """Write figures as ``<name>.json``; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json"
    record = {
        "made_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": " ".join(
            ["python -m", f"benchmarks.{name.split('-', maxsplit=1)[0]}", *sys.argv[1:]]
        ),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "packages": {package: found for package in _PACKAGES if (found := _version(package))},
        "figures": figures,
    }
    file.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return file


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
