"""JupyterLab: the files that it shows, and twelve screens, each reached from an empty layout."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator, Page


# -- workspace ---------------------------------------------------

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


# -- screens -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen: ``reach`` leads a page with an empty layout to it."""

    name: str
    reach: Callable[[Page], None]


def _launcher(page: Page) -> None:
    _file(page, "total.py").wait_for()
    _launcher_card(page).wait_for()


def _folder(page: Page) -> None:
    _launcher(page)
    _file(page, "reports").dblclick()
    _file(page, "report-20.csv").wait_for()


def _new_notebook(page: Page) -> None:
    _launcher(page)
    _launcher_card(page).click()
    _idle(page)


def _notebook_run(page: Page) -> None:
    _open(page, "analysis.ipynb")
    _idle(page)
    _menu(page, "Run", "Run All Cells")
    page.get_by_text("week 6:").wait_for()
    _idle(page)
    page.get_by_role("heading", name="Weekly sales").scroll_into_view_if_needed()


def _file_menu(page: Page) -> None:
    _launcher(page)
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("^Save All")).wait_for()


def _palette(page: Page) -> None:
    _launcher(page)
    page.keyboard.press("Control+Shift+C")
    page.get_by_role("menuitem", name="Open from Path…").last.wait_for()


def _settings(page: Page) -> None:
    _launcher(page)
    page.keyboard.press("Control+,")
    page.get_by_role("tab", name="Settings", exact=True).last.wait_for()
    page.get_by_role("heading", name="Code Completion").first.wait_for()


def _editor(page: Page) -> None:
    _open(page, "total.py")
    page.get_by_text("Sums the sales of a folder").wait_for()


def _dialog(page: Page) -> None:
    _folder(page)
    _file(page, "report-13.csv").click()
    page.keyboard.press("Delete")
    page.get_by_role("dialog").wait_for()


def _running(page: Page) -> None:
    _open(page, "analysis.ipynb")
    _idle(page)
    page.get_by_role("tab", name="Running Terminals and Kernels").click()
    page.get_by_role("heading", name=re.compile("Kernels")).first.wait_for()


def _contents(page: Page) -> None:
    _open(page, "analysis.ipynb")
    _idle(page)
    page.get_by_role("tab", name="Table of Contents").click()
    shown = page.get_by_text("The best week").filter(visible=True)
    shown.nth(1).wait_for()  # in the panel, and in the notebook


def _context_menu(page: Page) -> None:
    _folder(page)
    _file(page, "report-07.csv").click(button="right")
    page.get_by_role("menuitem", name=re.compile("^Rename")).wait_for()


SCREENS = (
    Screen("launcher", _launcher),
    Screen("folder", _folder),
    Screen("new notebook", _new_notebook),
    Screen("notebook", _notebook_run),
    Screen("file menu", _file_menu),
    Screen("palette", _palette),
    Screen("settings", _settings),
    Screen("editor", _editor),
    Screen("delete dialog", _dialog),
    Screen("running", _running),
    Screen("contents", _contents),
    Screen("context menu", _context_menu),
)


def _file(page: Page, name: str) -> Locator:
    """Return a file or a folder in the file browser."""
    return page.get_by_role("listitem", name=re.compile(f"^Name: {re.escape(name)}"))


def _launcher_card(page: Page) -> Locator:
    """Return the launcher's card that makes a notebook."""
    return page.get_by_role("tabpanel", name="Launcher").get_by_title("Python 3 (ipykernel)").first


def _open(page: Page, name: str) -> None:
    _launcher(page)
    _file(page, name).dblclick()
    page.get_by_role("tab", name=re.compile(f"^{re.escape(name)}")).wait_for()


def _idle(page: Page) -> None:
    """Wait until the notebook's kernel has nothing to do."""
    page.get_by_text(re.compile(r"Python 3 \(ipykernel\) \| Idle")).wait_for()


def _menu(page: Page, name: str, command: str) -> None:
    page.get_by_role("menuitem", name=name, exact=True).click()
    page.get_by_role("menuitem", name=re.compile(f"^{command}")).click()
