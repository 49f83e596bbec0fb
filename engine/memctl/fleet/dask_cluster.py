"""A Dask cluster: a client of its scheduler, and what its workers are asked before they work.

A machine is the host of a worker's address: many workers of one host are one machine. The address
``tls://HOST:PORT`` takes the certificates of Dask's own configuration:
``distributed.comm.tls.ca-file`` and ``distributed.comm.tls.client.{cert,key}``. Whoever reaches a
scheduler runs code on its workers.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

from memctl.base.counting import counted
from memctl.base.errors import MemctlError, RefusedError, UsageError
from memctl.base.packaged import text_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


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
