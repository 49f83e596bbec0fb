# ruff: noqa: RUF001  (other scripts are what is tested)
"""Turns and episodes are written, listed, archived, restored and erased."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from memctl.base.errors import (
    NotFoundError,
    RecalledTextError,
    SecretRefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.episodic.episodes import Episodes
from memctl.episodic.log import Log
from memctl.memory import Memory
from memctl.store.store import Store
from tests.each import each

BLOCK = "<memctl-memory note='x'>\n- [turn 3] Ann: the ferry leaves at nine\n</memctl-memory>"


def test_turns_get_their_places_in_their_threads(store: Store) -> None:
    log = Log(store)
    ids = [log.add(f"turn {n}", session="ab"[n % 2]) for n in range(4)]
    assert [log.get(turn).seq for turn in ids] == [1, 1, 2, 2]
    turn = log.get(log.add("hello", logged_at="2024-05-08T13:56:00+02:00"))
    assert (turn.session, turn.logged_at) == ("2024-05-08", "2024-05-08T11:56:00Z")
    # Turns and episodes share one sequence of ids.
    assert (turn.id, Episodes(store).add("happened"), log.add("said again")) == (5, 6, 7)


def test_an_episode_comes_back_as_it_was_remembered(store: Store) -> None:
    episodes = Episodes(store)
    turn = Log(store).add("We fly on Monday")
    made = episodes.add(
        {"content": "Booked the flight"},
        details="UA 12",
        tags=["travel", "travel", " "],
        participants=["Ann", "Bo"],
        happened_at="2024-01-02",
        confidence="high",
        thread="trip",
        turns=[turn],
    )
    episodes.add("Ate", tags=["food"])
    assert episodes.list(tag="Travel") == episodes.list(thread="trip") == [episodes.get(made)]
    episode = episodes.get(made)
    assert episode.summary == "Booked the flight"
    assert (episode.tags, episode.participants) == (("travel",), ("Ann", "Bo"))
    assert (episode.happened_at, episode.seq) == ("2024-01-02T00:00:00Z", 1)
    assert episodes.turns_of(episode.id) == [turn]
    # Forgetting twice keeps the first reason.
    assert [episodes.forget([made], why=why) for why in ("first", "second")] == [1, 0]
    assert [one.archived_why for one in episodes.list(forgotten=True)] == ["first"]


@each(
    ("text", "given", "why"),
    [
        ("", {}, "empty"),
        ("  \n", {}, "empty"),
        (None, {}, "empty"),
        ([], {}, "empty"),
        ("\x00\x01", {}, "empty"),
        ("fine", {"details": "x" * 5_000_000}, "details has 5000000 characters"),
        ("fine", {"confidence": "certain"}, 'confidence "certain"'),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_written(
    store: Store, text: Any, given: dict[str, Any], why: str
) -> None:
    with pytest.raises((UnusableInputError, UsageError), match=why):
        Episodes(store).add(text, **given)
    if "confidence" not in given:
        with pytest.raises(UnusableInputError, match=why):
            Log(store).add(text, **given)
    assert not store.exists


@each(
    ("text", "kept"),
    [
        ("a\x00b \ud800 c", "ab \ufffd c"),
        # Letters get their usual width, signs stay as they were written.
        ("ＡＢＣ　ｱｲｳ ①：", "ABC　アイウ ①："),
        (f"{BLOCK}\nWhen does it leave?", "When does it leave?"),
    ],
)
def test_a_turn_is_cleaned_before_it_is_kept(store: Store, text: str, kept: str) -> None:
    log = Log(store)
    assert log.get(log.add(text)).text == kept


def test_an_episode_of_a_turn_that_does_not_exist_is_not_written(store: Store) -> None:
    episodes = Episodes(store)
    episodes.add("kept")
    with pytest.raises(UsageError, match='no turn "99"'):
        episodes.add("lost", turns=[99])
    assert [episode.summary for episode in episodes.list()] == ["kept"]


def test_what_does_not_exist_is_not_found(store: Store) -> None:
    Log(store).add("one")
    with pytest.raises(NotFoundError, match='turn "7"'):
        Log(store).get(7)
    with pytest.raises(NotFoundError, match='episode "1"'):
        Episodes(store).get(1)


LEAK = "my password: hunter2hunter2XYZ9"


def test_a_batch_is_written_whole_or_not_at_all(store: Store) -> None:
    log = Log(store)
    with pytest.raises(UnusableInputError):
        log.add_many([{"text": "one"}, {"text": ""}])
    assert log.add_many([{"text": "one"}, {"text": "two", "speaker": "Ann"}]).added == 2
    assert [turn.text for turn in log.list()] == ["two", "one"]


@each(
    ("bad", "error"),
    [
        ({"text": " "}, UnusableInputError),
        ({"text": "my password: hunter2hunter2XYZ9"}, SecretRefusedError),
        ({"text": "fine", "logged_at": "soon"}, UsageError),
    ],
)
def test_the_turn_of_a_batch_that_is_refused_is_named(
    store: Store, bad: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error, match=r"turns\[2\]"):
        Log(store).add_many([{"text": "one"}, {"text": "two"}, bad])


def test_the_rest_of_a_batch_is_stored_where_that_is_asked_for(store: Store) -> None:
    log = Log(store)
    secret = {"text": "my password: hunter2hunter2XYZ9"}
    batch = log.add_many([{"text": "one"}, secret, {"text": "two"}], skip_refused=True)
    assert (batch.added, [one.place for one in batch.refused]) == (2, [1])
    assert "hunter2" not in batch.refused[0].why
    assert [turn.text for turn in log.list()] == ["two", "one"]
    assert store.value("select sum(refusals) from guard_refusal") == 1


def test_episodes_of_a_batch_are_written_as_one_by_one(memory: Memory) -> None:
    given: list[dict[str, Any]] = [
        {"summary": f"Ann moored at berth {n}", "thread": n % 3 and f"t{n % 3}", "tags": ["sea"]}
        for n in range(70)
    ]
    given = [{**one, "thread": one["thread"] or None} for one in given]
    alone = [memory.episodes.add(**one) for one in given]
    ids = memory.episodes.add_many(given, source="log.txt")
    assert ids == list(range(alone[-1] + 1, alone[-1] + 71))
    first, second = memory.episodes.get(alone[4]), memory.episodes.get(ids[4])
    assert (first.seq, second.seq, memory.episodes.get(ids[3]).seq) == (2, 25, 1)
    assert (second.summary, second.tags, second.source) == (first.summary, ("sea",), "log.txt")
    assert {row.id for row in memory.recall("berth 69", limit=2)} == {alone[69], ids[69]}


@each("secret", [{"details": LEAK}, {"tags": [LEAK]}, {"thread": LEAK}])
def test_a_batch_with_a_secret_leaves_no_episode(memory: Memory, secret: dict[str, Any]) -> None:
    with pytest.raises(SecretRefusedError):
        memory.episodes.add_many([{"summary": "fine"}, {"summary": "fine, too", **secret}])
    assert not memory.episodes.list()


def test_what_consolidation_has_read_is_not_read_again_until_asked(store: Store) -> None:
    log = Log(store)
    first, second = log.add("one"), log.add("two")
    log.mark_processed([first])
    assert [turn.id for turn in log.unprocessed()] == [second]
    log.mark_processed([first], processed=False)
    assert [turn.id for turn in log.unprocessed()] == [first, second]


def test_recalled_memory_alone_is_no_turn_and_no_episode(store: Store) -> None:
    with pytest.raises(RecalledTextError, match="recalled memory"):
        Log(store).add(BLOCK)
    with pytest.raises(RecalledTextError, match="recalled memory"):
        Episodes(store).add(BLOCK)
    assert Log(store).add_many([{"text": BLOCK}, {"text": "new"}], skip_refused=True).added == 1


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
    # One that was forgotten stays so.
    memory.episodes.forget([made])
    memory.turns.archive(turns)
    memory.turns.restore(turns)
    assert [one.id for one in memory.episodes.list()] == [alone]


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


def test_no_byte_of_what_was_erased_is_left_once_no_reader_holds_it(store: Store) -> None:
    with Store(store.path, store.address, busy_timeout_ms=50) as hurried:
        memory = Memory(hurried)
        memory.turns.add_many([{"text": f"filler {n} with many plain words"} for n in range(200)])
        turn = memory.log("the xylophone was stolen", speaker="Quentin")
        assert b"xylophon" in bytes_of(store)
        reader = sqlite3.connect(store.path, isolation_level=None)
        reader.execute("begin")
        reader.execute("select * from log").fetchall()
        assert not memory.turns.erase([turn]).gone
        reader.execute("rollback")
        reader.close()
        assert memory.turns.erase([]).gone
        left = bytes_of(store)
        assert not [part for part in (b"xylophon", b"ylopho", b"Quentin") if part in left]


def test_what_is_erased_takes_along_or_names_what_holds_the_same(memory: Memory) -> None:
    turn = memory.log("raw")
    episode = memory.remember("made of it", turns=[turn])
    assert memory.episodes.erase([episode]).still_in == (turn,)
    again = memory.remember("made of it", turns=[turn])
    other = memory.remember("stands alone")
    with pytest.raises(NotFoundError, match='no turn "99"'):
        memory.turns.erase([turn, 99])
    assert memory.turns.get(turn).text == "raw"
    assert memory.turns.erase([turn]).items == (("turn", turn), ("episode", again))
    assert [e.id for e in memory.episodes.list()] == [other]
    source = memory.log("raw")
    last = memory.remember("made of it", turns=[source])
    assert memory.episodes.erase([last], sources=True).items == (
        ("turn", source),
        ("episode", last),
    )


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


@each("sign", ["\n", " \n", "_", ".!?", "- ", "2026-11-20 "])
def test_a_long_text_of_one_sign_is_kept_read_and_asked(memory: Memory, sign: str) -> None:
    text = (
        f"Ann waits{sign * (8_000 // len(sign))}x"  # what grew with its square would take minutes
    )
    assert memory.turns.get(memory.log(text)).text.startswith("Ann waits")
    memory.extract()
    memory.recall(text)
