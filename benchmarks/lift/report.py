"""Tables of the runs, that read at 80 columns."""

from __future__ import annotations

from collections import Counter
from statistics import mean
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["print_runs", "print_shown"]

CONSOLE = Console(width=80)
Row = dict[str, Any]
_HEADS = ("done", "rightly halted", "wrongly halted", "claimed", "wrong")
_CAPTION = (
    "done: the app says so; halt +: what was asked for is not there; halt -: it is; claimed: "
    "the run says done, the app does not; looks: full looks a run; rec.: runs with a recovery; "
    "s: seconds a step; less: how many times less than the first run with a decider of so many seconds a step."
)


def print_shown(shown: Sequence[Row]) -> None:
    """Print what the first run of each task took."""
    table = Table(title="first run: a full look a step", title_justify="left")
    for head in ("task", "outcome", "acts", "looks", "seconds"):
        table.add_column(head, justify="left" if head in {"task", "outcome"} else "right")
    for one in shown:
        told = (one["task"], one["outcome"], one["acts"], one["looks"], f"{one['seconds']:.1f}")
        table.add_row(*map(str, told))
    CONSOLE.print(table)


def print_runs(shown: Sequence[Row], rows: Sequence[Row], decider: float) -> None:
    """Print how the tasks went again, by condition and by task, and where the time went."""
    anew = {one["task"]: one["seconds"] + decider * one["acts"] for one in shown}
    for key in ("condition", "task"):
        table = Table(
            title=f"again, by {key}",
            title_justify="left",
            caption=_CAPTION,
            caption_justify="left",
            box=SIMPLE_HEAD,
            padding=(0, 1, 0, 0),
        )
        for head in (key, "runs", "done", "halt+", "halt-", "claim", "wrong", "looks", "rec.", "s"):
            table.add_column(head, justify="left" if head == key else "right")
        table.add_column("less", justify="right")
        for name in dict.fromkeys(one[key] for one in rows):
            table.add_row(name, *_told([one for one in rows if one[key] == name], anew))
        CONSOLE.print(table)
    _print_time(rows)


def _told(rows: Sequence[Row], anew: dict[str, float]) -> Iterable[str]:
    verdicts = Counter(one["verdict"] for one in rows)
    done = [one for one in rows if one["verdict"] == "done"]
    yield str(len(rows))
    yield from (str(verdicts[head]) for head in _HEADS)
    yield f"{mean(one['looks'] for one in rows):.2f}"
    yield str(sum(bool(one["recovered"]) for one in rows))
    yield f"{mean(one['seconds'] / one['steps'] for one in done):.2f}" if done else ""
    less = [anew[one["task"]] / one["seconds"] for one in done if one["seconds"]]
    yield f"{mean(less):.1f}" if less else ""


def _print_time(rows: Sequence[Row]) -> None:
    done = [one for one in rows if one["verdict"] == "done"]
    if not done:
        return
    whole = sum(one["seconds"] for one in done)
    shares = {
        part: sum(one[f"{part}_s"] for one in done) / whole for part in ("app", "eyes", "deciding")
    }
    said = ", ".join(f"{part} {share:.0%}" for part, share in shares.items())
    without = [one for one in done if not one["looks"] and one["checks"]]
    CONSOLE.print(f"time of the runs that were done: {said}", highlight=False)
    if without:
        check = sum(one["eyes_s"] for one in without) / sum(one["checks"] for one in without)
        CONSOLE.print(f"a screenshot and its check: {check:.2f} s on the average", highlight=False)
