"""Kill workers at random while they dream, and compare every store with one that was left in peace."""

from __future__ import annotations

import random
import shutil
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.fleet.ways import Way, measured
from benchmarks.trust.damage import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.fleet.ways import Pass
    from memctl.fleet import Run

_GROWN = 0.5  # seconds for which a worker has lived before it is killed


@dataclass(frozen=True, slots=True)
class Killed:
    """A run in which workers were killed, beside the control."""

    way: str
    kills: int
    stores: int
    done: int
    other: int  # stores whose tables have other counts than the control's
    broken: int  # stores in which the doctor finds something
    seconds: float


def kill_and_compare(
    stores: Path, ways: list[Way], kills: int, seed: int
) -> tuple[Pass, list[Killed]]:
    """Dream undreamed stores in peace, then copies of them with kills; return what both took."""
    count = len(memctl.fleet.stores(_homes(stores)))
    homes = {way.name: shutil.copytree(stores, stores.with_name(way.name)) for way in ways}
    dream = partial(memctl.fleet.run, "dream", _homes(stores))
    control = measured(Way("plain"), "dream, first", count, dream)
    wanted, pause = _counts(stores), control.seconds / 2 / (kills + 1)
    result = []
    for way in ways:
        home, begun = homes[way.name], threading.Event()
        with _killing(kills, pause, random.Random(seed), begun) as killed:
            run, seconds = _dreamed(home, way, begun)
        sound = memctl.fleet.run("doctor", _homes(home))
        other = sum(got != wanted[name] for name, got in _counts(home).items())
        done, broken = len(run.outcomes) - len(run.failed), len(sound.failed)
        result.append(Killed(way.name, len(killed), count, done, other, broken, seconds))
    return control, result


def _dreamed(home: Path, way: Way, begun: threading.Event) -> tuple[Run, float]:
    began = time.perf_counter()
    run = memctl.fleet.run("dream", _homes(home), progress=lambda _: begun.set(), **way.arguments)
    return run, time.perf_counter() - began


def _homes(folder: Path) -> str:
    return str(folder / "machine-*")


def _counts(folder: Path) -> dict[str, dict[str, int]]:
    """Return the count of rows of each table of each store, by its path in the folder."""
    return {
        str(path.relative_to(folder)): {
            table: rows.total() for table, rows in rows_of(path).items() if rows
        }
        for path in folder.rglob("apps/**/*.db")
    }


@contextmanager
def _killing(
    kills: int, pause: float, dice: random.Random, begun: threading.Event
) -> Iterator[list[int]]:
    """Kill workers that are started within, at random times once the first store is done."""
    psutil: Any = import_module("psutil")
    before, killed = set(_workers(psutil)), list[int]()
    ended = threading.Event()

    def kill() -> None:
        begun.wait()
        while len(killed) < kills and not ended.wait(dice.expovariate(1 / pause)):
            if workers := [each for each in _workers(psutil) if each not in before]:
                victim = dice.choice(workers)
                with suppress(psutil.NoSuchProcess):
                    victim.kill()
                    killed.append(victim.pid)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        yield killed
    finally:
        begun.set()
        ended.set()
        thread.join()


def _workers(psutil: Any) -> list[Any]:
    """Return the processes below this one that Python's multiprocessing has started for work."""
    result = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            words = " ".join(process.cmdline())
            grown = time.time() - process.create_time() > _GROWN
            if "spawn_main" in words and grown:
                result.append(process)
    return result
