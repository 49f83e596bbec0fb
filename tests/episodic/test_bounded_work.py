"""A recall does no more work in a store twice as large, and its index is kept in few segments."""

from __future__ import annotations

import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from memctl.episodic.segments import merge_if_due, merge_segments
from memctl.memory import Memory
from memctl.search.index.reader import common_words
from memctl.search.ranking.ranking_constants import ANCHORS, ENOUGH, GATHERED, KEPT, READ, THREADS
from memctl.store import statements
from memctl.store.store import Store

if TYPE_CHECKING:
    from memctl.search.recall_results import Recalled


RECALL = statements.load("store/search")


NAMES = {RECALL.statements[name].sql: name for name in RECALL.statements}


QUESTION = "When did Ann see word number?"


@pytest.fixture
def handed_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many rows each statement of a recall hands over; of `matching`, how many ids."""
    counts: Counter[str] = Counter()
    original = store.rows

    def rows(sql: str, *parameters: Any) -> Any:
        found = original(sql, *parameters)
        name = NAMES.get(sql, "others")
        ids = found
        if name == "matching":
            ids = found[0][0].split(",") if found[0][0] else []
        counts[name] += len(ids)
        return found

    monkeypatch.setattr(store, "rows", rows)
    return counts


def add(memory: Memory, first: int, last: int) -> None:
    memory.turns.add_many(
        {"text": f"word number {n}", "session": f"s{n // 20}", "speaker": "Ann"}
        for n in range(first, last)
    )


def test_every_statement_hands_over_a_bounded_number_of_rows(
    memory: Memory, handed_over: Counter[str]
) -> None:
    add(memory, 0, 3000)
    handed_over.clear()
    assert len(memory.recall(QUESTION)) == 5
    # Two words are counted, the commoner looked for among rows of the rarer, and the name too.
    assert GATHERED < handed_over["matching"] <= 4 * GATHERED
    assert handed_over["turn_rows"] <= KEPT + 5 * ANCHORS + 5 * ANCHORS
    assert handed_over["turns_around"] <= 5 * ANCHORS
    assert handed_over["session_sizes"] <= THREADS
    assert handed_over["turn_texts"] <= READ + 5


def test_enough_rows_of_a_rare_word_are_not_joined_by_the_newest_of_a_common_one(
    memory: Memory, handed_over: Counter[str]
) -> None:
    memory.turns.add_many({"text": f"quay {n}", "session": f"quay {n}"} for n in range(ENOUGH))
    memory.log("word, quay", session="its own")
    add(memory, 0, GATHERED + 100)
    handed_over.clear()
    assert memory.recall("word quay")[0].text == "word, quay"
    assert handed_over["matching"] == 0


def test_a_year_and_a_name_beside_words_that_nobody_said_are_a_question(memory: Memory) -> None:
    memory.turns.add_many(
        {
            "text": "a word in passing",
            "session": f"s{n // 20}",
            "speaker": ("Ann", "Ben")[n % 2],
            "logged_at": "2024-03-03T10:00:00Z",
        }
        for n in range(3 * KEPT)
    )
    found = memory.recall("Where was Ann between quays 2024?")
    assert [row.happened_at[:4] for row in found] == ["2024"] * 5
    assert found.unknown == ("quays",)


def counted(memory: Memory, store: Store) -> int:
    memory.recall("number", record=False)
    with store.snapshot():
        return common_words(store, store.version())['"number"', 1]


def test_how_common_a_word_is_is_kept_while_nothing_is_written(
    memory: Memory, store: Store
) -> None:
    add(memory, 0, GATHERED + 100)
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(counted, memory, store).result() == GATHERED + 100
        assert counted(memory, store) == GATHERED + 100
        with Store(store.path, store.address) as other:
            add(Memory(other), 0, 400)
        assert threads.submit(counted, memory, store).result() == GATHERED + 500
        assert counted(memory, store) == GATHERED + 500
    with store.transaction():
        add(memory, 0, 400)
        assert common_words(store, store.version()) == {}
    assert counted(memory, store) == GATHERED + 900


def segments(store: Store) -> list[int]:
    """The pages of each segment, as a shell on the file finds them."""
    with closing(sqlite3.connect(store.path)) as shell:
        pages = "select count(*) from memory_fts_idx group by segid order by 1"
        return [row[0] for row in shell.execute(pages)]


def add_parcels(memory: Memory, first: int, last: int) -> None:
    memory.turns.add_many(
        {"text": f"parcel number {n} of lot {n % 97}", "session": f"s{n // 20}", "speaker": "Ann"}
        for n in range(first, last)
    )


def parcels_in_batches(memory: Memory, batches: int, *, each: int = 300) -> None:
    for batch in range(batches):
        add_parcels(memory, batch * each, (batch + 1) * each)


def answers(memory: Memory) -> list[Recalled]:
    questions = ("parcel 77", "lot 13", "When did Ann see number 250?", "pracel 512")
    return [memory.recall(question, record=False) for question in questions]


def rows(found: list[Recalled]) -> list[object]:
    return [(recalled.rows, recalled.corrected, recalled.unknown) for recalled in found]


def test_many_segments_become_one_and_the_answers_stay(memory: Memory, store: Store) -> None:
    parcels_in_batches(memory, 5)
    before, many = answers(memory), segments(store)
    assert len(many) > 1
    with Store(store.path, store.address, readonly=True) as reader:
        merge_if_due(reader)
        assert rows(answers(Memory(reader))) == rows(before)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("begin immediate")
        merge_if_due(store)  # waits for no other writer
        other.execute("rollback")
    assert segments(store) == many
    merge_segments(store)
    assert len(segments(store)) == 1
    assert rows(answers(memory)) == rows(before)


def test_closing_merges_after_a_thousand_turns_that_came_one_by_one(
    memory: Memory, store: Store
) -> None:
    parcels_in_batches(memory, 3, each=333)
    memory.log("the turn before the thousandth", session="s")
    assert store.value("select max(id) from log") == 1000
    assert len(segments(store)) == 3
    store.close()
    assert len(segments(store)) == 1


def test_a_large_batch_merges_what_was_left_unless_a_transaction_is_open(
    memory: Memory, store: Store
) -> None:
    parcels_in_batches(memory, 3)
    assert len(segments(store)) == 3
    with store.transaction():
        add_parcels(memory, 900, 2000)
    assert len(segments(store)) > 1
    add_parcels(memory, 2000, 6000)
    (large,) = segments(store)
    parcels_in_batches(memory, 3)
    merge_if_due(store)
    # A large one is not written anew for a few rows.
    assert segments(store)[-1] == large
    assert len(segments(store)) == 4
