"""The benchmark of replays tells what grew from what was changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.retrieval.conversations import Conversation, Question, Turn
from benchmarks.retrieval.replays import run_replays

if TYPE_CHECKING:
    import pytest


def test_recalls_of_a_store_that_grew_are_equal_and_changes_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    turns = [
        Turn(f"t{n}", f"s{n // 20}", f"Boat {n % 9} sails to harbour {n % 7}", "2026-05-03")
        for n in range(800)
    ]
    questions = [Question(f"Which boat sails to harbour {n}?", "", frozenset()) for n in range(7)]
    figures = run_replays([Conversation("made up", "1", turns, questions)], recalls=20)
    assert figures["only grown"]["equal"] == 20
    assert figures["changed"]["named"] > 0
    assert "no cause" not in figures["changed"]
    assert "only grown" in capsys.readouterr().out
