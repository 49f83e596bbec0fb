"""Calibration of the twin: what it predicted of the runs of a store, and what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.store.store import Store

__all__ = ["Calibration", "ReliabilityBin", "calibration_of", "reliability"]

SQL = statements.load("store/twin")
_BINS = 10
_UNTOLD = 0.5  # the base rate before the first run


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The runs whose predicted chance lies in one tenth.

    Parameters
    ----------
    low, high
        Where the tenth begins and ends; the last one holds its end.
    runs
        How many.
    predicted, happened
        Their mean predicted chance, and the share that was done.
    """

    low: float
    high: float
    runs: int
    predicted: float
    happened: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How well the chances that the twin told fit what happened.

    Parameters
    ----------
    runs, done
        Ended runs that it predicted, and those that reached their end. What a rule or a person
        stopped is none of them: that says nothing of the app.
    brier, base
        Brier scores, 0 the best: the mean squared difference between a chance and what happened
        (1 or 0); of the twin, and of the share of runs done before each. ``None`` without runs.
    bins
        The reliability table: tenths of the chance in which there is a run.
    """

    runs: int
    done: int
    brier: float | None
    base: float | None
    bins: tuple[ReliabilityBin, ...]


def calibration_of(store: Store) -> Calibration:
    """Return how well the runs of a store were predicted; reads only.

    References
    ----------
    Brier, G. W. (1950). Verification of forecasts expressed in terms of probability. Monthly
    Weather Review 78, 1-3.
    """
    rows = store.rows(SQL.predicted_runs) if store.exists else []
    happened = [bool(row["done"]) for row in rows]
    told = [(float(row["predicted"]), done) for row, done in zip(rows, happened, strict=True)]
    before = [
        (sum(happened[:number]) / number if number else _UNTOLD, done)
        for number, done in enumerate(happened)
    ]
    return Calibration(len(rows), sum(happened), _brier(told), _brier(before), reliability(told))


def reliability(told: Iterable[tuple[float, bool]]) -> tuple[ReliabilityBin, ...]:
    """Return the reliability table of chances and what happened."""
    tenths: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for chance, happened in told:
        tenths[min(int(chance * _BINS), _BINS - 1)].append((chance, happened))
    return tuple(
        ReliabilityBin(
            tenth / _BINS,
            (tenth + 1) / _BINS,
            len(inside),
            round(sum(chance for chance, _ in inside) / len(inside), 4),
            round(sum(happened for _, happened in inside) / len(inside), 4),
        )
        for tenth, inside in enumerate(tenths)
        if inside
    )


def _brier(told: Sequence[tuple[float, bool]]) -> float | None:
    if not told:
        return None
    return round(sum((chance - happened) ** 2 for chance, happened in told) / len(told), 4)
