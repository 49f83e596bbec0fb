"""What 10^5 stores cost, of what this run measured: small stores, and stores of 10^4 rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STORES, ROWS = 10**5, 10**4
CHUNK = 16  # stores of a task
# Passes that read again what has changed, and the share of stores that a day changes: a guess.
_CHANGED, _NIGHTLY = {"report", "index"}, 0.1
_MEASURED, _ARITHMETIC = " m", " a"


@dataclass(frozen=True, slots=True)
class Sample:
    """What a store of a sample took on average.

    Parameters
    ----------
    rows
        Turns of a store.
    disk, bucket, index
        Bytes: its file, its object (zstd with the empty store as dictionary), its part of the index.
    cpu_ms
        Milliseconds of a processor by the name of the pass.
    """

    rows: float
    disk: float
    bucket: float
    index: float
    cpu_ms: dict[str, float]


def costs(small: Sample, large: Sample, routed_ms: float, task_ms: float) -> Iterator[list[str]]:
    """Yield the rows of the table: what, a store, 10^5 such stores, 10^5 stores of 10^4 rows.

    The last column goes on in a straight line from the two samples.
    """

    def beyond(of_small: float, of_large: float) -> float:
        slope = (of_large - of_small) / max(large.rows - small.rows, 1)
        return max(of_small + slope * (ROWS - small.rows), of_large)

    for what in ("disk", "bucket", "index"):
        of_small, of_large = getattr(small, what), getattr(large, what)
        yield [
            what,
            _bytes(of_small) + _MEASURED,
            _bytes(of_small * STORES) + _ARITHMETIC,
            _bytes(beyond(of_small, of_large) * STORES) + _ARITHMETIC,
        ]
    for what, of_small in small.cpu_ms.items():
        far = beyond(of_small, large.cpu_ms[what])
        each = f"{of_small:.3g} ms{_MEASURED}"
        yield [what, each, _hours(of_small) + _ARITHMETIC, _hours(far) + _ARITHMETIC]
        if what in _CHANGED:
            changed = [_hours(ms * _NIGHTLY) + _ARITHMETIC for ms in (of_small, far)]
            yield [f"{what}, nightly", "", *changed]
    yield ["recall, 20 routed", "", f"{routed_ms:.0f} ms{_MEASURED}", ""]
    sent = _hours(task_ms / CHUNK) + _ARITHMETIC
    yield ["scheduler", f"{task_ms / CHUNK:.2g} ms{_MEASURED}", sent, sent]


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"


def _hours(ms: float) -> str:
    """Return the hours of a processor for all stores, from the milliseconds of one."""
    hours = ms * STORES / 3_600_000
    return f"{hours:.2g} h" if hours < 100 else f"{hours:.0f} h"
