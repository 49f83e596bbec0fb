"""A Dask cluster: a client of its scheduler, and what its workers are asked before they work.

A machine is the host of a worker's address: many workers of one host are one machine. The address
``tls://HOST:PORT`` takes the certificates of Dask's own configuration:
``distributed.comm.tls.ca-file`` and ``distributed.comm.tls.client.{cert,key}``. Whoever reaches a
scheduler runs code on its workers.

A store's machine does it, in tasks of a few stores: chunks keep the overhead of a task small. Of a
chunk that killed its worker each store is tried alone, so that the one that kills is blamed, and none
that was queued behind it.
"""

from __future__ import annotations

import logging
import time
import uuid
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from memctl.base.counting import counted
from memctl.base.errors import MemctlError, RefusedError, UsageError
from memctl.base.packaged import text_in
from memctl.fleet.store_queue import INTERRUPTED, Finished, Queue, attempt, killed_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from threading import Event

    from memctl.fleet.store_queue import FleetStore


R = TypeVar("R")
# Dask's classes are half typed.
Client = Any
Future = Any

_ANSWER = 5  # seconds for a scheduler
LOCAL = "local"
DISTRIBUTION = "memctl-engine"
_CERTIFICATES = "distributed.comm.tls.ca-file"
_NO_SIGINT = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"


def call_everywhere(scheduler: str, function: Callable[..., R], *arguments: Any) -> dict[str, R]:
    """Call a function on each machine, in one of its workers; return the answers by machine."""
    with connected(scheduler) as client:
        hosts = {worker["host"]: address for address, worker in workers_of(client).items()}
        answers = client.run(function, *arguments, workers=sorted(hosts.values()))
        return {host: answers[address] for host, address in sorted(hosts.items())}


@contextmanager
def connected(scheduler: str, jobs: int = 1) -> Iterator[Client]:
    """Yield a client of a scheduler whose workers have the memctl of this process.

    Raises
    ------
    UsageError
        When it is no address, or the extra is missing.
    MemctlError
        When the scheduler does not answer, or has no workers.
    RefusedError
        When a worker has another memctl, or none.
    """
    try:
        dask, distributed = map(import_module, ("dask", "distributed"))
    except ImportError:
        hint = "pip install 'memctl-engine[fleet]'; --jobs needs none of it"
        raise UsageError("a scheduler needs Dask", hint=hint) from None
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL)  # what happens to workers is said by their stores
    cluster = None
    try:
        if scheduler == LOCAL:
            with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
                cluster = _local_cluster(distributed, jobs)
        elif not scheduler.startswith(("tcp://", "tls://")):
            hint = "tcp://HOST:8786, tls://HOST:8786, or local"
            raise UsageError(f'"{scheduler}" is no address of a scheduler', hint=hint)
        if scheduler.startswith("tls://") and not dask.config.get(_CERTIFICATES, None):
            hint = f"Dask's configuration has them: {_CERTIFICATES}, and client.cert, client.key"
            raise UsageError(f'"{scheduler}" needs certificates', hint=hint)
        try:
            client = distributed.Client(cluster or scheduler, timeout=_ANSWER, set_as_default=False)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            raise MemctlError(
                f'the scheduler "{scheduler}" does not answer: {error}',
                hint="start one with: dask scheduler; and: dask worker ADDRESS --nthreads 1",
            ) from None
        with client:
            _refuse_strangers(client, scheduler)
            yield client
    finally:
        if cluster is not None:
            cluster.close()
        log.setLevel(level)


def _local_cluster(distributed: Any, jobs: int) -> Any:
    try:
        return distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": ":0"},  # its port is taken nevertheless
            preload=[_NO_SIGINT],
            silence_logs=logging.CRITICAL,
        )
    except (OSError, RuntimeError) as error:
        hint = 'a script asks for a scheduler under: if __name__ == "__main__":'
        raise UsageError(f"no cluster could start here: {error}", hint=hint) from None


def _refuse_strangers(client: Client, scheduler: str) -> None:
    """Refuse workers of another version or schema, by their names."""
    if not workers_of(client):
        hint = f"start one on each machine: dask worker {scheduler} --nthreads 1"
        raise MemctlError(f'the scheduler "{scheduler}" has no worker', hint=hint)
    strangers: dict[str, str] = {}
    for function, arguments in _TRAITS:
        ours = function(*arguments)
        for worker, said in client.run(function, *arguments, on_error="return").items():
            if said != ours:
                what = said if function is version else "another schema"
                strangers.setdefault(worker, "none" if isinstance(said, Exception) else what)
    if strangers:
        listed = ", ".join(f"{worker} ({said})" for worker, said in sorted(strangers.items()))
        raise RefusedError(
            f"{counted(len(strangers), 'worker')} of another memctl: {listed}",
            hint=f"install {DISTRIBUTION}=={version(DISTRIBUTION)} there, or stop them",
        )


# Plain functions, so that a worker without memctl answers, too.
_TRAITS: tuple[tuple[Callable[..., str], tuple[str, ...]], ...] = (
    (version, (DISTRIBUTION,)),
    (text_in, ("memctl.schema", "digest.txt")),
)


def workers_of(client: Client) -> Mapping[str, Mapping[str, Any]]:
    """Return the scheduler's records of its workers, by their addresses."""
    workers: Mapping[str, Mapping[str, Any]] = client.scheduler_info()["workers"]
    return workers


# -- the work of a run ---------------------------------------------------------------------


# Seconds until a machine without a worker has none any more; one that was killed comes again.
_GONE = 10.0
# Stores of a task, and the seconds after which it gives back those that it has not begun.
_CHUNK, _SLICE = 16, 1.0
# Seconds between two looks at the workers, and at whether the run is to stop.
_REFRESH, _LOOK = 1.0, 0.2
# Seconds for an answer to come from its worker, which may have died since.
_FETCH = 3
_AGAIN = "the same command goes on"
_SAME = "see the log of the worker"


def work_on_cluster(
    task: Callable[[FleetStore], R],
    stores: Iterable[FleetStore],
    stopped: Event,
    scheduler: str,
    *,
    jobs: int,
    patience: float,
) -> Iterator[Finished[R]]:
    """Yield each store as a worker of its machine has finished it, or as left."""
    machines: dict[str, list[FleetStore]] = {}
    for store in stores:
        machine = "" if scheduler == LOCAL else store.machine
        machines.setdefault(machine, []).append(store)
    lanes = [_Lane(machine, Queue[R](held, patience)) for machine, held in machines.items()]
    with connected(scheduler, jobs) as client:
        yield from _Cluster(client, task, lanes).work(stopped)


class _Lane(Generic[R]):
    """The stores of one machine, and what its workers are at; of none: those that any worker does."""

    def __init__(self, machine: str, queue: Queue[R]) -> None:
        self.machine, self.queue = machine, queue
        self.suspects: list[FleetStore] = []
        self.flying: dict[Future, list[FleetStore]] = {}
        self._chunk = self._room = 0
        self._alone = False
        self._gone: float | None = None

    def look(self, workers: Iterable[Mapping[str, Any]]) -> bool:
        """Look at the workers that there are; return whether its machine has none for a while."""
        threads = [worker["nthreads"] for worker in workers if self.machine in {"", worker["host"]}]
        if threads:
            self._gone = None
            # A task waits at each worker, so that none waits for the next.
            self._room = sum(threads) + len(threads)
            self._chunk = self._chunk or _chunk(self.queue.waiting, sum(threads))
        elif self._gone is None:
            self._gone = time.monotonic()
        gone = 0 if self._gone is None else time.monotonic() - self._gone
        return bool(self.unfinished) and gone > _GONE

    @property
    def unfinished(self) -> int:
        """How many stores are in tasks or wait for one."""
        return len(self.flying) + len(self.suspects) + self.queue.waiting

    def next(self) -> list[FleetStore]:
        """Return the stores of the next task: a suspect's is alone, so that no other is blamed."""
        if self._alone and self.flying:
            return []
        self._alone = bool(self.suspects) and not self.flying
        if self.suspects:
            return [self.suspects.pop()] if self._alone else []
        return self.queue.take(self._chunk) if len(self.flying) < self._room else []

    def received(self, future: Future) -> Iterator[Finished[R]]:
        """Yield what came of a task."""
        stores = self.flying.pop(future)
        try:
            done = future.result(_FETCH)
        except OSError:  # among them TimeoutError: whoever held the answer has died with it
            for store in stores:
                yield from self.queue.killed(store, "with its answer", 0)
            return
        except Exception as error:  # noqa: BLE001  (Dask's, about a task that did not run)
            yield from self._not_done(stores, error)
            return
        for finished in done:
            yield from self.queue.settle(finished)
        self.queue.put_back(reversed(stores[len(done) :]))

    def _not_done(self, stores: list[FleetStore], error: Exception) -> Iterator[Finished[R]]:
        if type(error).__name__ == "KilledWorker":
            if len(stores) > 1 or not self._alone:
                self.suspects += stores
                return
            wrong = killed_error("each time")
        elif isinstance(error, CancelledError):
            wrong = MemctlError("the scheduler was lost while it was at work", hint=_AGAIN)
        else:
            wrong = MemctlError(f"its worker cannot do it: {error}", hint=_SAME)
        yield from self._failed(stores, wrong)

    def given_up(self, why: str, *, left: bool) -> Iterator[Finished[R]]:
        """Yield all that is unfinished: as failed, or as `left` what no worker has begun."""
        error = MemctlError(why, hint=_AGAIN)
        flown = [store for stores in self.flying.values() for store in stores]
        self.flying.clear()
        self.queue.put_back(self.suspects)
        self.suspects = []
        yield from self._failed(flown, error)
        for finished in self.queue.left(why):
            yield finished if left else replace(finished, error=error)

    def _failed(self, stores: Iterable[FleetStore], error: MemctlError) -> Iterator[Finished[R]]:
        for store in stores:
            yield from self.queue.settle(Finished(store, None, error, 0))


def _chunk(stores: int, threads: int) -> int:
    """Return how many stores a task has: few where there are few, so that all workers have some."""
    return max(1, min(_CHUNK, stores // (4 * threads)))


class _Cluster(Generic[R]):
    """One run over the workers of a scheduler."""

    def __init__(
        self, client: Client, task: Callable[[FleetStore], R], lanes: Iterable[_Lane[R]]
    ) -> None:
        self._client, self._task = client, task
        self._run = uuid.uuid4().hex
        self._done: SimpleQueue[Future] = SimpleQueue()
        self._looked = 0.0
        self._lanes = list(lanes)

    def work(self, stopped: Event) -> Iterator[Finished[R]]:
        """Yield every store as it is finished; when it stops, all that are left."""
        halted = False
        while any(lane.unfinished for lane in self._lanes):
            yield from self._look()
            if self._client.status != "running":
                for lane in self._lanes:
                    yield from lane.given_up("the scheduler was lost", left=True)
                return
            if stopped.is_set() and not halted:
                halted = True
                with suppress(OSError, RuntimeError):
                    self._client.run(_halt, self._run, on_error="ignore")
            if halted and not any(lane.flying for lane in self._lanes):
                break
            if not halted:
                self._send()
            yield from self._received()
        for lane in self._lanes:
            yield from lane.given_up(INTERRUPTED, left=True)

    def _look(self) -> Iterator[Finished[R]]:
        if time.monotonic() - self._looked < _REFRESH:
            return
        self._looked = time.monotonic()
        try:
            workers = workers_of(self._client).values()
        except (OSError, RuntimeError):
            return  # a scheduler that is lost shows in the client's status
        for lane in self._lanes:
            if self._client.status == "running" and lane.look(workers):
                of = f' of the machine "{lane.machine}"' if lane.machine else ""
                self._client.cancel(list(lane.flying), force=True)
                yield from lane.given_up(f"no worker{of} is left", left=False)

    def _send(self) -> None:
        for lane in self._lanes:
            while stores := lane.next():
                future: Future = self._client.submit(
                    _work_on,
                    self._task,
                    stores,
                    self._run,
                    version(DISTRIBUTION),
                    pure=False,
                    workers=[lane.machine] if lane.machine else None,
                )
                lane.flying[future] = stores
                future.add_done_callback(self._done.put)

    def _received(self) -> Iterator[Finished[R]]:
        with suppress(Empty):
            future = self._done.get(timeout=_LOOK)
            while True:
                for lane in self._lanes:
                    if future in lane.flying:
                        yield from lane.received(future)
                future = self._done.get_nowait()


# -- in a worker -----------------------------------------------------------------------------

_halted: set[str] = set()


def _halt(run: str) -> None:
    """Let this worker begin no store of a run any more."""
    _halted.add(run)


def _work_on(
    task: Callable[[FleetStore], R], stores: Sequence[FleetStore], run: str, wanted: str
) -> list[Finished[R]]:
    """Do stores one after another; those that were not begun in time are not among the answers.

    A worker may have come since the run looked at all of them.
    """
    if (mine := version(DISTRIBUTION)) != wanted:
        raise RefusedError(f"memctl {mine} is there, and {wanted} here")
    result: list[Finished[R]] = []
    began = time.monotonic()
    for store in stores:
        if run in _halted or (result and time.monotonic() - began > _SLICE):
            break
        result.append(attempt(task, store))
    return result
