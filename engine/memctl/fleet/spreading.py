"""Spreads one task over many stores: in this process, a pool of processes, or a Dask cluster."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from memctl.base.errors import RefusedError
from memctl.fleet.process_pool import work_in_processes
from memctl.fleet.store_queue import INTERRUPTED, PATIENCE, Finished, Queue, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from memctl.fleet.fleet_stores import FleetStore

R = TypeVar("R")


def spread(
    task: Callable[[FleetStore], R],
    stores: Sequence[FleetStore],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    patience: float = PATIENCE,
) -> Iterator[Finished[R]]:
    """Yield each store as it is finished, in any order; none is lost, and none is given twice.

    The first SIGINT (Ctrl-C) lets what is at work end; all other stores are yielded as `left`. A
    second one ends the workers, and raises KeyboardInterrupt.

    Parameters
    ----------
    task
        Of one store; it can be pickled (a function of a module, or a `functools.partial` of one), and
        doing it again does no harm: a worker that is killed may have done it. A BusyError is tried
        again later; any other error is the store's own failure.
    stores
        With a `scheduler`, those of `memctl.fleet.stores` with the same one: it knows their machines.
    jobs
        Processes of this machine; 1: this one alone.
    scheduler
        The address of a Dask scheduler, ``tcp://HOST:PORT`` or ``tls://HOST:PORT``, or ``local`` for
        a cluster of `jobs` processes. A store of a machine is given to a worker there.
    patience
        Seconds for which a store that another process writes is tried again, while others go on.

    Raises
    ------
    UsageError, MemctlError
        When the scheduler does not answer, or has no workers that can do it; nothing is done.
    """
    if scheduler in {None, "local"}:
        # A file of the same path here is another store.
        for store in stores:
            if store.machine:
                yield Finished(store, None, _elsewhere(store), 0)
        stores = [store for store in stores if not store.machine]
    queue = Queue[R](stores, patience)
    with stopping() as stopped:
        if scheduler is not None and stores:
            from memctl.fleet.dask_work import work_on_cluster

            yield from work_on_cluster(
                task, stores, stopped, scheduler, jobs=jobs, patience=patience
            )
            return
        if jobs > 1:
            yield from work_in_processes(task, queue, stopped, jobs)
        else:
            yield from _work_here(task, queue, stopped)
        yield from queue.left(INTERRUPTED)


def spread_where_they_lie(
    task: Callable[[FleetStore], R], stores: Sequence[FleetStore], **how: Any
) -> Iterator[Finished[R]]:
    """Yield what a task of a few calls of the file system returns; those here need no other process.

    `how` is as for `spread`.
    """
    yield from (attempt(task, store) for store in stores if not store.machine)
    yield from spread(task, [store for store in stores if store.machine], **how)


def _elsewhere(store: FleetStore) -> RefusedError:
    return RefusedError(
        f'"{store.name}" is on the machine {store.machine}',
        hint="--scheduler tcp://HOST:8786 reaches it",
    )


def _work_here(
    task: Callable[[FleetStore], R], queue: Queue[R], stopped: threading.Event
) -> Iterator[Finished[R]]:
    while queue.waiting and not stopped.is_set():
        for store in queue.take():
            yield from queue.settle(attempt(task, store))
        stopped.wait(queue.pause())


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """Yield what the first SIGINT sets; the second one is raised. Other threads get none."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        with suppress(ValueError):  # another thread closes the generator
            signal.signal(signal.SIGINT, before)
