"""Settings are kept in memory between two calls, and are never older than the last commit."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import SecretRefusedError
from tests.processes import python

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

SET = """
    import sys
    import memctl

    with memctl.open("harbor", sys.argv[1]) as memory:
        memory.settings.set("secret_patterns", r"\\bEMP\\d{6}\\b")
"""


def patterns(memory: Memory) -> object:
    return memory.settings.get("secret_patterns")


def test_a_pattern_of_another_process_is_obeyed_from_its_commit_on(
    memory: Memory, home: Path
) -> None:
    memory.log("badge EMP123456")
    python(SET, str(home))
    with pytest.raises(SecretRefusedError):
        memory.log("badge EMP123457")


def test_a_pattern_of_another_thread_is_obeyed_from_its_commit_on(memory: Memory) -> None:
    memory.log("badge EMP123456")
    thread = threading.Thread(target=memory.settings.set, args=("secret_patterns", r"EMP\d{6}"))
    thread.start()
    thread.join()
    with pytest.raises(SecretRefusedError):
        memory.log("badge EMP123457")


def test_a_pattern_that_another_connection_removes_by_hand_is_gone(memory: Memory) -> None:
    memory.settings.set("secret_patterns", r"EMP\d{6}")
    with pytest.raises(SecretRefusedError):
        memory.log("badge EMP123456")
    with closing(sqlite3.connect(memory.store.path)) as by_hand, by_hand:
        by_hand.execute("delete from setting")
    assert memory.log("badge EMP123456")


def test_a_setting_whose_transaction_was_undone_never_was(memory: Memory) -> None:
    memory.settings.set("secret_patterns", "EMP1")

    def undone() -> None:
        with memory.store.transaction():
            memory.settings.set("secret_patterns", "EMP2")
            assert patterns(memory) == "EMP2"
            raise InterruptedError

    with pytest.raises(InterruptedError):
        undone()
    assert patterns(memory) == "EMP1"


def test_what_is_set_and_unset_here_holds_at_once(memory: Memory) -> None:
    assert patterns(memory) == ""
    memory.settings.set("secret_patterns", "EMP1")
    assert patterns(memory) == "EMP1"
    memory.settings.unset("secret_patterns")
    assert patterns(memory) == ""


def test_the_settings_are_not_read_again_while_nothing_was_written(memory: Memory) -> None:
    memory.settings.set("secret_patterns", "EMP1")
    asked: list[str] = []
    patterns(memory)
    memory.store.connection().set_trace_callback(asked.append)
    patterns(memory)
    memory.log("Ann takes the ferry")
    patterns(memory)
    assert not [one for one in asked if "from setting" in one]


def test_a_reader_sees_what_a_writer_sets(memory: Memory, home: Path) -> None:
    memory.settings.set("secret_patterns", "EMP1")
    with memctl.open("harbor", home, readonly=True) as reader:
        assert patterns(reader) == "EMP1"
        memory.settings.set("secret_patterns", "EMP2")
        assert patterns(reader) == "EMP2"
