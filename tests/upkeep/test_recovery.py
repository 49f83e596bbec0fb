"""Recover saves what can be read around broken pages, and lists what was lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import OlderStoreError
from memctl.visual.matching.template import MAGIC
from memctl_cli.demo import bundle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.upkeep.recovery import Recovered, TableSalvage

PAGE = 4096


def shell_recovers() -> bool:
    """Return whether there is a ``sqlite3`` shell that was built with ``.recover``."""
    shell = shutil.which("sqlite3")
    if shell is None:
        return False
    told = subprocess.run(
        [shell, ":memory:", "create table t (a);", ".recover"], capture_output=True, check=False
    )
    return b"lost_and_found" in told.stdout or b"CREATE TABLE" in told.stdout


@pytest.fixture(params=["with the shell", "without"])
def shell(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether recover finds the shell of SQLite."""
    if request.param == "without":
        monkeypatch.setenv("PATH", os.devnull)
        return False
    if not shell_recovers():
        pytest.skip("no sqlite3 shell with .recover is installed")
    return True


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with components, 120 turns and 30 facts; tests copy it."""
    home = tmp_path_factory.mktemp("sound")
    with memctl.open("harbor", home) as memory:
        login = bundle.shot("login")
        for _ in range(2):
            memory.learn(login.png, login.boxes_file())
        for n in range(120):
            memory.log(f"turn {n} " + "word " * 20)
        for n in range(30):
            memory.facts.store(f"Berth {n} belongs to Ann's company")
        memory.vacuum()
    return home / "apps" / "harbor.db"


@pytest.fixture
def copy(sound: Path, home: Path) -> Path:
    path = home / "apps" / "harbor.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(sound.read_bytes())
    return path


def table_pages(path: Path, table: str) -> list[int]:
    """Return the numbers of the leaf pages of a table."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(
            "select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno",
            [table],
        )
        return [row[0] for row in found]


def overwrite(path: Path, page: int, content: bytes, at: int = 0) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE + at)
        file.write(content)


def rows(path: str | Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.execute(f'select * from "{table}"').fetchall(), key=repr)


def saved(home: Path) -> Recovered:
    return memctl.recover("harbor", home)


def told(done: Recovered, table: str) -> TableSalvage:
    return next(one for one in done.tables if one.table == table)


def tables(path: Path) -> Iterator[str]:
    with closing(sqlite3.connect(path)) as connection:
        for (name,) in connection.execute(
            "select name from pragma_table_list where strict and schema = 'main' and name <> 'seal'"
        ):
            yield name


def test_of_a_sound_store_every_row_comes_back_as_it_was(copy: Path, home: Path) -> None:
    done = saved(home)
    assert done.lost == 0
    assert done.kept == sum(len(rows(copy, table)) for table in tables(copy))
    for table in tables(copy):
        assert rows(done.path, table) == rows(copy, table)


def test_the_damaged_file_is_not_touched(copy: Path, home: Path) -> None:
    overwrite(copy, table_pages(copy, "log")[0], bytes(PAGE))
    before = copy.read_bytes(), copy.stat().st_mtime_ns, list(copy.parent.iterdir())
    saved(home)
    assert before == (copy.read_bytes(), copy.stat().st_mtime_ns, list(copy.parent.iterdir()))


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize("how", ["zeroed", "torn", "another table's"])
def test_broken_pages_cost_their_own_rows_alone_which_are_counted_and_named(
    how: str, copy: Path, home: Path
) -> None:
    pages = table_pages(copy, "log")
    content = {"zeroed": bytes(PAGE), "torn": bytes(PAGE // 2), "another table's": b""}[how]
    if not content:
        other = table_pages(copy, "template")[0]
        content = copy.read_bytes()[(other - 1) * PAGE : other * PAGE]
    for page in (pages[1], pages[3]):
        overwrite(copy, page, content)
    done = saved(home)
    log = told(done, "log")
    assert (log.kept + log.lost, log.guessed) == (120, False)
    assert 0 < log.lost < 3 * 120 / len(pages)
    assert [one.table for one in done.tables if one.lost] == ["log"]
    lost = sum(int(end) - int(begin) + 1 for begin, end in (r.split("-") for r in log.ranges))
    assert (len(log.ranges), lost) == (2, log.lost)


@pytest.mark.parametrize("table", ["fact_replaced", "erased_component"])
def test_rows_of_another_table_do_not_pass_for_rows_of_a_narrower_one(
    table: str, copy: Path, home: Path
) -> None:
    of_log = table_pages(copy, "log")[0]
    content = copy.read_bytes()[(of_log - 1) * PAGE : of_log * PAGE]
    overwrite(copy, table_pages(copy, table)[0], content)
    assert told(saved(home), table).kept == 0


def test_a_row_that_an_index_reads_otherwise_is_left_out_and_counted(
    copy: Path, home: Path, sound: Path
) -> None:
    damaged = rows(sound, "fact")[7]
    identity = next(value for value in damaged if str(value).startswith("f_"))
    wrong = f"{str(identity)[:-1]}z".encode()
    copy.write_bytes(copy.read_bytes().replace(str(identity).encode(), wrong, 1))
    done = saved(home)
    fact = told(done, "fact")
    assert (fact.kept, fact.lost, fact.doubtful) == (29, 1, 1)
    assert set(rows(done.path, "fact")) < set(rows(sound, "fact"))


@pytest.mark.usefixtures("shell")
def test_a_broken_last_page_ends_a_table_early(copy: Path, home: Path) -> None:
    overwrite(copy, table_pages(copy, "log")[-1], bytes(PAGE))
    log = told(saved(home), "log")
    assert (log.kept + log.lost, log.guessed) == (120, False)
    assert log.ranges == (f"{log.kept + 1}-",)


@pytest.mark.usefixtures("shell")
def test_a_table_without_numbers_is_read_from_both_ends(copy: Path, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        for n in range(300):
            memory.aliases.add(f"term{n:03}", "word " * 9 + str(n))
        memory.vacuum()
    pages = table_pages(copy, "alias")
    overwrite(copy, pages[len(pages) // 2], bytes(PAGE))
    alias = told(saved(home), "alias")
    assert 300 > alias.kept > 150
    assert len(alias.ranges) == 1
    assert "term" in alias.ranges[0]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_what_the_disk_cannot_read_any_more_costs_its_own_rows_alone(
    copy: Path, home: Path, sound: Path
) -> None:
    page = table_pages(copy, "log")[1]
    told_of = subprocess.run(
        [
            *("strace", "-f", "-qq", "-o", os.devnull, "-P", str(copy)),
            *("-e", "trace=read", "-e", f"inject=read:error=EIO:when={page}"),
            *(
                sys.executable,
                "-c",
                "import sys, memctl; print(memctl.recover(*sys.argv[1:]).path)",
            ),
            *("harbor", str(home)),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    kept, all_rows = rows(told_of.stdout.strip(), "log"), rows(sound, "log")
    assert 0 < len(all_rows) - len(kept) <= PAGE // 100
    assert set(kept) < set(all_rows)


@pytest.mark.usefixtures("shell")
def test_broken_indexes_cost_nothing(copy: Path, home: Path, sound: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        indexes = connection.execute(
            "select rootpage from sqlite_schema where type = 'index' and tbl_name in ('log', 'fact')"
        ).fetchall()
    for (page,) in indexes:
        overwrite(copy, page, bytes([255]) * PAGE)
    done = saved(home)
    assert (done.lost, rows(done.path, "log")) == (0, rows(sound, "log"))
    assert not [one for one in done.tables if one.ranges]


def test_a_recovered_store_is_whole_finds_by_words_and_can_be_restored(
    copy: Path, home: Path
) -> None:
    overwrite(copy, table_pages(copy, "component")[0], bytes(PAGE))
    flipped = bytearray(copy.read_bytes())
    flipped[flipped.rindex(MAGIC) + 200] ^= 1
    copy.write_bytes(flipped)
    memctl.restore(saved(home).path, "harbor", home)
    with memctl.open("harbor", home) as memory:
        assert all(one.ok for one in memory.doctor(fix=True))
        assert memory.recall("Berth 7")
        memory.log("and it is written again")


def test_without_the_page_of_its_schema_the_shell_is_needed(
    shell: bool, copy: Path, home: Path, sound: Path
) -> None:
    overwrite(copy, 1, bytes(PAGE))
    if not shell:
        with pytest.raises(memctl.ForeignStoreError, match="no row of a store") as refused:
            saved(home)
        assert "sqlite3 shell" in str(refused.value.hint)
        return
    done = saved(home)
    assert (told(done, "log").kept, told(done, "fact").kept) == (120, 30)
    assert rows(done.path, "log") == rows(sound, "log")
    assert told(done, "log").ranges == ("unknown",)


@pytest.mark.usefixtures("shell")
def test_a_store_that_ends_early_gives_what_is_before_the_end(copy: Path, home: Path) -> None:
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    done = saved(home)
    assert done.kept > 0
    assert done.lost > 0


def test_what_is_in_the_log_of_a_killed_process_is_read_along(copy: Path, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("only in the log")
        kept = {path.name: path.read_bytes() for path in copy.parent.iterdir()}
    for name in ("harbor.db", "harbor.db-wal"):
        copy.with_name(name).write_bytes(kept[name])
    assert told(saved(home), "log").kept == 121


def test_a_broken_byte_of_a_text_is_marked_and_the_rest_of_it_kept(copy: Path, home: Path) -> None:
    copy.write_bytes(copy.read_bytes().replace(b"turn 77 word", b"turn 7\xff word", 1))
    done = saved(home)
    assert (told(done, "log").kept, told(done, "log").mended) == (120, 1)
    assert any("turn 7\ufffd word" in str(row) for row in rows(done.path, "log"))


@pytest.mark.parametrize("content", [b"my notes " * 900, bytes(40_000)])
def test_a_file_that_holds_no_row_of_a_store_is_said_to_be_none(
    content: bytes, copy: Path, home: Path
) -> None:
    copy.write_bytes(content)
    with pytest.raises(memctl.ForeignStoreError, match="no row of a store"):
        saved(home)
    assert not list(home.glob("backups/harbor/*"))


def test_a_damaged_name_of_a_step_costs_that_name_alone(copy: Path, home: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("update migration set name = '0003_turmoil' where number = 3")
    memctl.restore(saved(home).path, "harbor", home)
    with memctl.open("harbor", home) as memory:
        assert memory.store.value("select count(*) from log") == 120


def test_of_a_store_of_an_unreleased_memctl_nothing_is_guessed(copy: Path, home: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("update migration set name = number || '_of_old' where number > 2")
    with pytest.raises(OlderStoreError, match=r"harbor\.db"):
        saved(home)


def test_where_there_is_no_store_there_is_nothing_to_recover(home: Path) -> None:
    with pytest.raises(memctl.NotFoundError):
        saved(home)
    assert not home.exists()


def test_a_store_in_use_is_not_read(copy: Path, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.turns.list()
        with pytest.raises(memctl.BusyError):
            saved(home)
    assert copy.exists()
