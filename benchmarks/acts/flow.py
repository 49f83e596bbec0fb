"""OpenAdapt Flow beside memctl on a sample of the pages, shown the same deeds and judged alike."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from benchmarks.acts.layouts import LAYOUTS
from benchmarks.acts.report import CONSOLE, OUTCOMES
from benchmarks.acts.running import judged, put, verdict
from benchmarks.acts.serving import served
from benchmarks.acts.situations import base_case, cases_of
from benchmarks.lift.flow.rival import interpreter_of_flow, opened
from benchmarks.realapp.environment import CACHE, NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.acts.layouts import Layout
    from benchmarks.acts.serving import Site
    from benchmarks.acts.situations import Case
    from benchmarks.lift.flow.rival import Rival

__all__ = ["SAMPLE", "SITUATIONS_OF_FLOW", "beside_flow"]

# Buttons with one label in each row, a label that is the row's name, and texts that are typed.
SAMPLE = ("ids", "cards", "boxes", "rename", "form")
SITUATIONS_OF_FLOW = ("same", "another", "order", "gone", "namesake", "dead")
_SIDES = {"flow": "Flow", "flow_rows": "Flow, by row", "memctl": "memctl"}
_LATER = "() => new Promise(done => setTimeout(done, 400))"  # as long as memctl's runs are given
_CAPTION = (
    "Flow: as it compiles its recording, the values declared as its parameters, with its rung that "
    "asks the DOM; by row: with its target_param on the clicks in the row as well. The words are "
    "those of the tables above."
)
Result = dict[str, Any]


def beside_flow(python: Path | None, results: Sequence[Result]) -> Result:
    """Print and return what came of the sample by OpenAdapt Flow, and by memctl in this run.

    Parameters
    ----------
    python
        An interpreter that has openadapt-flow; without one, an environment is made.
    results
        The runs of memctl: Flow gets those situations of the sample that are among them.
    """
    try:
        python, version, _ = interpreter_of_flow(python, CACHE)
    except NotInstalledError as error:
        print(f"skipped: openadapt-flow cannot be had: {error}")
        return {"skipped": str(error)}
    own = {(one["layout"], one["situation"]): one for one in results}
    runs: list[Result] = []
    with TemporaryDirectory(prefix="memctl-flow-") as folder, served() as site:
        for layout in map(LAYOUTS.__getitem__, SAMPLE):
            cases = [one for one in cases_of(layout) if (layout.name, one.situation) in own]
            cases = [one for one in cases if one.situation in SITUATIONS_OF_FLOW]
            with opened(python, Path(folder, "flow.log")) as flow:
                runs += _runs(site, flow, layout, cases)
    runs += [
        {"side": "memctl", **own[one["layout"], one["situation"]]}
        for one in runs
        if one["side"] == "flow"
    ]
    _print(runs)
    summary = {side: Counter(r["outcome"] for r in runs if r["side"] == side) for side in _SIDES}
    return {"openadapt_flow": version, "summary": summary, "runs": runs}


def _runs(site: Site, flow: Rival, layout: Layout, cases: Sequence[Case]) -> Iterator[Result]:
    """Have Flow record a layout's deed once, and replay it in each case in both ways."""
    if not cases:
        return
    shown = base_case(layout)
    put(site, shown)
    url, steps = site.url(layout.name), list(_steps(shown))
    flow.ask(do="record", name=layout.name, url=url, steps=steps, values=shown.values)
    if judged(shown, site.app.settled()) != "deed":
        raise RuntimeError(f"{layout.name}: Flow did not do the deed when it was recorded")
    for case in cases:
        for side in ("flow", "flow_rows"):
            app, rows = put(site, case), side == "flow_rows"
            run = flow.replay(layout.name, url, case.values, rows=rows, after=_LATER)
            was = judged(case, app.settled())
            outcome = verdict(case.can, run["status"], was)
            print(f"{side} {case.name}: {outcome}, {run['why']}"[:250], file=sys.stderr, flush=True)
            names: Result = {"layout": layout.name, "situation": case.situation, "can": case.can}
            yield {"side": side, **names, "was": was, "outcome": outcome, **run}


def _steps(case: Case) -> Iterator[list[str]]:
    """Return a layout's steps as orders for Flow, what is typed with its parameter."""
    for step in case.layout.steps:
        act, _, what = step.partition(" ")
        filled = what.format(**{**(case.target or {}), **case.values})
        yield [act, filled, what.strip("{}")] if act == "type" else [act, filled]


def _print(runs: Sequence[Result]) -> None:
    """Print each case as each side met it, and how often each side came to what."""
    table = Table(title="beside openadapt-flow", title_justify="left", box=SIMPLE_HEAD)
    for head in ("layout", "situation", *_SIDES.values()):
        table.add_column(head)
    outcomes = {(one["layout"], one["situation"], one["side"]): one["outcome"] for one in runs}
    for layout, situation in dict.fromkeys((one["layout"], one["situation"]) for one in runs):
        cells = (OUTCOMES[outcomes[layout, situation, side]] for side in _SIDES)
        table.add_row(layout, situation, *cells)
    table.caption = _CAPTION
    CONSOLE.print(table)
    for side, name in _SIDES.items():
        counts = Counter(one["outcome"] for one in runs if one["side"] == side)
        told = ", ".join(f"{word} {counts[key]}" for key, word in OUTCOMES.items())
        CONSOLE.print(f"{name}: {told}", highlight=False)
