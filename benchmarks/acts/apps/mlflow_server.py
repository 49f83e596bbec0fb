"""mlflow's page of experiments: one is deleted by its box and the tool bar, one is created."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.acts.apps.deeds import (
    App,
    Deed,
    Person,
    Record,
    Running,
    Situation,
    Table,
    scratch,
    situation,
)
from benchmarks.realapp.environment import installed
from benchmarks.realapp.serving import running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

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
