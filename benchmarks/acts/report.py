"""Tables of the runs, that read at 80 columns."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

CONSOLE = Console(width=80)
_NAMES = ("done", "unsaid", "halted", "needless", "wrong", "false")
OUTCOMES = {name: name for name in _NAMES} | {"halted": "halt +", "needless": "halt -"}
_CAPTION = (
    "done: the deed happened and the run says so; unsaid: it happened, the run does not say so; "
    "halt +: it halted where that is right; halt -: where it could have been done; wrong: another "
    "row was changed; false: it says done, nothing happened; s: seconds a step, the median of those done."
)
Result = dict[str, Any]


def print_results(results: Sequence[Result], key: str, title: str) -> None:
    """Print the outcomes by layout or by situation."""
    if not results:
        return
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for head in (key, "runs", *OUTCOMES.values(), "s"):
        table.add_column(head, justify="left" if head == key else "right")
    for name in dict.fromkeys(one[key] for one in results):
        table.add_row(name, *_cells([one for one in results if one[key] == name]))
    table.add_section()
    table.add_row("all", *_cells(results))
    CONSOLE.print(table)
    told = summed(results)
    CONSOLE.print(
        f"wrong {told['wrong']}, falsely done {told['false']}, silent wrong {told['silent_wrong']} "
        f"of {told['runs']}; done of doable {told['done_of_doable']} of {told['doable']} "
        f"({told['percent']} %)\n",
        highlight=False,
    )


def summed(results: Sequence[Result]) -> dict[str, Any]:
    """Return what the runs come to; silent wrong are those that say done and it is not so."""
    counts = Counter(one["outcome"] for one in results)
    doable = [one for one in results if one["can"] == "yes"]
    done = sum(one["outcome"] == "done" for one in doable)
    return {
        "runs": len(results),
        **{name: counts[name] for name in OUTCOMES},
        "doable": len(doable),
        "done_of_doable": done,
        "percent": round(100 * done / len(doable), 1) if doable else None,
        "silent_wrong": sum(r["status"] == "done" and r["was"] != "deed" for r in results),
        "seconds_a_step": _seconds(results),
    }


def print_bad(results: Sequence[Result]) -> None:
    """Print what the outcomes mean, and each run that was not as it should be."""
    CONSOLE.print(_CAPTION, highlight=False)
    for outcome in ("wrong", "false", "unsaid", "needless"):
        for one in results:
            if one["outcome"] == outcome:
                said = f"{OUTCOMES[outcome]:<7}{one['layout']}/{one['situation']}: {one['status']}"
                CONSOLE.print(f"{said}, {one['why']}", highlight=False, markup=False)


def _cells(results: Sequence[Result]) -> list[str]:
    counts = Counter(one["outcome"] for one in results)
    seconds = _seconds(results)
    return [
        str(len(results)),
        *(str(counts[name] or "") for name in OUTCOMES),
        "" if seconds is None else f"{seconds:.1f}",
    ]


def _seconds(results: Sequence[Result]) -> float | None:
    """Return the median seconds a step of runs that were done by a server that does not wait."""
    taken = [
        one["seconds"] / one["steps"]
        for one in results
        if one["outcome"] == "done" and one["steps"] and not one["waits"]
    ]
    return round(median(taken), 3) if taken else None
