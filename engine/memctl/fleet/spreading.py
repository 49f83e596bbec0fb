"""Spreads one task over many stores: in this process, a pool of processes, or a Dask cluster.

Of a pool each process is at one store, so that who is killed names its store: the standard library's
executors forget whose task a process was at when it died, and how it died.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from memctl.base.errors import MemctlError, RefusedError, UsageError
from memctl.fleet.store_queue import INTERRUPTED, PATIENCE, Finished, Queue, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from threading import Event
    from types import FrameType

    from memctl.fleet.store_queue import FleetStore


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
            from memctl.fleet.dask_cluster import work_on_cluster

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


# -- a pool of processes of this machine ---------------------------------------------------


# Seconds between two looks at whether the run is to stop, and for a worker to end by itself.
_LOOK, _LAST = 0.5, 2.0


def work_in_processes(
    task: Callable[[FleetStore], R], queue: Queue[R], stopped: Event, jobs: int
) -> Iterator[Finished[R]]:
    """Yield each store of a queue as one of `jobs` processes has finished it."""
    workers = [_Worker(task) for _ in range(min(jobs, queue.waiting))]
    try:
        while True:
            for place, worker in enumerate(workers):
                if worker.at_work or stopped.is_set():
                    continue
                for store in queue.take():
                    if worker.dead:
                        worker.end()
                        workers[place] = _Worker(task)
                    workers[place].begin(store)
            at_work: dict[Any, _Worker[R]] = {
                worker.pipe: worker for worker in workers if worker.at_work
            }
            if not at_work and (stopped.is_set() or not queue.waiting):
                return
            pause = min(queue.pause() or _LOOK, _LOOK)
            if not at_work:
                stopped.wait(pause)
            for pipe in wait(list(at_work), pause):
                yield from at_work[pipe].finish(queue)
    finally:
        for worker in workers:
            worker.end()


class _Worker(Generic[R]):
    """One process, the pipe to it, and the store that it is at."""

    def __init__(self, task: Callable[[FleetStore], R]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far, task), daemon=True)
        with _deaf():
            self._process.start()
        far.close()  # so that the pipe ends with the process
        self._ready = self.dead = False
        self._store: FleetStore | None = None
        self._began = 0.0

    @property
    def at_work(self) -> bool:
        """Whether it has a store."""
        return self._store is not None

    def begin(self, store: FleetStore) -> None:
        """Give it a store."""
        self._store, self._began = store, time.perf_counter()
        try:
            self.pipe.send(store)
        except OSError:
            return  # it died: `finish` meets the end of the pipe

    def finish(self, queue: Queue[R]) -> Iterator[Finished[R]]:
        """Yield what came of its store, from its pipe: the first word is only that it lives."""
        try:
            answer: Any = self.pipe.recv()
        except (EOFError, OSError):
            yield from self._died(queue)
            return
        if not self._ready:
            self._ready = True
            return
        self._store = None
        yield from queue.settle(answer)

    def _died(self, queue: Queue[R]) -> Iterator[Finished[R]]:
        self._process.join()
        code = self._process.exitcode or 0
        if not self._ready and code > 0:
            raise UsageError(
                f"a worker process could not start: it ended with {code}",
                hint='a script asks for jobs under: if __name__ == "__main__":',
            )
        how = f"(signal {-code})" if code < 0 else f"(it ended with {code})"
        ms = (time.perf_counter() - self._began) * 1000
        store, self.dead, self._store = self._store, True, None
        if store is not None:
            yield from queue.killed(store, how, ms)

    def end(self) -> None:
        """End it: when it has nothing to do at once, else by a signal; its transaction is undone."""
        self.pipe.close()
        if self.at_work:
            self._process.terminate()
        self._process.join(_LAST)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


@contextmanager
def _deaf() -> Iterator[None]:
    """Let a process that is started inside get no SIGINT, from its first moment on."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # it would lift the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, task: Callable[[FleetStore], Any]) -> None:
    """Do stores as they come, until the pipe ends; a Ctrl-C is for who gives them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pipe.send("ready")
        while True:
            finished = attempt(task, pipe.recv())
            try:
                pipe.send(finished)
            except (OSError, EOFError):
                raise
            except Exception as error:  # noqa: BLE001  (what cannot be pickled)
                pipe.send(_unsendable(finished, error))
    except (EOFError, OSError):
        return


def _unsendable(finished: Finished[Any], error: Exception) -> Finished[Any]:
    why = MemctlError(f"its answer cannot be sent: {error}", hint="please report it")
    return Finished(finished.store, None, why, finished.ms)
