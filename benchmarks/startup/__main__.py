"""Measure commands as whole processes, cold, against ``python -c "import typer"``.

    python -m benchmarks.startup [--rounds 11] [--out DIR]

On a store with some turns, each command is started in turns with the import, so that a busy
machine slows both; the least time of each counts. What a host waits for, ``hook prompt``, is also
compared with ``python -c pass``. Modules are compiled beforehand, as an
installed package's are. Raw figures go to ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import memctl
from benchmarks.keeping import FOLDER, keep
from memctl_cli.demo.bundle import shot

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TURNS = 60
_RIVAL = "import typer"
_NOTHING = "pass"
_HOOK = "hook prompt"
_PROMPT = {
    "session_id": "s1",
    "cwd": "/tmp",  # noqa: S108  (a folder of nobody's)
    "hook_event_name": "UserPromptSubmit",
    "prompt": "When does Ann launch it?",
}


class _Times(NamedTuple):
    """Times of one command, in ms: by the clock, and of the processor alone."""

    wall: list[float]
    cpu: list[float]


def main(words: Sequence[str] | None = None) -> None:
    """Time the commands, print how often the import of Typer goes into each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup")
    parser.add_argument("--rounds", type=int, default=11, help="how often each is started")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memctl-startup-") as folder:
        times = _measure(_commands(Path(folder)), _environment(Path(folder)), options.rounds)
    print(f"{'':16}{'ms':>8}{'ratio':>8}{'cpu ms':>8}{'ratio':>8}")
    for name, one in times.items():
        print(f"{name:16}" + "".join(f"{cell:8.2f}" for cell in _cells(one, times[_RIVAL])))
    ratio = min(times[_HOOK].cpu) / min(times[_NOTHING].cpu)
    print(f"\n{_HOOK} takes {ratio:.1f} times the processor time of python -c pass")
    figures = {name: one._asdict() for name, one in times.items()}
    print(f"\nraw figures: {keep('startup', figures, options.out)}")


def _commands(folder: Path) -> dict[str, list[str]]:
    """Fill a home with turns and one screen; return the commands that are asked of it."""
    picture = folder / "shot.png"
    picture.write_bytes(shot("login").png)
    with memctl.open("agent", folder) as memory:
        for number in range(_TURNS):
            memory.log(f"Ann moved launch {number} to 3 March", speaker="Ann", session="planning")
        memory.learn(picture)
    script = Path(sys.executable).with_name("memctl")
    call = [str(script), "--home", str(folder)]
    return {
        _RIVAL: [sys.executable, "-c", _RIVAL],
        _NOTHING: [sys.executable, "-c", _NOTHING],
        _HOOK: [*call, "hook", "prompt"],
        "recall": [*call, "recall", "when is the launch?"],
        "recall --json": [*call, "recall", "when is the launch?", "--json"],
        "log": [*call, "log", "Ann moved the launch"],
        "memory search": [*call, "memory", "search", "launch"],
        "match": [*call, "match", str(picture)],
        "--help": [*call, "--help"],
    }


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMCTL_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def _measure(
    commands: Mapping[str, list[str]], environment: dict[str, str], rounds: int
) -> dict[str, _Times]:
    for command in commands.values():
        _start(command, environment)  # compiles
    times = {name: _Times([], []) for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            wall, cpu = _start(command, environment)
            times[name].wall.append(wall)
            times[name].cpu.append(cpu)
    return times


def _start(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    before, started = _children(), time.perf_counter()
    subprocess.run(  # noqa: S603  (the project's own commands)
        command,
        input=json.dumps(_PROMPT).encode(),
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment,
    )
    return (time.perf_counter() - started) * 1000, (_children() - before) * 1000


def _children() -> float:
    """Return the processor time of all processes that were started, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _cells(one: _Times, rival: _Times) -> tuple[float, ...]:
    wall, cpu = min(one.wall), min(one.cpu)
    return wall, wall / min(rival.wall), cpu, cpu / min(rival.cpu)


if __name__ == "__main__":
    main()
