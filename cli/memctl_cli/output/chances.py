"""Probabilities for people, with what they rest on: "1 of 1, at least 21 %"."""

from __future__ import annotations

_SMALL = 0.01


def percent(share: float) -> str:
    """Return a share, 0 to 1, as a percentage: "21 %", "0.35 %"."""
    return f"{100 * share:.{2 if 0 < share < _SMALL else 0}f} %"


def at_least(succeeded: int, tried: int) -> str | None:
    """Return the least that tries say of the next one; ``None`` where there was none.

    It is the lower end of Wilson's 95 % interval: one success of one says little.
    """
    from memctl.visual.graph.transitions import wilson_lower_bound

    return percent(wilson_lower_bound(succeeded, tried)) if tried else None


def chance(succeeded: int, tried: int) -> str:
    """Return how often something worked, and the least that this says of the next time."""
    least = at_least(succeeded, tried)
    return f"{succeeded} of {tried}, at least {least}" if least else "never tried"
