"""Worth of a ranking, from the ranked names and the right ones, and the doubt about it."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HEADER = ("R@1", "R@5", "R@10", "any@10", "all@20", "all@40")
CUT = 40  # rows of an answer that are looked at
_BINS = 10
_SAMPLES = 4000
_SEED = 16


@dataclass(frozen=True)
class Score:
    """Shares between 0 and 1 of one ranking, or their means."""

    r1: float
    r5: float
    r10: float
    any10: float
    all20: float
    all40: float

    def percents(self) -> list[str]:
        """Return the figures as they are printed."""
        return [f"{100 * share:.1f}" for share in astuple(self)]


def score(ranked: Sequence[str], right: frozenset[str]) -> Score:
    """Score one ranking: R@k is the share of the right ones among the first k, all@k whether all are."""
    hits = [name in right for name in ranked[:CUT]]
    r1, r5, r10, r20, r40 = (sum(hits[:cut]) / len(right) for cut in (1, 5, 10, 20, CUT))
    return Score(r1, r5, r10, float(any(hits[:10])), float(r20 == 1), float(r40 == 1))


def mean(scores: Iterable[Score]) -> Score:
    """Return the mean of each figure; zeros for none."""
    rows = [astuple(one) for one in scores]
    return Score(*(np.mean(rows, axis=0).tolist() if rows else [0.0] * len(HEADER)))


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


def curve(said: Sequence[float], so: Sequence[bool]) -> list[tuple[float, float, int]]:
    """Return for each of ten bins what was said, what was so, and how many; empty bins not."""
    chances, truth = np.asarray(said, float), np.asarray(so, float)
    place = np.minimum((chances * _BINS).astype(int), _BINS - 1)
    return [
        (float(chances[chosen].mean()), float(truth[chosen].mean()), int(chosen.sum()))
        for number in range(_BINS)
        if (chosen := place == number).any()
    ]


def calibration(said: Sequence[float], so: Sequence[bool]) -> str:
    """Return the expected calibration error, the bins' distance weighed by their size, and the bins."""
    if not said:
        return "no rows"
    bins = curve(said, so)
    error = sum(count * abs(chance - share) for chance, share, count in bins) / len(said)
    told = "  ".join(f"{chance:.2f}>{share:.2f} ({count})" for chance, share, count in bins)
    return f"error {error:.3f}  {told}"
