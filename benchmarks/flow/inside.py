"""Records and replays by OpenAdapt Flow: run by an interpreter that has openadapt-flow[browser].

Each line of the input is an order, each line of the output what came of it. Each order has the
``name`` of a demonstration and the ``url`` of a page:

``{"do": "record", "note"}``: its own demonstration (`demo_driver.record_triage_demo`), compiled by
`compiler.compile.compile_recording`.

``{"do": "replay", "values", "dom", "after"}``: `runtime.Replayer.run` of that bundle, with its rung
that asks the DOM or without, as its own ``replay --drift`` does. ``after`` is JavaScript: what it
returns after the run is ``saved``.

The browser is the one that the first argument names; the others are its flags. This file imports
nothing of the project.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_FLOW = "openadapt_flow"


def main() -> None:
    """Follow the orders of the input, one after the other."""
    path, *flags = sys.argv[1:]
    playwright = importlib.import_module("playwright.sync_api").sync_playwright().start()
    browser = playwright.chromium.launch(
        executable_path=path, args=flags, headless=True, chromium_sandbox=False
    )
    backends = importlib.import_module(f"{_FLOW}.backends.playwright_backend")
    # Its own place for a browser that is shared: else it would look for another, and load one.
    backends._SHARED_BROWSER[True] = (playwright, browser)  # noqa: SLF001 - it has no other door
    with tempfile.TemporaryDirectory(prefix="flow-") as folder:
        for number, line in enumerate(sys.stdin):
            order = json.loads(line)
            home = Path(folder, order["name"])
            with contextlib.redirect_stdout(sys.stderr):
                if order["do"] == "record":
                    told = _record(order, home)
                else:
                    told = _replay(order, home, number, backends.PlaywrightBackend)
            print(json.dumps(told), flush=True)
    browser.close()
    playwright.stop()


def _record(order: dict[str, Any], home: Path) -> dict[str, Any]:
    began = time.perf_counter()
    recorded = importlib.import_module(f"{_FLOW}.demo_driver").record_triage_demo(
        order["url"], home / "recording", note_text=order["note"]
    )
    compiler = importlib.import_module(f"{_FLOW}.compiler.compile")
    workflow = compiler.compile_recording(recorded, home / "bundle", name=order["name"])
    return {"steps": len(workflow.steps), "seconds": _since(began)}


def _replay(order: dict[str, Any], home: Path, number: int, backend_kind: Any) -> dict[str, Any]:
    workflow = importlib.import_module(f"{_FLOW}.ir").Workflow.load(home / "bundle")
    replayer_kind = importlib.import_module(f"{_FLOW}.runtime").Replayer
    backend, close = backend_kind.launch(order["url"], headless=True)
    began = time.perf_counter()
    try:
        report = replayer_kind(backend, use_structural=order["dom"]).run(
            workflow,
            params=order["values"],
            bundle_dir=home / "bundle",
            run_dir=home / f"run-{number}",
        )
        seconds = _since(began)
        saved = backend.page.evaluate(order["after"])
    finally:
        close()
    stopped = next((one for one in report.results if not one.ok), None)
    return {
        "status": "done" if report.success else "halted",
        "why": f"{stopped.step_id}: {stopped.error}"[:300] if stopped else "",
        "seconds": seconds,
        "saved": saved,
        "steps": len(report.results),
        "resolves": [_resolved(one) for one in report.results if "resolve" in (one.timings or {})],
        "spans": _spans(report),
    }


def _resolved(result: Any) -> dict[str, Any]:
    rung = result.resolution.rung if result.resolution else ""
    return {
        "by": rung,
        "plain": rung in {"template", "structural"},
        "found": result.resolution is not None and result.ok,
        "seconds": round(_resolving(result.timings or {}) / 1000, 3),
    }


def _resolving(timings: dict[str, float]) -> float:
    """Return what a step took to find its target and to be sure of it, in ms."""
    return sum(timings.get(span, 0.0) for span in ("resolve", "identity", "ocr"))


def _spans(report: Any) -> dict[str, float]:
    whole: dict[str, float] = {}
    for result in report.results:
        for span, ms in (result.timings or {}).items():
            whole[span] = round(whole.get(span, 0.0) + ms / 1000, 3)
    return whole


def _since(began: float) -> float:
    return round(time.perf_counter() - began, 3)


if __name__ == "__main__":
    main()
