# ruff: noqa: RUF001  (other scripts are what is tested)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from tests.each import each

if TYPE_CHECKING:
    from memctl.store.store import Store


def test_turns_get_their_places_in_their_threads(store: Store) -> None:
    log = Log(store)
    ids = [log.add(f"turn {n}", session="ab"[n % 2]) for n in range(4)]
    assert [log.get(turn).seq for turn in ids] == [1, 1, 2, 2]


def test_a_turn_without_a_session_belongs_to_the_thread_of_its_day(store: Store) -> None:
    log = Log(store)
    turn = log.get(log.add("hello", logged_at="2024-05-08T13:56:00+02:00"))
    assert (turn.session, turn.logged_at) == ("2024-05-08", "2024-05-08T11:56:00Z")


def test_turns_and_episodes_share_one_sequence_of_ids(store: Store) -> None:
    first = Log(store).add("said")
    second = Episodes(store).add("happened")
    third = Log(store).add("said again")
    assert [first, second, third] == [1, 2, 3]


def test_an_episode_comes_back_as_it_was_remembered(store: Store) -> None:
    episodes = Episodes(store)
    turn = Log(store).add("We fly on Monday")
    episode = episodes.get(
        episodes.add(
            {"content": "Booked the flight"},
            details="UA 12",
            tags=["travel", "travel", " "],
            participants=["Ann", "Bo"],
            happened_at="2024-01-02",
            confidence="high",
            thread="trip",
            turns=[turn],
        )
    )
    assert episode.summary == "Booked the flight"
    assert (episode.tags, episode.participants) == (("travel",), ("Ann", "Bo"))
    assert (episode.happened_at, episode.seq) == ("2024-01-02T00:00:00Z", 1)
    assert episodes.turns_of(episode.id) == [turn]


@each("text", ["", "  \n", None, [], "\x00\x01"])
def test_an_empty_turn_is_refused(store: Store, text: Any) -> None:
    with pytest.raises(UnusableInputError, match="empty"):
        Log(store).add(text)
    assert not store.exists


def test_details_of_five_megabytes_are_refused_and_nothing_is_written(store: Store) -> None:
    with pytest.raises(UnusableInputError, match="details has 5000000 characters"):
        Episodes(store).add("fine", details="x" * 5_000_000)
    assert not store.exists


def test_a_lone_surrogate_and_nul_are_replaced_or_stripped(store: Store) -> None:
    log = Log(store)
    assert log.get(log.add("a\x00b \ud800 c")).text == "ab \ufffd c"


def test_full_width_letters_are_kept_in_usual_width_and_signs_as_written(store: Store) -> None:
    log = Log(store)
    assert log.get(log.add("ＡＢＣ　ｱｲｳ ①：")).text == "ABC　アイウ ①："


def test_an_unknown_confidence_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match='confidence "certain"'):
        Episodes(store).add("fine", confidence="certain")


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


def test_what_consolidation_has_read_is_not_read_again_until_asked(store: Store) -> None:
    log = Log(store)
    first, second = log.add("one"), log.add("two")
    log.mark_processed([first])
    assert [turn.id for turn in log.unprocessed()] == [second]
    log.mark_processed([first], processed=False)
    assert [turn.id for turn in log.unprocessed()] == [first, second]


def test_episodes_are_listed_by_tag_and_thread(store: Store) -> None:
    episodes = Episodes(store)
    a = episodes.add("a", tags=["Travel"], thread="t")
    episodes.add("b", tags=["food"])
    assert [episode.id for episode in episodes.list(tag="travel")] == [a]
    assert [episode.id for episode in episodes.list(thread="t")] == [a]


BLOCK = "<memctl-memory note='x'>\n- [turn 3] Ann: the ferry leaves at nine\n</memctl-memory>"


def test_a_turn_is_logged_without_the_memory_that_was_put_into_it(store: Store) -> None:
    turn = Log(store).add(f"{BLOCK}\nWhen does it leave?")
    assert Log(store).get(turn).text == "When does it leave?"


def test_recalled_memory_alone_is_no_turn_and_no_episode(store: Store) -> None:
    with pytest.raises(RecalledTextError, match="recalled memory"):
        Log(store).add(BLOCK)
    with pytest.raises(RecalledTextError, match="recalled memory"):
        Episodes(store).add(BLOCK)
    assert Log(store).add_many([{"text": BLOCK}, {"text": "new"}], skip_refused=True).added == 1
