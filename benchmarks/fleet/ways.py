"""The ways of working on many stores, and what each pass over them took: by the clock, of processors."""

from __future__ import annotations

import resource
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PAGE = resource.getpagesize()


@dataclass(frozen=True, slots=True)
class Way:
    """Who does it: the arguments of `memctl.fleet`, and a client of the cluster where there is one."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    client: Any = None


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass took: seconds by the clock, and of all processes' processors."""

    way: str
    what: str
    stores: int
    seconds: float
    cpu: float
    megabytes: tuple[float, float] = (
        0,
        0,
    )  # the largest worker of a cluster: at a quarter, at the end

    @property
    def rate(self) -> float:
        """Stores a second."""
        return self.stores / self.seconds

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of processors for a store."""
        return self.cpu * 1000 / self.stores


def measured(way: Way, what: str, stores: int, act: Callable[..., object]) -> Pass:
    """Do one pass and return what it took; the act takes `progress`, to call for each store."""
    memory: list[float] = []
    done = 0

    def progress(_: object) -> None:
        nonlocal done
        done += 1
        if way.client is not None and done == max(1, stores // 4):
            memory.append(_megabytes(way))

    cpu, began = _cpu(way), time.perf_counter()
    act(progress=progress)
    seconds = time.perf_counter() - began
    cpu = _cpu(way) - cpu
    memory.append(_megabytes(way) if way.client is not None else 0)
    return Pass(way.name, what, stores, seconds, cpu, (memory[0], memory[-1]))


@contextmanager
def cluster(workers: int, **options: Any) -> Iterator[Any]:
    """Yield a client of a Dask cluster of this machine, each worker with one thread."""
    distributed: Any = import_module("distributed")
    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0", **options}
    with (
        distributed.LocalCluster(silence_logs=50, **options) as made,
        distributed.Client(made) as it,
    ):
        it.wait_for_workers(workers)
        yield it


def _cpu(way: Way) -> float:
    """Return the seconds of processors: of this process, its ended children, and a cluster's workers."""
    ours = time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    workers = way.client.run(time.process_time).values() if way.client is not None else ()
    return ours + children.ru_utime + children.ru_stime + float(sum(workers))


def _megabytes(way: Way) -> float:
    return float(max(way.client.run(resident).values())) / 1e6


def resident() -> int:
    """Return the bytes of memory that this process has in use."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * _PAGE
