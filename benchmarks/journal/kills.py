"""A process that writes entries is killed; what it had been told is kept has to be there."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import memctl

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Killed", "killed"]

# Tells each entry once the call has returned.
_WRITE = """
import sys, memctl
with memctl.open("agent", sys.argv[1], session="s1") as memory:
    number = 0
    while True:
        number += 1
        memory.journal.pending(f"item {number}")
        print(number, flush=True)
"""
_LONGEST_WAIT = 0.1  # seconds after the first entry


class Killed(NamedTuple):
    """What became of one process: the entries it had told, those that are there, those lost."""

    told: int
    kept: int
    lost: int


def killed(folder: Path, seed: int) -> Killed:
    """Kill a process that writes entries, at a moment that `seed` draws; read the store after it.

    Raises
    ------
    ValueError
        When what is there are not the entries in the order in which they were written.
    """
    moment = random.Random(seed).uniform(0, _LONGEST_WAIT)
    process = subprocess.Popen(  # noqa: S603  (the script above)
        [sys.executable, "-c", _WRITE, str(folder)], stdout=subprocess.PIPE, text=True
    )
    lines = iter(process.stdout or ())
    told = int(next(lines))
    time.sleep(moment)
    process.kill()
    # A line that was cut is none: its entry was not told.
    told += sum(line.endswith("\n") for line in lines)
    process.communicate(timeout=60)
    with memctl.open("agent", folder, session="s1") as memory:
        kept = [entry.text for entry in memory.journal.get().pending]
    if kept != [f"item {number}" for number in range(1, len(kept) + 1)]:
        raise ValueError(f"other entries than those that were written: {kept[-3:]}")
    return Killed(told, len(kept), max(0, told - len(kept)))
