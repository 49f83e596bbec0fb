"""Shows the tasks once, and has them done again under each condition, judged by the app itself."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from benchmarks.lift.tasks import AGAIN, put_files
from benchmarks.outcomes import outcome
from benchmarks.realapp.environment import served
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.demonstration import Demonstration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from benchmarks.lift.tasks import Condition, Task
    from benchmarks.realapp.environment import App
    from memctl.memory import Memory

_BECAME = {"done": "deed", "not done": "nothing", "wrong": "other"}
_SECONDS = 20.0
_THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
Row = dict[str, Any]


def show_once(memory: Memory, tasks: Sequence[Task], cache: Path) -> list[Row]:
    """Show each task once, with a full look before and after each act; return what that took."""
    rows = []
    with _opened(AGAIN, cache) as (app, driver):
        for task in tasks:
            values = _prepared(app, driver, task, AGAIN, task.parameters)
            began = time.perf_counter()
            with Demonstration(driver) as shown:
                shown.wait(0.5)
                task.show(driver.page, shown, values)
            skill = memory.skills.record(
                task.name, shown.acts, url=app.url, parameters=task.parameters, outputs=task.outputs
            )
            seconds = time.perf_counter() - began
            memory.skills.approve(skill.id)
            rows.append(
                {
                    "task": task.name,
                    "outcome": task.judged(driver.page, app.workspace, {**values, **task.outputs}),
                    "acts": len(shown.acts),
                    "steps": [step.words for step in skill.steps],
                    "looks": len(shown.acts) + 1,
                    "seconds": round(seconds, 2),
                    "own_seconds": skill.shown_seconds,  # without the pauses of the script
                    "waited": round(sum(act.seconds for act in shown.acts), 2),
                }
            )
    return rows


def run_again(
    memory: Memory, tasks: Sequence[Task], condition: Condition, times: int, cache: Path
) -> Iterator[Row]:
    """Run the skills under a condition, each so many times."""
    with _opened(condition, cache) as (app, driver):
        for task in tasks:
            if condition.named and not task.target:
                continue
            memory.skills.approve(task.name, url=app.url)  # each server has a port of its own
            for number in range(times):
                yield _run(memory, app, driver, task, condition, number)


def _run(
    memory: Memory,
    app: App,
    driver: BrowserDriver,
    task: Task,
    condition: Condition,
    number: int,
) -> Row:
    values = _prepared(app, driver, task, condition, task.again(number))
    given = {name: values[name] for name in task.parameters}
    run = memory.skills.run(task.name, driver, given, url=app.url)
    steps = memory.skills.trace(run.id)
    was = _BECAME[task.judged(driver.page, app.workspace, {**values, **run.outputs})]
    can = "no" if condition.gone else "yes"
    was = "other" if condition.gone and was == "deed" else was
    return {
        "condition": condition.name,
        "task": task.name,
        "run": number,
        "status": run.status,
        "can": can,
        "was": was,
        "outcome": outcome(can, run.status, was),
        "why": run.why,
        "predicted": run.predicted,
        "looks": run.looks,
        "recovered": [one.why for one in steps if one.outcome == "recovered"],
        "steps": len(steps),
        "seconds": run.seconds,
    }


def _prepared(
    app: App, driver: BrowserDriver, task: Task, condition: Condition, values: Mapping[str, str]
) -> dict[str, str]:
    """Put the app as it was at first, with the files of the run, and wait until it is there."""
    app.reset()
    _set_theme(app, condition.theme)
    given = put_files(app.workspace, task, condition, values)
    driver.goto(app.url)
    page = driver.page
    page.get_by_role("listitem", name="Name: total.py").first.wait_for()
    page.get_by_role("tabpanel", name="Launcher").get_by_title("Python 3").first.wait_for()
    return given


def _set_theme(app: App, theme: str) -> None:
    kept = app.workspace.parent / "settings" / "@jupyterlab" / "apputils-extension"
    text = json.dumps({"theme": _THEMES[theme]})
    (kept / "themes.jupyterlab-settings").write_text(text, "utf-8")


@contextmanager
def _opened(condition: Condition, cache: Path) -> Iterator[tuple[App, BrowserDriver]]:
    with (
        served(condition.version, theme=condition.theme, cache=cache) as app,
        BrowserDriver(viewport=condition.viewport, timeout=_SECONDS) as driver,
    ):
        driver.page.set_default_timeout(_SECONDS * 1000)
        yield app, driver
