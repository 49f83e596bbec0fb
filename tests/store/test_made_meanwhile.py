"""A store that another process is making at this moment."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import ForeignStoreError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "apps").mkdir()
    return tmp_path / "apps" / "app.db"


def test_a_first_page_that_is_still_being_written_is_waited_for(path: Path, tmp_path: Path) -> None:
    with memctl.open("made", tmp_path) as made:
        made.facts.store("tea is served at four")
        whole_at = made.store.path
    whole = whole_at.read_bytes()
    path.write_bytes(b"\x00" * 512)

    def finish() -> None:
        with path.open("r+b", buffering=0) as file:  # an empty file would be no store yet
            file.write(whole)

    later = threading.Timer(0.03, finish)
    later.start()
    with memctl.open("app", tmp_path) as memory:
        assert len(memory.facts.search("tea")) == 1
    later.join()


def test_what_stays_foreign_is_refused(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"\x00" * 512)
    with memctl.open("app", tmp_path) as memory, pytest.raises(ForeignStoreError):
        memory.facts.store("tea is served at four")
    assert path.read_bytes() == b"\x00" * 512


def test_the_switch_to_a_write_ahead_log_waits_for_who_is_at_the_file(
    path: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(path, check_same_thread=False)) as other:
        other.execute("vacuum")  # a file of one empty page, without a write-ahead log
        other.execute("begin immediate")
        later = threading.Timer(0.1, other.rollback)
        later.start()
        with memctl.open("app", tmp_path) as memory:
            memory.facts.store("tea is served at four")
            assert memory.store.value("pragma journal_mode") == "wal"
        later.join()
