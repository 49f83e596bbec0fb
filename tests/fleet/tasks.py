"""Tasks that workers of other processes do on a store."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from memctl.fleet.store_queue import FleetStore


def name_of(store: FleetStore) -> str:
    """Return the name of a store."""
    return store.name


def poisoned(store: FleetStore) -> str:
    """Kill the process at the store called poison."""
    if store.name == "poison":
        os.kill(os.getpid(), signal.SIGKILL)
    return store.name


def broken(store: FleetStore) -> str:
    """Raise what no store should: an error of the system, a defect."""
    if store.name == "app1":
        raise OSError(5, "Input/output error", store.where)
    if store.name == "app2":
        raise ZeroDivisionError
    return store.name


def unsendable(store: FleetStore) -> object:
    """Return what cannot be pickled."""
    return (lambda: store) if store.name == "app1" else store.name


def slow(store: FleetStore) -> str:
    """Take a moment, and leave a mark beside the store."""
    Path(f"{store.where}.begun").touch()
    time.sleep(0.2)
    Path(f"{store.where}.ended").touch()
    return store.name


def dream_and_die_once(store: FleetStore) -> str:
    """Dream; for some stores die before it, for others after it, once each."""
    mark = Path(f"{store.where}.killed")
    number = sum(map(ord, store.name)) % 4
    if number == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    with memctl.open(Path(store.where)) as memory:
        memory.dream.run(apply=True)
    if number == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return store.name


def dream(store: FleetStore) -> str:
    """Dream in a store."""
    with memctl.open(Path(store.where)) as memory:
        return memory.dream.run(apply=True).diary


def worker_of(_store: FleetStore) -> str:
    """Return the host and port of the worker that does a store."""
    from distributed import get_worker

    return str(get_worker().address.removeprefix("tcp://"))
