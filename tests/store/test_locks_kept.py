"""A file that is open twice in one process keeps its locks: no other process deletes its log."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READ = "import memctl, sys; print(len(memctl.open('agent', sys.argv[1]).turns.list(limit=-1)))"


def turns_for_another_process(home: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", READ, str(home)], capture_output=True, check=True, text=True
    )
    return int(done.stdout)


def again(home: Path) -> None:
    with memctl.open("agent", home) as second:
        assert second.turns.list()


def in_a_thread(home: Path) -> None:
    thread = threading.Thread(target=again, args=[home])
    thread.start()
    thread.join()


@pytest.mark.parametrize("opened", [again, in_a_thread])
def test_opening_a_store_again_loses_no_later_write(
    tmp_path: Path, opened: Callable[[Path], None]
) -> None:
    with memctl.open("agent", tmp_path) as first:
        first.log("one")
        opened(tmp_path)
        assert turns_for_another_process(tmp_path) == 1  # and closes the store, as it thinks, last
        first.log("two")
        assert turns_for_another_process(tmp_path) == 2
    assert turns_for_another_process(tmp_path) == 2


def test_a_thread_of_its_own_loses_no_write_either(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.log("one")
        thread = threading.Thread(target=lambda: memory.log("two"))
        thread.start()
        thread.join()
        assert turns_for_another_process(tmp_path) == 2
        memory.log("three")
    assert turns_for_another_process(tmp_path) == 3


def test_a_file_that_was_closed_is_looked_at_again(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.log("one")
    memory.store.path.write_bytes(b"no store")
    with pytest.raises(memctl.MemctlError, match="not a SQLite file"):
        again(tmp_path)
