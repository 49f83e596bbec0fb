"""One verb on every store of a fleet: dream, doctor, vacuum, backup."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from memctl.base.arguments import checked
from memctl.base.counting import sized
from memctl.base.errors import RefusedError, StoreDamagedError, UsageError
from memctl.base.near_words import one_of
from memctl.entry import open_memory
from memctl.fleet.fleet_stores import FleetStore, Place
from memctl.fleet.fleet_stores import stores as stores_of
from memctl.fleet.leases import borrowed
from memctl.fleet.spreading import Finished, spread
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.memory import Memory

State = Literal["done", "failed", "lost"]


@dataclass(frozen=True, slots=True)
class Outcome(Result):
    """What became of one store.

    Parameters
    ----------
    name, where, machine
        As of `FleetStore`.
    state
        ``done``; ``failed``: nothing of it was done, or it was taken back; ``lost``: somebody else
        took or wrote the store in the bucket meanwhile, and the work was thrown away.
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
    """What a run over many stores did, each store's outcome in the order of their names."""

    verb: str
    outcomes: tuple[Outcome, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many stores are in each state."""
        return dict(Counter(outcome.state for outcome in self.outcomes))

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The stores that are not done."""
        return tuple(outcome for outcome in self.outcomes if outcome.state != "done")


@checked
def run(
    verb: str,
    stores: Sequence[Place] | Place | None = None,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[Outcome], object] = bool,
) -> Run:
    """Do something with every store of some places, each wholly or not at all.

    Parameters
    ----------
    verb
        ``dream``, ``doctor``, ``vacuum`` or ``backup``.
    stores
        Places, as for `memctl.fleet.stores`.
    jobs, scheduler
        Who does it, as for `memctl.fleet.spreading.spread`.
    progress
        Called with each store's outcome as it comes.

    Raises
    ------
    UsageError
        When there is no such verb.
    NotFoundError
        When a place holds no store.
    """
    if verb not in VERBS:
        raise UsageError(f'there is no verb "{verb}"', hint=one_of(verb, VERBS))
    outcomes = []
    for finished in spread(partial(_done, verb), stores_of(stores), jobs=jobs, scheduler=scheduler):
        outcomes.append(outcome_of(finished))
        progress(outcomes[-1])
    return Run(verb, tuple(sorted(outcomes, key=lambda outcome: (outcome.name, outcome.where))))


def outcome_of(finished: Finished[str]) -> Outcome:
    """Return the outcome of a store, from what its task returned or raised."""
    store, error = finished.store, finished.error
    text = finished.value or ""
    if error is not None:
        text = f"{error.message} ({error.hint})" if error.hint else error.message
    code = error.code if error else ""
    state: State = "lost" if code == "lost" else "failed" if error else "done"
    return Outcome(store.name, store.where, store.machine, state, text, code, round(finished.ms, 3))


def _done(verb: str, store: FleetStore) -> str:
    if store.in_bucket and verb == "backup":
        raise RefusedError(f'"{store.name}" is in a bucket', hint="memctl fleet pull copies it")
    with borrowed(store, writes=verb != "doctor") as path, open_memory(path) as memory:
        memory.store.connection()
        return VERBS[verb](memory)


def _dream(memory: Memory) -> str:
    report = memory.dream.run(apply=True)
    return report.diary or report.why or "nothing new"


def _doctor(memory: Memory) -> str:
    wrong = [check for check in memory.doctor() if not check.ok]
    if wrong:
        first = wrong[0]
        raise StoreDamagedError(f"{first.check}: {first.detail}", hint=first.mend)
    return "nothing wrong"


def _vacuum(memory: Memory) -> str:
    done = memory.vacuum()
    return f"{sized(done.bytes_before)} before, {sized(done.bytes_after)} after"


def _backup(memory: Memory) -> str:
    made = memory.backup()
    return f"{sized(made.bytes)} in {made.path}"


VERBS: dict[str, Callable[[Memory], str]] = {
    "dream": _dream,
    "doctor": _doctor,
    "vacuum": _vacuum,
    "backup": _backup,
}
