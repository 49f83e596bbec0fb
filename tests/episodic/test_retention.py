from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError
from memctl.base.home import parse_address
from memctl.memory import Memory
from memctl.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path


def bytes_of(store: Store) -> bytes:
    wal = store.path.with_name(store.path.name + "-wal")
    return store.path.read_bytes() + (wal.read_bytes() if wal.exists() else b"")


def test_old_turns_are_archived_and_come_back(memory: Memory) -> None:
    old = memory.log("an old ferry", logged_at="2026-01-01")
    new = memory.log("a new ferry", logged_at="2026-11-01")
    memory.turns.mark_processed([old, new])
    assert memory.turns.archive_old() == 1
    assert [row.id for row in memory.recall("ferry")] == [new]
    assert memory.turns.get(old).archived_why == "older than 90 days"
    assert memory.turns.restore([old, new]) == 1
    assert [turn.id for turn in memory.turns.unprocessed()] == [old]
    assert len(memory.recall("ferry")) == 2


def test_an_episode_goes_with_its_last_turn_and_comes_back_with_any(memory: Memory) -> None:
    turns = [memory.log(f"The ferry leaves at {hour}") for hour in ("nine", "ten")]
    made = memory.remember("Ann asked when the ferry leaves", turns=turns)
    alone = memory.remember("Ann took the ferry")
    memory.turns.archive(turns[:1])
    assert {one.id for one in memory.episodes.list()} == {made, alone}
    memory.turns.archive(turns)
    assert [one.id for one in memory.episodes.list()] == [alone]
    (gone,) = memory.episodes.list(forgotten=True)
    assert (gone.id, gone.archived_why) == (made, "its turns are archived")
    assert all(row.id != made for row in memory.recall("when does the ferry leave?"))
    memory.turns.restore(turns[1:])
    assert {one.id for one in memory.episodes.list()} == {made, alone}


def test_an_episode_that_was_forgotten_stays_so_where_its_turns_come_back(
    memory: Memory,
) -> None:
    turn = memory.log("The ferry leaves at nine")
    made = memory.remember("Ann asked when the ferry leaves", turns=[turn])
    memory.episodes.forget([made])
    memory.turns.archive([turn])
    memory.turns.restore([turn])
    assert memory.episodes.list() == []


def test_archiving_twice_keeps_the_first_reason(memory: Memory) -> None:
    episode = memory.remember("once")
    assert memory.episodes.forget([episode], why="first") == 1
    assert memory.episodes.forget([episode], why="second") == 0
    assert memory.episodes.get(episode).archived_why == "first"
    assert [e.id for e in memory.episodes.list(forgotten=True)] == [episode]


def test_erasing_reaches_index_vectors_recalls_and_names(memory: Memory, store: Store) -> None:
    turn = memory.log("the xylophone of Quentin", speaker="Quentin", session="s")
    memory.log("kept", speaker="Ann", session="s")
    with store.transaction():
        store.execute("insert into embedding_model values (1, 'm', 'f', 1, '2026')")
        store.execute("insert into embedding values (1, 1, 'turn', 1, 0, x'00')")
    memory.recall("kept", 5, min_worth=0)
    erased = memory.turns.erase([turn], why="private")
    assert erased.items == (("turn", turn),)
    assert (erased.vectors, erased.hits, erased.names) == (1, 1, ("Quentin",))
    assert memory.recall("xylophone").unknown == ("xylophone",)
    row = store.row("select kind, item_id, why from erasure")
    assert row is not None
    assert tuple(row) == ("turn", turn, "private")


def test_no_byte_of_what_was_erased_is_left(memory: Memory, store: Store) -> None:
    for n in range(200):
        memory.log(f"filler number {n} with many plain words")
    turn = memory.log("the xylophone was stolen", speaker="Quentin")
    assert b"xylophon" in bytes_of(store)
    assert memory.turns.erase([turn]).gone
    left = bytes_of(store)
    assert b"xylophon" not in left
    assert b"ylopho" not in left
    assert b"Quentin" not in left


def test_an_open_reader_delays_the_erasure_and_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "read.db"
    with Store(path, parse_address("agent"), busy_timeout_ms=50) as store:
        memory = Memory(store)
        turn = memory.log("the xylophone")
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("begin")
        reader.execute("select * from log").fetchall()
        assert not memory.turns.erase([turn]).gone
        reader.execute("rollback")
        reader.close()
        assert memory.turns.erase([]).gone
        assert b"xylophon" not in bytes_of(store)


def test_a_turn_takes_along_the_episodes_made_from_it(memory: Memory) -> None:
    turn = memory.log("raw")
    episode = memory.remember("made of it", turns=[turn])
    other = memory.remember("stands alone")
    erased = memory.turns.erase([turn])
    assert erased.items == (("turn", turn), ("episode", episode))
    assert [e.id for e in memory.episodes.list()] == [other]


def test_an_episode_names_the_turns_that_still_hold_it(memory: Memory) -> None:
    turn = memory.log("raw")
    episode = memory.remember("made of it", turns=[turn])
    assert memory.episodes.erase([episode]).still_in == (turn,)
    assert memory.turns.get(turn).text == "raw"
    again = memory.remember("made of it", turns=[turn])
    erased = memory.episodes.erase([again], sources=True)
    assert erased.items == (("turn", turn), ("episode", again))


def test_nothing_is_erased_when_one_of_them_does_not_exist(memory: Memory) -> None:
    turn = memory.log("raw")
    with pytest.raises(NotFoundError, match='no turn "99"'):
        memory.turns.erase([turn, 99])
    assert memory.turns.get(turn).text == "raw"


def test_a_mark_and_its_undoing_want_rows_that_exist(memory: Memory) -> None:
    turn, episode = memory.log("raw"), memory.remember("once")
    for kind, there, act in (
        ("turn", turn, memory.turns.archive),
        ("turn", turn, memory.turns.restore),
        ("episode", episode, memory.episodes.forget),
        ("episode", episode, memory.episodes.restore),
    ):
        with pytest.raises(NotFoundError, match=f'no {kind} "99"'):
            act([there, 99])
    assert memory.turns.restore([turn]) == memory.episodes.restore([episode]) == 0
