"""The word index is kept in few segments, without an answer changing and in nobody's way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from memctl.episodic.segments import merge_if_due, merge_segments
from memctl.memory import Memory
from memctl.store.store import Store

if TYPE_CHECKING:
    from memctl.search.recall_results import Recalled


def segments(store: Store) -> list[int]:
    """The pages of each segment, as a shell on the file finds them."""
    with closing(sqlite3.connect(store.path)) as shell:
        pages = "select count(*) from memory_fts_idx group by segid order by 1"
        return [row[0] for row in shell.execute(pages)]


def add(memory: Memory, first: int, last: int) -> None:
    memory.turns.add_many(
        {"text": f"parcel number {n} of lot {n % 97}", "session": f"s{n // 20}", "speaker": "Ann"}
        for n in range(first, last)
    )


def add_in_batches(memory: Memory, batches: int, *, each: int = 300) -> None:
    for batch in range(batches):
        add(memory, batch * each, (batch + 1) * each)


def answers(memory: Memory) -> list[Recalled]:
    questions = ("parcel 77", "lot 13", "When did Ann see number 250?", "pracel 512")
    return [memory.recall(question, record=False) for question in questions]


def rows(found: list[Recalled]) -> list[object]:
    return [(recalled.rows, recalled.corrected, recalled.unknown) for recalled in found]


def test_many_segments_become_one_and_the_answers_stay(memory: Memory, store: Store) -> None:
    add_in_batches(memory, 5)
    before = answers(memory)
    assert len(segments(store)) > 1
    merge_segments(store)
    assert len(segments(store)) == 1
    assert rows(answers(memory)) == rows(before)


def test_a_large_batch_merges_what_the_batches_before_it_left(memory: Memory, store: Store) -> None:
    add_in_batches(memory, 3)
    assert len(segments(store)) == 3
    add(memory, 900, 2000)
    assert len(segments(store)) == 1


def test_closing_merges_after_a_thousand_turns_that_came_one_by_one(
    memory: Memory, store: Store
) -> None:
    add_in_batches(memory, 3, each=333)
    memory.log("the turn before the thousandth", session="s")
    assert store.value("select max(id) from log") == 1000
    assert len(segments(store)) == 3
    store.close()
    assert len(segments(store)) == 1


def test_a_large_segment_is_not_written_anew_for_a_few_rows(memory: Memory, store: Store) -> None:
    add(memory, 0, 4_000)
    merge_segments(store)
    (large,) = segments(store)
    add_in_batches(memory, 3)
    merge_if_due(store)
    assert segments(store)[-1] == large
    assert len(segments(store)) == 4


def test_merging_waits_for_no_other_writer(memory: Memory, store: Store) -> None:
    add_in_batches(memory, 4, each=400)
    many = segments(store)
    assert len(many) > 1
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("begin immediate")
        merge_if_due(store)
        assert segments(store) == many
        other.execute("rollback")


def test_a_reader_merges_nothing(memory: Memory, store: Store) -> None:
    add_in_batches(memory, 5)
    many = segments(store)
    with Store(store.path, store.address, readonly=True) as reader:
        merge_if_due(reader)
        assert answers(Memory(reader))
    assert segments(store) == many


def test_a_batch_inside_a_larger_transaction_leaves_merging_to_later(
    memory: Memory, store: Store
) -> None:
    add_in_batches(memory, 3)
    with store.transaction():
        add(memory, 900, 2000)
    assert len(segments(store)) > 1
    merge_if_due(store)
    assert len(segments(store)) == 1
