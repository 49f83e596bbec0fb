"""Uplift: what the same tasks take without the memory, against what they take with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.running import print_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Row = Mapping[str, Any]
    Numbers = np.ndarray[Any, np.dtype[np.float64]]


_DRAWS = 2_000
_SHOWN = ("without", "with", "times", "low", "high")
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
    seconds = _by_task(runs, lambda one: (one["seconds"], one["outcome"] == "done"))
    return {
        "seconds": uplift(_by_task(done, lambda one: one["own_seconds"]), seconds),
        f"seconds, decider {decider:g} s": uplift(
            _by_task(done, lambda one: one["own_seconds"] + decider * one["acts"]), seconds
        ),
        "full looks": uplift(
            _by_task(done, lambda one: one["looks"]),
            _by_task(runs, lambda one: (one["looks"], one["outcome"] == "done")),
        ),
    }


def print_uplift(found: Mapping[str, Any]) -> None:
    """Print the uplifts."""
    rows = []
    for name, one in found.items():
        cells = ["-" if one[key] is None else f"{one[key]:.2f}" for key in _SHOWN]
        rows.append((name, *cells, ", ".join(map(str, one["n"]))))
    caption = (
        "times: without / with, and its 95 % bootstrap interval; n: times without, with; what runs "
        "that were not done took is added; -: nothing to divide by, or too few."
    )
    title = "uplift: the tasks without the memory and with it, each once"
    print_table(title, ("", *_SHOWN, "n"), rows, caption)


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
