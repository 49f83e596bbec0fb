"""A store of a fleet, and the queue of a run over many: which are to be begun, which wait, what came of each."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from memctl.base.errors import BusyError, FileAccessError, MemctlError
from memctl.fleet.buckets import is_bucket
from memctl.store.connections import waiting
from memctl.store.results import Result
from memctl.store.sqlite_errors import raise_translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

R = TypeVar("R")

# Seconds for which a store that somebody writes is tried again, and between two tries of it.
PATIENCE = 30.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 3.0
# A store whose worker is killed so often is what kills it.
KILLS = 3
INTERRUPTED = "not begun: the run was interrupted"


@dataclass(frozen=True, slots=True)
class FleetStore(Result):
    """One store of a fleet.

    Parameters
    ----------
    name
        What answers call it: its address, or its file's path in the folder that was asked; with its
        machine or whole path behind it where another store has the same name.
    where
        Its file, or its URL in a bucket.
    bytes
        The size of its file, or of its object in the bucket.
    machine
        The machine whose workers hold the file; empty: this machine, or a bucket.
    also_on
        Other machines that see the very same file: a disk that they share.
    """

    name: str
    where: str
    bytes: int
    machine: str = ""
    also_on: tuple[str, ...] = ()

    @property
    def in_bucket(self) -> bool:
        """Whether it lies in a bucket."""
        return is_bucket(self.where)


class _LeftError(MemctlError):
    """A store that was not begun: the run was interrupted, or nobody was left to do it."""

    code = "left"


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

    @property
    def left(self) -> bool:
        """Whether it was not begun, so that the same call does it: after a Ctrl-C."""
        return isinstance(self.error, _LeftError)

    @property
    def interrupted(self) -> bool:
        """Whether a Ctrl-C is why it is left."""
        return self.left and str(self.error) == INTERRUPTED


class Queue(Generic[R]):
    """The stores that are not finished: those to be begun, then those that were busy, in time."""

    def __init__(self, stores: Iterable[FleetStore], patience: float = PATIENCE) -> None:
        self._patience = patience
        self._fresh = list(stores)[::-1]
        self._busy: list[tuple[float, FleetStore]] = []
        self._tries: Counter[str] = Counter()
        self._since: dict[str, float] = {}

    @property
    def waiting(self) -> int:
        """How many stores are not begun, or wait to be begun again."""
        return len(self._fresh) + len(self._busy)

    def take(self, most: int = 1) -> list[FleetStore]:
        """Return at most so many stores that can be begun now; they are to be settled, or put back."""
        taken = [self._fresh.pop() for _ in range(min(most, len(self._fresh)))]
        now = time.monotonic()
        while len(taken) < most and self._busy and self._busy[0][0] <= now:
            taken.append(self._busy.pop(0)[1])
        return taken

    def pause(self) -> float:
        """Return the seconds until a store can be begun."""
        if self._fresh or not self._busy:
            return 0
        return max(0, self._busy[0][0] - time.monotonic())

    def put_back(self, stores: Iterable[FleetStore]) -> None:
        """Take back stores that were given out and not begun."""
        self._fresh.extend(stores)

    def settle(self, finished: Finished[R]) -> Iterator[Finished[R]]:
        """Yield a store that is finished; one that is busy is kept for later, as patience lasts."""
        key, now = _key(finished.store), time.monotonic()
        self._tries[key] += 1
        number = self._tries[key]
        since = self._since.setdefault(key, now - finished.ms / 1000)
        pause = min(_FIRST_PAUSE * 2.0 ** (number - 1), _LONGEST_PAUSE)
        if isinstance(finished.error, BusyError) and now + pause <= since + self._patience:
            self._busy.append((now + pause, finished.store))
            self._busy.sort(key=lambda entry: entry[0])
            return
        yield Finished(finished.store, finished.value, finished.error, finished.ms, number)

    def killed(self, store: FleetStore, how: str, ms: float) -> Iterator[Finished[R]]:
        """Yield a store that has killed its worker `KILLS` times; before, it is begun again."""
        key = _key(store)
        if self._tries[key] + 1 < KILLS:
            self._tries[key] += 1
            self.put_back([store])
            return
        yield from self.settle(Finished(store, None, killed_error(how), ms))

    def left(self, why: str) -> Iterator[Finished[R]]:
        """Yield every store that waits as one that is left, and forget it."""
        waiting_stores = [*self._fresh[::-1], *(store for _, store in self._busy)]
        self._fresh, self._busy = [], []
        for store in waiting_stores:
            yield Finished(store, None, left_error(why), 0, self._tries[_key(store)])


def left_error(why: str) -> MemctlError:
    """Return the error of a store that was not begun."""
    return _LeftError(why, hint="the same command goes on")


def killed_error(how: str) -> MemctlError:
    """Return the error of a store whose workers are killed."""
    return MemctlError(
        f"its worker was killed {how}", hint="memctl doctor on this store alone shows more"
    )


def attempt(task: Callable[[FleetStore], R], store: FleetStore) -> Finished[R]:
    """Do the task on one store; whatever is wrong with it is returned, as memctl's error."""
    began = time.perf_counter()
    value, error = None, None
    try:
        with waiting(0), _alone(_key(store)):
            value = task(store)
    except Exception as raised:  # noqa: BLE001  (one store's failure is not the run's)
        error = _as_ours(raised, store)
        error.__traceback__ = None  # its frames hold the store's memory
    return Finished(store, value, error, (time.perf_counter() - began) * 1000)


_at_work: set[str] = set()
_lock = threading.Lock()


@contextmanager
def _alone(key: str) -> Iterator[None]:
    """Keep two threads of one worker, of two runs, off one store: its lock keeps off processes."""
    with _lock:
        if key in _at_work:
            raise BusyError(f'another run is at work on "{key}"', hint="wait until it has finished")
        _at_work.add(key)
    try:
        yield
    finally:
        _at_work.discard(key)


def _key(store: FleetStore) -> str:
    return f"{store.machine}:{store.where}" if store.machine else store.where


def _as_ours(error: Exception, store: FleetStore) -> MemctlError:
    if isinstance(error, MemctlError):
        return error
    if isinstance(error, sqlite3.Error):
        with suppress(sqlite3.Error):
            try:
                raise_translated(error, Path(store.where))
            except MemctlError as translated:
                return translated
        return MemctlError(f'"{store.where}": {error}')
    if isinstance(error, OSError):
        return FileAccessError(f'"{error.filename or store.where}": {error.strerror}', cause=error)
    if isinstance(error, MemoryError):
        return MemctlError("there is not enough memory for it", hint="fewer --jobs need less")
    return MemctlError(
        f"a defect in memctl: {type(error).__name__}: {error}",
        hint="the verb on this store alone with MEMCTL_DEBUG=1 shows where; please report it",
    )
