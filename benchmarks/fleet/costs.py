"""What 10^5 stores cost, of what this run measured: small stores, and stores of 10^4 rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STORES, ROWS = 10**5, 10**4
_NIGHTLY = 0.1  # the share of stores that are written in a day: a guess
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
    cpu_ms: Mapping[str, float]


def costs(small: Sample, large: Sample, routed_ms: float, task_ms: float) -> Iterator[list[str]]:
    """Yield the rows of the table: what, a store, 10^5 such stores, 10^5 stores of 10^4 rows.

    The last column goes on in a straight line from the two samples.
    """

    def beyond(of_small: float, of_large: float) -> float:
        slope = (of_large - of_small) / max(large.rows - small.rows, 1)
        return max(of_small + slope * (ROWS - small.rows), of_large)

    for what in ("disk", "bucket", "index"):
        one, other = getattr(small, what), getattr(large, what)
        yield [
            what,
            _bytes(one) + _MEASURED,
            _bytes(one * STORES) + _ARITHMETIC,
            _bytes(beyond(one, other) * STORES) + _ARITHMETIC,
        ]
    for what, one in small.cpu_ms.items():
        other = large.cpu_ms[what]
        passes = [(what, 1.0)] if "first" not in what else [(what, 1.0), (f"{what}, changed", _NIGHTLY)]
        for name, part in passes:
            yield [
                name if part == 1 else f"{what.removesuffix(', first')}, nightly",
                f"{one:.0f} ms{_MEASURED}" if part == 1 else "-",
                _hours(one * part) + _ARITHMETIC,
                _hours(beyond(one, other) * part) + _ARITHMETIC,
            ]
    yield ["recall, routed", f"{routed_ms:.0f} ms{_MEASURED}", "-", "-"]
    yield ["scheduler, chunks of 16", f"{task_ms / 16:.2f} ms{_MEASURED}", *[_hours(task_ms / 16) + _ARITHMETIC] * 2]


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
