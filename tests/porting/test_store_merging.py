"""Another store of the same app is merged: what it was told, knows and can do."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import (
    ForeignStoreError,
    NewerStoreError,
    OlderStoreError,
    RefusedError,
    UsageError,
)
from memctl.porting.packs.app_memory import travelling
from tests.each import each
from tests.porting.small_stores import made, said
from tests.store.stored import know_a_later_step

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

NAMES = ["a", "b", "c"]
TABLES = {"log": "id", "episode": "id", "fact": "id", "fact_history": "id", "alias": "term"}


def talk(memory: Memory, name: str) -> Memory:
    """Tell a small store what the others were told, too, and what they were not."""
    at = {"session": "week", "logged_at": "2026-11-02T10:00:00Z"}
    for text in ("We meet at nine.", "Yes.", *(["Yes."] if name == "a" else [])):
        memory.log(text, **at)
    memory.log(f"Only {name} was told, 你好 🚀 | and\nmore.", logged_at="2026-11-03T10:00:00Z")
    memory.remember("Met Ann in Porto", participants=["Ann"], happened_at="2026-11-03T12:00:00Z")
    memory.facts.store("Ann lives in Porto", source=f"store {name}")
    memory.facts.store(f"Bob of {name} likes tea")
    memory.facts.store(f"The deadline of Falcon is May {ord(name) - ord('a') + 3}, 2027")
    memory.aliases.add("ctl", "control")
    memory.facts.update(
        next(f.id for f in memory.facts.list() if "tea" in f.text),
        text=f"Bob of {name} likes coffee",
    )
    return memory


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of small stores, closed."""
    folder = tmp_path_factory.mktemp("stores")
    for name in NAMES:
        with pytest.MonkeyPatch.context() as patch:
            # In one second: a correction in a later one keeps the fact that it corrects as a row.
            patch.setenv("MEMCTL_NOW", "2026-11-04T10:00:00Z")
            with talk(made(folder, name), name) as memory:
                pass
        shutil.copy(memory.store.path, folder / f"{name}.db")
    return folder


_numbers = count()


def merged(folder: Path, names: list[str]) -> Memory:
    """Return a new store that has taken some others in, one after the other."""
    memory = memctl.open("harbor", folder / f"merged-{next(_numbers)}")
    for name in names:
        memory.packs.import_store(folder / f"{name}.db")
    return memory


def texts(memory: Memory) -> list[str]:
    """Return all that a store was told, in an order that is none of its own."""
    found: list[Any] = []
    for table in TABLES:
        rows = memory.store.rows(f"select * from {table}")
        found += [(table, travelling(row, table, "store")) for row in rows]
    return sorted(json.dumps(one, sort_keys=True) for one in found)


@each("order", [("c", "a", "b"), ("b", "c", "a", "c")])
def test_stores_say_the_same_in_any_order_and_however_often(order: list[str], files: Path) -> None:
    with merged(files, NAMES) as one, merged(files, order) as other:
        assert texts(one) == texts(other)
        assert said(one.store) == said(other.store)


def test_a_store_of_merged_stores_says_what_they_say(files: Path) -> None:
    with merged(files, ["b", "c"]) as between:
        pass
    shutil.copy(between.store.path, files / "between.db")
    with merged(files, ["a", "between"]) as one, merged(files, NAMES) as other:
        assert texts(one) == texts(other)
        assert said(one.store) == said(other.store)


def test_what_comes_in_is_found(files: Path) -> None:
    with merged(files, NAMES) as memory:
        found = [hit.text for hit in memory.recall("Who was told 你好?", record=False)]
        assert any("Only b was told" in text for text in found)
        assert [f.text for f in memory.facts.list() if "Porto" in f.text] == ["Ann lives in Porto"]
        assert {f.text for f in memory.facts.list() if "Bob" in f.text} == {
            f"Bob of {name} likes coffee" for name in NAMES
        }
        assert len([turn for turn in memory.turns if turn.text == "Yes."]) == 2
        assert memory.packs.import_store(files / "a.db").added == {}


def test_what_two_stores_say_differently_waits_to_be_decided(files: Path) -> None:
    with merged(files, ["a"]) as memory:
        told = memory.packs.import_store(files / "b.db")
        assert [one.kind for one in told.conflicts] == ["fact"]
        waiting = memory.store.rows("select text from fact where may_replace is not null")
        assert len(waiting) == 1


def test_history_comes_along(files: Path) -> None:
    with merged(files, ["a"]) as memory:
        [fact] = [fact for fact in memory.facts.list() if "coffee" in fact.text]
        assert [change.new_text for change in memory.facts.history(fact.id)] == [
            "Bob of a likes tea", "Bob of a likes coffee",
        ]  # fmt: skip


def test_what_was_erased_here_does_not_come_back(files: Path) -> None:
    with merged(files, ["a", "b"]) as memory:
        turn = next(turn for turn in memory.turns if "Only b" in turn.text)
        memory.turns.erase([turn.id])
        [episode] = list(memory.episodes)
        memory.episodes.erase([episode.id])
        fact = next(fact for fact in memory.facts.list() if "Bob of b" in fact.text)
        memory.facts.erase(fact.id)
        before = texts(memory)
        told = memory.packs.import_store(files / "b.db")
        assert texts(memory) == before
        assert {why: number for why, number in told.refused.items() if "erased" in why} == {
            "turns that were erased here": 1,
            "episodes that were erased here": 1,
            "facts that were erased here": 1,
        }


def test_what_was_put_away_or_forgotten_later_stays_so(files: Path) -> None:
    with merged(files, ["a"]) as memory:
        turn = next(turn for turn in memory.turns if "Only a" in turn.text)
        memory.turns.archive([turn.id])
        fact = next(fact for fact in memory.facts.list() if "coffee" in fact.text)
        memory.facts.forget(fact.id)
        memory.components.forget("Print")
        memory.packs.import_store(files / "a.db")
        assert turn.id not in {one.id for one in memory.turns}
        assert fact.id not in {one.id for one in memory.facts.list()}
        assert "Print" not in {one.name for one in memory.components}


def test_a_secret_stays_out_and_the_rest_comes(files: Path, memory: Memory) -> None:
    memory.settings.set("secret_patterns", "coffee|Only a")
    told = memory.packs.import_store(files / "a.db")
    assert told.refused == {"facts (own-1)": 1, "turns (own-1)": 1}
    assert told.added["turn"] == 3
    assert not any("coffee" in text or "Only a" in text for text in texts(memory))


def test_the_other_file_is_only_read(files: Path, memory: Memory) -> None:
    before = (files / "a.db").read_bytes()
    memory.packs.import_store(files / "a.db")
    assert (files / "a.db").read_bytes() == before


def test_a_copy_of_the_store_and_the_store_itself_are_refused(tmp_path: Path) -> None:
    with made(tmp_path, "a") as memory:
        with pytest.raises(UsageError, match="is the store itself"):
            memory.packs.import_store(memory.store.path)
        memory.store.flush_deleted()
        shutil.copy(memory.store.path, tmp_path / "copy.db")
        with pytest.raises(RefusedError, match="is a copy of this store"):
            memory.packs.import_store(tmp_path / "copy.db")


def test_a_store_of_another_app_comes_in_by_force_alone(files: Path, home: Path) -> None:
    with memctl.open("other", home) as memory:
        with pytest.raises(RefusedError, match='is of "harbor"'):
            memory.packs.import_store(files / "a.db")
        assert not memory.store.exists
        memory.packs.import_store(files / "a.db", force=True)
        assert len(memory.turns) == 4


def test_a_file_that_is_no_store_is_refused(memory: Memory, tmp_path: Path, files: Path) -> None:
    (tmp_path / "text.db").write_text("notes " * 1000)
    with sqlite3.connect(tmp_path / "plain.db") as plain:
        plain.execute("create table mine (x)")
    plain.close()
    for name in ("text.db", "plain.db"):
        with pytest.raises(ForeignStoreError):
            memory.packs.import_store(tmp_path / name)
    shutil.copy(files / "a.db", tmp_path / "newer.db")
    with sqlite3.connect(tmp_path / "newer.db") as newer:
        newer.execute("pragma user_version = 99")
    newer.close()
    with pytest.raises(NewerStoreError):
        memory.packs.import_store(tmp_path / "newer.db")
    assert not memory.store.exists


def test_an_older_store_is_brought_up_to_date_in_a_copy(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memctl.open("harbor", tmp_path / "older") as older:
        older.log("Hello")
    path = older.store.path
    before = path.read_bytes()
    know_a_later_step(monkeypatch)
    memory.packs.import_store(path)
    assert [turn.text for turn in memory.turns] == ["Hello"]
    assert path.read_bytes() == before


def test_a_store_of_an_unreleased_memctl_is_refused_by_its_name(
    memory: Memory, tmp_path: Path
) -> None:
    with memctl.open("harbor", tmp_path / "older") as older:
        older.log("Hello")
    path = older.store.path
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update migration set name = '0003_episodic' where number = 3")
    with pytest.raises(OlderStoreError, match=re.escape(str(path))):
        memory.packs.import_store(path)
