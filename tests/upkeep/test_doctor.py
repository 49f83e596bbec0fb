"""The doctor: what is wrong with a store is said, and what can be mended is mended."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.whole_file import part_file
from memctl.upkeep.doctor import examine, mend
from memctl.upkeep.status import status_of
from memctl_cli.demo import bundle
from tests.processes import start_python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


def dead() -> int:
    """Return the number of a process that has ended."""
    with start_python("") as process:
        pass
    return process.pid


@pytest.fixture
def learned(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("harbor", tmp_path) as memory:
        login = bundle.shot("login")
        memory.learn(login.png, login.boxes_file())
        yield memory


def spoil(memory: Memory, sql: str) -> None:
    """Change the file behind memctl's back, as somebody with ``sqlite3`` could."""
    with sqlite3.connect(memory.store.path) as connection:
        connection.execute(sql)
    connection.close()


def written_past_the_schema(path: Path, table: str, then: str, now: str, sql: str) -> None:
    """Write what a column does not take, as a broken page may hold it."""
    told = "update sqlite_schema set sql = replace(sql, ?, ?) where name = ?"
    for was, becomes, script in ((then, now, sql), (now, then, "")):
        with sqlite3.connect(path) as connection:
            connection.execute("pragma writable_schema = on")
            connection.execute(told, (was, becomes, table))
        connection.close()
        with sqlite3.connect(path) as connection:
            connection.executescript(script)
        connection.close()


def about(memory: Memory) -> str:
    """Return how a command about a store begins."""
    address, path = memory.store.address, memory.store.path
    return f"memctl --home {address.home_of(path)} --app {address}"


def wrong(memory: Memory) -> list[str]:
    return [finding.check for finding in examine(memory.store) if not finding.ok]


def test_a_sound_store_has_nothing_wrong(learned: Memory) -> None:
    assert wrong(learned) == []


def test_features_of_another_version_are_named_with_the_command_that_mends_them(
    learned: Memory,
) -> None:
    spoil(learned, "update template set feature_version = 0")
    finding = next(one for one in examine(learned.store) if not one.ok)
    assert (finding.check, finding.mend) == ("features", f"{about(learned)} doctor --fix")


def test_features_of_another_version_are_rebuilt(learned: Memory) -> None:
    spoil(learned, "update template set feature_version = 0, features = null")
    assert all(finding.ok for finding in mend(learned.store))


def test_a_picture_whose_bytes_changed_is_found(learned: Memory) -> None:
    spoil(
        learned,
        "update template set png = (select png from template where id = 2) where id = 1",
    )
    assert wrong(learned) == ["pictures"]


def test_a_picture_that_is_no_picture_is_found(learned: Memory) -> None:
    spoil(learned, "update template set png = x'00' where id = 1")
    assert wrong(learned) == ["pictures"]


def test_a_reference_to_nothing_is_found(learned: Memory) -> None:
    spoil(learned, "update template set component_id = 999999 where id = 1")
    assert wrong(learned) == ["references"]


def test_matching_rebuilds_damaged_features_by_itself(learned: Memory) -> None:
    spoil(learned, "update template set features = substr(features, 1, 20)")
    with memctl.open("harbor", learned.store.path.parent.parent) as anew:
        found = anew.match(bundle.shot("login").png)
    assert len(found.sightings) == len(learned.components.list())


def test_vectors_that_wait_are_named_with_their_command_and_are_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memctl.search.vectors.embed._LEARN_AT_ONCE", 1)
    with memctl.open("agent", tmp_path) as memory:
        memory.log("The ferry leaves at noon")
        memory.log("The ferry is blue")
        memory.recall("ferry")  # the newest turns reach the index
        assert status_of(memory.store).waiting == ""
        memory.settings.set("fallback", "store")
        finding = {one.check: one for one in examine(memory.store)}["vectors"]
        assert (finding.ok, finding.mend) == (True, f"{about(memory)} reembed")
        assert (
            finding.detail == f"2 rows have no vectors yet: {about(memory)} reembed computes them"
        )
        assert status_of(memory.store).waiting == finding.detail


def test_the_segments_of_the_word_index_are_counted_and_merged(tmp_path: Path) -> None:
    def found() -> str:
        return {finding.check: finding.detail for finding in examine(memory.store)}["word index"]

    with memctl.open("agent", tmp_path) as memory:
        for n in range(3):
            memory.turns.add_many([{"text": f"turn {n}"}])
        assert found() == "pages: 3, segments: 3"
        mend(memory.store)
        assert found() == "pages: 1, segments: 1"


def detail(memory: Memory, check: str) -> str:
    return next(one.detail for one in examine(memory.store) if one.check == check)


def test_a_word_index_that_says_something_else_is_found_and_made_anew(memory: Memory) -> None:
    memory.log("the heron flew")
    memory.recall("heron")  # it reaches the index
    spoil(memory, "update memory_fts_content set c0 = 'the falcon sat'")
    assert wrong(memory) == ["word index"]
    assert all(finding.ok for finding in mend(memory.store))
    assert [row.text for row in memory.recall("heron")] == ["the heron flew"]


def test_a_row_that_the_word_index_lacks_is_found_and_put_there(memory: Memory) -> None:
    first = memory.log("the heron flew")
    memory.log("the falcon sat")
    memory.recall("heron")
    spoil(memory, f"delete from memory_fts where rowid = {first}")
    assert detail(memory, "word index") == "1 rows too many or missing"
    assert all(finding.ok for finding in mend(memory.store))
    assert memory.recall("heron")


def test_a_text_that_is_no_text_is_found_and_mended_after_a_backup(memory: Memory) -> None:
    memory.journal.task("Load the ferry")
    spoil(memory, "update journal set text = cast(x'4c6f6164ff' as text)")
    assert detail(memory, "texts") == "no UTF-8 in journal.text"
    assert all(finding.ok for finding in mend(memory.store))
    assert memory.journal.get().entries[0].text == "Load\ufffd"
    assert len(list(memory.store.path.parents[1].glob("backups/harbor/*.db"))) == 1


def test_a_reference_to_nothing_goes_as_its_parent_did_after_a_backup(learned: Memory) -> None:
    spoil(learned, "update template set component_id = 999999 where id = 1")
    assert all(finding.ok for finding in mend(learned.store))
    assert learned.store.value("select count(*) from template where id = 1") == 0
    assert len(list(learned.store.path.parents[1].glob("backups/harbor/*.db"))) == 1


def test_an_index_that_lacks_a_row_is_made_anew(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        for n in range(9):
            memory.log(f"turn {n}", session=f"session {n}")
        memory.vacuum()
        name = (
            "select pageno from dbstat where name like '%log%' and name not in ('log') and payload"
        )
        pages = [row[0] for row in memory.store.rows(name)]
    path = home / "apps" / "harbor.db"
    content = bytearray(path.read_bytes())
    for page in pages:
        part = slice((page - 1) * 4096, page * 4096)
        content[part] = content[part].replace(b"session 4", b"session 7")
    path.write_bytes(content)
    with memctl.open("harbor", home) as memory:
        assert "pages" in wrong(memory)
        assert all(finding.ok for finding in mend(memory.store))


def test_files_that_others_may_read_are_found_and_closed(memory: Memory) -> None:
    memory.log("one")
    memory.store.path.chmod(0o644)
    memory.store.path.parent.chmod(0o755)
    found = {one.check: one for one in memory.doctor()}["permissions"]
    assert (found.ok, "harbor.db" in found.detail, "--fix" in found.mend) == (True, True, True)
    assert not [one for one in mend(memory.store) if one.check == "permissions" and one.mend]
    assert memory.store.path.stat().st_mode & 0o777 == 0o600


def test_a_broken_page_is_named_with_the_command_that_saves_the_rest(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        for n in range(200):
            memory.log(f"turn {n}")
        page = memory.store.value("select max(pageno) from dbstat where name = 'log'")
    path = home / "apps" / "harbor.db"
    content = path.read_bytes()
    path.write_bytes(content[: (page - 1) * 4096] + bytes(4096) + content[page * 4096 :])
    with memctl.open("harbor", home) as memory:
        finding = mend(memory.store)[0]
    assert (finding.check, finding.ok) == ("pages", False)
    assert finding.mend == f"{about(memory)} recover"


def test_an_error_of_the_engine_over_a_damaged_store_is_called_damage(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Falcon's deadline is 1 December", metadata={"a": 1})
        with sqlite3.connect(memory.store.path) as connection:
            connection.execute("pragma ignore_check_constraints = on")
            connection.execute("update fact set metadata = '{'")
        connection.close()
    with pytest.raises(memctl.StoreDamagedError), memctl.open("harbor", home) as memory:
        memory.facts.list()


@pytest.mark.parametrize(
    ("table", "then", "now", "sql", "check"),
    [
        ("log", "text text not null", "text text", "update log set text = null", "texts"),
        ("template", "png blob", "png text", "update template set png = 'none'", "pictures"),
    ],
)
def test_what_no_column_takes_is_damage_and_no_defect(
    tmp_path: Path, learned: Memory, table: str, then: str, now: str, sql: str, check: str
) -> None:
    learned.log("Ann waits at the quay")
    learned.close()
    written_past_the_schema(learned.store.path, table, then, now, sql)
    with memctl.open("harbor", tmp_path) as memory:
        assert {"pages", check} <= {one.check for one in memory.doctor(fix=True) if not one.ok}


def test_an_error_of_the_caller_stays_his_own(home: Path) -> None:
    with pytest.raises(KeyError), memctl.open("harbor", home):
        raise KeyError("mine")


def test_what_killed_processes_left_is_said_and_goes(memory: Memory, home: Path) -> None:
    memory.log("hello")
    memory.backup()
    with part_file(home) as part:
        host = part.name.split("-")[1]
    unfinished = f".memctl-{host}-{dead()}-x.part"
    (home / "backups/harbor" / unfinished).touch()
    (home / "apps" / f"{unfinished}-journal").touch()
    found = {check.check: check for check in memory.doctor()}["leftovers"]
    assert found.detail.startswith("2 files of killed processes: ")
    assert found.ok
    assert found.mend.endswith("doctor --fix")
    assert "leftovers" not in {check.check for check in memory.doctor(fix=True)}
    assert not list(home.rglob("*.part*"))
