"""Worth of a ranking, from the ranked names and the right ones, and the doubt about it."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = [
    "CUT",
    "DEEP",
    "Score",
    "area_under_curve",
    "complete",
    "interval",
    "mean",
    "percentile",
    "score",
]

CUT = 10
# How far an answer is looked at that is to be complete, and the half of it.
DEEP = 40
_SAMPLES = 4000
_SEED = 16


@dataclass(frozen=True)
class Score:
    """Shares between 0 and 1 of one ranking, or their means."""

    r1: float
    r5: float
    r10: float
    any10: float

    def percents(self) -> list[str]:
        """Return the figures as they are printed."""
        return [f"{100 * share:.1f}" for share in astuple(self)]


def score(ranked: Sequence[str], right: frozenset[str]) -> Score:
    """Score one ranking: R@k is the share of the right ones among the first k."""
    hits = [name in right for name in ranked[:CUT]]
    r1, r5, r10 = (sum(hits[:cut]) / len(right) for cut in (1, 5, CUT))
    return Score(r1, r5, r10, float(any(hits)))


def complete(ranked: Sequence[str], right: frozenset[str]) -> tuple[float, ...]:
    """Return R@20 and R@40, and whether all right ones are among the first 20 and 40."""
    shares = [len(right.intersection(ranked[:cut])) / len(right) for cut in (DEEP // 2, DEEP)]
    return (*shares, *(float(share == 1) for share in shares))


def mean(scores: Iterable[Score]) -> Score:
    """Return the mean of each figure; zeros for none."""
    rows = [astuple(one) for one in scores]
    return Score(*(np.mean(rows, axis=0).tolist() if rows else [0.0] * 4))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of `values` lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean: of shares, or of paired differences."""
    if not values:
        return (0.0, 0.0)
    given = np.asarray(values, float)
    chosen = np.random.default_rng(_SEED).integers(0, len(given), (_SAMPLES, len(given)))
    low, high = np.quantile(given[chosen].mean(axis=1), (0.025, 0.975))
    return (float(low), float(high))


def area_under_curve(values: Sequence[float], right: Sequence[bool]) -> float:
    """Return the AUC: how often a right one has the higher value; ties count half, NaN for none."""
    given, truth = np.asarray(values, float), np.asarray(right, bool)
    above: NDArray[np.float64] = np.sort(given[~truth])
    if not truth.any() or not len(above):
        return float("nan")
    below = np.searchsorted(above, given[truth], "left")
    level = np.searchsorted(above, given[truth], "right")
    return float((below + level).mean() / 2 / len(above))
