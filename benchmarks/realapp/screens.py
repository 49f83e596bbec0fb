"""Twelve screens of JupyterLab, each reached from an empty layout as a person would.

The steps use roles and labels that both versions have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

__all__ = ["SCREENS", "Screen"]


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
