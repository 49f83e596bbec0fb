"""Made files for the app to show: reports, notebooks, a script and folders."""

from __future__ import annotations

import json
import os
import shutil
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_settings", "write_workspace"]

_THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
_YEAR = 365 * 24 * 3600
_SCRIPT = '''"""Sums the sales of a folder of reports."""

import csv
from pathlib import Path


def total(folder: Path) -> float:
    """Return the sum of the column "sales" of all reports."""
    amount = 0.0
    for report in sorted(folder.glob("report-*.csv")):
        with report.open() as rows:
            amount += sum(float(row["sales"]) for row in csv.DictReader(rows))
    return amount


if __name__ == "__main__":
    print(f"total: {total(Path('reports')):.2f}")
'''
_README = """# Sales

Reports of twenty weeks, and notebooks that sum them.
"""
_ANALYSIS = (
    ("markdown", "# Weekly sales\n\nEvery report has three regions."),
    (
        "code",
        "weeks = {n: 40 + 7 * n % 23 for n in range(1, 7)}\nfor n, sold in weeks.items():\n    print(f'week {n}: {sold}')",
    ),
    ("markdown", "## The best week"),
    ("code", "max(weeks, key=weeks.get)"),
    ("markdown", "## Sum"),
    ("code", "sum(weeks.values())"),
)
_FORECAST = (
    ("markdown", "# Forecast"),
    ("code", "growth = 1.04\n[round(100 * growth**n) for n in range(8)]"),
)


def write_workspace(folder: Path) -> None:
    """Write the files that the app opens on; what was in the folder before is removed."""
    folder.mkdir(exist_ok=True)  # kept where it is: a server runs in it
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    files = {
        "README.md": _README,
        "total.py": _SCRIPT,
        "analysis.ipynb": _notebook(_ANALYSIS),
        "forecast.ipynb": _notebook(_FORECAST),
        "notes/ideas.md": "# Ideas\n\n- compare regions\n",
        "archive/old-report.csv": _report(40),
    }
    files |= {f"reports/report-{week:02}.csv": _report(week) for week in range(1, 21)}
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    # Changed long ago, so that the app's "3 years ago" is the same in every run.
    then = time.time() - 3.4 * _YEAR
    for path in folder.rglob("*"):
        os.utime(path, (then, then))


def write_settings(folder: Path, theme: str) -> None:
    """Write a person's settings: a theme, no news and no look for updates."""
    own = folder / "@jupyterlab" / "apputils-extension"
    own.mkdir(parents=True)
    chosen = {
        "themes": {"theme": _THEMES[theme]},
        "notification": {"fetchNews": "false", "checkForUpdates": False},
    }
    for name, values in chosen.items():
        own.joinpath(f"{name}.jupyterlab-settings").write_text(json.dumps(values), "utf-8")


def _report(week: int) -> str:
    regions = enumerate(("north", "south", "west"))
    rows = [f"{week},{name},{30 + (11 * week + 17 * at) % 50}.50" for at, name in regions]
    return "\n".join(["week,region,sales", *rows, ""])


def _notebook(cells: tuple[tuple[str, str], ...]) -> str:
    written: list[dict[str, Any]] = []
    for at, (kind, source) in enumerate(cells):
        cell = {"cell_type": kind, "id": f"cell-{at}", "metadata": {}, "source": source}
        code: dict[str, Any] = {"execution_count": None, "outputs": []}
        written.append(cell | code if kind == "code" else cell)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    about = {"metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps({"cells": written, **about}, indent=1)
