"""Spreads one task over many stores: in this process, a pool of processes, or a Dask cluster."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from memctl.base.errors import BusyError, MemctlError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memctl.fleet.fleet_stores import FleetStore

R = TypeVar("R")

# A store that somebody writes goes back into the queue so often, and waits so many seconds first.
_TRIES, _PAUSE = 5, 0.2


@dataclass(frozen=True, slots=True)
class Finished(Generic[R]):
    """One store, done or not: what the task returned, or why it did not.

    Parameters
    ----------
    ms
        How long the last try took.
    tries
        How often it was begun.
    """

    store: FleetStore
    value: R | None
    error: MemctlError | None
    ms: float
    tries: int = 1


def spread(
    task: Callable[[FleetStore], R],
    stores: Sequence[FleetStore],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[Finished[R]]:
    """Yield each store as it is finished, in any order; none is lost, and none is given twice.

    Parameters
    ----------
    task
        Of one store; it can be pickled (a function of a module, or a `functools.partial` of one), and
        doing it again does no harm: a worker that is killed may have done it. A BusyError is tried
        again later; any other MemctlError is the store's own failure.
    jobs
        Processes of this machine; 1: this one alone.
    scheduler
        The address of a Dask scheduler, or ``local`` for a cluster of `jobs` processes. A store of a
        machine is given to a worker there.
    """
    if jobs != 1 or scheduler is not None:
        raise NotImplementedError
    queue = [(store, 1) for store in stores]
    while queue:
        store, number = queue.pop(0)
        finished = attempt(task, store, number)
        if isinstance(finished.error, BusyError) and number < _TRIES:
            time.sleep(0 if queue else _PAUSE)
            queue.append((store, number + 1))
            continue
        yield finished


def attempt(task: Callable[[FleetStore], R], store: FleetStore, number: int = 1) -> Finished[R]:
    """Do the task on one store; what is wrong with it is returned."""
    began = time.perf_counter()
    value, error = None, None
    try:
        value = task(store)
    except MemctlError as raised:
        error = raised
    return Finished(store, value, error, (time.perf_counter() - began) * 1000, number)
