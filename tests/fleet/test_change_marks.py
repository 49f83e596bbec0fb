"""A mark of a store is equal as long as nobody has written it, and differs ever after."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError
from memctl.fleet.change_marks import change_mark

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with memctl.open("harbor", home=tmp_path) as memory:
        memory.remember("The berth is 12")
    return tmp_path / "apps" / "harbor.db"


def test_reading_leaves_the_mark(store: Path) -> None:
    mark = change_mark(store)
    with memctl.open("harbor", home=store.parent.parent, readonly=True) as memory:
        memory.recall("berth", record=False)
    assert change_mark(store) == mark


def test_a_store_that_is_open_elsewhere_keeps_its_locks(store: Path) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("begin immediate")
        change_mark(store)
        other = sqlite3.connect(store, timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("begin immediate")
        other.close()
    connection.close()


def test_each_write_changes_the_mark_although_the_store_stays_open(store: Path) -> None:
    marks = set()
    with memctl.open("harbor", home=store.parent.parent) as memory:
        for number in range(6):
            memory.log(f"turn {number}")
            marks.add(change_mark(store))
    marks.add(change_mark(store))
    assert len(marks) == 7  # closing moves the log into the file


def test_a_copy_in_its_place_with_the_same_size_and_time_changes_the_mark(store: Path) -> None:
    mark = change_mark(store)
    copy = store.with_name("copy")
    shutil.copy2(store, copy)
    copy.replace(store)
    assert change_mark(store) != mark


def test_what_may_be_written_within_its_last_tick_is_equal_to_nothing(store: Path) -> None:
    ahead = time.time_ns() + 3_600_000_000_000  # the clock of a file server that runs ahead
    os.utime(store, ns=(ahead, ahead))
    assert change_mark(store) != change_mark(store)


def test_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"lost\.db"):
        change_mark(tmp_path / "lost.db")
