"""mlflow's page of experiments: one is deleted by its box and the tool bar, one is created."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.acts.apps.deeds import PAUSE, App, Deed, Record, Situation
from benchmarks.realapp.environment import installed
from benchmarks.realapp.serving import free_port, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration

__all__ = ["MLFLOW"]

_REQUIREMENT = "mlflow==3.17.2"
_OWN = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
}
_FIRST_MADE = 1_700_000_000_000  # milliseconds; one more minute for each experiment
_INSERT = (
    "insert into experiments (experiment_id, name, artifact_location, lifecycle_stage,"
    " creation_time, last_update_time) values (?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True)
class _Experiments:
    root: str
    file: Path

    def put(self, records: Sequence[Record]) -> None:
        with closing(sqlite3.connect(self.file, timeout=20)) as db, db:
            db.execute("delete from experiment_tags")
            db.execute("delete from experiments where experiment_id > 0")
            for at, (name, stage) in enumerate(records, 1):
                made = _FIRST_MADE + 60_000 * at
                db.execute(_INSERT, (at, name, f"mlflow-artifacts:/{at}", stage, made, made))

    def read(self) -> Sequence[Record]:
        asked = "select name, lifecycle_stage from experiments where experiment_id > 0"
        with closing(sqlite3.connect(self.file, timeout=20)) as db:
            return [tuple(row) for row in db.execute(asked)]

    def enter(self, driver: BrowserDriver) -> None:
        """Nobody signs in here."""


@contextmanager
def _served(cache: Path) -> Iterator[_Experiments]:
    python = installed(_REQUIREMENT, cache=cache)
    with tempfile.TemporaryDirectory(prefix="memctl-acts-", ignore_cleanup_errors=True) as scratch:
        folder, port = Path(scratch), free_port()
        app = _Experiments(f"http://127.0.0.1:{port}", folder / "mlflow.db")
        store = ["--backend-store-uri", f"sqlite:///{app.file}"]
        command = [str(python), "-m", "mlflow", "server", *store, "--workers=1", f"--port={port}"]
        with running(command, f"{app.root}/health", folder, cwd=folder, env=os.environ | _OWN):
            yield app


def _delete(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name=values["experiment"]))
    row.get_by_role("checkbox").click()
    shown.wait(PAUSE)
    page.get_by_role("button", name="Delete", exact=True).click()
    shown.wait(PAUSE)
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    shown.wait(PAUSE)


def _create(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    page.get_by_role("button", name="Create", exact=True).click()
    shown.wait(PAUSE)
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Experiment Name").click()
    page.keyboard.type(values["experiment"])
    shown.wait(PAUSE)
    dialog.get_by_role("button", name="Create").click()
    dialog.wait_for(state="hidden")
    shown.wait(PAUSE)


def _active(*names: str) -> tuple[Record, ...]:
    return tuple((name, "active") for name in names)


def _without(name: str, before: Sequence[Record], experiment: str) -> Situation:
    """Return a situation in which an experiment is deleted: mlflow keeps it, as a deleted one."""
    meant = (experiment, "active")
    after = [(experiment, "deleted") if one == meant else one for one in before]
    doable = meant in before
    return Situation(name, before, {"experiment": experiment}, after if doable else None)


def _with(name: str, before: Sequence[Record], experiment: str) -> Situation:
    """Return a situation in which an experiment is created: a name serves once, deleted or not."""
    taken = not experiment or any(one[0] == experiment for one in before)
    after = None if taken else [*before, (experiment, "active")]
    return Situation(name, before, {"experiment": experiment}, after)


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
MLFLOW = App(
    "mlflow",
    _REQUIREMENT,
    _served,
    "[role=row] a",
    (
        Deed(
            "delete-experiment",
            "/#/experiments",
            _delete,
            _without("shown", _FEW, "churn"),
            _DELETIONS,
            destructive=True,
        ),
        Deed(
            "create-experiment",
            "/#/experiments",
            _create,
            _with("shown", _FEW, "uplift"),
            _CREATIONS,
        ),
    ),
)
