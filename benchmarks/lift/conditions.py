"""How the app is met again: another version, another look, other files beside the right one."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from benchmarks.lift.tasks import Task

__all__ = ["AGAIN", "CONDITIONS", "DRAFTS", "Condition", "put_files"]

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
