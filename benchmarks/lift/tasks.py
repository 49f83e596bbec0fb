"""Six tasks in JupyterLab, and the conditions in which they are done again."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from memctl.drivers.demonstration import Demonstration


# -- conditions --------------------------------------------------

DRAFTS = tuple(f"draft-{name}.md" for name in ("april", "august", "july", "june", "march"))
_LONG = "notes-of-the-meeting-in-the-northern-region-about-"
Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class Condition:
    """One way in which the app is met again.

    Parameters
    ----------
    change
        Changes the folder of the task's file, where it has one; returns the values of the run.
    named
        Whether only tasks that name a file are run.
    gone
        Whether the right end is a halt: what the task names is not there.
    """

    name: str
    version: str = "4.1"
    theme: str = "light"
    viewport: tuple[int, int] = (1440, 900)
    change: Callable[[Path, Values, str], Values] = lambda _, values, __: values
    named: bool = False
    gone: bool = False


def put_files(files: Path, task: Task, condition: Condition, values: Mapping[str, str]) -> Values:
    """Write the files of a run beside those of the workspace; return the values of the run."""
    for name in DRAFTS:
        file = files / "drafts" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# {name}\n", "utf-8")
    given = dict(values)
    if task.target:
        given = condition.change(files / task.folder, given, task.target)
        given["before"] = "/".join(path.name for path in (files / task.folder).iterdir())
    return given


def _five_more(folder: Path, values: Values, target: str) -> Values:
    """Add files that sort before, between and behind those that were learned."""
    stem = values[target].partition("-")[0]
    for name in ("aa", "alpha", "kappa", "midsummer", "zz"):
        (folder / f"{stem}-{name}.txt").write_text("more\n", "utf-8")
    return values


def _look_alikes(folder: Path, values: Values, target: str) -> Values:
    """Take the right file away, and put some there that are called nearly the same."""
    stem, _, kind = values[target].rpartition(".")
    (folder / values[target]).unlink()
    for name in (f"{stem}-old.{kind}", f"{stem}s.{kind}", f"{stem}.{kind}.bak", f"x{stem}.{kind}"):
        (folder / name).write_text("another\n", "utf-8")
    return values


def _long_names(folder: Path, values: Values, target: str) -> Values:
    """Give all files names that the column cuts where they differ."""
    for path in list(folder.iterdir()):
        shutil.move(path, folder / f"{_LONG}{path.name}")
    return {**values, target: f"{_LONG}{values[target]}"}


AGAIN = Condition("again, 4.1")
CONDITIONS = (
    AGAIN,
    Condition("version 4.6", version="4.6"),
    Condition("dark theme", theme="dark"),
    Condition("1280x720", viewport=(1280, 720)),
    Condition("five more files", change=_five_more, named=True),
    Condition("target gone", change=_look_alikes, named=True, gone=True),
    Condition("names cut", change=_long_names, named=True),
)


# -- tasks -------------------------------------------------------

Outcome = Literal["done", "not done", "wrong"]
_PAUSE = 1.2  # seconds for which a person looks at what came


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Parameters
    ----------
    show
        Does it, as a person would, on a page with an empty layout.
    judged
        Says by the page and the folder of files what was done, with the values of a run.
    parameters
        Names with the values of the demonstration.
    again
        The values of one of the runs that follow, by its number.
    outputs
        Names of what is read at the end, each with the label of what bears it.
    target
        The parameter that names a file, empty for none.
    folder
        The folder of that file.
    """

    name: str
    show: Callable[[Page, Demonstration, Mapping[str, str]], None]
    judged: Callable[[Page, Path, Mapping[str, str]], Outcome]
    parameters: Mapping[str, str] = field(default_factory=dict)
    again: Callable[[int], Mapping[str, str]] = lambda _: {}
    outputs: Mapping[str, str] = field(default_factory=dict)
    target: str = ""
    folder: str = ""


# -- create and rename a notebook ----------------------------------------------------------


def _rename(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    card = page.get_by_role("tabpanel", name="Launcher").get_by_title("Python 3 (ipykernel)")
    card.first.click()
    shown.wait(_PAUSE)
    _idle(page)
    shown.wait(_PAUSE)
    page.get_by_role("menuitem", name="File", exact=True).click()
    shown.wait(_PAUSE)
    page.get_by_role("menuitem", name=re.compile("^Rename Notebook")).click()
    shown.wait(_PAUSE)
    page.keyboard.press("Control+a")
    shown.wait(0.3)
    page.keyboard.type(f"{values['name']}.ipynb")
    shown.wait(_PAUSE)
    page.keyboard.press("Enter")
    shown.wait(_PAUSE)


def _renamed(_: Page, files: Path, values: Mapping[str, str]) -> Outcome:
    own = {"analysis.ipynb", "forecast.ipynb"}
    made = {path.name for path in files.glob("*.ipynb")} - own
    return "done" if made == {f"{values['name']}.ipynb"} else "not done"


# -- run a cell and read its result --------------------------------------------------------


def _run_cell(page: Page, shown: Demonstration, _: Mapping[str, str]) -> None:
    _file(page, "forecast.ipynb").dblclick()
    shown.wait(_PAUSE)
    _idle(page)
    shown.wait(_PAUSE)
    page.get_by_role("heading", name="Forecast").click(position={"x": 30, "y": 12})
    shown.wait(_PAUSE)
    page.keyboard.press("Shift+Enter")
    shown.wait(_PAUSE)
    page.keyboard.press("Shift+Enter")
    page.get_by_text("[100, 104").first.wait_for()
    shown.wait(_PAUSE)


def _ran(page: Page, _: Path, values: Mapping[str, str]) -> Outcome:
    wanted = "[100, 104, 108, 112, 117, 122, 127, 132]"
    there = page.get_by_text(wanted).count() > 0
    return "done" if there and wanted in values.get("result", "") else "not done"


# -- change the theme in the settings ------------------------------------------------------


def _theme(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    shown.wait(_PAUSE)
    _entry(page, "Theme").hover()
    shown.wait(_PAUSE)
    _entry(page, values["theme"]).click()
    page.wait_for_timeout(1_000)
    shown.wait(_PAUSE)


def _themed(page: Page, _: Path, values: Mapping[str, str]) -> Outcome:
    page.wait_for_timeout(500)
    return (
        "done"
        if page.evaluate("document.body.dataset.jpThemeName") == values["theme"]
        else "not done"
    )


# -- open a file of a folder of twenty by name ---------------------------------------------


def _open(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    _file(page, "reports").dblclick()
    shown.wait(_PAUSE)
    _file(page, values["file"]).dblclick()
    page.get_by_role("tab", name=re.compile(re.escape(values["file"]))).wait_for()
    shown.wait(_PAUSE)


def _opened(page: Page, _: Path, values: Mapping[str, str]) -> Outcome:
    tabs = [
        one.inner_text().strip() for one in page.locator("#jp-main-dock-panel [role=tab]").all()
    ]
    files = [one for one in tabs if one != "Launcher"]
    if not files:
        return "not done"
    return "done" if files == [values["file"]] else "wrong"


# -- delete the right one of five files ----------------------------------------------------


def _delete(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    _file(page, "drafts").dblclick()
    shown.wait(_PAUSE)
    _file(page, values["file"]).click()
    shown.wait(_PAUSE)
    page.keyboard.press("Delete")
    shown.wait(_PAUSE)
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Delete|Trash")).click()
    _file(page, values["file"]).wait_for(state="detached")
    shown.wait(_PAUSE)


def _deleted(_: Page, files: Path, values: Mapping[str, str]) -> Outcome:
    gone = set(values["before"].split("/")) - {path.name for path in (files / "drafts").iterdir()}
    if not gone:
        return "not done"
    return "done" if gone == {values["file"]} else "wrong"


# -- find a command in the palette ---------------------------------------------------------


def _command(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    page.keyboard.press("Control+Shift+c")
    shown.wait(_PAUSE)
    page.keyboard.type(values["command"])
    shown.wait(_PAUSE)
    page.keyboard.press("Enter")
    shown.wait(_PAUSE)


def _commanded(page: Page, _: Path, __: Mapping[str, str]) -> Outcome:
    asked = page.get_by_role("dialog").get_by_text("Open Path")
    return "done" if asked.count() else "not done"


TASKS = (
    Task(
        "rename-a-new-notebook", _rename, _renamed, {"name": "spring-sales"},
        lambda run: {"name": f"sales-of-week-{run}"},
    ),
    Task("run-a-cell", _run_cell, _ran, outputs={"result": "[100, 104, 108, 112, 117, 122, 127, 132]"}),
    Task(
        "change-the-theme", _theme, _themed, {"theme": "JupyterLab Dark"},
        lambda _: {"theme": "JupyterLab Dark"},
    ),
    Task(
        "open-a-report", _open, _opened, {"file": "report-13.csv"},
        lambda run: {"file": f"report-{1 + 7 * run % 20:02}.csv"}, target="file", folder="reports",
    ),
    Task(
        "delete-a-draft", _delete, _deleted, {"file": DRAFTS[2]},
        lambda run: {"file": DRAFTS[run % 5]}, target="file", folder="drafts",
    ),
    Task(
        "find-a-command", _command, _commanded, {"command": "Open from Path"},
        lambda _: {"command": "Open from Path"},
    ),
)  # fmt: skip


def _file(page: Page, name: str) -> Locator:
    """Return the name of a file or a folder in the file browser."""
    row = page.get_by_role("listitem", name=re.compile(f"^Name: {re.escape(name)}"))
    return row.locator(".jp-DirListing-itemText")


def _entry(page: Page, name: str) -> Locator:
    """Return an entry of an open menu; those that open another menu bear no name."""
    return page.locator(".lm-Menu-itemLabel").get_by_text(name, exact=True).filter(visible=True)


def _idle(page: Page) -> None:
    """Wait until the notebook's kernel has nothing to do."""
    page.get_by_text(re.compile(r"Python 3 \(ipykernel\) \| Idle")).wait_for()
