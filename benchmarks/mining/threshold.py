"""The rival without a test: every pattern that enough sequences hold, as PrefixSpan finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.procedural.mining import GAP, ActionLog, distinct, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.procedural.mining import Act, Ints

__all__ = ["MOST", "frequent"]

MOST = 5_000
"""Patterns after which it is stopped: a larger log holds millions."""


def frequent(sequences: Sequence[Sequence[Act]], floor: int = 7) -> list[tuple[str, ...]]:
    """Return patterns of 4 to 8 acts that ``floor`` sequences hold, at most 3 others between two.

    It is told how long planted habits are, and returns no part of a pattern that has nearly the
    same count (80 % or more of it).
    """
    log, names = read([[act.name for act in one] for one in sequences])
    found: dict[tuple[int, ...], int] = {}
    for pattern, count in _grown(log, (), np.zeros((0, 0), np.int64), floor):
        found[pattern] = count
        if len(found) >= MOST:
            break
    parts: dict[tuple[int, ...], int] = {}
    for pattern, count in found.items():
        for step in range(len(pattern)):
            part = pattern[:step] + pattern[step + 1 :]
            parts[part] = max(parts.get(part, 0), count)
    kept = [one for one, count in found.items() if parts.get(one, 0) < 0.8 * count]
    return [tuple(names[number] for number in pattern) for pattern in kept]


def _grown(
    log: ActionLog, names: tuple[int, ...], rows: Ints, floor: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    for name in range(log.kinds) if not names else _followers(log, rows, floor):
        longer = log.followed(rows, name) if names else log.rows((name,))
        count = len(distinct(log.owners[longer[:, 0]]))
        if count < floor:
            continue
        if len(names) >= 3:
            yield (*names, name), count
        if len(names) < 7:
            yield from _grown(log, (*names, name), longer, floor)


def _followers(log: ActionLog, rows: Ints, floor: int) -> list[int]:
    places = distinct(log.near(rows, rows.shape[1], GAP + 1)[1])
    pairs = distinct(log.owners[places] * log.kinds + log.acts[places]) % log.kinds
    return np.flatnonzero(np.bincount(pairs, minlength=log.kinds) >= floor).tolist()
