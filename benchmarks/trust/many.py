"""Many numbered trials in forks of a process that has imported everything."""

from __future__ import annotations

import multiprocessing
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")
_act: list[Callable[[int], Any]] = []


def many(
    act: Callable[[int], T], numbers: Iterable[int], *, jobs: int = 2, seconds: float | None = None
) -> dict[int, T]:
    """Return what `act` returned for each number, in `jobs` forks at once, for so many seconds."""
    _act[:] = [act]  # the forks have it as it is
    ends, results = time.monotonic() + (seconds or float("inf")), dict[int, T]()
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for number, result in pool.imap_unordered(_acted, numbers):
            results[number] = result
            if time.monotonic() > ends:
                break
    return dict(sorted(results.items()))


def _acted(number: int) -> tuple[int, Any]:
    return number, _act[0](number)
