"""A killed process loses no entry of the journal that it was told is kept."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.processes import start_python

if TYPE_CHECKING:
    from pathlib import Path

WRITE = """
import sys, memctl
with memctl.open("agent", sys.argv[1], session="s1") as memory:
    number = 0
    while True:
        number += 1
        memory.journal.pending(f"item {number}")
        print(number, flush=True)
"""


@pytest.mark.parametrize("entries", [1, 2, 3, 4, 5, 7, 8, 13, 21, 34])
def test_every_acknowledged_entry_outlives_a_kill(tmp_path: Path, entries: int) -> None:
    process = start_python(WRITE, tmp_path)
    assert process.stdout is not None
    told = [int(process.stdout.readline()) for _ in range(entries)][-1]
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    with memctl.open("agent", tmp_path, session="s1") as memory:
        kept = [entry.text for entry in memory.journal.get().pending]
    assert kept[:told] == [f"item {n}" for n in range(1, told + 1)]
    assert kept == [f"item {n}" for n in range(1, len(kept) + 1)]
