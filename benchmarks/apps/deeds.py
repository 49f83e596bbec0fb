"""Deeds in a real app: how a person does one, and the situations in which it is done again."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.apps.environment import free_port, installed, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from playwright.sync_api import Locator, Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration


# -- deeds -------------------------------------------------------

_PAUSE = 1.2  # seconds for which a person looks at what came
Record = tuple[str | int, ...]  # a row, an experiment or a file, as the app keeps it


@dataclass(frozen=True, slots=True)
class Person:
    """Who shows a deed in the page of an app, and pauses after each act."""

    page: Page
    demonstration: Demonstration
    values: Mapping[str, str]

    def pause(self) -> None:
        """Look at what came."""
        self.demonstration.wait(_PAUSE)

    def click(self, target: Locator) -> None:
        """Click on an element."""
        target.click()
        self.pause()

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)
        self.pause()

    def type(self, value: str) -> None:
        """Type one of the values where the focus is."""
        self.page.keyboard.type(self.values[value])
        self.pause()


@dataclass(frozen=True, slots=True)
class Situation:
    """What the app holds before a run, the values of the run, and what it is to hold after it.

    Parameters
    ----------
    after
        ``None`` where the deed cannot be done: nothing may change, and nobody may say "done".
    """

    name: str
    before: Sequence[Record]
    values: Mapping[str, str]
    after: Sequence[Record] | None


def situation(
    before: Sequence[Record], after: Sequence[Record], called: str, *, allowed: bool, **values: str
) -> Situation:
    """Return a situation; it can be done where that changes something and the app allows it."""
    doable = allowed and sorted(map(str, after)) != sorted(map(str, before))
    return Situation(called, before, values, after if doable else None)


@dataclass(frozen=True, slots=True)
class Deed:
    """What a person does in an app: shown in the last of its situations, and done again in all."""

    name: str
    show: Callable[[Person], None]
    situations: Sequence[Situation]
    destructive: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """A running app: its root, its records past its pages (``put``, ``read``), and signing in."""

    root: str
    put: Callable[[Sequence[Record]], None]
    read: Callable[[], Sequence[Record]]
    enter: Callable[[BrowserDriver], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class App:
    """An app that can be installed and served.

    Parameters
    ----------
    path
        The page where its deeds begin, from the root.
    ready
        A selector of what is on that page once a person can act on it.
    """

    name: str
    requirement: str
    served: Callable[[Path], AbstractContextManager[Running]]
    path: str
    ready: str
    deeds: Sequence[Deed]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of an app's own database; a row with the id 0 is the app's and is let be.

    Parameters
    ----------
    columns
        The columns of a record, with commas.
    also
        A statement that fills the others.
    """

    file: Path
    name: str
    columns: str
    also: str = ""

    def put(self, records: Sequence[Record]) -> None:
        """Write the rows anew."""
        marks = ",".join("?" * len(self.columns.split(",")))
        insert = f"insert into {self.name} ({self.columns}) values ({marks})"  # noqa: S608  # ours
        with closing(sqlite3.connect(self.file, timeout=20)) as db, db:
            db.execute(f"delete from {self.name} where rowid > 0")  # noqa: S608  # ours too
            db.executemany(insert, records)
            db.execute(self.also)

    def read(self) -> list[Record]:
        """Return the rows."""
        asked = f"select {self.columns} from {self.name} where rowid > 0"  # noqa: S608  # ours
        with closing(sqlite3.connect(self.file, timeout=20)) as db:
            return [tuple(row) for row in db.execute(asked)]


@contextmanager
def scratch() -> Iterator[tuple[Path, str, str]]:
    """Yield a folder that goes afterwards, a free port, and the root of an app that is served there."""
    # Windows keeps files open until their process has ended.
    with tempfile.TemporaryDirectory(prefix="memctl-acts-", ignore_cleanup_errors=True) as folder:
        port = str(free_port())
        yield Path(folder), port, f"http://127.0.0.1:{port}"


# -- mlflow server -----------------------------------------------

_REQUIREMENT = "mlflow==3.17.2"
_OWN = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
}
_MADE = (  # one a minute, the last one first on the page
    "update experiments set artifact_location = 'mlflow-artifacts:/' || experiment_id,"
    " creation_time = 1700000000000 + 60000 * experiment_id,"
    " last_update_time = 1700000000000 + 60000 * experiment_id where experiment_id > 0"
)


@contextmanager
def _served(cache: Path) -> Iterator[Running]:
    python = installed(_REQUIREMENT, cache=cache)
    with scratch() as (folder, port, root):
        file = folder / "mlflow.db"
        table = Table(file, "experiments", "name, lifecycle_stage", _MADE)
        options = (f"--backend-store-uri=sqlite:///{file}", "--workers=1", f"--port={port}")
        command = [str(python), "-m", "mlflow", "server", *options]
        with running(command, f"{root}/health", folder, cwd=folder, env=os.environ | _OWN):
            yield Running(root, table.put, table.read)


def _delete(person: Person) -> None:
    link = person.page.get_by_role("link", name=person.values["experiment"])
    person.click(person.page.get_by_role("row").filter(has=link).get_by_role("checkbox"))
    person.click(person.page.get_by_role("button", name="Delete", exact=True))
    person.click(person.page.get_by_role("dialog").get_by_role("button", name="Delete"))


def _create(person: Person) -> None:
    person.click(person.page.get_by_role("button", name="Create", exact=True))
    # The page of the new experiment may open a dialog of its own, with hints.
    dialog = person.page.get_by_role("dialog", name="Create Experiment")
    person.click(dialog.get_by_label("Experiment Name"))
    person.type("experiment")
    person.click(dialog.get_by_role("button", name="Create"))
    dialog.wait_for(state="hidden")
    person.pause()


def _active(*names: str) -> tuple[Record, ...]:
    return tuple((name, "active") for name in names)


def _without(name: str, before: Sequence[Record], experiment: str) -> Situation:
    """Return a situation in which an experiment is deleted: mlflow keeps it, as a deleted one."""
    after = [(one, "deleted" if one == experiment else stage) for one, stage in before]
    return situation(before, after, name, allowed=True, experiment=experiment)


def _with(name: str, before: Sequence[Record], experiment: str) -> Situation:
    """Return a situation in which an experiment is created: a name serves once, deleted or not."""
    free = all(one[0] != experiment for one in before)
    after = [*before, (experiment, "active")]
    return situation(before, after, name, allowed=free, experiment=experiment)


_FEW = _active("sales-week", "churn", "pricing", "forecast")
_MORE = _active(
    *(f"{what}-{week}" for week in range(1, 6) for what in ("basket", "fraud", "uplift", "stock"))
)
_DELETIONS = (
    _without("another row", _FEW, "pricing"),
    _without("other order", _FEW[::-1], "sales-week"),
    _without("longer namesake", _active("churn", "churn-2024", "my churn"), "churn"),
    _without("gone", (*_FEW[2:], ("churn", "deleted")), "churn"),
    _without("more rows", _MORE, "fraud-1"),
    _without("only a longer namesake", _active("churn-2024", "pricing"), "churn"),
    _without("namesake in other case", _active("Churn", "churn", "CHURN"), "churn"),
    _without("unusual letters", _active("Zoë's Übung / 2", "churn"), "Zoë's Übung / 2"),
    _without("a number", _active("2024", "2024-11", "20"), "2024"),
    _without("as shown", _FEW, "churn"),
)
_CREATIONS = (
    _with("another name", _FEW, "returns"),
    _with("a name that exists", _FEW, "pricing"),
    _with("more rows", _MORE, "returns"),
    _with("a name that was deleted", (*_FEW, ("old", "deleted")), "old"),
    _with("longer namesake", _FEW, "churn-2024"),
    _with("shorter namesake", _active("churn-2024", "pricing"), "churn"),
    _with("unusual letters", _FEW, "Zoë's Übung 2"),
    _with("no experiment there", (), "first of all"),
    _with("a long name", _FEW, "weekly forecast of returns by region and size " * 3 + "end"),
    _with("as shown", _FEW, "uplift"),
)
_DELETE = Deed("delete-experiment", _delete, _DELETIONS, destructive=True)
_CREATE = Deed("create-experiment", _create, _CREATIONS)
MLFLOW = App("mlflow", _REQUIREMENT, _served, "/#/experiments", "[role=row] a", (_DELETE, _CREATE))
