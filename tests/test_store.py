"""One file a store: made by the first write, private, and trusted only when it is ours."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import memctl
from memctl.errors import (
    ForeignStoreError,
    MemctlError,
    NewerStoreError,
    NotFoundError,
    StoreDamagedError,
    StoreError,
)
from memctl.home import parse_address
from memctl.migrations import APPLICATION_ID, migrations
from memctl.store import Store
from tests.processes import as_another_user, start_python

if TYPE_CHECKING:
    from collections.abc import Iterator

PUT = "insert into setting (key, value, changed_at) values (:key, '', '')"
COUNT = "select count(*) from setting"


def made(home: Path, rows: int = 1) -> Path:
    """Make the store "harbor" with some rows in it; return its file, closed and whole."""
    address = parse_address("harbor")
    with Store(address.path(home), address) as store, store.transaction():
        store.execute_many(PUT, [{"key": str(n)} for n in range(rows)])
    return address.path(home)


def opened(path: Path, *, readonly: bool = False) -> Store:
    return Store(path, parse_address("harbor"), readonly=readonly)


def rows_in(path: Path, *, readonly: bool = False) -> int:
    with opened(path, readonly=readonly) as store:
        return int(store.value(COUNT))


def by_hand(path: Path, script: str) -> None:
    """Do what somebody types in the sqlite3 shell."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# -- made by the first write ---------------------------------------------------------------


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
    row = store.row("select * from store")
    assert row is not None
    assert tuple(row) == (1, "harbor", fixed_clock, 0)
    assert store.value("pragma application_id") == APPLICATION_ID


def test_files_are_the_owners_alone_and_so_are_folders(home: Path) -> None:
    address = parse_address("chromium/united.com")
    before = os.umask(0o000)
    try:
        with Store(address.path(home), address) as store, store.transaction():
            store.execute(PUT, {"key": "a"})
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


@pytest.mark.parametrize("step", range(1, len(migrations()) + 1))
def test_a_file_whose_maker_was_killed_between_two_steps_knows_who_it_is(
    step: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parse_address("harbor").path(home)
    every = migrations()
    monkeypatch.setattr("memctl.migrations.migrations", lambda: (*every[: step - 1], None))
    with pytest.raises(AttributeError), opened(path) as store, store.transaction():
        pass
    monkeypatch.undo()
    made(home)
    with memctl.open("harbor", home) as memory:
        assert memory.store.value("select address from store") == "harbor"


# -- a home that cannot be written ---------------------------------------------------------


def test_a_home_that_is_a_file_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(MemctlError, match="cannot be created") as raised:
        made(tmp_path / "home")
    assert raised.value.exit_code == 1
    assert "--home" in raised.value.hint


def test_a_store_whose_place_is_taken_by_a_folder_is_one_clear_error(home: Path) -> None:
    parse_address("harbor").path(home).mkdir(parents=True)
    with pytest.raises(MemctlError, match="cannot be created"):
        made(home)


def test_a_link_that_leads_nowhere_is_not_followed(home: Path, tmp_path: Path) -> None:
    path = parse_address("harbor").path(home)
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MemctlError, match="symbolic link") as raised:
        made(home)
    assert "remove the link" in raised.value.hint
    assert not (tmp_path / "elsewhere").exists()


def test_a_link_to_a_store_is_that_store(home: Path, tmp_path: Path) -> None:
    made(home)
    path = parse_address("harbor").path(home)
    elsewhere = path.rename(tmp_path / "elsewhere.db")
    path.symlink_to(elsewhere)
    assert rows_in(path) == 1
    assert path.is_symlink()


@pytest.fixture
def shared() -> Iterator[Path]:
    """A home that every user may read and only its owner may write."""
    # Not tmp_path: no other user may enter that.
    folder = Path(tempfile.mkdtemp(prefix="memctl-test-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700)
    shutil.rmtree(folder)


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


def test_a_store_that_may_not_be_read_is_one_clear_error(shared: Path) -> None:
    path = made(shared)
    path.parent.chmod(0o755)
    path.chmod(0)
    with pytest.raises(MemctlError, match="cannot be opened") as raised:
        as_another_user(lambda: rows_in(path, readonly=True))
    assert raised.value.exit_code == 1


# -- trusted only when it is ours ----------------------------------------------------------


@pytest.mark.parametrize("readonly", [True, False])
@pytest.mark.parametrize("content", [b"x", b"my notes\n" * 1000, b"\0" * 8192, b"SQLite form"])
def test_a_file_that_is_not_sqlite_is_refused_and_left_alone(
    content: bytes, readonly: bool, home: Path
) -> None:
    path = parse_address("harbor").path(home)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(ForeignStoreError, match="is not a SQLite file") as raised:
        rows_in(path, readonly=readonly)
    assert raised.value.exit_code == 5
    assert everything_in(path.parent) == {"harbor.db": content}


@pytest.mark.parametrize("readonly", [True, False])
@pytest.mark.parametrize(
    "script",
    [
        "create table note (text)",
        "create table note (text); pragma user_version = 1",
        "create table store (id); create table migration (number); pragma user_version = 2",
        "pragma application_id = 7",
    ],
)
def test_another_programs_database_is_refused_and_left_alone(
    script: str, readonly: bool, home: Path
) -> None:
    path = parse_address("harbor").path(home)
    path.parent.mkdir(parents=True)
    by_hand(path, script)
    content = path.read_bytes()
    with pytest.raises(ForeignStoreError, match="not a memctl store"):
        rows_in(path, readonly=readonly)
    assert everything_in(path.parent) == {"harbor.db": content}


@pytest.mark.parametrize("readonly", [True, False])
def test_a_store_of_a_newer_memctl_is_refused_and_left_alone(readonly: bool, home: Path) -> None:
    path = made(home)
    by_hand(path, "create table of_the_future (x); pragma user_version = 9999")
    content = path.read_bytes()
    with pytest.raises(NewerStoreError, match="has schema 9999; this memctl knows") as raised:
        rows_in(path, readonly=readonly)
    assert raised.value.exit_code == 5
    assert "update memctl" in raised.value.hint
    assert path.read_bytes() == content


def test_a_store_of_an_older_memctl_is_brought_up_to_date_unless_it_is_read_only(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = migrations()
    monkeypatch.setattr("memctl.migrations.migrations", lambda: every[:1])
    path = made(home)
    monkeypatch.undo()
    with pytest.raises(StoreError, match="has schema 1; this memctl needs") as raised:
        rows_in(path, readonly=True)
    assert "without readonly" in raised.value.hint
    assert rows_in(path) == 1
    assert rows_in(path, readonly=True) == 1


@pytest.mark.parametrize(
    ("script", "named"),
    [
        ("alter table setting add column mine text", "altered table setting"),
        ("drop view component_health", "lacks the view component_health"),
        ("drop index template_sha256", "lacks the index template_sha256"),
        ("drop table guard_refusal", "lacks the table guard_refusal"),
        (
            "drop view state_root; create view state_root as select id, id as root from state",
            "altered view state_root",
        ),
    ],
)
def test_an_altered_schema_is_refused_by_name(script: str, named: str, home: Path) -> None:
    path = made(home)
    by_hand(path, script)
    for readonly in (True, False):
        with pytest.raises(StoreError, match=named) as raised:
            rows_in(path, readonly=readonly)
        assert raised.value.exit_code == 5


def test_a_trigger_that_is_not_ours_is_refused_and_its_remedy_works(home: Path) -> None:
    path = made(home)
    by_hand(
        path,
        "create trigger spy after insert on setting begin delete from component; end",
    )
    with pytest.raises(ForeignStoreError, match="unknown trigger spy") as raised:
        rows_in(path)
    by_hand(path, raised.value.hint.partition(": ")[2])
    assert rows_in(path) == 1


def test_ones_own_views_indexes_and_tables_are_fine(home: Path) -> None:
    path = made(home)
    by_hand(
        path,
        """
        create view my_favourites as select name from component where pinned;
        create index my_index on component (label);
        create table my_notes (text);
        """,
    )
    assert rows_in(path) == 1
    assert rows_in(path, readonly=True) == 1


def test_rewriting_the_file_by_hand_does_not_make_it_foreign(home: Path) -> None:
    path = made(home)
    by_hand(path, "pragma journal_mode = delete; vacuum; analyze; reindex;")
    assert rows_in(path) == 1


def test_an_identity_that_somebody_removed_is_one_clear_error(home: Path) -> None:
    from memctl.status import status_of

    path = made(home)
    by_hand(path, "delete from store")
    with opened(path) as store, pytest.raises(StoreDamagedError, match="what it is the memory of"):
        status_of(store)


# -- damaged -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with 500 rows, closed and whole; tests copy it."""
    return made(tmp_path_factory.mktemp("whole"), rows=500)


def read_all(path: Path, *, readonly: bool) -> int:
    with opened(path, readonly=readonly) as store:
        return len(store.rows("select * from setting"))


@given(share=st.floats(0, 1, exclude_max=True), readonly=st.booleans())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_store_cut_off_anywhere_is_an_error_never_fewer_rows(
    share: float, readonly: bool, whole: Path, tmp_path: Path
) -> None:
    path = tmp_path / "harbor.db"
    content = whole.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises((StoreError, NotFoundError)):
        read_all(path, readonly=readonly)
    path.unlink()


@pytest.mark.parametrize("readonly", [True, False])
@pytest.mark.parametrize("length", [15, 16, 99, 100, 101, 511, 512, 4095, 4096, -1, -4096])
def test_half_a_store_is_refused(length: int, readonly: bool, whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "harbor.db"
    content = whole.read_bytes()[:length]
    path.write_bytes(content)
    with pytest.raises(StoreError) as raised:
        read_all(path, readonly=readonly)
    assert raised.value.exit_code == 5
    assert "harbor.db" in raised.value.message
    assert path.read_bytes() == content


@given(share=st.floats(0, 1), noise=st.binary(min_size=8, max_size=64), readonly=st.booleans())
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_store_overwritten_somewhere_answers_or_says_in_one_line_what_is_wrong(
    share: float, noise: bytes, readonly: bool, whole: Path, tmp_path: Path
) -> None:
    content = whole.read_bytes()
    start = int((len(content) - len(noise)) * share)
    path = tmp_path / "harbor.db"
    path.write_bytes(content[:start] + noise + content[start + len(noise) :])
    try:
        # SQLite's pages carry no checksums: a changed cell passes, a row more cannot.
        assert read_all(path, readonly=readonly) <= 500
    except MemctlError as error:
        assert error.exit_code in {4, 5}  # noqa: PT017 - most damage is in cells and raises none
    for each in tmp_path.iterdir():
        each.unlink()


def test_a_text_that_is_no_text_is_damage(home: Path) -> None:
    path = made(home)
    by_hand(path, "update setting set value = cast(x'80ff' as text)")
    with opened(path) as store, pytest.raises(StoreDamagedError, match="no UTF-8"):
        store.rows("select value from setting")
