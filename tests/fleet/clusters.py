"""Dask clusters of real processes: a scheduler, and workers of more than one machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import distributed

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
HERE, THERE = "127.0.0.1", "127.0.0.2"  # two machines, as far as Dask sees


class DaskProcesses:
    """A scheduler and its workers, each a process; whoever is killed is no loss to the others."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "OMP_NUM_THREADS": "1",
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
        }
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.scheduler = self._start(
            *("scheduler", "--host", HERE, "--port", "0", "--no-dashboard"),
            *("--scheduler-file", str(file)),
        )
        while not file.exists() or not file.read_text():
            time.sleep(0.02)
        self.address: str = json.loads(file.read_text())["address"]

    def _start(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env={**self._environment, **environment},
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def worker(self, host: str, number: int = 1, **environment: str) -> subprocess.Popen[bytes]:
        """Start workers of a machine."""
        return self._start(
            *("worker", self.address, "--host", host, "--nthreads", "1"),
            *("--nworkers", str(number), "--no-dashboard"),
            **environment,
        )

    def wait_for(self, workers: int) -> None:
        """Wait until the scheduler has so many workers, no more and no less."""
        client_of: Any = distributed.Client
        with client_of(self.address, set_as_default=False) as client:
            while len(client.scheduler_info()["workers"]) != workers:
                time.sleep(0.05)

    def end(self) -> None:
        """End all processes."""
        for process in self.processes[::-1]:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:  # it looks for the scheduler that it has lost
                process.kill()
                process.wait()


@contextmanager
def dask_processes(folder: Path) -> Iterator[DaskProcesses]:
    """Yield a scheduler without workers; end it, and those that came."""
    cluster = DaskProcesses(folder)
    try:
        yield cluster
    finally:
        cluster.end()
