"""The way back on the command line: backup, restore, recover, doctor and vacuum."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.test_no_room import without_room
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


@pytest.fixture
def said(home: Path) -> Path:
    """The file of a store with two facts and 60 turns."""
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Falcon's deadline is 1 December")
        memory.facts.store("Ann lives in Porto")
        for n in range(60):
            memory.log(f"turn {n} " + "word " * 30)
        memory.vacuum()
    return home / "apps" / "harbor.db"


def harbor(run: Run, *words: str | Path) -> Answer:
    return run("--app", "harbor", *words)


def spoil(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


def test_a_store_is_backed_up_listed_lost_and_restored(run: Run, said: Path) -> None:
    made = harbor(run, "backup", "--json").data
    assert harbor(run, "backup", "--list", "--json").data == [made["path"]]
    said.write_bytes(b"gone")
    assert harbor(run, "memory", "list").code == 5
    answer = harbor(run, "restore", made["path"])
    assert (answer.code, "is kept in" in answer.out) == (0, True)
    assert harbor(run, "memory", "list", "--json").envelope["count"] == 2


def test_recover_says_what_each_table_kept_and_what_to_do_next(run: Run, said: Path) -> None:
    with closing(sqlite3.connect(said)) as store:
        page = store.execute("select max(pageno) from dbstat where name = 'log'").fetchone()[0]
    content = said.read_bytes()
    said.write_bytes(content[: (page - 1) * 4096] + bytes(4096) + content[page * 4096 :])
    answer = harbor(run, "recover")
    assert answer.code == 0
    home = said.parents[1]
    assert f"put it in place: memctl --home {home} --app harbor restore" in answer.out
    found = harbor(run, "recover", "--out", said.parents[1] / "x.db", "--json").data
    tables = {one["table"]: one for one in found["tables"]}
    assert (tables["log"]["kept"] + tables["log"]["lost"], tables["fact"]["kept"]) == (60, 2)
    assert tables["log"]["ranges"][0] in answer.out


def test_vacuum_says_the_bytes_before_and_after(run: Run, said: Path) -> None:
    found = harbor(run, "vacuum", "--json").data
    assert found["bytes_after"] == said.stat().st_size <= found["bytes_before"]


@pytest.mark.parametrize(
    "words",
    ["memory list", "memory search falcon", "doctor", "status", "turns list", "recall turn"],
)
def test_a_page_that_is_noise_is_exit_5_in_every_command_that_reads_it(
    words: str, run: Run, said: Path
) -> None:
    content = said.read_bytes()
    said.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    answer = harbor(run, *words.split(), "--json")
    assert answer.code == 5
    assert "recover" in answer.envelope["error"]["hint"]


def test_a_flipped_byte_of_a_text_is_exit_5_for_the_command_and_the_doctor(
    run: Run, said: Path
) -> None:
    spoil(said, b"Ann lives in Porto", b"Ann lives in P\xffrto")
    assert harbor(run, "memory", "list").code == 5
    answer = harbor(run, "doctor")
    assert (answer.code, "no UTF-8 in fact" in answer.out) == (5, True)
    assert harbor(run, "doctor", "--fix").code == 0
    assert harbor(run, "memory", "list").code == 0


def test_a_backup_on_a_full_disk_is_one_line_with_exit_1(said: Path) -> None:
    answer = without_room(said.parents[1], "backup")
    assert (answer.code, answer.error.count("\n")) == (1, 1)
    assert not list(said.parents[1].glob("backups/harbor/*"))


@each("words", ["backup", "recover", "vacuum"])
def test_where_there_is_no_store_nothing_is_made(words: str, run: Run, home: Path) -> None:
    assert harbor(run, words).code == 4
    assert not home.exists()


def test_recover_names_the_home_that_its_file_is_to_be_restored_in(
    run: Run, said: Path, tmp_path: Path
) -> None:
    other = tmp_path / "another home"
    (other / "apps").mkdir(parents=True)
    (other / "apps" / "harbor.db").write_bytes(said.read_bytes())
    answer = harbor(run, "recover", "--home", other)
    assert f"memctl --home '{other}' --app harbor restore '{other}" in answer.out
