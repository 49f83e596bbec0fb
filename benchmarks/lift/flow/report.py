"""The table of both sides, drift by drift, and what they come to; reads at 80 columns."""

from __future__ import annotations

from collections import Counter
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.lift.flow.drifts import Drift

__all__ = ["SIDES", "print_drifts", "summed"]

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
