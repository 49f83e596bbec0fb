"""The words of a new turn reach the index a little later; whoever asks finds them at once."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import memctl
from memctl.memory import Memory
from memctl.store.store import Store
from tests.processes import python, start_python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TURN = "insert or replace into log (id, session, text, logged_at) values (?, 's', ?, '2024')"
EPISODE = "insert or replace into episode (id, summary, happened_at) values (?, ?, '2024')"


def sqlite(store: Store, sql: str, *values: object) -> list[int]:
    """Do what somebody types in the sqlite3 shell; return the first column."""
    with closing(sqlite3.connect(store.path, isolation_level=None)) as shell:
        return [row[0] for row in shell.execute(sql, values)]


def waiting(store: Store) -> list[int]:
    return sqlite(store, "select id from memory_waiting order by id")


def indexed(store: Store, word: str) -> list[int]:
    return sqlite(
        store, "select rowid from memory_fts where memory_fts match ? order by rowid", word
    )


@contextmanager
def reading(store: Store) -> Iterator[Memory]:
    """Open the same store as a subagent does."""
    with Store(store.path, store.address, readonly=True) as opened:
        yield Memory(opened)


def ids(memory: Memory, query: str) -> list[int | str]:
    return [row.id for row in memory.recall(query, record=False)]


def test_a_new_turn_waits_and_is_recalled_at_once(memory: Memory, store: Store) -> None:
    turn = memory.log("the zebra runs")
    assert (waiting(store), indexed(store, "zebra")) == ([turn], [])
    assert ids(memory, "zebra") == [turn]
    assert (waiting(store), indexed(store, "zebra")) == ([], [turn])


def test_closing_puts_what_waits_into_the_index(memory: Memory, store: Store) -> None:
    turn = memory.log("the zebra runs")
    store.close()
    assert (waiting(store), indexed(store, "zebra")) == ([], [turn])


def test_closing_waits_for_nobody_and_loses_nothing(memory: Memory, store: Store) -> None:
    turn = memory.log("the zebra runs")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("begin immediate")
        store.close()
        other.execute("rollback")
    with Store(store.path, store.address) as anew:
        assert waiting(anew) == [turn]
        assert ids(Memory(anew), "zebra") == [turn]


def test_never_more_than_63_wait(memory: Memory, store: Store) -> None:
    most = 0
    for n in range(130):
        memory.log(f"word{n}")
        most = max(most, len(waiting(store)))
    assert most == 63
    assert len(sqlite(store, "select rowid from memory_fts")) == 128


def test_a_long_turn_does_not_wait_and_takes_the_others_along(memory: Memory, store: Store) -> None:
    memory.log("short")
    memory.log("long " * 300)
    assert waiting(store) == []


def test_a_batch_does_not_wait(memory: Memory, store: Store) -> None:
    memory.log("zebra")
    memory.turns.add_many([{"text": f"zebra {n}"} for n in range(100)])
    assert waiting(store) == []
    assert len(indexed(store, "zebra")) == 101


def test_a_killed_process_loses_nothing(home: Path) -> None:
    killed = """
        import os, sys, memctl
        memory = memctl.open("agent", sys.argv[1])
        memory.log("the zebra runs")
        os._exit(0)
    """
    python(killed, home)
    with memctl.open("agent", home, readonly=True) as reader:
        assert waiting(reader.store) == [1]
        assert [row.id for row in reader.recall("zebra")] == [1]
    with memctl.open("agent", home) as memory:
        assert [row.id for row in memory.recall("zebra")] == [1]
        assert waiting(memory.store) == []


def test_a_subagent_finds_what_its_parent_has_just_said(home: Path) -> None:
    subagent = """
        import sys, memctl
        with memctl.open("agent", sys.argv[1], subagent=True) as memory:
            for word in sys.stdin:
                print(memory.recall(word.strip()).rows[0].id, flush=True)
    """
    with memctl.open("agent", home) as parent:
        parent.log("first")
        child = start_python(subagent, home)
        assert child.stdin is not None
        assert child.stdout is not None
        with child:
            for n in range(5):
                turn = parent.log(f"zebra{n} runs")
                child.stdin.write(f"zebra{n}\n")
                child.stdin.flush()
                assert child.stdout.readline().strip() == str(turn)
            assert child.communicate()[1] == ""
        assert waiting(parent.store)


def test_a_writer_recalls_what_waits_while_another_process_holds_the_lock(
    memory: Memory, store: Store
) -> None:
    turn = memory.log("the zebra runs")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("begin immediate")
        assert ids(memory, "zebra") == [turn]
        other.execute("rollback")
    assert waiting(store) == [turn]
    with store.transaction():  # the time-out is the old one again
        assert store.value("pragma busy_timeout") == 5000


def test_inside_a_transaction_what_waits_is_recalled(memory: Memory, store: Store) -> None:
    with store.transaction():
        turn = memory.log("the zebra runs")
        assert ids(memory, "zebra") == [turn]


def test_reading_beside_the_index_leaves_nothing_behind(memory: Memory, store: Store) -> None:
    memory.log("the zebra runs")
    with reading(store) as reader:
        for _ in range(2):
            assert ids(reader, "zebra") == [1]
        memory.log("another zebra")
        assert sorted(ids(reader, "zebra")) == [1, 2]
        sqlite(store, "delete from log where id = 1")
        assert ids(reader, "zebra") == [2]


# -- edits by hand -----------------------------------------------------------------------------


def test_a_row_that_is_copied_by_hand_does_not_wait(memory: Memory, store: Store) -> None:
    memory.turns.add_many([{"text": "zebra"}])
    sqlite(
        store,
        "insert into log select id + 1, session, seq, role, speaker, text, details, logged_at, "
        "recorded_at, processed_at, archived_at, archived_why, later, user_id, agent_id, project, "
        "utc_offset from log",
    )
    assert indexed(store, "zebra") == [1, 2]


# -- housekeeping ------------------------------------------------------------------------------


def test_a_waiting_turn_that_is_erased_leaves_no_byte(memory: Memory, store: Store) -> None:
    turn = memory.log("the zebracorn runs")
    assert memory.turns.erase([turn]).gone
    assert waiting(store) == []
    assert b"zebracorn" not in store.path.read_bytes()


def test_a_waiting_turn_that_is_archived_is_not_recalled_until_it_is_restored(
    memory: Memory, store: Store
) -> None:
    turn = memory.log("the zebra runs")
    memory.turns.archive([turn], why="test")
    with reading(store) as reader:
        assert ids(reader, "zebra") == []
        memory.turns.restore([turn])
        assert ids(reader, "zebra") == [turn]


def test_closing_a_store_whose_file_is_gone_is_no_error(store: Store, memory: Memory) -> None:
    memory.log("the zebra runs")
    for path in store.path.parent.glob("agent.db*"):
        path.unlink()
    store.close()
