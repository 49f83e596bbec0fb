"""Flow's demo app as it drifts, what the right end of each drift is, and what was done there."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from rich.console import Console
from rich.table import Table

import memctl
from benchmarks.apps.environment import CACHE, NotInstalledError, installed
from benchmarks.running import arguments, keep
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.browsers import find_browser
from memctl.drivers.demonstration import Demonstration

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence


# -- drifts ------------------------------------------------------

_PATIENT, _TYPE = "p1", "Triage"  # what the demonstration saves for whom


class Drift(NamedTuple):
    """A way in which the app is met again, by the name that its own query ``?drift=`` has for it.

    Parameters
    ----------
    shows
        ``all``: everything that was pressed is there under its name, so a halt is wrong;
        ``renamed``: all is there, one thing under another name or twice: a halt is as right as
        the deed; ``less``: what was pressed is not there, or the app asks for what nobody
        showed: a halt is right.
    """

    name: str
    shows: Literal["all", "renamed", "less"]
    what: str

    @property
    def query(self) -> str:
        """What stands behind the app's address."""
        return "" if self.name == "none" else f"?drift={self.name}"


DRIFTS = (
    Drift("none", "all", "as it was shown"),
    Drift("theme", "all", "dark"),
    Drift("move", "all", "buttons on the other side"),
    Drift("font", "all", "larger letters"),
    Drift("zoom", "all", "all at 125 %"),
    Drift("slow", "all", "each screen 4 s later"),
    Drift("grow", "all", "four rows above the right one"),
    Drift("lookalike", "all", "a row alike above the right one"),
    Drift("sort", "all", "rows in another order"),
    Drift("theme,grow", "all", "dark, and more rows"),
    Drift("theme,sort", "all", "dark, in another order"),
    Drift("theme,lookalike", "all", "dark, and a row alike"),
    Drift("font,lookalike", "all", "larger letters, and a row alike"),
    Drift("zoom,sort", "all", "125 %, in another order"),
    Drift("move,grow", "all", "buttons moved, more rows"),
    Drift("rename", "renamed", "Open is View, Save is Submit"),
    Drift("redesign", "renamed", "Save is renamed and moved"),
    Drift("relink", "renamed", "New Encounter is renamed, moved"),
    Drift("typelabel", "renamed", "Triage renamed, Consult there"),
    Drift("ambiguous", "renamed", "the right row twice"),
    Drift("missing", "less", "the right row is gone"),
    Drift("empty", "less", "no rows"),
    Drift("notice", "less", "a page of news before the rows"),
    Drift("provider", "less", "a question before the form"),
    Drift("reqfield", "less", "a new field that must be filled"),
    Drift("menu", "less", "Save is in a menu of a menu"),
    Drift("modal", "less", "a survey instead of saving"),
    Drift("modal-once", "less", "a survey before saving"),
)


def judged(saved: Mapping[str, list[Mapping[str, Any]]], note: str) -> str:
    """Return ``done``, ``not done`` or ``wrong`` by what the app holds after a run.

    Parameters
    ----------
    saved
        The app's records by patient, each with ``type`` and ``note``.
    note
        What was to be saved, for the patient and as the type of the demonstration.
    """
    if not any(saved.values()):
        return "not done"
    wanted = {"type": _TYPE, "note": note}
    others = [records for patient, records in saved.items() if patient != _PATIENT and records]
    return "done" if not others and saved.get(_PATIENT) == [wanted] else "wrong"


def verdict(drift: Drift, status: str, was: str) -> str:
    """Return ``done``, ``rightly halted``, ``wrongly halted``, ``wrong``, or ``claimed``.

    Parameters
    ----------
    status
        What the runner says: ``done`` or another word.
    was
        What `judged` says.
    """
    if was in {"done", "wrong"}:
        return was
    if status == "done":
        return "claimed"
    return "wrongly halted" if drift.shows == "all" else "rightly halted"


# -- own ---------------------------------------------------------

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


# -- rival -------------------------------------------------------

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


# -- report ------------------------------------------------------

CONSOLE = Console(width=80)
SIDES = {"flow": "Flow", "flow_dom": "with DOM", "memctl": "memctl"}
_VERDICTS = ("done", "rightly halted", "wrongly halted", "claimed", "wrong")
_SHORT = {"rightly halted": "halt +", "wrongly halted": "halt -"}
_CAPTION = (
    "done: the app holds what was to be saved, and nothing else; halt -: it halted though all was "
    "there under its name; halt +: it was not; claimed: it says done, the app holds nothing; s: "
    "seconds of the run; looks: full looks. Flow as its own demo replays drifts, by pixels; with "
    "DOM: its rung that asks the DOM on top. memctl: pixels first, then what the page says. Not as "
    "shown: resolves that the pixels, or the DOM, as they were shown did not settle."
)
Row = dict[str, Any]


def print_drifts(rows: Sequence[Row], drifts: Sequence[Drift]) -> None:
    """Print each drift as each side met it."""
    table = Table(title="Flow's demo app under its own drifts", title_justify="left")
    table.caption = _CAPTION
    table.add_column("drift")
    table.add_column("shows")
    for name in SIDES.values():
        table.add_column(name)
        table.add_column("s", justify="right")
    table.add_column("looks", justify="right")
    for drift in drifts:
        by_side = {row["side"]: row for row in rows if row["drift"] == drift.name}
        cells = [drift.name, drift.shows]
        for side in SIDES:
            row = by_side.get(side)
            cells += [_told(row["verdict"]), f"{row['seconds']:.0f}"] if row else ["-", "-"]
        table.add_row(*cells, str(by_side["memctl"]["looks"]))
    CONSOLE.print(table)


def summed(rows: Sequence[Row], drifts: Sequence[Drift]) -> Mapping[str, Any]:
    """Print and return what the sides come to, and how memctl does where Flow halts."""
    figures: dict[str, Any] = {}
    for side, name in SIDES.items():
        own = [row for row in rows if row["side"] == side]
        counts = Counter(row["verdict"] for row in own)
        found = [one for row in own for one in row["resolves"] if one["found"]]
        figures[side] = {
            **{verdict: counts[verdict] for verdict in _VERDICTS},
            "resolves": _seconds(found),
            "resolves_otherwise": _seconds([one for one in found if not one["plain"]]),
        }
        told = ", ".join(f"{_told(verdict)} {counts[verdict]}" for verdict in _VERDICTS)
        CONSOLE.print(f"{name}: {told}", highlight=False)
        for what, key in (("a resolve", "resolves"), ("not as shown", "resolves_otherwise")):
            CONSOLE.print(f"  {what}: {_said(figures[side][key])}", highlight=False)
    for rival in ("flow", "flow_dom"):
        figures[f"where_{rival}_halts"] = _where_halts(rows, drifts, rival)
    return figures


def _seconds(found: Sequence[Row]) -> Mapping[str, float]:
    seconds = sorted(one["seconds"] for one in found)
    if not seconds:
        return {"count": 0}
    return {
        "count": len(seconds),
        "median_s": round(median(seconds), 3),
        "mean_s": round(mean(seconds), 3),
        "longest_s": seconds[-1],
    }


def _said(told: Mapping[str, float]) -> str:
    if not told["count"]:
        return "none"
    median_s, mean_s, longest = (f"{told[key]:.2f}" for key in ("median_s", "mean_s", "longest_s"))
    return f"median {median_s} s, mean {mean_s} s, longest {longest} s ({told['count']})"


def _where_halts(rows: Sequence[Row], drifts: Sequence[Drift], rival: str) -> Mapping[str, int]:
    """Print and return how often memctl completes where all is shown and the rival halts."""
    shown = {drift.name for drift in drifts if drift.shows == "all"}
    halted = {
        row["drift"]
        for row in rows
        if row["side"] == rival and row["drift"] in shown and row["verdict"] == "wrongly halted"
    }
    completed = [
        row["drift"]
        for row in rows
        if row["side"] == "memctl" and row["drift"] in halted and row["verdict"] == "done"
    ]
    CONSOLE.print(
        f"memctl completes {len(completed)} of {len(halted)} where {SIDES[rival]} halts though "
        "all is there",
        highlight=False,
    )
    return {"halted": len(halted), "completed": len(completed)}


def _told(verdict: str) -> str:
    return _SHORT.get(verdict, verdict)


# -- main ----------------------------------------------------

_NAME = "triage"
_SHOWN = "Knee pain for two weeks, worse on stairs."
_NOTE = "Pain is better, review in {weeks} weeks."


def main() -> None:
    """Record, run, print, write the raw figures."""
    options = _options()
    try:
        python, version, static = interpreter_of_flow(options.openadapt, options.cache)
    except NotInstalledError as error:
        sys.exit(f"skipped: openadapt-flow cannot be had: {error}")
    drifts = [one for one in DRIFTS if options.drift in {None, one.name}]
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="memctl-flow-") as folder, app_served(static) as url:
        home, log = Path(folder, "home"), Path(folder, "flow.log")
        with opened(python, log) as flow:
            recorded = {
                "flow": flow.ask(do="record", name=_NAME, url=url, note=_SHOWN),
                "memctl": show_once(home, url, _SHOWN),
            }
            for number, drift in enumerate(drifts, 2):
                address, note = url + drift.query, _NOTE.format(weeks=number)
                for side in ("flow", "flow_dom", "memctl"):
                    if side == "memctl":
                        row = run_again(home, address, note)
                    else:
                        how = {"dom": side == "flow_dom", "rows": {}, "after": SAVED}
                        order = {"do": "replay", "name": _NAME, "url": address, **how}
                        row = flow.ask(**order, values={"note": note})
                    was = judged(row["saved"], note)
                    row |= {"side": side, "drift": drift.name, "judged": was}
                    row["verdict"] = verdict(drift, row["status"], was)
                    rows.append(row)
                    said = (drift.name, side, row["verdict"], row["why"][:100])
                    print(*said, sep=" | ", file=sys.stderr, flush=True)
    print_drifts(rows, drifts)
    figures = {
        "openadapt_flow": version,
        "drifts": [one._asdict() for one in drifts],
        "recorded": recorded,
        "summary": summed(rows, drifts),
        "runs": rows,
    }
    keep("lift.flow", figures, options.out)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__, "lift.flow")
    parser.add_argument("--openadapt", type=Path, help="a Python that has openadapt-flow[browser]")
    parser.add_argument("--drift", choices=[one.name for one in DRIFTS], help="only this one")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    return parser.parse_args()


if __name__ == "__main__":
    main()
