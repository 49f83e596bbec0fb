"""Brier scores, reliability curves, and intervals that know what hangs together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.lift.twin.year import Case

__all__ = ["against", "brier"]

_DRAWS = 1_000


def brier(cases: Sequence[Case], name: str) -> dict[str, Any]:
    """Return the Brier score of a predictor with its 95 % interval, and how many cases.

    The mean squared difference between the predicted chance and what happened, 0 or 1; 0 is
    perfect (Brier 1950). The interval is a percentile bootstrap (Efron 1979) that draws whole
    stores: runs of one store share its drifts.
    """
    errors = _errors(cases, name)
    return {"n": len(cases), "Brier": round(float(errors.mean()), 4), "95 %": _drawn(cases, errors)}


def against(cases: Sequence[Case], name: str, other: str) -> dict[str, Any]:
    """Return by how much a predictor is better than another on the same cases; above 0 is better."""
    gained = _errors(cases, other) - _errors(cases, name)
    return {"better by": round(float(gained.mean()), 4), "95 %": _drawn(cases, gained)}


def _errors(cases: Sequence[Case], name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([(one.said[name] - one.happened) ** 2 for one in cases], np.float64)


def _drawn(cases: Sequence[Case], values: np.ndarray[Any, np.dtype[np.float64]]) -> list[float]:
    stores = np.unique([one.store for one in cases], return_inverse=True)[1]
    sums = np.bincount(stores, values)
    counts = np.bincount(stores)
    drawn = np.random.default_rng(0).integers(0, len(sums), (_DRAWS, len(sums)))
    means = sums[drawn].sum(1) / counts[drawn].sum(1)
    return [round(float(one), 4) for one in np.percentile(means, [2.5, 97.5])]
