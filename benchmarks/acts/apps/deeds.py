"""Deeds in a real app: how a person does one, and the situations in which it is done again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration

__all__ = ["PAUSE", "App", "Deed", "Record", "Running", "Situation"]

PAUSE = 1.2  # seconds for which a person looks at what came
Record = tuple[str | int, ...]  # a row, an experiment or a file, as the app keeps it


@dataclass(frozen=True, slots=True)
class Situation:
    """What the app holds before a run, the values of the run, and what it is to hold after it.

    Parameters
    ----------
    after
        The records of the app once the deed is done; ``None`` where it cannot be done: nothing may
        change then, and nobody may say "done".
    """

    name: str
    before: Sequence[Record]
    values: Mapping[str, str]
    after: Sequence[Record] | None


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that a person does in an app, shown once and done again.

    Parameters
    ----------
    path
        The page where it begins, from the root of the app.
    show
        Does it with Playwright as a person would, with the values of the demonstration.
    shown
        The situation of the demonstration.
    """

    name: str
    path: str
    show: Callable[[Page, Demonstration, Mapping[str, str]], None]
    shown: Situation
    situations: Sequence[Situation]
    destructive: bool = False


class Running(Protocol):
    """A running app whose records can be written and read past its pages."""

    @property
    def root(self) -> str:
        """``http://127.0.0.1:PORT``."""

    def put(self, records: Sequence[Record]) -> None:
        """Let the app hold these records and no others."""

    def read(self) -> Sequence[Record]:
        """Return the records that the app holds now."""

    def enter(self, driver: BrowserDriver) -> None:
        """Sign in, where the app asks for it."""


@dataclass(frozen=True, slots=True)
class App:
    """An app that can be installed and served.

    Parameters
    ----------
    ready
        A selector of what is on its page once that is there for a person to act on.
    """

    name: str
    requirement: str
    served: Callable[[Path], AbstractContextManager[Running]]
    ready: str
    deeds: Sequence[Deed]
