"""Record Flow's own demonstration once, by Flow and by memctl, and do it again under its drifts.

    python -m benchmarks.flow [--openadapt PYTHON] [--drift NAME] [--cache DIR]

The app is the demo app of openadapt-flow, the drifts are those of its query, the demonstration is
its own. Both drive the same browser with the same flags and viewport. What was done is read from
the app. Without ``--openadapt`` an environment with openadapt-flow is made in the cache folder.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.flow.sides import (
    SAVED,
    app_served,
    interpreter_of_flow,
    opened,
    run_again,
    show_once,
)
from benchmarks.outcomes import CAPTION, OUTCOMES, outcome
from benchmarks.realapp.environment import CACHE, NotInstalledError
from benchmarks.running import arguments, keep, print_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.outcomes import Can

_PATIENT, _TYPE = "p1", "Triage"  # what the demonstration saves for whom
_NAME = "triage"
_SHOWN = "Knee pain for two weeks, worse on stairs."
_NOTE = "Pain is better, review in {weeks} weeks."
SIDES = {"flow": "Flow", "flow_dom": "with DOM", "memctl": "memctl"}
_CAPTION = (
    "Flow as its own demo replays drifts, by pixels; with DOM: its rung that asks the DOM on top. "
    "Not as shown: resolves that the pixels, or the DOM, as they were shown did not settle. "
)
Row = dict[str, Any]


class Drift(NamedTuple):
    """A way in which the app is met again, by the name that its own query ``?drift=`` has for it.

    Parameters
    ----------
    can
        ``yes``: everything that was pressed is there under its name; ``either``: all is there, one
        thing under another name or twice; ``no``: what was pressed is not there, or the app asks
        for what nobody showed.
    """

    name: str
    can: Can
    what: str

    @property
    def query(self) -> str:
        """The query behind the app's address."""
        return "" if self.name == "none" else f"?drift={self.name}"


DRIFTS = (
    Drift("none", "yes", "as it was shown"),
    Drift("theme", "yes", "dark"),
    Drift("move", "yes", "buttons on the other side"),
    Drift("font", "yes", "larger letters"),
    Drift("zoom", "yes", "all at 125 %"),
    Drift("slow", "yes", "each screen 4 s later"),
    Drift("grow", "yes", "four rows above the right one"),
    Drift("lookalike", "yes", "a row alike above the right one"),
    Drift("sort", "yes", "rows in another order"),
    Drift("theme,grow", "yes", "dark, and more rows"),
    Drift("theme,sort", "yes", "dark, in another order"),
    Drift("theme,lookalike", "yes", "dark, and a row alike"),
    Drift("font,lookalike", "yes", "larger letters, and a row alike"),
    Drift("zoom,sort", "yes", "125 %, in another order"),
    Drift("move,grow", "yes", "buttons moved, more rows"),
    Drift("rename", "either", "Open is View, Save is Submit"),
    Drift("redesign", "either", "Save is renamed and moved"),
    Drift("relink", "either", "New Encounter is renamed, moved"),
    Drift("typelabel", "either", "Triage renamed, Consult there"),
    Drift("ambiguous", "either", "the right row twice"),
    Drift("missing", "no", "the right row is gone"),
    Drift("empty", "no", "no rows"),
    Drift("notice", "no", "a page of news before the rows"),
    Drift("provider", "no", "a question before the form"),
    Drift("reqfield", "no", "a new field that must be filled"),
    Drift("menu", "no", "Save is in a menu of a menu"),
    Drift("modal", "no", "a survey instead of saving"),
    Drift("modal-once", "no", "a survey before saving"),
)


def main(words: Sequence[str] | None = None) -> None:
    """Record, run, print, write the raw figures."""
    parser = arguments(__doc__, "flow")
    parser.add_argument("--openadapt", type=Path, help="a Python that has openadapt-flow[browser]")
    parser.add_argument("--drift", choices=[one.name for one in DRIFTS], help="only this one")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    options = parser.parse_args(words)
    try:
        python, version, static = interpreter_of_flow(options.openadapt, options.cache)
    except NotInstalledError as error:
        sys.exit(f"skipped: openadapt-flow cannot be had: {error}")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="memctl-flow-") as folder, app_served(static) as url:
        home = Path(folder, "home")
        with opened(python, Path(folder, "flow.log")) as flow:
            flow.ask(do="record", name=_NAME, url=url, note=_SHOWN)
            show_once(home, url, _SHOWN)
            for number, drift in enumerate(DRIFTS, 2):
                if options.drift not in {None, drift.name}:
                    continue
                address, note = url + drift.query, _NOTE.format(weeks=number)
                for side in SIDES:
                    if side == "memctl":
                        row = run_again(home, address, note)
                    else:
                        order = {"do": "replay", "name": _NAME, "url": address, "after": SAVED}
                        row = flow.ask(**order, dom=side == "flow_dom", values={"note": note})
                    was = judged(row["saved"], note)
                    came = outcome(drift.can, row["status"], was)
                    rows.append(
                        {"side": side, "drift": drift.name, "was": was, "outcome": came, **row}
                    )
                    print(drift.name, side, came, row["why"][:100], sep=" | ", flush=True)
    _print(rows)
    drifts = [one._asdict() for one in DRIFTS]
    keep("flow", {"openadapt_flow": version, "drifts": drifts, "runs": rows}, options.out)


def _print(rows: Sequence[Row]) -> None:
    """Print each drift as each side met it, and what the sides come to."""
    came = {(row["drift"], row["side"]): row for row in rows}
    cells = [
        (
            *(drift.name, drift.can),
            *(f"{row['outcome']} {row['seconds']:.0f} s" for row in met),
        )
        for drift in DRIFTS
        if (met := [came[drift.name, side] for side in SIDES if (drift.name, side) in came])
    ]
    heads = ("drift", "can", *SIDES.values())
    print_table("Flow's demo app under its own drifts", heads, cells, CAPTION)
    cells = []
    for side, name in SIDES.items():
        own = [row for row in rows if row["side"] == side]
        counts = Counter(row["outcome"] for row in own)
        found = [one for row in own for one in row["resolves"] if one["found"]]
        other = [one["seconds"] for one in found if not one["plain"]]
        times = [_seconds([one["seconds"] for one in found]), _seconds(other)]
        cells.append((name, *(str(counts[one] or "") for one in OUTCOMES), *times))
    heads = ("", *OUTCOMES, "a place found, s", "not as shown, s")
    print_table("", heads, cells, _CAPTION + "s: median, mean.")


def _seconds(taken: Sequence[float]) -> str:
    return f"{median(taken):.2f}, {mean(taken):.2f}" if taken else "-"


def judged(saved: Mapping[str, list[Mapping[str, Any]]], note: str) -> str:
    """Return ``deed``, ``nothing`` or ``other`` by what the app holds after a run.

    Parameters
    ----------
    saved
        The app's records by patient, each with ``type`` and ``note``.
    note
        What was to be saved, for the patient and as the type of the demonstration.
    """
    if not any(saved.values()):
        return "nothing"
    wanted = {"type": _TYPE, "note": note}
    others = [records for patient, records in saved.items() if patient != _PATIENT and records]
    return "deed" if not others and saved.get(_PATIENT) == [wanted] else "other"


if __name__ == "__main__":
    main()
