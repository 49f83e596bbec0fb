"""OpenAdapt Flow beside memctl on a sample of the pages, shown the same deeds and judged alike."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from benchmarks.acts.layouts import LAYOUTS
from benchmarks.acts.report import CONSOLE, OUTCOMES, summed
from benchmarks.acts.running import judged, put, verdict
from benchmarks.acts.serving import served
from benchmarks.acts.situations import base_case, cases_of
from benchmarks.lift.flow.rival import interpreter_of_flow, opened
from benchmarks.realapp.environment import CACHE, NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.acts.layouts import Layout
    from benchmarks.acts.serving import Site
    from benchmarks.acts.situations import Case
    from benchmarks.lift.flow.rival import Rival

__all__ = ["SAMPLE", "SITUATIONS", "beside_flow", "rows_for_flow", "steps_for_flow"]

# Buttons with one label in each row, a label that is the row's name, and texts that are typed.
SAMPLE = ("ids", "cards", "boxes", "form")
SITUATIONS = ("same", "another", "order", "gone", "namesake", "dead")
_SIDES = {"flow": "Flow", "flow_dom": "with DOM", "flow_rows": "by row", "memctl": "memctl"}
_LATER = "() => new Promise(done => setTimeout(done, 400))"  # as long as memctl's runs are given
_CAPTION = (
    "Flow: as it compiles its recording and by pixels, with all values declared as its parameters; "
    "with DOM: its rung that asks the DOM on top; by row: by pixels, and the click in the row "
    "chooses its row by a parameter (target_param). The words are those of the tables above."
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
    own = {(one["layout"], one["situation"]): one for one in results}
    cases = [one for name in SAMPLE for one in cases_of(LAYOUTS[name])]
    sample = [
        one
        for one in cases
        if one.situation in SITUATIONS and (one.layout.name, one.situation) in own
    ]
    if not sample:
        print("openadapt-flow: nothing of its sample was run")
        return {"runs": []}
    try:
        python, version, _ = interpreter_of_flow(python, CACHE)
    except NotInstalledError as error:
        print(f"skipped: openadapt-flow cannot be had: {error}")
        return {"skipped": str(error)}
    runs: list[Result] = []
    with (
        TemporaryDirectory(prefix="memctl-flow-") as folder,
        served() as site,
        opened(python, Path(folder, "flow.log")) as flow,
    ):
        for _, of_layout in groupby(sample, key=lambda case: case.layout.name):
            runs += _runs(site, flow, list(of_layout))
    shared = [own[one["layout"], one["situation"]] for one in runs if one["side"] == "flow"]
    runs += [{"side": "memctl", **one} for one in shared]
    summary = {side: summed([one for one in runs if one["side"] == side]) for side in _SIDES}
    _print(runs, summary)
    return {"openadapt_flow": version, "summary": summary, "runs": runs}


def _runs(site: Site, flow: Rival, cases: Sequence[Case]) -> Iterator[Result]:
    """Have Flow record a layout's deed once, and replay it in each case in all ways."""
    layout = cases[0].layout
    shown, chosen = base_case(layout), rows_for_flow(layout)
    put(site, shown)
    url, steps = site.url(layout.name), list(steps_for_flow(shown))
    flow.ask(do="record", name=layout.name, url=url, steps=steps, values=shown.values)
    if judged(shown, site.app.settled()) != "deed":
        raise RuntimeError(f"{layout.name}: Flow did not do the deed when it was recorded")
    for case in cases:
        for side in ("flow", "flow_dom", *(["flow_rows"] if chosen else [])):
            app = put(site, case)
            how = {"dom": side == "flow_dom", "rows": chosen if side == "flow_rows" else {}}
            order = {"do": "replay", "name": layout.name, "url": url, **how}
            run = flow.ask(**order, values=case.values, after=_LATER)
            was = judged(case, app.settled())
            outcome = verdict(case.can, run["status"], was)
            print(f"{side} {case.name}: {outcome}, {run['why']}"[:250], file=sys.stderr, flush=True)
            names: Result = {"layout": layout.name, "situation": case.situation, "can": case.can}
            judgement = {"was": was, "outcome": outcome, "waits": bool(case.fault)}
            yield {"side": side, **names, **judgement, **run}


def steps_for_flow(case: Case) -> Iterator[list[str]]:
    """Return a layout's steps as Flow is told them, each text with the parameter that it is."""
    for step in case.layout.steps:
        act, _, what = step.partition(" ")
        filled = what.format(**{**(case.target or {}), **case.values})
        yield [act, filled, what.strip("{}")] if act == "type" else [act, filled]


def rows_for_flow(layout: Layout) -> dict[str, str]:
    """Return the parameters that choose a row, by Flow's names of the steps that click in it."""
    return {
        f"step_{number:03}": name
        for number, step in enumerate(layout.steps)
        for name, key in layout.row.items()
        if f"{{{key}}}" in step
    }


def _print(runs: Sequence[Result], summary: Mapping[str, Result]) -> None:
    """Print each case as each side met it, and how often each side came to what."""
    table = Table(title="beside openadapt-flow", title_justify="left", box=SIMPLE_HEAD)
    for head in ("layout", "situation", *_SIDES.values()):
        table.add_column(head)
    outcomes = {(one["layout"], one["situation"], one["side"]): one["outcome"] for one in runs}
    for layout, situation in dict.fromkeys((one["layout"], one["situation"]) for one in runs):
        met = (outcomes.get((layout, situation, side)) for side in _SIDES)
        table.add_row(layout, situation, *("" if one is None else OUTCOMES[one] for one in met))
    CONSOLE.print(table)
    CONSOLE.print(_CAPTION, highlight=False)
    for side, name in _SIDES.items():
        counts = summary[side]
        told = ", ".join(f"{word} {counts[key]}" for key, word in OUTCOMES.items() if counts[key])
        silent = f"; says done, and it is not so: {counts['silent_wrong']}"
        CONSOLE.print(f"{name}: {told}{silent}", highlight=False)
