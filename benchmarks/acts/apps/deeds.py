"""Deeds in a real app: how a person does one, and the situations in which it is done again."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.realapp.serving import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from playwright.sync_api import Locator, Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration

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
