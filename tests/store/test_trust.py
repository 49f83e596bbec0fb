"""A file is trusted only when its schema is ours; what is refused is left as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import (
    ForeignStoreError,
    NewerStoreError,
    OlderStoreError,
    StoreDamagedError,
    StoreError,
)
from memctl.base.home import parse_address
from tests.store.stored import by_hand, know_a_later_step, made, opened, rows_in

if TYPE_CHECKING:
    from pathlib import Path


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


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
    by_hand(
        path,
        """
        create table of_the_future (x);
        insert into migration values (9999, '9999_of_the_future', '2030-01-01T00:00:00Z');
        pragma user_version = 9999;
        """,
    )
    content = path.read_bytes()
    with pytest.raises(NewerStoreError, match="has schema 9999; this memctl knows") as raised:
        rows_in(path, readonly=readonly)
    assert raised.value.exit_code == 5
    assert "update memctl" in raised.value.hint
    assert path.read_bytes() == content


@pytest.mark.parametrize("readonly", [True, False])
def test_a_store_of_an_unreleased_memctl_is_refused_with_the_way_out_and_left_alone(
    readonly: bool, home: Path
) -> None:
    path = made(home)
    by_hand(
        path,
        """
        update migration set name = '0003_episodic' where number = 3;
        insert into migration values (36, '0036_rows_of_runs', '2026-11-01T00:00:00Z');
        pragma user_version = 36;
        """,
    )
    content = path.read_bytes()
    with pytest.raises(OlderStoreError, match="never released; this one cannot") as raised:
        rows_in(path, readonly=readonly)
    assert raised.value.exit_code == 5
    assert "export" in raised.value.hint
    assert path.read_bytes() == content


def test_a_store_of_an_older_memctl_is_brought_up_to_date_unless_it_is_read_only(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(home)
    known = know_a_later_step(monkeypatch) - 1
    with pytest.raises(StoreError, match=f"has schema {known}; this memctl needs") as raised:
        rows_in(path, readonly=True)
    assert raised.value.code == "store_older"
    assert "doctor --fix" in raised.value.hint
    assert rows_in(path) == 1
    assert rows_in(path, readonly=True) == 1


@pytest.mark.parametrize(
    ("script", "named"),
    [
        ("alter table setting add column mine text", "altered table setting"),
        ("drop view component_health", "lacks the view component_health"),
        ("drop index template_sha256", "lacks the index template_sha256"),
        ("drop table guard_refusal", "lacks the table guard_refusal"),
        ("drop table origin", "lacks the table origin"),
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


def test_a_store_of_another_sqlite_which_keeps_other_comments_is_ours(home: Path) -> None:
    """As SQLite 3.53 makes it: along with the column `ignored` it drops the comment above it."""
    path = made(home)
    begin, end = "[store; note]\n    -- Areas that are not compared", "[x, y, w, h],  -- "
    by_hand(
        path,
        f"""
        pragma writable_schema = on;
        update sqlite_schema
        set sql = substr(sql, 1, instr(sql, '{begin}') - 1)
            || substr(sql, instr(sql, '{end}') + {len(end)})
        where name = 'state' and instr(sql, '{begin}') > 0 and instr(sql, '{end}') > 0;
        """,
    )
    by_hand(
        path,
        "pragma writable_schema = on; update sqlite_schema "
        "set sql = replace(sql, 'check (merged_into is null', '-- check (merged_into is null')",
    )
    with pytest.raises(StoreError, match="altered table state"):
        rows_in(path)


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
    from memctl.upkeep.status import status_of

    path = made(home)
    by_hand(path, "delete from store")
    with opened(path) as store, pytest.raises(StoreDamagedError, match="what it is the memory of"):
        status_of(store)
