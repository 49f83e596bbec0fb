"""One verb on every store of a fleet: dream, doctor, vacuum, backup."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from memctl.base.arguments import checked
from memctl.base.counting import sized
from memctl.base.errors import LeaseLostError, RefusedError, StoreDamagedError, UsageError
from memctl.base.near_words import one_of
from memctl.entry import open_memory
from memctl.fleet.fleet_stores import Place, listed_stores
from memctl.fleet.in_bucket.leases import borrowed
from memctl.fleet.routing_index import update_index
from memctl.fleet.spreading import spread
from memctl.fleet.store_queue import PATIENCE, Finished, FleetStore
from memctl.store.results import Result
from memctl.upkeep.store_copies import backup_of_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memctl.memory import Memory

State = Literal["done", "failed", "left", "lost"]


@dataclass(frozen=True, slots=True)
class Outcome(Result):
    """What became of one store.

    Parameters
    ----------
    name, where, machine
        As of `FleetStore`.
    state
        ``done``; ``failed``: nothing of it was done, or it was taken back; ``lost``: somebody else
        took or wrote the store in the bucket meanwhile, and the work was thrown away; ``left``: it
        was not begun, and the same call does it.
    text
        What was done, in a few words; or what is wrong, with what to do about it.
    code
        The code of the error: ``busy``, ``store_damaged``, ...; empty where it is done.
    ms
        How long it took.
    """

    name: str
    where: str
    machine: str
    state: State
    text: str
    code: str
    ms: float


@dataclass(frozen=True, slots=True)
class Run(Result):
    """What a run over many stores did, each store's outcome in the order of their names.

    ``interrupted`` says that a Ctrl-C ended it: what was at work is done, the others are ``left``. ``note``
    is why the index was made anew, where it was.
    """

    verb: str
    outcomes: tuple[Outcome, ...]
    interrupted: bool = False
    note: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """How many stores are in each state."""
        return dict(Counter(outcome.state for outcome in self.outcomes))

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The stores that failed, or whose work was lost."""
        return tuple(outcome for outcome in self.outcomes if outcome.state in {"failed", "lost"})

    @property
    def left(self) -> tuple[Outcome, ...]:
        """The stores that were not begun."""
        return tuple(outcome for outcome in self.outcomes if outcome.state == "left")


@checked
def run(
    verb: str,
    stores: Sequence[Place | FleetStore] | Place | None = None,
    *,
    index: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    patience: float = PATIENCE,
    progress: Callable[[Outcome], object] = bool,
) -> Run:
    """Do something with every store of some places, each wholly or not at all.

    Parameters
    ----------
    verb
        ``dream``, ``doctor``, ``vacuum``, ``backup`` or ``index``.
    stores
        Places, as for `memctl.fleet.stores`; or what that has returned, all or some of it.
    index
        Of the verb ``index``: the folder or bucket of the routing index that `memctl.fleet.recall`
        asks. What has changed is read again, and what is gone leaves it.
    jobs
        Processes of this machine; 1: this one alone.
    scheduler
        The address of a Dask scheduler, ``tcp://HOST:PORT`` or ``tls://HOST:PORT``: its workers do
        the stores of their machines. Or ``local``: a cluster of `jobs` processes here.
    patience
        Seconds for which a store that another process writes is tried again, while others go on.
    progress
        Called with each store's outcome as it comes.

    Raises
    ------
    UsageError
        When there is no such verb, or no such scheduler.
    MemctlError, RefusedError
        When the scheduler does not answer, or has workers of another memctl; nothing is done.
    NotFoundError
        When a place holds no store.
    """
    if verb not in {*VERBS, INDEX}:
        raise UsageError(f'there is no verb "{verb}"', hint=one_of(verb, [*VERBS, INDEX]))
    if (verb == INDEX) != (index is not None):
        raise UsageError("the verb index, and it alone, needs an index", hint="--index DIR")
    # Done twice, as after the death of a worker, a backup is the same file.
    task = partial(_done, verb, f"fleet-{secrets.token_hex(4)}")
    chosen = listed_stores(stores, scheduler)
    notes: list[str] = []
    how: Any = {"jobs": jobs, "scheduler": scheduler, "patience": patience}
    # What only reads, reads a file that several machines see once.
    if index is not None:
        work = update_index(chosen, os.fspath(index), notes, **how)
        return replace(as_they_come(verb, work, progress), note="; ".join(notes))
    if verb in _READING:
        return as_they_come(verb, spread(task, chosen, **how), progress)
    return written(verb, task, chosen, progress, **how)


def written(
    verb: str,
    task: Callable[[FleetStore], str],
    stores: Sequence[FleetStore],
    progress: Callable[[Outcome], object],
    **how: Any,
) -> Run:
    """Do what writes with each store that has one writing machine; `how` is as for `spread`.

    The task returns what was done, in a few words.
    """
    work = spread(task, [store for store in stores if not store.also_on], **how)
    shared = (_refused(store) for store in stores if store.also_on)
    return as_they_come(verb, chain(shared, work), progress)


def as_they_come(
    verb: str, work: Iterable[Finished[Any]], progress: Callable[[Outcome], object]
) -> Run:
    """Return the outcomes of stores as they are finished."""
    outcomes = []
    interrupted = False
    for finished in work:
        outcomes.append(outcome_of(finished))
        interrupted |= finished.interrupted
        progress(outcomes[-1])
    return Run(verb, tuple(sorted(outcomes, key=attrgetter("name", "where"))), interrupted)


def outcome_of(finished: Finished[Any]) -> Outcome:
    """Return the outcome of a store, from what its task returned or raised."""
    store, error = finished.store, finished.error
    state: State = "done"
    text, code = "" if finished.value is None else str(finished.value), ""
    if error is not None:
        state = "left" if finished.left else "failed"
        state = "lost" if isinstance(error, LeaseLostError) else state
        text = f"{error.message} ({error.hint})" if error.hint else error.message
        code = error.code
    return Outcome(store.name, store.where, store.machine, state, text, code, round(finished.ms, 3))


def _refused(store: FleetStore) -> Finished[str]:
    """Return a store as refused: its file has more than one writing machine."""
    error = RefusedError(
        f"{', '.join((store.machine, *store.also_on))} see the same file",
        hint="a file has one writing machine: start workers on that one alone",
    )
    return Finished(store, None, error, 0)


def _done(verb: str, run: str, store: FleetStore) -> str:
    if store.in_bucket and verb == "backup":
        raise RefusedError(f'"{store.name}" is in a bucket', hint="memctl fleet pull copies it")
    with borrowed(store, writes=verb not in _READING) as path, open_memory(path) as memory:
        memory.store.connection()
        return VERBS[verb](memory, run)


def _dream(memory: Memory, _run: str) -> str:
    report = memory.dream.run(apply=True)
    return report.diary or report.why or "nothing new"


def _doctor(memory: Memory, _run: str) -> str:
    wrong = [check for check in memory.doctor() if not check.ok]
    if wrong:
        first = wrong[0]
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise StoreDamagedError(f"{first.check}: {first.detail}{more}", hint=first.mend)
    return "nothing wrong"


def _vacuum(memory: Memory, _run: str) -> str:
    done = memory.vacuum()
    return f"{sized(done.bytes_before)} before, {sized(done.bytes_after)} after"


def _backup(memory: Memory, run: str) -> str:
    made = backup_of_run(memory.store, run)
    return f"{sized(made.bytes)} in {made.path}"


INDEX = "index"
VERBS: dict[str, Callable[[Memory, str], str]] = {
    "dream": _dream,
    "doctor": _doctor,
    "vacuum": _vacuum,
    "backup": _backup,
}
_READING = frozenset({"doctor"})
