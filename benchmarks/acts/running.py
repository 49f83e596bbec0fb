"""Each deed shown once and run again in each situation, judged by the rows and not by what is said."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from playwright.sync_api import Error

import memctl
from benchmarks.acts.serving import App
from benchmarks.acts.situations import base_case
from benchmarks.outcomes import outcome
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.demonstration import Demonstration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.acts.layouts import Layout, Row
    from benchmarks.acts.serving import Site
    from benchmarks.acts.situations import Case

_SKILL = "the-deed"
_LATER_MS = 400  # for requests that are not yet on their way when a run ends
_TRUTH = "() => sessionStorage.getItem('truth')"
Result = dict[str, Any]


def run_all(site: Site, layout: Layout, cases: Sequence[Case]) -> Iterator[tuple[Case, Result]]:
    """Show a layout's deed once, and run each case on a copy of the store as it was then."""
    with TemporaryDirectory(prefix="memctl-acts-") as folder, _Browsers() as browsers:
        home = Path(folder, "home")
        refused = _show(site, layout, browsers, home)
        looks = [(case.viewport, case.dark) for case in cases]
        # Browsers are opened once for each look, that of the demonstration first.
        for case in sorted(cases, key=lambda one: looks.index((one.viewport, one.dark))):
            if refused:
                result: Result = {"status": "halted", "why": f"not recorded: {refused}"}
                was = "nothing"
            else:
                with TemporaryDirectory(prefix="memctl-acts-") as copied:
                    own = shutil.copytree(home, Path(copied, "home"))
                    result, was = _run(site, case, browsers, own)
            told: Result = {"layout": layout.name, "situation": case.situation, "can": case.can}
            told["outcome"] = outcome(case.can, result["status"], was)
            told["values"] = {name: text[:99] for name, text in case.values.items()}
            yield case, {**told, "was": was, "waits": bool(case.fault), "steps": 0, **result}


def put(site: Site, case: Case) -> App:
    """Put the app as a case has it."""
    layout = case.layout
    names = {"DEED": layout.control, "WHO": str((case.target or {}).get("name", ""))}
    rows = [dict(row) for row in (*case.rows, *([case.ghost] if case.ghost else []))]
    site.app = App(layout.name, rows, case.fault, layout.refusal, case.scripts, names)
    return site.app


def judged(case: Case, rows: Sequence[Row]) -> str:
    """Return ``deed``, ``nothing`` or ``other`` by what became of the rows."""
    after = _plain(case, rows)
    if after == _plain(case, case.rows):
        return "nothing"
    return "deed" if after == _plain(case, case.expected) else "other"


def _plain(case: Case, rows: Sequence[Row]) -> list[str]:
    """Return rows to be compared, without what is empty, and without keys that the server gave."""
    known = {row["key"] for row in case.rows}
    return sorted(
        repr(sorted((k, v) for k, v in row.items() if v and (k != "key" or v in known)))
        for row in rows
    )


class _Browsers:
    """Opens a browser for a look, and keeps it until another look is asked for."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._look: object = None
        self._driver: BrowserDriver | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def opened(self, viewport: tuple[int, int], *, dark: bool) -> BrowserDriver:
        """Return an open driver whose page is new."""
        if self._driver is None or self._look != (viewport, dark):
            self._stack.close()
            self._driver = self._stack.enter_context(BrowserDriver(viewport=viewport, dark=dark))
            self._look = (viewport, dark)
        else:
            pages = self._driver.page.context.pages
            self._driver.page = self._driver.page.context.new_page()
            for page in pages:
                page.close()
        return self._driver


def _show(site: Site, layout: Layout, browsers: _Browsers, home: Path) -> str:
    """Show the deed and record it; return why it cannot be recorded, else nothing."""
    case = base_case(layout)
    with _opened(site, case, browsers, home) as (memory, driver):
        assert case.target is not None  # noqa: S101  (it is shown on a row)
        with Demonstration(driver) as shown:
            shown.wait(0.5)
            layout.show(driver.page, shown, case.target, case.values)
            shown.wait(1.0)
        if judged(case, _rows(site, layout, driver)) != "deed":
            raise RuntimeError(f"{layout.name}: the deed was not done when it was shown")
        try:
            memory.skills.record(
                _SKILL, shown.acts, url=site.url(layout.name), parameters=case.values
            )
            memory.skills.approve(_SKILL)
        except memctl.MemctlError as error:
            return str(error)
    return ""


def _run(site: Site, case: Case, browsers: _Browsers, home: Path) -> tuple[Result, str]:
    """Run a case; return what the run says, and what the rows say."""
    steps = 0
    with _opened(site, case, browsers, home) as (memory, driver):
        began = time.perf_counter()
        try:
            run = memory.skills.run(_SKILL, driver, case.values)
            status, why = run.status, run.why
            steps = len(memory.skills.trace(run.id))
        except Exception as error:  # noqa: BLE001  (a run that breaks off is a result as well)
            status, why = "halted", f"{type(error).__name__}: {error}"
        seconds = round(time.perf_counter() - began, 3)
        with suppress(Error):  # a page that is gone sends nothing more
            driver.page.wait_for_timeout(_LATER_MS)
        was = judged(case, _rows(site, case.layout, driver))
    return {"status": status, "why": why, "seconds": seconds, "steps": steps}, was


def _rows(site: Site, layout: Layout, driver: BrowserDriver) -> list[Row]:
    """Return the rows as they are, of the server or of a page that has them alone."""
    if not layout.client:
        return site.app.settled()
    kept = driver.page.evaluate(_TRUTH)
    rows: list[Row] = site.app.rows if kept is None else json.loads(kept)
    return rows


@contextmanager
def _opened(
    site: Site, case: Case, browsers: _Browsers, home: Path
) -> Iterator[tuple[memctl.Memory, BrowserDriver]]:
    """Put the app as a case has it, and open its page and the store."""
    layout, app = case.layout, put(site, case)
    with memctl.open(f"chromium/{site.address}", home=home) as memory:
        driver = browsers.opened(case.viewport, dark=case.dark)
        driver.goto(site.url(layout.name))
        for _ in range(case.tabs - 1):
            driver.page.context.new_page().goto(site.url(layout.name))
        if case.ghost:
            app.act("remove", str(case.ghost["key"]), {})
        yield memory, driver
