"""Intervals of shares: Wilson's, which hold for few cases, too (Wilson 1927)."""

from __future__ import annotations

from math import sqrt

__all__ = ["wilson"]

_Z = 1.96


def wilson(found: int, cases: int) -> list[float]:
    """Return the 95 % interval of `found` of `cases`, from 0 to 1."""
    if not cases:
        return [0.0, 1.0]
    share = found / cases
    middle = share + _Z * _Z / (2 * cases)
    spread = _Z * sqrt(share * (1 - share) / cases + _Z * _Z / (4 * cases * cases))
    whole = 1 + _Z * _Z / cases
    return [round((middle - spread) / whole, 3), round((middle + spread) / whole, 3)]
