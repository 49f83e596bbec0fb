"""The words of a new turn reach the index a little later; whoever asks finds them at once."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

import memctl
from memctl.base.home import parse_address
from memctl.memory import Memory
from memctl.store.store import Store
from tests.processes import python, start_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.search.recall_results import Recalled


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
    with store.transaction():
        inside = memory.log("the okapi runs")
        assert ids(memory, "okapi") == [inside]
    later = memory.log("the gnu runs")
    store.close()
    assert (waiting(store), indexed(store, "gnu")) == ([], [later])


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
    for n in range(63):
        memory.log(f"word{n}")
    assert len(waiting(store)) == 63
    memory.log("word63")
    assert waiting(store) == []
    assert len(sqlite(store, "select rowid from memory_fts")) == 64


def test_neither_a_long_turn_nor_a_batch_waits_and_both_take_the_others_along(
    memory: Memory, store: Store
) -> None:
    memory.log("zebra")
    memory.log("zebra " * 300)
    assert waiting(store) == []
    memory.log("zebra")
    memory.turns.add_many([{"text": f"zebra {n}"} for n in range(100)])
    assert waiting(store) == []
    assert len(indexed(store, "zebra")) == 103


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


def test_reading_beside_the_index_leaves_nothing_behind(memory: Memory, store: Store) -> None:
    memory.log("the zebra runs")
    with reading(store) as reader:
        for _ in range(2):
            assert ids(reader, "zebra") == [1]
        memory.log("another zebra")
        assert sorted(ids(reader, "zebra")) == [1, 2]
        memory.turns.archive([2], why="test")
        assert ids(reader, "zebra") == [1]
        memory.turns.restore([2])
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


def test_closing_a_store_whose_file_is_gone_is_no_error(store: Store, memory: Memory) -> None:
    memory.log("the zebra runs")
    for path in store.path.parent.glob("agent.db*"):
        path.unlink()
    store.close()


WORDS = "ferry lighthouse saffron paella cooked cooking harbour Ann Bo when Friday 3 March 2026 icecream ice cream"


words = st.sampled_from([*WORDS.split(), "昨日東京に", "我喜欢喝茶", "tokyo", "?"])


texts = st.lists(words, min_size=1, max_size=9).map(" ".join)


turns = st.lists(
    st.tuples(texts, st.sampled_from([None, "Ann", "Bo"]), st.sampled_from(["a", "b"])), max_size=12
)


questions = st.lists(
    st.sampled_from(
        [*WORDS.split(), "lighthose", "safron", "東京", "喝茶", "harbor", "boat", "who", "did"]
    ),
    min_size=1,
    max_size=6,
).map(" ".join)


filters = st.fixed_dictionaries(
    {},
    optional={
        "thread": st.just("a"),
        "participants": st.just(("Ann",)),
        "limit": st.integers(1, 9),
        "max_tokens": st.integers(5, 60),
        "since": st.just("2026-01-02"),
    },
)


ADDRESS = parse_address("agent")


def log(memory: Memory, said: list[tuple[str, str | None, str]], day: int) -> None:
    for text, speaker, session in said:
        memory.log(text, speaker=speaker, session=session, logged_at=f"2026-01-0{day}")


def recalled(path: Path, asked: list[tuple[str, dict[str, Any]]], fallback: str) -> list[Recalled]:
    """Return what a subagent recalls: every row with its whole explanation."""
    with Store(path, ADDRESS, readonly=True) as store:
        memory = Memory(store, flags={"fallback": fallback})
        found = [memory.recall(question, now="2026-02-01", **given) for question, given in asked]
    return [replace(one, duration_ms=0.0) for one in found]


@settings(max_examples=10, deadline=None)
@given(
    before=turns,
    after=turns,
    episode=st.none() | texts,
    asked=st.lists(st.tuples(questions, filters), min_size=1, max_size=6),
    fallback=st.sampled_from(["none", "store"]),
)
def test_recall_beside_the_index_equals_recall_of_the_index(
    before: list[tuple[str, str | None, str]],
    after: list[tuple[str, str | None, str]],
    episode: str | None,
    asked: list[tuple[str, dict[str, Any]]],
    fallback: str,
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "agent.db"
        store = Store(path, ADDRESS)
        memory = Memory(store, flags={"fallback": fallback})
        memory.aliases.add("boat", "ferry")
        log(memory, before, day=1)
        if episode is not None:
            memory.remember(episode, participants=["Ann"], happened_at="2026-01-01")
        memory.recall("ferry")  # what waits reaches the index, and the vectors are learned
        log(memory, after, day=2)
        assert len(waiting(store)) == len(after)
        beside = recalled(path, asked, fallback)
        store.close()
        with Store(path, ADDRESS) as again:
            assert waiting(again) == []
        assert recalled(path, asked, fallback) == beside
