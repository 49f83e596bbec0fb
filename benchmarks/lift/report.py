"""Uplift: what the same tasks take without the memory, against what they take with it."""

from __future__ import annotations

from collections import Counter
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Row = Mapping[str, Any]
    Numbers = np.ndarray[Any, np.dtype[np.float64]]


# -- uplift ------------------------------------------------------

_DRAWS = 2_000
_FEWEST = 2  # times of each task, without and with: one alone says nothing of the others


def uplift(
    without: Mapping[str, Sequence[float]], runs: Mapping[str, Sequence[tuple[float, bool]]]
) -> dict[str, Any]:
    """Return how many times less the tasks take with the memory, with its 95 % interval.

    Parameters
    ----------
    without
        By task, what each time without the memory took.
    runs
        By task, what each run took, and whether it was done. What the others took is lost: it is
        added to what the done ones took.

    Returns
    -------
    dict
        ``without`` and ``with``: means a task, summed up; ``times``: their ratio, ``low`` and
        ``high``: its interval. ``None`` where the runs took nothing, none was done, or, for the
        interval, a task was done once only. ``n``: how many times without, and with.

    Notes
    -----
    A percentile bootstrap (Efron 1979): the times of each task are drawn anew, the tasks are not.
    From few times without the memory it is too narrow.
    """
    tasks = [task for task in runs if without.get(task)]
    random = np.random.default_rng(0)  # one for all: draws of tasks must not hang together
    means = sum(_means(without[task], random) for task in tasks)
    costs = sum(_costs(runs[task], random) for task in tasks)
    least, taken = (np.atleast_1d(np.asarray(one, np.float64)) for one in (means, costs))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = least / taken
    drawn = ratio[1:][~np.isnan(ratio[1:])]
    fewest = min((len(one[task]) for task in tasks for one in (without, runs)), default=0)
    told = fewest >= _FEWEST and len(drawn) > 0
    low, high = np.percentile(drawn, [2.5, 97.5], method="nearest") if told else (np.nan, np.nan)
    return {
        "n": [sum(len(one[task]) for task in tasks) for one in (without, runs)],
        "without": _told(least[0]),
        "with": _told(taken[0]),
        "times": _told(ratio[0]),
        "low": _told(low),
        "high": _told(high),
    }


def uplifts(without: Iterable[Row], rows: Iterable[Row], decider: float) -> dict[str, Any]:
    """Return the uplift in seconds, in seconds with a decider for each act, and in full looks.

    Parameters
    ----------
    without
        Rows of `show_once`; times that were not done are left out. The pauses of the script are not
        counted.
    rows
        Rows of `run_again` in the same app.
    """
    done = [one for one in without if one["outcome"] == "done"]
    runs = list(rows)
    seconds = _by_task(runs, lambda one: (one["seconds"], one["verdict"] == "done"))
    return {
        "seconds": uplift(_by_task(done, lambda one: one["own_seconds"]), seconds),
        f"seconds, decider {decider:g} s": uplift(
            _by_task(done, lambda one: one["own_seconds"] + decider * one["acts"]), seconds
        ),
        "full looks": uplift(
            _by_task(done, lambda one: one["looks"]),
            _by_task(runs, lambda one: (one["looks"], one["verdict"] == "done")),
        ),
    }


def print_uplift(console: Console, found: Mapping[str, Any]) -> None:
    """Print the uplifts as a table of 80 columns."""
    table = Table(
        title="uplift: the tasks without the memory and with it, each once",
        title_justify="left",
        caption="times less: without / with; 95 %: bootstrap interval; n: times without, with; "
        "what runs that were not done took is added; -: nothing to divide by, or too few.",
    )
    for head in ("", "without", "with", "times less", "95 %", "n"):
        table.add_column(head, justify="right" if head else "left")
    for name, one in found.items():
        cells = [
            "-" if one[key] is None else f"{one[key]:.2f}" for key in ("without", "with", "times")
        ]
        bounds = " to ".join(
            "-" if one[key] is None else f"{one[key]:.2f}" for key in ("low", "high")
        )
        table.add_row(name, *cells, bounds, ", ".join(map(str, one["n"])))
    console.print(table)


def _by_task(rows: Iterable[Row], figure: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for one in rows:
        found.setdefault(one["task"], []).append(figure(one))
    return found


def _drawn(values: Numbers, random: np.random.Generator) -> Numbers:
    """Return the values as they are, and below them draws of as many."""
    chosen = random.integers(0, len(values), (_DRAWS, len(values)))
    return np.concatenate([values[None], values[chosen]])


def _means(values: Sequence[float], random: np.random.Generator) -> Numbers:
    return np.asarray(_drawn(np.array(values, np.float64), random).mean(axis=1))


def _costs(runs: Sequence[tuple[float, bool]], random: np.random.Generator) -> Numbers:
    """Return what a done run took, with what was lost for it; infinite where none was done."""
    sums = _drawn(np.array(runs, np.float64), random).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sums[:, 1] > 0, sums[:, 0] / sums[:, 1], np.inf)


def _told(number: float) -> float | None:
    return round(float(number), 3) if np.isfinite(number) else None


# -- report ------------------------------------------------------

CONSOLE = Console(width=80)
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
            table.add_row(name, *_row_cells([one for one in rows if one[key] == name], anew))
        CONSOLE.print(table)


def _row_cells(rows: Sequence[Row], anew: dict[str, float]) -> Iterable[str]:
    verdicts = Counter(one["verdict"] for one in rows)
    done = [one for one in rows if one["verdict"] == "done"]
    yield str(len(rows))
    yield from (str(verdicts[head]) for head in _HEADS)
    yield f"{mean(one['looks'] for one in rows):.2f}"
    yield str(sum(bool(one["recovered"]) for one in rows))
    yield f"{mean(one['seconds'] / one['steps'] for one in done):.2f}" if done else ""
    less = [anew[one["task"]] / one["seconds"] for one in done if one["seconds"]]
    yield f"{mean(less):.1f}" if less else ""
