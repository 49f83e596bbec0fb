"""Shows each deed of an app once, runs its skill in every situation, and judges by the app's records."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.apps.deeds import MLFLOW, Person
from benchmarks.apps.environment import CACHE, NotInstalledError
from benchmarks.apps.hotel import DJANGO, SQLITE_WEB
from benchmarks.running import arguments, keep
from memctl.drivers.demonstration import Demonstration

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from benchmarks.apps.deeds import App, Deed, Running, Situation
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory


# -- measuring ---------------------------------------------------

RIGHT = frozenset({"done", "rightly not done"})
_SECONDS = 20.0  # for a page of an app that starts slowly
_LATE = (0.7, 1.5, 2.0)  # seconds after which the records are read, while they are not as wanted
Row = dict[str, Any]


def measured(app: App, cache: Path, runs: int, deeds: Sequence[str] = ()) -> Iterator[Row]:
    """Serve an app; yield a row for each of its deeds, or those named, and for each of its runs."""
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
            for situation in deed.situations[:runs]:
                about = {"app": app.name, "deed": deed.name, "kind": "run"}
                if "refused" in recorded:  # what was not recorded cannot be run
                    yield about | _row(situation, "not recorded", recorded["refused"], "nothing")
                else:
                    yield about | _run(memory, app, running, deed, situation)


def _recorded(memory: Memory, app: App, running: Running, deed: Deed) -> Row:
    """Show a deed once and record it as a skill; tell its steps, or why it was refused.

    Raises
    ------
    RuntimeError
        The deed was not done by the demonstration itself: the app is not as this part expects it.
    """
    shown = deed.situations[-1]
    row: Row = {"app": app.name, "deed": deed.name, "kind": "recording"}
    with memory.browser(timeout=_SECONDS) as driver:
        _open(driver, app, running, shown)
        driver.page.locator(app.ready).first.wait_for()
        with Demonstration(driver) as seen:
            person = Person(driver.page, seen, shown.values)
            person.pause()
            deed.show(person)
        happened, changed = _judged(running, shown)
        if happened != "done":
            raise RuntimeError(f"{app.name}: {deed.name} was not done when it was shown: {changed}")
    row["acts"] = [f"{act.kind} {act.label or act.field} {act.text}".strip() for act in seen.acts]
    try:
        skill = memory.skills.record(
            deed.name, seen.acts, url=running.root + app.path, parameters=dict(shown.values)
        )
        memory.skills.approve(deed.name)
    except memctl.MemctlError as error:
        return {**row, "refused": str(error)}
    return {**row, "steps": [step.words for step in skill.steps]}


def _run(memory: Memory, app: App, running: Running, deed: Deed, situation: Situation) -> Row:
    """Run the skill of a deed in a situation, in a browser of its own."""
    from playwright.sync_api import Error

    with memory.browser(timeout=_SECONDS) as driver:
        _open(driver, app, running, situation)
        began = time.perf_counter()
        try:
            run = memory.skills.run(deed.name, driver, dict(situation.values))
            status, why = run.status, run.why
        except memctl.MemctlError as error:
            status, why = "refused", str(error)
        except Error as error:  # the engine is to turn these into its own
            status, why = "crashed", error.message.splitlines()[0]
        seconds = time.perf_counter() - began
    happened, changed = _judged(running, situation)
    return _row(situation, status, why, happened) | {
        "changed": changed,
        "seconds": round(seconds, 2),
    }


def _row(situation: Situation, status: str, why: str, happened: str) -> Row:
    """Return what a run said, what happened, and what that is worth."""
    doable = situation.after is not None
    return {
        "situation": situation.name,
        "values": dict(situation.values),
        "doable": doable,
        "status": status,
        "why": why,
        "happened": happened,
        "changed": [],
        "verdict": verdict(status, happened, doable=doable),
    }


def _open(driver: BrowserDriver, app: App, running: Running, situation: Situation) -> None:
    running.put(situation.before)
    running.enter(driver)
    driver.goto(running.root + app.path)


def _judged(running: Running, situation: Situation) -> tuple[str, list[str]]:
    """Return ``done``, ``nothing`` or ``wrong`` by the app's own records, and what changed in them."""
    before, now = sorted(map(str, situation.before)), []
    wanted = None if situation.after is None else sorted(map(str, situation.after))
    for seconds in _LATE:
        time.sleep(seconds)
        now = sorted(map(str, running.read()))
        if now == wanted:
            break
    changed = [f"- {one}" for one in before if one not in now]
    changed += [f"+ {one}" for one in now if one not in before]
    if now == wanted:
        return "done", changed
    return ("nothing" if now == before else "wrong"), changed


def verdict(status: str, happened: str, *, doable: bool) -> str:
    """Return what a run is worth that said one thing, while the app's records say another.

    A deed that is done but not called so is a needless doubt.
    """
    if happened == "wrong":
        return "wrong deed"
    if happened == "done":
        return "done" if status == "done" else "needless doubt"
    if status == "done":
        return "falsely done"
    return "needless halt" if doable else "rightly not done"


# -- main ----------------------------------------------------


APPS = (DJANGO, SQLITE_WEB, MLFLOW)
_COUNTS = ("runs", "doable", "done", "wrong deeds", "falsely done", "needless halts")
_LINE = "{:<11} {:<18} {:>5} {:>7} {:>5} {:>12} {:>13} {:>15}"


def main() -> None:
    """Measure the apps that are asked for, print what came of it, write the raw figures."""
    options = _options()
    rows: list[dict[str, Any]] = []
    for app in APPS:
        if options.app and app.name not in options.app.split(","):
            continue
        try:
            for row in measured(app, options.cache, options.runs, options.deed):
                rows.append(row)
                _print_row(row)
        except NotInstalledError as error:
            print(f"skipped: {app.requirement} cannot be installed from PyPI: {error}")
    _print_table(rows)
    figures = {"apps": {app.name: app.requirement for app in APPS}, "rows": rows}
    keep("apps", figures, options.out)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__, "apps")
    parser.add_argument("--app", help="only these: " + ",".join(app.name for app in APPS))
    parser.add_argument(
        "--deed", action="append", default=[], help="only this one; may be repeated"
    )
    parser.add_argument("--runs", type=int, default=10, help="most runs of each deed")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    return parser.parse_args()


def _print_row(row: dict[str, Any]) -> None:
    """Print what was recorded, or a run that is not right, with the why of it."""
    about = f"{row['app']} {row['deed']}"
    if row["kind"] == "recording":
        print(f"{about}: recorded", row.get("steps", row.get("refused")), flush=True)
    elif row["verdict"] in RIGHT:
        print(f"{about} | {row['situation']} | {row['verdict']}", flush=True)
    else:
        said = (row["verdict"], f"said {row['status']}", row["why"], " ".join(row["changed"]))
        print(about, row["situation"], *said, sep=" | ", flush=True)


def _print_table(rows: Sequence[dict[str, Any]]) -> None:
    """Print the counts of each deed, of each app and of all."""
    runs = [row for row in rows if row["kind"] == "run"]
    print(_LINE.format("app", "deed", *_COUNTS))
    for app in dict.fromkeys(row["app"] for row in rows):
        own = [row for row in runs if row["app"] == app]
        for deed in dict.fromkeys(row["deed"] for row in rows if row["app"] == app):
            _print_counts(app, deed, [row for row in own if row["deed"] == deed])
        _print_counts(app, "both", own)
    _print_counts("all", "", runs)


def _print_counts(app: str, deed: str, runs: Sequence[dict[str, Any]]) -> None:
    """Print one line; a deed that was done but not called so is needless as well."""
    counts = Counter(row["verdict"] for row in runs)
    needless = counts["needless halt"] + counts["needless doubt"]
    wrong, false = counts["wrong deed"], counts["falsely done"]
    doable = sum(row["doable"] for row in runs)
    print(_LINE.format(app, deed, len(runs), doable, counts["done"], wrong, false, needless))


if __name__ == "__main__":
    main()
