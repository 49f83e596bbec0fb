"""Both sides: OpenAdapt Flow in an environment of its own, and memctl through its shipped API."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.realapp.environment import NotInstalledError, installed
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.browsers import find_browser
from memctl.drivers.demonstration import Demonstration

if TYPE_CHECKING:
    from collections.abc import Iterator

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


_REQUIREMENT = "openadapt-flow[browser]==2.4.0"
# Those of memctl's own driver: both see the same pixels.
_FLAGS = ("--disable-lcd-text", "--force-color-profile=srgb", "--hide-scrollbars")
_INSIDE = Path(__file__).with_name("inside.py")
_ASK = """
import json, pathlib, importlib.metadata, openadapt_flow, playwright
static = pathlib.Path(openadapt_flow.__file__).parent / "mockmed" / "static"
print(json.dumps([importlib.metadata.version("openadapt-flow"), str(static), static.is_dir()]))
"""


def interpreter_of_flow(given: Path | None, cache: Path) -> tuple[Path, str, Path]:
    """Return a Python that has it, its version, and the folder of its demo app.

    Raises
    ------
    NotInstalledError
        PyPI did not give it, or the given one has none.
    """
    python = installed(_REQUIREMENT, cache=cache) if given is None else given
    # The interpreter is the caller's own choice or was just made, and the script is ours.
    done = subprocess.run(  # noqa: S603
        [python, "-c", _ASK], capture_output=True, text=True, check=False
    )
    version, static, there = json.loads(done.stdout) if done.stdout else ("", "", False)
    if not there:
        why = done.stderr.strip().splitlines()[-1:] or ["its demo app is not where it was"]
        raise NotInstalledError(f"{python} has no openadapt-flow[browser]: {why[0]}")
    return python, version, Path(static)


@contextmanager
def app_served(static: Path) -> Iterator[str]:
    """Serve the demo app on loopback; yield its address."""
    handler = functools.partial(_Quiet, directory=str(static))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Rival:
    """A running interpreter of Flow that follows orders, as `inside` describes them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, **order: Any) -> dict[str, Any]:
        """Have an order followed; return what came of it.

        Raises
        ------
        RuntimeError
            When it broke off.
        """
        into, out = self._process.stdin, self._process.stdout
        assert into is not None  # noqa: S101  (piped below)
        assert out is not None  # noqa: S101  (the same)
        into.write(json.dumps(order) + "\n")
        into.flush()
        line = out.readline()
        if not line:
            raise RuntimeError(f"openadapt-flow broke off at {order}")
        told: dict[str, Any] = json.loads(line)
        return told


@contextmanager
def opened(python: Path, log: Path) -> Iterator[Rival]:
    """Start Flow with a browser; what it says goes to a file."""
    with (
        log.open("w", encoding="utf-8") as said,
        # The interpreter is the caller's own choice or was made for this, and the script is ours.
        subprocess.Popen(  # noqa: S603
            [str(python), str(_INSIDE), find_browser(), *_FLAGS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as process,
    ):
        yield Rival(process)
