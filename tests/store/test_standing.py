"""What stands where a store belongs is said by every call, and nothing is followed out of the home."""

from __future__ import annotations

import os
import socket
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import FileAccessError, NotFoundError, UnusableInputError
from memctl.base.home import standing
from memctl.upkeep.spool import SpooledTurn, spool
from tests.each import each
from tests.store.stored import made, rows_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memctl.memory import Memory


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(path.name)
    finally:
        os.chdir(here)


KINDS: Mapping[str, Callable[[Path], object]] = {
    "is a named pipe": os.mkfifo,
    "is a folder": Path.mkdir,
    "is a socket": _socket,
    "lead in a circle": lambda path: path.symlink_to(path.name),
    "where nothing is": lambda path: path.symlink_to(path.parents[2] / "nothing"),
    "out of": lambda path: path.symlink_to(path.parents[2] / "elsewhere.db"),
}
CALLS: Mapping[str, Callable[[Memory], object]] = {
    "recall": lambda memory: memory.recall("when is the launch?"),
    "facts": lambda memory: memory.facts.list(),
    "turns": lambda memory: len(memory.turns),
    "context": lambda memory: memory.context("the launch"),
    "status": lambda memory: memory.status(),
    "doctor": lambda memory: memory.doctor(),
    "report": lambda memory: memory.report("health"),
    "settings": lambda memory: memory.settings["domain"],
    "export": lambda memory: memory.export_to(memory.store.path.parents[2] / "out"),
    "log": lambda memory: memory.log("Ann moved to Porto"),
    "store": lambda memory: memory.facts.store(text="Ann lives in Porto", category="identity"),
    "backup": lambda memory: memory.backup(),
    "restore": lambda memory: memctl.restore(
        memory.store.path.parents[2] / "elsewhere.db", "harbor", memory.store.home, force=True
    ),
    "recover": lambda memory: memctl.recover("harbor", memory.store.home),
}


@contextmanager
def outside(folder: Path) -> Iterator[Path]:
    """A home with a store beside it that nothing writes, and nothing beside that."""
    around = Path(mkdtemp(dir=folder))
    made(around / "home").rename(around / "elsewhere.db")
    with closing(sqlite3.connect(around / "elsewhere.db")) as connection:
        connection.execute("pragma journal_mode = delete")  # as a backup is
    before = (around / "elsewhere.db").read_bytes()
    yield around / "home"
    assert (around / "elsewhere.db").read_bytes() == before
    assert {path.name for path in around.iterdir()} == {"elsewhere.db", "home"}


@each("kind", KINDS)
@each("call", CALLS)
def test_every_call_says_what_stands_where_a_store_belongs(
    call: str, kind: str, tmp_path: Path
) -> None:
    with outside(tmp_path) as home:
        path = home / "apps" / "harbor.db"
        KINDS[kind](path)
        with (
            memctl.open("harbor", home) as memory,
            pytest.raises(FileAccessError, match=kind) as raised,
        ):
            CALLS[call](memory)
        assert str(path) in str(raised.value)
        assert raised.value.hint
        assert os.path.lexists(path)


@each("kind", KINDS)
def test_a_list_of_stores_shows_what_is_none(kind: str, tmp_path: Path) -> None:
    with outside(tmp_path) as home:
        made(home).rename(home / "apps" / "office.db")
        KINDS[kind](home / "apps" / "harbor.db")
        troubles = {store.app: store.trouble for store in memctl.stores(home)}
        assert troubles["office"] == ""
        assert kind in troubles["harbor"]
        assert {store.name for store in memctl.fleet.stores(home)} == {"harbor", "office"}


@each("name", ["apps", "backups", "settings.toml", "apps/harbor.db-wal", "apps/harbor.db-spool"])
def test_nothing_is_written_through_a_link_out_of_the_home(name: str, tmp_path: Path) -> None:
    home, elsewhere = Path(mkdtemp(dir=tmp_path)), Path(mkdtemp(dir=tmp_path))
    backup = made(elsewhere).rename(tmp_path / "backup.db")
    (elsewhere / "apps").rmdir()
    if name != "apps":
        made(home)
    target = elsewhere / "file" if "." in name else elsewhere
    (home / name).symlink_to(target)
    if target != elsewhere:
        target.touch()
    calls: list[Callable[[Memory], object]] = [
        lambda memory: memory.log("Ann moved to Porto"),
        lambda memory: memory.backup(),
        lambda memory: memory.settings.set("domain", "companion", home_wide=True),
        lambda memory: spool(
            memory.store.path, SpooledTurn("Hi", "user", "s", "2026-11-27T10:00:00Z")
        ),
        lambda memory: memctl.restore(backup, str(memory.address), home),
    ]
    refused = 0
    for call in calls:
        with memctl.open("harbor", home) as memory:
            try:
                call(memory)
            except FileAccessError:
                refused += 1
    assert refused
    assert [path.stat().st_size for path in elsewhere.iterdir()] == [0] * ("." in name)


def test_a_second_name_of_a_store_keeps_what_it_holds_when_that_is_restored(
    memory: Memory, tmp_path: Path
) -> None:
    memory.log("one")
    backup = memory.backup().path
    memory.log("two")
    memory.close()
    (tmp_path / "second.db").hardlink_to(memory.store.path)
    before = (tmp_path / "second.db").read_bytes()
    restored = memctl.restore(backup, str(memory.address), memory.store.home)
    assert (tmp_path / "second.db").read_bytes() == before
    assert restored.kept
    with memctl.open(memory.store.path, readonly=True) as now:
        assert [turn.text for turn in now.turns] == ["one"]


def test_a_link_inside_of_a_home_that_is_a_link_is_followed(tmp_path: Path) -> None:
    path = made(tmp_path / "real")
    path.symlink_to(path.rename(tmp_path / "real" / "elsewhere.db"))
    (tmp_path / "home").symlink_to(tmp_path / "real")
    assert rows_in(tmp_path / "home" / "apps" / "harbor.db") == 1
    assert path.is_symlink()


def test_a_file_that_is_named_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(made(tmp_path / "home"))
    with memctl.open(tmp_path / "link.db", readonly=True) as memory:
        assert memory.status().rows["setting"] == 1


def test_a_backup_that_is_a_pipe_is_not_waited_for(memory: Memory, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    with pytest.raises(UnusableInputError, match="named pipe"):
        memctl.restore(tmp_path / "pipe.db", "harbor", memory.store.home)


def test_what_is_above_decides_where_a_folder_has_to_be(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "home")
    with pytest.raises(FileAccessError, match='home" is a named pipe, where a folder has to be'):
        standing(tmp_path / "home" / "apps" / "harbor.db")
    with pytest.raises(FileAccessError, match="File name too long"):
        standing(tmp_path / ("n" * 300))
    assert standing(tmp_path / "nothing" / "here") is None


def test_a_home_without_a_store_still_has_none(tmp_path: Path) -> None:
    with memctl.open("harbor", tmp_path) as memory, pytest.raises(NotFoundError, match="no store"):
        memory.status()


def test_a_pipe_in_the_place_of_a_spool_is_found_and_waited_for_by_nobody(memory: Memory) -> None:
    memory.log("one")
    path = memory.store.path
    os.mkfifo(path.with_name(f"{path.name}-spool"))
    assert [done.detail for done in memory.doctor() if not done.ok and done.check == "spool"] == [
        f'"{path}-spool" is a named pipe, where a file has to be'
    ]
    assert memory.erase("turn:1", confirm=True).rows
