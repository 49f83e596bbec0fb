"""What the twin is measured against: counts of what happened before, of runs and of steps alike."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ["Rivals"]


class Rivals:
    """Three predictors that look at the outcomes of a store so far.

    ``base rate`` is the share of all that succeeded (.5 before the first), ``last success`` 1 where
    this skill (or this step of it) succeeded the last time, or was never tried, else 0, and
    ``own rate`` the share of its own tries that did, the base rate before the first.
    """

    def __init__(self) -> None:
        self._all: defaultdict[str, list[bool]] = defaultdict(list)
        self._own: defaultdict[Hashable, list[bool]] = defaultdict(list)

    def say(self, kind: str, one: Hashable) -> dict[str, float]:
        """Return the chance of success by each."""
        base = _share(self._all[kind], 0.5)
        own = self._own[one]
        last = float(own[-1]) if own else 1.0
        return {"base rate": base, "last success": last, "own rate": _share(own, base)}

    def learn(self, kind: str, one: Hashable, happened: bool) -> None:
        """Take note of what happened."""
        self._all[kind].append(happened)
        self._own[one].append(happened)


def _share(outcomes: list[bool], before: float) -> float:
    return sum(outcomes) / len(outcomes) if outcomes else before
