"""A store is sealed as it is closed: a byte that nobody wrote is damage, what somebody wrote is not."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.store.migrations import apply, expected_schema, migrations
from memctl.store.sealing import seal
from memctl.store.sealing.seal import SEALED, check_seal
from tests.each import each
from tests.forking import run_forked
from tests.processes import python

if TYPE_CHECKING:
    from pathlib import Path

PAGE = 4096


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 250 turns and a fact, sealed in four pieces or more."""
    home = tmp_path_factory.mktemp("sealed")
    with memctl.open("harbor", home) as memory:
        for number in range(250):
            memory.log(f"Boat {number} is at the quay, says the harbour office. " * 8)
        memory.facts.store("Ann lives in Porto")
    return home / "apps" / "harbor.db"


@pytest.fixture
def store(sealed: Path, home: Path) -> Path:
    """A copy of it."""
    path = home / "apps" / "harbor.db"
    path.parent.mkdir(parents=True)
    shutil.copyfile(sealed, path)
    return path


def sums(path: Path) -> bytes | None:
    """Return the sums of the seal; ``None`` where it is broken."""
    with closing(sqlite3.connect(path)) as file:
        row = file.execute(
            "select sums from seal, pragma_schema_version where schema_cookie = schema_version"
        ).fetchone()
    found: bytes | None = row and row[0]
    return found


def read(path: Path, home: Path) -> str:
    with memctl.open("harbor", home, readonly=True) as memory:
        assert memory.store.path == path
        return memory.facts.list()[0].text


def test_every_table_has_the_triggers_that_break_the_seal() -> None:
    schema = expected_schema(len(migrations()))
    tables = {thing.removeprefix("table ") for thing in schema if thing.startswith("table ")}
    ours = {name for name in tables if not name.startswith("memory_fts")} - {"seal"}
    wanted = {
        f"trigger {table}_unseals_{event}"
        for table in ours
        for event in ("insert", "update", "delete")
    }
    assert {thing for thing in schema if "_unseals_" in thing} == wanted


def test_a_bit_that_flips_anywhere_is_damage_or_changes_no_answer(store: Path, home: Path) -> None:
    content, dice = store.read_bytes(), random.Random(43)  # noqa: S311  (no secret)
    refused = 0
    for _ in range(60):
        spoilt, at = bytearray(content), dice.randrange(len(content))
        spoilt[at] ^= 1 << dice.randrange(8)
        store.write_bytes(spoilt)
        try:
            assert read(store, home) == "Ann lives in Porto"
        except memctl.StoreError:
            refused += 1
    assert refused > 50


@each(
    "sql",
    [
        "update fact set text = 'Ann lives in Lisbon'",
        "insert or replace into setting values ('timezone', 'UTC', '2026-11-20T00:00:00Z')",
        "delete from log where id = 7",
        "create index mine on log (role)",
        "vacuum",
        "pragma journal_mode = delete",
    ],
)
def test_a_change_by_hand_breaks_the_seal_and_is_no_damage(
    sql: str, store: Path, home: Path
) -> None:
    with closing(sqlite3.connect(store)) as shell, shell:
        shell.execute(sql)
    with memctl.open("harbor", home) as memory:
        memory.log("One more")
    assert sums(store)
    assert read(store, home).startswith("Ann lives in ")


@each("sql", ["reindex", "insert into memory_fts (memory_fts) values ('optimize')"])
def test_upkeep_by_hand_needs_the_doctor_who_takes_the_file_as_it_is(
    sql: str, store: Path, home: Path
) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as shell:
        shell.execute("create table scattered (x)")  # so that the pages come out in another order
        shell.execute("drop table scattered")
    with memctl.open("harbor", home) as memory:
        memory.log("One more")
    with closing(sqlite3.connect(store, isolation_level=None)) as shell:
        shell.execute(sql)
    with pytest.raises(memctl.StoreDamagedError, match="sealed") as raised:
        read(store, home)
    assert "doctor --fix" in raised.value.hint
    with memctl.open("harbor", home) as memory:
        assert [one.check for one in memory.doctor() if not one.ok] == ["seal"]
    with memctl.open("harbor", home) as memory:
        assert all(one.ok for one in memory.doctor(fix=True))
    assert sums(store)
    assert read(store, home) == "Ann lives in Porto"


@each("large", [1, 1 << 24])
def test_a_seal_that_counts_only_what_was_written_is_that_of_the_whole_file(
    large: int, sealed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seal, "_LARGE", large)  # bytes from which several threads sum up
    home = tmp_path / str(large)
    store = home / "apps" / "harbor.db"
    store.parent.mkdir(parents=True)
    shutil.copyfile(sealed, store)
    seals = {sums(store)}
    for number in (1, 80, 1600):
        with memctl.open("harbor", home) as memory:
            for turn in range(number):
                memory.log(f"Bob owns {turn + number} boats " * 9)
            memory.recall("boats")
        seals.add(sums(store))
        with memctl.open("harbor", home, readonly=True) as memory:
            assert check_seal(memory.store.connection(), store)
    assert len(seals) == 4


def test_who_closes_while_others_are_at_it_seals_what_stands_in_the_log(
    store: Path, home: Path
) -> None:
    with memctl.open("harbor", home) as other:
        other.log("The server was here first")
        script = """
            import sys, memctl
            with memctl.open("harbor", sys.argv[1]) as memory:
                memory.log("A command")
        """
        python(script, home)
        assert sums(store)
        script = """
            import sys, memctl
            from memctl.store.sealing.seal import check_seal
            with memctl.open("harbor", sys.argv[1], readonly=True) as memory:
                sealed_at = check_seal(memory.store.connection(), memory.store.path)
                print(len(memory.turns), sealed_at is not None)
        """
        assert python(script, home) == "252 True"
        other.log("It goes on")
        assert sums(store) is None
    assert sums(store)


def test_a_reader_writes_nothing_and_a_broken_seal_stays_broken(store: Path, home: Path) -> None:
    with closing(sqlite3.connect(store)) as shell, shell:
        shell.execute("update fact set text = 'Ann lives in Lisbon'")
    before = store.read_bytes()
    with memctl.open("harbor", home) as memory:
        assert memory.facts.list()[0].text == "Ann lives in Lisbon"
    assert store.read_bytes() == before


def test_a_backup_and_what_is_restored_from_it_are_whole(store: Path, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        made = memory.backup()
    assert read(store, home) == "Ann lives in Porto"
    memctl.restore(made.path, "harbor", home)
    assert read(store, home) == "Ann lives in Porto"


def test_a_store_of_before_is_sealed_by_the_first_who_writes_it(home: Path) -> None:
    path = home / "apps" / "harbor.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        apply(made, upto=SEALED - 1)
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Ann lives in Porto")
    assert sums(path)
    assert read(path, home) == "Ann lives in Porto"


def killed(home: Path) -> tuple[Path, bytes]:
    """Return the log that a killed process left beside a store: five turns, each acknowledged."""
    script = """
        import os, sys, memctl
        memory = memctl.open("harbor", sys.argv[1])
        for number in range(5):
            memory.log(f"turn {number}")
        os._exit(0)
    """
    python(script, home)
    log = home / "apps" / "harbor.db-wal"
    return log, log.read_bytes()


@each(("place", "turns", "lost"), [(0.1, 0, 5), (0.5, 2, 3), (0.999, 4, 1), (0.0001, 0, 5)])
def test_a_log_that_lost_transactions_is_told_and_the_store_is_as_it_was_before(
    place: float, turns: int, lost: int, tmp_path: Path
) -> None:
    home = tmp_path / str(place)
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Ann lives in Porto")
    log, content = killed(home)
    spoilt = bytearray(content)
    spoilt[int(len(content) * place)] ^= 4
    log.write_bytes(spoilt)
    with (
        pytest.warns(UserWarning, match=rf"\({lost} transaction"),
        memctl.open("harbor", home) as memory,
    ):
        assert len(memory.turns) == turns
    with memctl.open("harbor", home) as memory:  # it is told once
        assert len(memory.turns) == turns


def test_a_whole_log_of_a_killed_process_and_one_in_use_are_not_told(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("first")
    _, content = killed(home)
    assert content
    with memctl.open("harbor", home) as memory:
        memory.store.flush_deleted()
        memory.log("Written over what was moved into the file")
        script = """
            import sys, memctl
            with memctl.open("harbor", sys.argv[1]) as memory:
                print(len(memory.turns))
        """
        assert python(script, home) == "7"  # a warning would end it


def test_a_command_says_that_the_log_lost_something(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("first")
    log, content = killed(home)
    for form in ([], ["--json"]):
        log.write_bytes(content[:-9] + b"spoilt" + content[-3:])
        words = ["--home", str(home), "--app", "harbor", *form, "turns", "list"]
        code, said, beside = run_forked(words, b"", os.environ)
        warned = json.loads(said)["warnings"][0] if form else beside.decode()
        assert (code, "(1 transaction or more)" in warned) == (0, True)


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="no shell of SQLite")
def test_the_shell_of_sqlite_breaks_the_seal(store: Path, home: Path) -> None:
    subprocess.run(["sqlite3", store, "update fact set text = 'Ann lives in Faro'"], check=True)
    assert sums(store) is None
    assert read(store, home) == "Ann lives in Faro"


def test_a_vacuum_by_hand_beside_an_open_store_is_no_damage(tmp_path: Path) -> None:
    with memctl.open("harbor", tmp_path) as memory:
        for number in range(20):
            memory.log(f"a ship of the harbor {number}" * 50)
    with memctl.open("harbor", tmp_path) as memory:
        assert len(memory.turns) == 20  # compared
        with closing(sqlite3.connect(tmp_path / "apps" / "harbor.db")) as by_hand:
            by_hand.execute("vacuum")
            by_hand.execute("pragma wal_checkpoint(truncate)")
        memory.log("later")
    with memctl.open("harbor", tmp_path, readonly=True) as memory:
        assert len(memory.turns) == 21


@pytest.mark.usefixtures("store")
def test_the_doctor_examines_a_sealed_store_inside_of_a_transaction_too(home: Path) -> None:
    with memctl.open("harbor", home) as memory, memory.store.transaction():
        assert all(check.ok for check in memory.doctor())
    with memctl.open("harbor", home) as memory, memory.store.snapshot():
        assert all(check.ok for check in memory.doctor())


def test_an_index_made_anew_by_hand_beside_an_open_store_is_no_damage(
    store: Path, home: Path
) -> None:
    with memctl.open("harbor", home) as memory:
        memory.turns.list()
        with closing(sqlite3.connect(store)) as file:
            file.execute("reindex")
            file.execute("pragma wal_checkpoint(full)")
        memory.log("The log begins anew here.")
    with memctl.open("harbor", home) as memory:
        assert all(check.ok for check in memory.doctor())
