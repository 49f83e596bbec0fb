"""The same demonstration and the same runs by memctl, through its shipped API."""

from __future__ import annotations

import shutil
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import memctl
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.demonstration import Demonstration

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SAVED", "run_again", "show_once"]

_APP, _SKILL = "mockmed", "save-a-triage"
_USER, _PASSWORD = "nurse.demo", "mockmed-demo-pass"
_PAUSE = 0.5  # seconds for which a person looks at what came
_WAIT = 1_000  # ms that the app may take to save what was pressed last
SAVED = "() => state.encounters"


def show_once(home: Path, url: str, note: str) -> dict[str, Any]:
    """Show the task that Flow's own demonstration shows, and record it as a skill."""
    began = time.perf_counter()
    with _opened(home, url) as (memory, driver):
        page = driver.page
        with Demonstration(driver) as shown:
            for selector, text in (
                ("#username", _USER),
                ("#password", _PASSWORD),
                ("#signin", ""),
                (".open-btn", ""),
                ("#new-encounter", ""),
                ("#type-triage", ""),
                ("#note", note),
                ("#save-encounter", ""),
            ):
                page.locator(selector).first.click()
                shown.wait(_PAUSE)
                if text:
                    page.keyboard.type(text)
                    shown.wait(_PAUSE)
        skill = memory.skills.record(_SKILL, shown.acts, url=url, parameters={"note": note})
        memory.skills.approve(skill.id)
    seconds = round(time.perf_counter() - began, 3)
    return {"steps": [step.words for step in skill.steps], "seconds": seconds}


def run_again(home: Path, url: str, note: str) -> dict[str, Any]:
    """Run the skill on a copy of the store, as it was after the demonstration."""
    with TemporaryDirectory(prefix="memctl-flow-") as folder:
        copied = shutil.copytree(home, Path(folder, "home"))
        with _opened(copied, url) as (memory, driver):
            values = {"note": note, "password": _PASSWORD}
            run = memory.skills.run(_SKILL, driver, values, url=url)
            driver.page.wait_for_timeout(_WAIT)
            saved = driver.page.evaluate(SAVED)
            steps = memory.skills.trace(run.id)
    return {
        "status": run.status,
        "why": run.why,
        "seconds": run.seconds,
        "saved": saved,
        "steps": len(steps),
        "looks": run.looks,
        "resolves": [
            {
                "by": one.look,
                "found": one.outcome in {"done", "recovered"},
                "plain": one.outcome == "done",
                "seconds": one.seconds,
            }
            for one in steps
        ],
        "mended": [f"{one.number}: {one.why}" for one in steps if one.outcome == "recovered"],
    }


@contextmanager
def _opened(home: Path, url: str) -> Iterator[tuple[memctl.Memory, BrowserDriver]]:
    with memctl.open(_APP, home=home) as memory, BrowserDriver() as driver:
        driver.goto(url)
        yield memory, driver
