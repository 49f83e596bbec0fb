"""Replays are counted on a made-up conversation; what is not named or not true is told."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import memctl
from benchmarks.retrieval.conversations import Conversation, Question, Turn
from benchmarks.retrieval.recorded_answers import Asking, RecordedAnswer, recorded, while_growing
from benchmarks.retrieval.replays import Replays, run_replays

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory

THINGS = ("violin", "harbour", "garden", "bicycle", "lantern", "orchard", "kitchen", "meadow")


def _talk() -> Conversation:
    turns = [
        Turn(
            f"{day}",
            f"s{day}",
            f"I painted the {thing} on day {day}",
            f"2024-03-{day + 1:02}T10:00:00Z",
            speaker=("Ann", "Bo")[day % 2],
        )
        for day, thing in enumerate(THINGS * 2)
    ]
    questions = [Question(f"Who painted the {thing}?", "any", frozenset()) for thing in THINGS]
    return Conversation("LoCoMo", "43", turns, questions)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as opened:
        for turn in _talk().turns:
            opened.log(turn.text, speaker=turn.speaker, session=turn.session)
        yield opened


def test_recalls_are_asked_while_turns_are_added(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        generator = random.Random(1)  # noqa: S311
        asked = list(while_growing(memory, [_talk()], 20, generator))
        assert (len(asked), len(memory.recalls), len(memory.turns)) == (20, 20, 16)
        assert memory.recalls.receipt(1) != memory.recalls.receipt(20)


def test_every_replay_is_counted_after_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    figures = run_replays([_talk()], 24)
    first, *later = figures["steps"]
    assert (first["equal"], first["unnamed or false"]) == (24, [])
    assert all(step["unnamed"] == step["false"] == 0 for step in later)
    assert later[0]["causes"]["turn edited"] == later[0]["named"] > 0
    printed = capsys.readouterr().out
    assert "the store only grew" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_an_equal_replay_of_other_rows_is_false(memory: Memory) -> None:
    answer = recorded(memory, Asking("Who painted the violin?", {}))
    other = RecordedAnswer(answer.recall, answer.rows[:1])
    outcome = Replays(memory).after("nothing", [other], {})
    assert (outcome.counts["false"], outcome.unnamed) == (1, [(answer.recall, "other rows")])


def test_a_change_that_is_not_named_is_told(memory: Memory) -> None:
    answer = recorded(memory, Asking("Who painted the violin?", {}))
    replays = Replays(memory)
    replays.after("nothing", [answer], {})
    memory.turns.erase([1])
    outcome = replays.after("an erasure", [answer], {}, ["turn edited"])
    assert outcome.unnamed == [(answer.recall, "nothing of the last step is named")]
