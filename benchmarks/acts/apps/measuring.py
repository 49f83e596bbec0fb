"""Shows each deed of an app once, runs its skill in every situation, and judges by the app's records."""

from __future__ import annotations

import tempfile
import time
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.acts.apps.deeds import PAUSE
from memctl.drivers.demonstration import Demonstration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.acts.apps.deeds import App, Deed, Record, Running, Situation
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory

__all__ = ["RIGHT", "measured"]

RIGHT = frozenset({"done", "rightly not done"})
_SECONDS = 20.0  # for a page of an app that starts slowly
_LATE = (0.7, 1.5, 2.0)  # seconds after which the records are read, while they are not as wanted
Row = dict[str, Any]


def measured(app: App, cache: Path, runs: int, deeds: Sequence[str] = ()) -> Iterator[Row]:
    """Serve an app, and yield a row for each deed that was recorded and for each run of it.

    Parameters
    ----------
    runs
        Most situations of each deed.
    deeds
        Names of the deeds that are done; all where none is given.

    Raises
    ------
    NotInstalledError
        The app cannot be installed.
    """
    with (
        app.served(cache) as running,
        tempfile.TemporaryDirectory(prefix="memctl-acts-home-") as home,
        memctl.open(f"chromium/{running.root}", home=home) as memory,
    ):
        for deed in app.deeds:
            if deeds and deed.name not in deeds:
                continue
            recorded = _recorded(memory, app, running, deed)
            yield recorded
            if "refused" in recorded:
                continue
            for situation in deed.situations[:runs]:
                yield _run(memory, app, running, deed, situation)


def _recorded(memory: Memory, app: App, running: Running, deed: Deed) -> Row:
    """Show a deed once and record it as a skill; tell its steps, or why it was refused."""
    shown = deed.shown
    row: Row = {"app": app.name, "deed": deed.name, "kind": "recording"}
    with memory.browser(timeout=_SECONDS) as driver:
        _open(driver, running, deed, shown)
        driver.page.locator(app.ready).first.wait_for()
        with Demonstration(driver) as seen:
            seen.wait(PAUSE)
            deed.show(driver.page, seen, shown.values)
        deed_done, holds = _judged(driver, running, shown)
        if deed_done != "done":
            raise RuntimeError(f"{app.name}: {deed.name} was not done when it was shown: {holds}")
    row["acts"] = [f"{act.kind} {act.label or act.field} {act.text}".strip() for act in seen.acts]
    try:
        skill = memory.skills.record(
            deed.name, seen.acts, url=running.root + deed.path, parameters=dict(shown.values)
        )
        memory.skills.approve(deed.name)
    except memctl.MemctlError as error:
        return {**row, "refused": str(error)}
    return {**row, "steps": [step.words for step in skill.steps]}


def _run(memory: Memory, app: App, running: Running, deed: Deed, situation: Situation) -> Row:
    """Run the skill of a deed in a situation, in a browser of its own."""
    outcome, why = "halted", ""
    with memory.browser(timeout=_SECONDS) as driver:
        _open(driver, running, deed, situation)
        began = time.perf_counter()
        try:
            run = memory.skills.run(deed.name, driver, dict(situation.values))
            outcome, why = run.status, run.why
        except memctl.MemctlError as error:
            outcome, why = "refused", str(error)
        seconds = time.perf_counter() - began
        happened, holds = _judged(driver, running, situation)
    return {
        "app": app.name,
        "deed": deed.name,
        "kind": "run",
        "situation": situation.name,
        "values": dict(situation.values),
        "doable": situation.after is not None,
        "status": outcome,
        "why": why,
        "happened": happened,
        "changed": holds,
        "verdict": _verdict(outcome, happened, doable=situation.after is not None),
        "seconds": round(seconds, 2),
    }


def _open(driver: BrowserDriver, running: Running, deed: Deed, situation: Situation) -> None:
    running.put(situation.before)
    running.enter(driver)
    driver.goto(running.root + deed.path)


def _judged(
    driver: BrowserDriver, running: Running, situation: Situation
) -> tuple[str, list[str]]:
    """Return ``done``, ``nothing`` or ``wrong`` by the app's own records, and what changed in them."""
    before, now = sorted(map(str, situation.before)), before_now(running)
    wanted = None if situation.after is None else sorted(map(str, situation.after))
    for seconds in _LATE:
        driver.page.wait_for_timeout(seconds * 1000)
        now = before_now(running)
        if now == wanted:
            break
    changed = [f"- {one}" for one in before if one not in now]
    changed += [f"+ {one}" for one in now if one not in before]
    if now == wanted:
        return "done", changed
    return ("nothing" if now == before else "wrong"), changed


def before_now(running: Running) -> list[str]:
    records: Sequence[Record] = running.read()
    return sorted(map(str, records))


def _verdict(status: str, happened: str, *, doable: bool) -> str:
    """Return what a run is worth; a deed that is done but not called so is a needless doubt."""
    if happened == "wrong":
        return "wrong deed"
    if happened == "done":
        return "done" if status == "done" else "needless doubt"
    if status == "done":
        return "falsely done"
    return "needless halt" if doable else "rightly not done"
