"""What may not be written, read or reached is one clear error, and never old data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import FileAccessError, MemctlError, ReadOnlyError, StoreDamagedError
from tests.processes import as_another_user, start_python
from tests.store.stored import made, rows_in

if TYPE_CHECKING:
    from pathlib import Path


def test_a_home_that_is_a_file_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(MemctlError, match="is a file, where a folder has to be") as raised:
        made(tmp_path / "home")
    assert raised.value.exit_code == 1
    assert "--home" in raised.value.hint


def opened_to_all(home: Path, rows: int) -> Path:
    path = made(home, rows)
    for each in home.rglob("*"):
        each.chmod(0o555 if each.is_dir() else 0o444)
    home.chmod(0o555)
    return path


def test_a_home_that_may_not_be_written_is_one_clear_error(shared: Path) -> None:
    shared.chmod(0o555)
    with pytest.raises(MemctlError, match="cannot be created: Permission denied") as raised:
        as_another_user(lambda: made(shared))
    assert raised.value.exit_code == 1


def test_a_read_only_folder_can_be_read(shared: Path) -> None:
    path = opened_to_all(shared, rows=3)
    assert as_another_user(lambda: rows_in(path, readonly=True)) == 3
    assert [each.name for each in path.parent.iterdir()] == ["harbor.db"]


def test_a_read_only_file_refuses_a_write_and_says_so(shared: Path) -> None:
    path = opened_to_all(shared, rows=3)
    with pytest.raises(MemctlError, match="harbor") as raised:
        as_another_user(lambda: made(shared))
    assert raised.value.exit_code == 3
    assert raised.value.hint
    assert rows_in(path, readonly=True) == 3


def test_a_read_only_folder_that_hides_changes_is_an_error_not_old_data(shared: Path) -> None:
    path = made(shared)
    writer = start_python(
        """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("insert into setting values ('new', '', '')")
        print("written", flush=True)
        sys.stdin.read()
        """,
        path,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "written\n"
    writer.kill()
    writer.communicate()
    path.with_name("harbor.db-shm").unlink()
    for each in path.parent.iterdir():
        each.chmod(0o444)
    path.parent.chmod(0o555)
    with pytest.raises(StoreDamagedError, match="-wal") as raised:
        as_another_user(lambda: rows_in(path, readonly=True))
    assert "can be written" in raised.value.hint
    path.parent.chmod(0o755)
    for each in path.parent.iterdir():
        each.chmod(0o600)
    assert rows_in(path) == 2


def test_a_store_that_may_not_be_reached_is_one_clear_error(shared: Path) -> None:
    path = made(shared)
    path.parent.chmod(0)
    with pytest.raises(MemctlError, match="cannot be reached: Permission denied") as raised:
        as_another_user(lambda: rows_in(path, readonly=True))
    assert raised.value.exit_code == 1


def test_a_folder_that_may_be_listed_and_not_entered_is_not_empty(shared: Path) -> None:
    made(shared).parent.chmod(0o744)
    for call in (lambda: memctl.stores(shared), lambda: memctl.report("health", shared)):
        with pytest.raises(MemctlError, match="cannot be listed: Permission denied"):
            as_another_user(call)


def test_a_store_that_may_not_be_written_is_not_restored_nor_one_recovered_unread(
    shared: Path, tmp_path: Path
) -> None:
    with memctl.open(made(shared)) as memory:
        backup = memory.backup(shared / "backup.db").path
    path = opened_to_all(shared, rows=0)
    with pytest.raises(ReadOnlyError, match="may not be written"):
        as_another_user(lambda: memctl.restore(backup, "harbor", shared))
    path.chmod(0)
    with pytest.raises(FileAccessError, match=r"harbor.db.* may not be read"):
        as_another_user(lambda: memctl.recover("harbor", shared, tmp_path / "saved.db"))


def test_a_store_that_may_not_be_read_is_one_clear_error(shared: Path) -> None:
    path = made(shared)
    path.parent.chmod(0o755)
    path.chmod(0)
    with pytest.raises(MemctlError, match="cannot be opened") as raised:
        as_another_user(lambda: rows_in(path, readonly=True))
    assert raised.value.exit_code == 1
