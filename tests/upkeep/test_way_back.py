"""Backup, restore and vacuum: a copy is whole or is not there, and nothing that was is lost."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.processes import as_another_user, python, start_python

if TYPE_CHECKING:
    from memctl.memory import Memory

OPEN = "import memctl, sys; m = memctl.open('harbor', sys.argv[1])"


def turns(home: Path, app: str = "harbor") -> list[str]:
    with memctl.open(app, home, readonly=True) as memory:
        return [turn.text for turn in memory.turns.list(limit=-1)]


def file_of(home: Path) -> Path:
    return home / "apps" / "harbor.db"


@pytest.fixture
def backed_up(home: Path) -> Path:
    """The backup of a store with one turn, to which another was added since."""
    with memctl.open("harbor", home) as memory:
        memory.log("before")
        made = memory.backup()
        memory.log("after")
    return Path(made.path)


def test_a_backup_is_one_private_file_with_what_was_committed(backed_up: Path, home: Path) -> None:
    assert backed_up.parent == home / "backups" / "harbor"
    assert backed_up.stat().st_mode & 0o777 == 0o600
    assert list(backed_up.parent.iterdir()) == [backed_up]
    with memctl.open(backed_up, readonly=True) as copy:
        assert [turn.text for turn in copy.turns] == ["before"]


def test_a_backup_is_made_while_another_process_is_writing(memory: Memory, home: Path) -> None:
    memory.log("committed")
    writer = start_python(
        f"{OPEN}\nwith m.store.transaction():\n m.log('on its way'); print(1, flush=True); input()",
        home,
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    made = memory.backup()
    writer.communicate("\n")
    with memctl.open(Path(made.path), readonly=True) as copy:
        assert [turn.text for turn in copy.turns] == ["committed"]
    assert turns(home) == ["on its way", "committed"]


def test_a_backup_of_a_store_keeps_its_locks(memory: Memory, home: Path) -> None:
    memory.log("one")
    memory.backup()
    assert python(f"{OPEN}\nprint(len(m.turns))", home) == "1"
    memory.log("two")
    assert python(f"{OPEN}\nprint(len(m.turns))", home) == "2"


@pytest.mark.parametrize("how", ["itself", "its log", "a link", "a hard link", "a folder"])
def test_a_target_that_is_the_store_is_refused_under_any_name(
    how: str, memory: Memory, tmp_path: Path
) -> None:
    memory.log("one")
    path = memory.store.path
    target = tmp_path / "target.db"
    if how == "a link":
        target.symlink_to(path)
    elif how == "a hard link":
        os.link(path, target)
    elif how == "a folder":
        target.mkdir()
    else:
        target = path if how == "itself" else path.with_name("harbor.db-wal")
    with pytest.raises(memctl.MemctlError, match=r"store itself|is a folder"):
        memory.backup(target, force=True)
    assert len(memory.turns) == 1


def test_a_file_that_is_there_is_replaced_by_force_alone(memory: Memory, tmp_path: Path) -> None:
    memory.log("one")
    target = tmp_path / "notes.txt"
    target.write_text("my notes")
    with pytest.raises(memctl.RefusedError, match="there already"):
        memory.backup(target)
    assert target.read_text() == "my notes"
    assert memory.backup(target, force=True).path == str(target)


def test_a_full_disk_leaves_no_half_backup(memory: Memory, home: Path) -> None:
    memory.log("one")
    printed = python(
        f"""{OPEN}
import resource
m.turns.list()
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    m.backup()
except memctl.MemctlError as error:
    print(error.code)
""",
        home,
    )
    assert printed == "disk_full"
    assert not list((home / "backups" / "harbor").iterdir())


def test_a_folder_that_may_not_be_written_is_one_clear_error(shared: Path) -> None:
    with memctl.open("harbor", shared) as memory:
        memory.log("one")
    for each in (shared, *shared.rglob("*")):
        each.chmod(0o555 if each.is_dir() else 0o444)

    def call() -> str:
        with memctl.open("harbor", shared, readonly=True) as memory:
            memory.backup()
        return "written"

    with pytest.raises(memctl.FileAccessError, match="cannot be written"):
        as_another_user(call)


@pytest.mark.parametrize(
    "words", ["m.backup(sys.argv[2])", "memctl.restore(sys.argv[2], 'harbor', sys.argv[1])"]
)
def test_a_process_that_is_killed_leaves_all_or_nothing(
    words: str, backed_up: Path, home: Path, tmp_path: Path
) -> None:
    kept = Path(shutil.copy(backed_up, tmp_path / "kept.db"))
    for number in range(3):
        target = kept if "restore" in words else tmp_path / f"{number}.db"
        opening = (
            "m = memctl.open('harbor', sys.argv[1]); m.turns.list()" if "m." in words[:2] else ""
        )
        process = start_python(
            f"""
            import memctl, sys, threading, time, os, signal
            import memctl.upkeep.store_copies
            {opening}
            threading.Timer({number} * 0.015, os.kill, (os.getpid(), signal.SIGKILL)).start()
            {words}
            time.sleep(1)
            """,
            home,
            target,
        )
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert turns(home) in (["after", "before"], ["before"])
        if "restore" not in words and target.exists():
            with memctl.open(target, readonly=True) as copy:
                assert len(copy.turns) == 2
    with memctl.open("harbor", home) as memory:
        memory.backup(tmp_path / "last.db")
        assert all(one.ok for one in memory.doctor())


def test_a_restored_store_is_what_the_backup_holds_and_what_it_was_is_kept(
    backed_up: Path, home: Path
) -> None:
    done = memctl.restore(backed_up, "harbor", home)
    assert turns(home) == ["before"]
    assert done.kept is not None
    with memctl.open(Path(done.kept), readonly=True) as kept:
        assert [turn.text for turn in kept.turns] == ["after", "before"]


@pytest.mark.parametrize("there", [True, False], ids=["a store", "no store"])
def test_a_restored_store_is_sealed(there: bool, backed_up: Path, home: Path) -> None:
    store = file_of(home)
    if not there:
        store.unlink()
    memctl.restore(backed_up, "harbor", home)
    store.write_bytes(store.read_bytes().replace(b"before", b"belore"))
    with pytest.raises(memctl.StoreDamagedError):
        turns(home)


@pytest.mark.parametrize("how", ["noise", "half", "first page"])
def test_a_store_that_nobody_can_read_any_more_is_restored_and_kept_as_it_is(
    how: str, backed_up: Path, home: Path
) -> None:
    path = file_of(home)
    content = path.read_bytes()
    damaged = {
        "noise": b"noise" * 99,
        "half": content[:50_000],
        "first page": bytes(4096) + content[4096:],
    }
    path.write_bytes(damaged[how])
    done = memctl.restore(backed_up, "harbor", home)
    assert turns(home) == ["before"]
    assert Path(done.kept or "").read_bytes() == damaged[how]


def test_a_store_in_use_is_busy_and_loses_nothing(
    backed_up: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "20")
    holder = start_python(
        f"{OPEN}; m.turns.list(); print(1, flush=True); input(); m.log('later')", home
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    with pytest.raises(memctl.BusyError, match="in use"):
        memctl.restore(backed_up, "harbor", home)
    holder.communicate("\n")
    assert turns(home) == ["later", "after", "before"]


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("another app", memctl.RefusedError),
        ("no SQLite", memctl.ForeignStoreError),
        ("another program's", memctl.ForeignStoreError),
        ("newer", memctl.NewerStoreError),
        ("a flipped page", memctl.StoreDamagedError),
        ("a changed letter", memctl.StoreDamagedError),
        ("half", memctl.StoreDamagedError),
        ("a folder", memctl.UnusableInputError),
        ("missing", memctl.UnusableInputError),
        ("the store", memctl.RefusedError),
    ],
)
def test_a_backup_that_is_none_is_refused_and_the_store_left_alone(
    how: str, kind: type[memctl.MemctlError], backed_up: Path, home: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.db"
    content = backed_up.read_bytes()
    if how == "another app":
        with memctl.open("other", home) as other:
            other.log("elsewhere")
            other.backup(bad)
    elif how == "no SQLite":
        bad.write_text("my notes")
    elif how == "another program's":
        with closing(sqlite3.connect(bad)) as made:
            made.execute("create table note (text)")
    elif how == "newer":
        bad.write_bytes(content)
        with closing(sqlite3.connect(bad)) as made:
            made.execute("pragma user_version = 9999")
    elif how == "a flipped page":
        bad.write_bytes(content[:40960] + bytes([255]) * 4096 + content[45056:])
    elif how == "a changed letter":
        bad.write_bytes(content.replace(b"before", b"belore"))
    elif how == "half":
        bad.write_bytes(content[: len(content) // 2])
    elif how == "a folder":
        bad.mkdir()
    elif how == "the store":
        bad = file_of(home)
    with pytest.raises(kind):
        memctl.restore(bad, "harbor", home)
    assert turns(home) == ["after", "before"]


def test_the_backup_of_another_app_is_taken_by_force_and_becomes_this_ones(
    backed_up: Path, home: Path
) -> None:
    memctl.restore(backed_up, "other", home, force=True)
    assert turns(home, "other") == ["before"]
    with memctl.open(home / "apps" / "other.db") as memory:
        assert str(memory.address) == "other"


def test_a_vacuumed_store_is_smaller_and_has_no_log(memory: Memory) -> None:
    for number in range(300):
        memory.log(f"{number} " + "word " * 200)
    with memory.store.transaction():
        memory.store.execute("delete from log where id > 3")
    done = memory.vacuum()
    assert done.bytes_after < done.bytes_before / 2
    assert done.bytes_after == memory.store.path.stat().st_size
    assert len(memory.turns) == 3


def test_a_vacuum_beside_a_writer_is_busy(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "20")
    with memctl.open("harbor", home) as memory:
        memory.log("one")
        with closing(sqlite3.connect(memory.store.path, isolation_level=None)) as holder:
            holder.execute("begin immediate")
            with pytest.raises(memctl.BusyError):
                memory.vacuum()
            holder.execute("rollback")
        assert memory.vacuum().bytes_after


def test_writers_beside_a_vacuum_lose_nothing_and_meet_no_error(tmp_path: Path) -> None:
    with memctl.open("harbor", tmp_path) as memory:
        memory.log("first")
    writer = (
        "import sys, memctl\n"
        "for number in range(60):\n"
        "    with memctl.open('harbor', sys.argv[1]) as memory:\n"
        "        for _ in range(3):\n"
        "            memory.log(f'row {number}')\n"
    )
    with start_python(writer, tmp_path) as process:
        while process.poll() is None:
            with memctl.open("harbor", tmp_path) as memory, suppress(memctl.BusyError):
                memory.vacuum()
    assert process.returncode == 0
    with memctl.open("harbor", tmp_path) as memory:
        assert len(memory.turns) == 181
