"""JupyterLab's list of files: one is deleted by its context menu, one is renamed in place."""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.acts.apps.deeds import PAUSE, App, Deed, Record, Situation
from benchmarks.realapp.environment import VERSIONS
from benchmarks.realapp.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from benchmarks.realapp.serving import App as Lab
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration

__all__ = ["JUPYTERLAB"]

_VERSION = "4.1"
_NO_BIN = "--FileContentsManager.delete_to_trash=False"  # else files go to the user's own
_LONG_AGO = 3.4 * 365 * 24 * 3600  # seconds: "3 years ago" in every run


@dataclass(frozen=True, slots=True)
class _Files:
    lab: Lab

    @property
    def root(self) -> str:
        return self.lab.root

    def put(self, records: Sequence[Record]) -> None:
        folder, then = self.lab.workspace, time.time() - _LONG_AGO
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, text in records:
            file = folder / str(name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(str(text), encoding="utf-8")
            os.utime(file, (then, then))

    def read(self) -> Sequence[Record]:
        folder = self.lab.workspace
        return [
            (path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
            for path in folder.rglob("*")
            if path.is_file() and ".ipynb_checkpoints" not in path.parts
        ]

    def enter(self, driver: BrowserDriver) -> None:
        """Nobody signs in here."""


@contextmanager
def _served(cache: Path) -> Iterator[_Files]:
    with served(_VERSION, cache=cache, options=(_NO_BIN,)) as lab:
        yield _Files(lab)


def _file(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem", name=re.compile(f"^Name: {re.escape(name)} Size"))


def _delete(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    _file(page, values["file"]).click(button="right")
    shown.wait(PAUSE)
    page.get_by_role("menuitem", name=re.compile("^Delete")).click()
    shown.wait(PAUSE)
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    shown.wait(PAUSE)


def _rename(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    _file(page, values["file"]).click()
    shown.wait(PAUSE)
    page.keyboard.press("F2")
    shown.wait(PAUSE)
    page.keyboard.press("Control+a")
    page.keyboard.type(values["name"])
    shown.wait(PAUSE)
    page.keyboard.press("Enter")
    shown.wait(PAUSE)


def _files(*names: str) -> tuple[Record, ...]:
    return tuple((name, f"what {name} says\n") for name in names)


def _without(name: str, before: Sequence[Record], file: str) -> Situation:
    """Return a situation in which a file is deleted; a folder with files in it cannot be."""
    after = [one for one in before if one[0] != file]
    doable = len(after) < len(before)
    return Situation(name, before, {"file": file}, after if doable else None)


def _renamed(name: str, before: Sequence[Record], file: str, new: str) -> Situation:
    """Return a situation in which a file is renamed; a name that is there, or none, is refused."""
    names = {str(one[0]) for one in before}
    after = [(new, one[1]) if one[0] == file else one for one in before]
    doable = file in names and new not in names and not set(new) & set("/\\:")
    return Situation(name, before, {"file": file, "name": new}, after if doable else None)


_FEW = _files("budget.csv", "plan.md", "sales.csv", "todo.txt", "data/sales.csv")
_MANY = _files(
    *(f"{what}-{week:02}.txt" for week in range(1, 13) for what in ("log", "mail", "stock"))
)
_DELETIONS = (
    _without("another row", _FEW, "todo.txt"),
    _without("other order", _files("a.csv", "b/a.csv", "plan.md", "z.csv"), "plan.md"),
    _without("longer namesake", _files("plan.md", "plan.md.bak", "my plan.md", "x.txt"), "plan.md"),
    _without("gone", _files("budget.csv", "todo.txt", "data/plan.md"), "plan.md"),
    _without("more rows", _MANY, "stock-09.txt"),
    _without("only a longer namesake", _files("plan.md.bak", "my plan.md"), "plan.md"),
    _without("a folder that is not empty", (*_FEW, *_files("plan/a.md")), "plan"),
    _without("unusual letters", _files("Übersicht (2).md", "plan.md"), "Übersicht (2).md"),
    _without("other file of the stem", _files("plan.csv", "plan.md", "plan.txt"), "plan.csv"),
    _without("as shown", _FEW, "plan.md"),
)
_RENAMINGS = (
    _renamed("another row", _FEW, "todo.txt", "done.txt"),
    _renamed("other order", _files("a.csv", "b.csv", "plan.md", "z.csv"), "z.csv", "b2.csv"),
    _renamed("a name that exists", _FEW, "plan.md", "todo.txt"),
    _renamed("more rows", _MANY, "mail-11.txt", "post.txt"),
    _renamed("gone", _FEW[1:], "budget.csv", "budget-old.csv"),
    _renamed("longer namesake", _files("plan.md.bak", "plan.md", "plan.m"), "plan.md", "a.md"),
    _renamed("only a longer namesake", _files("plan.md.bak", "x.md"), "plan.md", "a.md"),
    _renamed("a name that is refused", _FEW, "sales.csv", "sales:2024.csv"),
    _renamed("unusual letters", _files("plan.md", "Zoë's.md"), "Zoë's.md", "Ås & Øl.md"),
    _renamed("as shown, another name", _FEW, "plan.md", "plan-b.md"),
)
JUPYTERLAB = App(
    "jupyterlab",
    f"jupyterlab=={VERSIONS[_VERSION]}",
    _served,
    "li.jp-DirListing-item",
    (
        Deed(
            "delete-file",
            "/lab?reset",
            _delete,
            _without("shown", _FEW, "plan.md"),
            _DELETIONS,
            destructive=True,
        ),
        Deed(
            "rename-file",
            "/lab?reset",
            _rename,
            _renamed("shown", _FEW, "plan.md", "draft.md"),
            _RENAMINGS,
        ),
    ),
)
