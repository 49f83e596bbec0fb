"""One file a store: made by the first write, and private."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError
from memctl.base.home import parse_address
from memctl.store.migrations import APPLICATION_ID, apply, migrations, schema_of
from memctl.store.store import Store
from memctl.store.store_file import promised_bytes
from tests.processes import start_python
from tests.store.stored import COUNT, by_hand, made, opened, put, rows_in

if TYPE_CHECKING:
    from pathlib import Path


def rows_of(home: Path, name: str, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(home / "apps" / f"{name}.db")) as connection:
        return connection.execute(sql).fetchall()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_reading_what_was_never_written_is_not_found_and_makes_nothing(home: Path) -> None:
    path = parse_address("harbor").path(home)
    with opened(path) as store, pytest.raises(NotFoundError, match='"harbor"') as raised:
        store.rows(COUNT)
    assert raised.value.exit_code == 4
    assert not home.exists()


def test_the_first_write_makes_the_file(store: Store) -> None:
    assert not store.exists
    with store.transaction():
        pass
    assert store.exists


def test_a_new_file_says_who_it_is_and_when_it_was_made(store: Store, fixed_clock: str) -> None:
    with store.transaction():
        pass
    row = store.row("select id, address, created_at, learn_count from store")
    assert row is not None
    assert tuple(row) == (1, "harbor", fixed_clock, 0)
    assert store.value("pragma application_id") == APPLICATION_ID


def test_each_new_file_has_a_random_id_of_its_own(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, made_of in (("a", None), ("b", None), ("c", "7f" * 16)):
        if made_of:
            monkeypatch.setattr("memctl.store.opening.random_id", lambda given=made_of: given)
        with memctl.open(name, home) as memory, memory.store.transaction():
            pass
    rows = {
        name: rows_of(home, name, "select id, own, address, merged_at from origin")
        for name in ("a", "b", "c")
    }
    assert all(len(found) == 1 and found[0][1:] == (1, at, None) for at, found in rows.items())
    assert rows["c"][0][0] == "7f" * 16
    assert len({found[0][0] for found in rows.values()}) == 3


def test_a_store_has_one_row_of_its_own_in_origin(store: Store) -> None:
    with store.transaction():
        pass
    second = "insert into origin (id, own, address) values (:id, 1, 'x')"
    columns = "id, own, address, merged_at"
    merged = f"insert into origin ({columns}) values (:id, 0, 'x', '2026-11-20T00:00:00Z')"
    with store.transaction():
        store.execute(merged, {"id": "0" * 32})
        for wrong in ("1" * 32, "short"):
            with pytest.raises(sqlite3.IntegrityError):
                store.execute(second, {"id": wrong})


def test_files_are_the_owners_alone_and_so_are_folders(home: Path) -> None:
    address = parse_address("chromium/united.com")
    before = os.umask(0o000)
    try:
        with Store(address.path(home), address) as store, store.transaction():
            put(store, "a")
            files = [path for path in home.rglob("*") if path.is_file()]
            assert {path.name.rpartition("db")[2] for path in files} == {"", "-wal", "-shm"}
            assert {mode(path) for path in files} == {0o600}
    finally:
        os.umask(before)
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    assert len(folders) == 4
    assert {mode(path) for path in folders} == {0o700}


def test_a_folder_that_was_there_keeps_its_permissions(home: Path) -> None:
    home.mkdir(mode=0o755)
    home.chmod(0o755)
    made(home)
    assert mode(home) == 0o755


def test_a_store_that_is_writing_uses_a_write_ahead_log_and_overwrites_what_is_deleted(
    store: Store,
) -> None:
    with store.transaction():
        pass
    names = ("journal_mode", "foreign_keys", "secure_delete")
    assert [store.value(f"pragma {name}") for name in names] == ["wal", 1, 1]


@pytest.mark.parametrize("name", ["a?b#c%20d", "mit Leerzeichen", "記憶", "quote'\"", "mode=ro&x"])
def test_a_home_may_have_any_name(name: str, tmp_path: Path) -> None:
    path = made(tmp_path / name)
    assert path.is_relative_to(tmp_path / name)
    assert rows_in(path, readonly=True) == 1


def test_an_empty_file_is_no_store_yet(home: Path) -> None:
    path = parse_address("harbor").path(home)
    path.parent.mkdir(parents=True)
    path.touch()
    with pytest.raises(NotFoundError):
        rows_in(path)
    assert rows_in(made(home)) == 1


def test_a_file_whose_maker_was_killed_is_no_store_yet(home: Path) -> None:
    path = parse_address("harbor").path(home)
    path.parent.mkdir(parents=True)
    by_hand(path, "pragma journal_mode = wal; vacuum;")
    assert path.stat().st_size > 0
    with pytest.raises(NotFoundError):
        rows_in(path, readonly=True)
    with opened(path, readonly=True) as store:
        assert not store.exists
    assert rows_in(made(home)) == 1


@pytest.mark.parametrize("step", [1, len(migrations()) // 2, len(migrations())])
def test_a_file_whose_maker_was_killed_between_two_steps_knows_who_it_is(
    step: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parse_address("harbor").path(home)
    every = migrations()
    monkeypatch.setattr("memctl.store.migrations.migrations", lambda: (*every[: step - 1], None))
    with pytest.raises(AttributeError), opened(path) as store, store.transaction():
        pass
    monkeypatch.undo()
    made(home)
    with memctl.open("harbor", home) as memory:
        assert memory.store.value("select address from store") == "harbor"
        assert memory.store.value("select address from origin where own") == "harbor"


def test_a_new_store_is_the_file_that_the_steps_make(home: Path, fixed_clock: str) -> None:
    path = made(home, rows=0)
    with closing(sqlite3.connect(path.with_name("by_steps.db"), isolation_level=None)) as other:
        apply(other)
        with closing(sqlite3.connect(path)) as copy:
            assert schema_of(copy) == schema_of(other)
            for name in ("page_size", "page_count", "application_id", "user_version", "encoding"):
                sql = f"pragma {name}"
                assert copy.execute(sql).fetchone() == other.execute(sql).fetchone(), name
            taken = copy.execute("select number, name, applied_at from migration").fetchall()
            assert copy.execute("pragma integrity_check").fetchone() == ("ok",)
    assert taken == [(step.number, step.name, fixed_clock) for step in migrations()]
    assert promised_bytes(path) == path.stat().st_size


def test_a_maker_that_is_killed_leaves_a_whole_store_or_none(home: Path) -> None:
    process = start_python(
        """
    import sys
    import memctl
    for number in range(1_000):
        with memctl.open(f"app-{number}", sys.argv[1]) as memory, memory.store.transaction():
            print(number, flush=True)
    """,
        home,
    )
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    files = [*(home / "apps").glob("*.db")]
    assert files
    for path in files:
        assert rows_of(home, path.stem, "select count(*) from origin where own") == [(1,)]
