"""More workers than this machine has: a real scheduler and our own loop, whose stores are simulated.

What is real: Dask's scheduler, its protocol between threads, `memctl.fleet.spreading.spread`, so many
tasks. What is simulated: the workers are threads of this process, and a store is a sleep for as long
as a real one took. As they share the processor with the scheduler, its cost for a task is too high
rather than too low.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from unittest import mock

from benchmarks.fleet.ways import cluster
from memctl.fleet import FleetStore
from memctl.fleet.spreading import spread

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Simulated:
    """A run of many simulated stores."""

    chunk: int
    stores: int
    store_ms: float
    workers: int
    seconds: float
    cpu: float  # seconds of the processor: scheduler, our loop and the simulated workers

    @property
    def ideal(self) -> float:
        """Seconds that it takes without any cost of spreading."""
        return self.stores * self.store_ms / 1000 / self.workers

    @property
    def task_ms(self) -> float:
        """Milliseconds of the processor for a task of so many stores."""
        return self.cpu * 1000 / (self.stores / self.chunk)


def simulate(stores: int, store_ms: float, workers: int = 16) -> Iterator[Simulated]:
    """Yield what so many stores take in chunks of 16, and a tenth of them in chunks of 1."""
    fleet = [FleetStore(f"store {number}", f"/{number}.db", 0) for number in range(stores)]
    with cluster(workers, processes=False, protocol="tcp") as client:
        for chunk in (16, 1):
            fleet = fleet if chunk > 1 else fleet[: max(1, stores // 10)]
            address = client.scheduler.address
            with mock.patch("memctl.fleet.dask_cluster._CHUNK", chunk):
                began, cpu = time.perf_counter(), time.process_time()
                task = partial(_sleep, store_ms / 1000)
                done = sum(1 for _ in spread(task, fleet, scheduler=address))
                seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
            if done != len(fleet):
                raise RuntimeError(f"{done} of {len(fleet)} stores came back")
            yield Simulated(chunk, done, store_ms, workers, seconds, cpu)


def _sleep(seconds: float, _: FleetStore) -> None:
    time.sleep(seconds)
