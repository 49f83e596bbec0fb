"""The newest facts are found before the word index holds them, whoever wrote them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from memctl.base.home import Address
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path


def test_a_fact_is_found_at_once_and_reaches_the_index_with_others(
    facts: Facts, store: Store
) -> None:
    for i in range(70):
        facts.store(f"Tea is served in room {i}", keep_both=True, related=0)
    assert (waiting(store), store.value("select count(*) from memory_fts")) == (70 % 64, 64)
    for room in (0, 63, 64, 69):
        found = facts.search(f"room {room}", limit=1)
        assert [hit.fact.text for hit in found] == [f"Tea is served in room {room}"]


def waiting(store: Store) -> int:
    return int(store.value("select count(*) from memory_waiting where kind = 'fact'"))


def test_a_batch_of_any_size_leaves_few_waiting(facts: Facts, store: Store) -> None:
    facts.store([f"Tea is served in room {i}" for i in range(200)], keep_both=True, related=0)
    assert waiting(store) < 64
    assert len(facts.search("tea", limit=1000)) == 200


def test_a_long_fact_is_indexed_at_once(facts: Facts, store: Store) -> None:
    facts.store("Tea is served at noon")
    facts.store("Milk " + "and milk again " * 80)
    assert waiting(store) == 0
    assert len(facts.search("tea milk")) == 2


def test_a_reader_that_may_not_write_finds_the_newest(facts: Facts, store: Store) -> None:
    facts.store("Tea is served at noon", keep_both=True, related=0)
    with Store(store.path, Address("agent"), readonly=True) as reading:
        found = Facts(reading, Settings(reading)).search("tea")
    assert [hit.fact.text for hit in found] == ["Tea is served at noon"]
    assert waiting(store) == 1


def test_the_newest_and_the_indexed_are_ranked_as_one(facts: Facts) -> None:
    facts.store([f"Tea is served in room {i}" for i in range(64)])
    facts.store("Tea with lemon is served in room 7")
    assert facts.search("lemon tea", limit=1)[0].score == 1.0
    assert len(facts.search("room 7", limit=100)) == 65


def test_changes_and_deletions_of_the_newest_are_those_of_any(facts: Facts, store: Store) -> None:
    made = facts.store(["Tea is served at noon", "Milk is served at dusk"]).ids
    facts.update(made[0], "Coffee is served at noon")
    facts.erase(made[1])
    assert facts.search("tea") == []
    assert facts.search("milk") == []
    assert [hit.fact.id for hit in facts.search("coffee")] == [made[0]]
    with store.transaction():
        store.execute("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")


def test_a_long_text_without_spaces_is_indexed_to_its_end(facts: Facts, store: Store) -> None:
    with store.transaction():
        store.execute(
            "insert into fact (text) values (:text)", {"text": "\u8336" * 19_999 + "\u6674\u3042"}
        )
    assert len(facts.search("\u6674\u3042")) == 1


def test_facts_that_are_to_be_read_anew_are_compared_too(tmp_path: Path) -> None:
    with Store(tmp_path / "older.db", Address("agent")) as store:
        facts = Facts(store, Settings(store))
        (older,) = facts.store("Falcon's deadline is 1 December").ids
        with store.transaction():
            # As a hand edit leaves it.
            store.execute("update fact set equal_key = null, subject_key = null")
        assert facts.store("Falcon's deadline is 8 December").written[0].other == older


def test_numbers_that_are_given_again_are_indexed_as_any(facts: Facts, store: Store) -> None:
    facts.store([f"Tea is served in room {i}" for i in range(100)], keep_both=True, related=0)
    facts.erase_all(confirm=True)
    facts.store([f"Milk is served in room {i}" for i in range(70)], keep_both=True, related=0)
    assert waiting(store) == 70 % 64
    assert facts.search("tea") == []
    assert len(facts.search("milk", limit=100)) == 70


def test_a_number_given_by_hand_is_found_wherever_it_lies(facts: Facts, store: Store) -> None:
    facts.store([f"Tea is served in room {i}" for i in range(70)])
    with closing(sqlite3.connect(store.path)) as by_hand, by_hand:
        with pytest.raises(sqlite3.IntegrityError, match="number of a fact is 1 or more"):
            by_hand.execute("insert into fact (number, text) values (-3, 'Tea far below')")
        by_hand.execute("insert or replace into fact (number, text) values (7, 'Tea inside')")
        by_hand.execute("insert into fact (number, text) values (5000, 'Tea upstairs')")
        by_hand.execute("update fact set number = 9000 where number = 8")
        by_hand.execute("update fact set text = 'Tea ancient' where number = 9")
        by_hand.execute("update fact set text = 'Tea modern' where number = 69")
    assert waiting(store) == 0
    assert len(facts.search("tea", limit=200)) == 71
    for words in ("inside", "upstairs", "ancient", "modern", "room 7"):
        assert len(facts.search(f"tea {words}", limit=1)[0].matched) > 1
    with store.transaction():
        store.execute("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")


@pytest.mark.parametrize("word", ["Straße", "Größe", "İstanbul", "ΐ", "ẞ"])
def test_a_word_whose_case_folds_to_several_characters_is_found(
    word: str, facts: Facts, store: Store
) -> None:
    facts.store(f"{word} is where it was")
    assert len(facts.search(word)) == 1
    for i in range(64):
        facts.store(f"Tea is served in room {i}", keep_both=True, related=0)
    assert waiting(store) <= 1
    assert len(facts.search(word)) == 1


def test_a_fact_replaced_by_its_id_leaves_nothing_in_the_index(facts: Facts, store: Store) -> None:
    for i in range(70):
        facts.store(f"Room {i} holds xqzvy")
    replaced = str(store.value("select id from fact where number = 1"))
    with closing(sqlite3.connect(store.path)) as by_hand, by_hand:
        by_hand.execute("insert or replace into fact (id, text) values (?, 'plain')", (replaced,))
        by_hand.execute("update or replace fact set id = 'f_2' where number = 3")
        by_hand.execute("update or replace fact set id = 'f_2' where number = 4")
    assert store.value("select count(*) from fact where text = 'plain'") == 1
    orphans = (
        "select count(*) from memory_fts where rowid - (1 << 49) not in (select number from fact)"
    )
    assert store.value(orphans) == 0
    assert store.value("select count(*) from fact_replaced") == 0
    assert len(facts.search("plain")) == 1
