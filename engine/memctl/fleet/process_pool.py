"""A pool of processes of this machine, each at one store, so that who is killed names its store.

The standard library's executors forget whose task a process was at when it died, and how it died.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from memctl.base.errors import MemctlError, UsageError
from memctl.fleet.store_queue import Finished, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Event

    from memctl.fleet.fleet_stores import FleetStore
    from memctl.fleet.store_queue import Queue

R = TypeVar("R")

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
