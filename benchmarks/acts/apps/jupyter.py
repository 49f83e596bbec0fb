"""JupyterLab's list of files: one is deleted by its context menu, one is renamed in place."""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.acts.apps.deeds import App, Deed, Person, Record, Running, Situation, situation
from benchmarks.realapp.environment import VERSIONS
from benchmarks.realapp.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Locator

_VERSION = "4.1"
_NO_BIN = "--FileContentsManager.delete_to_trash=False"  # else files go to the user's own
_LONG_AGO = 3.4 * 365 * 24 * 3600  # seconds: "3 years ago" in every run


@contextmanager
def _served(cache: Path) -> Iterator[Running]:
    with served(_VERSION, cache=cache, options=(_NO_BIN,)) as lab:
        yield Running(lab.root, partial(_put, lab.workspace), partial(_read, lab.workspace))


def _put(folder: Path, records: Sequence[Record]) -> None:
    then = time.time() - _LONG_AGO
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, text in records:
        file = folder / str(name)
        file.parent.mkdir(exist_ok=True)
        file.write_text(str(text), encoding="utf-8")
        os.utime(file, (then, then))


def _read(folder: Path) -> list[Record]:
    return [
        (path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
        for path in folder.rglob("*")
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    ]


def _file(person: Person) -> Locator:
    name = re.compile(f"^Name: {re.escape(person.values['file'])} Size")
    return person.page.get_by_role("listitem", name=name)


def _delete(person: Person) -> None:
    _file(person).click(button="right")
    person.pause()
    person.click(person.page.get_by_role("menuitem", name=re.compile("^Delete")))
    person.click(person.page.get_by_role("dialog").get_by_role("button", name="Delete"))


def _rename(person: Person) -> None:
    person.click(_file(person))
    person.press("F2")
    person.press("Control+a")
    person.type("name")
    person.press("Enter")


def _files(*names: str) -> tuple[Record, ...]:
    return tuple((name, f"what {name} says\n") for name in names)


def _without(name: str, before: Sequence[Record], file: str) -> Situation:
    """Return a situation in which a file is deleted; a folder with files in it cannot be."""
    after = [one for one in before if one[0] != file]
    return situation(before, after, name, allowed=True, file=file)


def _renamed(called: str, before: Sequence[Record], file: str, name: str) -> Situation:
    """Return a situation in which a file is renamed; a name that is there, or none, is refused."""
    free = ":" not in name and all(one[0] != name for one in before)
    after = [(name, one[1]) if one[0] == file else one for one in before]
    return situation(before, after, called, allowed=free, file=file, name=name)


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
    _renamed("as shown", _FEW, "plan.md", "draft.md"),
)
_DELETE = Deed("delete-file", _delete, _DELETIONS, destructive=True)
_RENAME = Deed("rename-file", _rename, _RENAMINGS)
JUPYTERLAB = App(
    "jupyterlab",
    f"jupyterlab=={VERSIONS[_VERSION]}",
    _served,
    "/lab?reset",
    "li.jp-DirListing-item",
    (_DELETE, _RENAME),
)
