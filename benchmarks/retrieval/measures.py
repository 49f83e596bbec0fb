"""What a ranking is worth, from the ranked names and the right ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Score", "mean", "percentile", "score"]

CUT = 10


@dataclass(frozen=True)
class Score:
    """Shares between 0 and 1 of one ranking, or their means."""

    r1: float
    r5: float
    r10: float
    all10: float
    mrr: float
    ndcg10: float

    def percents(self) -> list[str]:
        """Return the figures as they are printed."""
        shares = (self.r1, self.r5, self.r10, self.all10, self.mrr, self.ndcg10)
        return [f"{100 * share:.1f}" for share in shares]


def score(ranked: Sequence[str], right: frozenset[str]) -> Score:
    """Score one ranking: R@k is the share of the right ones among the first k."""
    hits = [name in right for name in ranked[:CUT]]
    first = next((place for place, hit in enumerate(hits, 1) if hit), None)
    gain = sum(1 / math.log2(place + 1) for place, hit in enumerate(hits, 1) if hit)
    best = sum(1 / math.log2(place + 1) for place in range(1, min(CUT, len(right)) + 1))
    r10 = sum(hits) / len(right)
    return Score(
        sum(hits[:1]) / len(right),
        sum(hits[:5]) / len(right),
        r10,
        float(r10 == 1.0),
        1 / first if first else 0.0,
        gain / best,
    )


def mean(scores: Iterable[Score]) -> Score:
    """Return the mean of each figure; zeros for none."""
    rows = list(scores)
    if not rows:
        return Score(0, 0, 0, 0, 0, 0)
    return Score(
        fmean(s.r1 for s in rows),
        fmean(s.r5 for s in rows),
        fmean(s.r10 for s in rows),
        fmean(s.all10 for s in rows),
        fmean(s.mrr for s in rows),
        fmean(s.ndcg10 for s in rows),
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of `values` lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
