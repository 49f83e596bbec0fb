"""Chats of BEAM are read and asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.retrieval.engines import Memctl
from benchmarks.retrieval.quality import Answer, Key, Run, measure, sure_table, tables, updates_of
from benchmarks.retrieval.sets import halves, read_beam

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.retrieval.sets import Conversation

_REPLY = "Boats leave the harbour daily; tickets, maps and weather reports are sold beside it."


def _turn(number: int, role: str, text: str) -> dict[str, Any]:
    at = f"2024-03-{number + 1:02}T00:00:00Z"
    return {"id": str(number), "role": role, "session": "s", "at": at, "text": text}


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """Two chats of one talk: number 1 is fitted on, number 6 is not."""
    folder = tmp_path / "beam"
    folder.mkdir()
    turns = [
        _turn(0, "user", "My rent is 900 now."),
        _turn(1, "assistant", _REPLY),
        _turn(2, "user", "The rent went up: my rent is 950."),
        _turn(3, "assistant", f"{_REPLY} And once more."),
    ]
    update = {"updated_info": [2], "original_info": [0]}
    questions: list[dict[str, Any]] = [
        {"type": "knowledge_update", "question": "How high is my rent?", "evidence": [0, 2]},
        {"type": "abstention", "question": "Who is my landlord?", "evidence": []},
        {"type": "preference_following", "question": "Which boat?", "evidence": []},
    ]
    questions[0]["by_part"] = update
    for number in (1, 6):
        (folder / f"{number}.json").write_text(json.dumps({"turns": turns, "qa": questions}))
    return folder


@pytest.fixture
def read(chats: Path) -> list[Conversation]:
    return read_beam(chats)


def test_questions_without_evidence_are_those_that_have_no_answer(
    read: list[Conversation],
) -> None:
    assert [(q.label, q.answerable) for q in read[0].questions] == [
        ("knowledge update", True),
        ("abstention", False),
    ]
    assert [turn.role for turn in read[0].turns[:2]] == ["user", "assistant"]


def test_chats_that_were_fitted_on_stand_apart(read: list[Conversation]) -> None:
    assert [(half, [c.name for c in chosen]) for half, chosen in halves(read).items()] == [
        ("kept aside", ["6"]),
        ("fitted on", ["1"]),
    ]


def test_a_folder_without_chats_says_where_they_are(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="BEAM"):
        read_beam(tmp_path)


def _ranked(*names: str) -> Run:
    return Run("any", {Key("BEAM", "1", 0): Answer(list(names), 1.0)})


def test_an_update_is_right_when_the_newer_stands_above(read: list[Conversation]) -> None:
    asked = {Key("BEAM", "1", 0): read[0].questions[0]}
    assert updates_of(_ranked("2", "1", "0"), asked).both == [True]
    assert updates_of(_ranked("0", "2"), asked).both == [False]
    alone = updates_of(_ranked("1", "2"), asked)
    assert (alone.both, alone.either) == ([], [True])
    assert updates_of(_ranked("1"), asked).either == []
    runs = [measure(Memctl, read)]
    assert "Updates: the newer above the older, 2 questions" in tables(runs, read)


def test_the_confidence_of_rows_is_held_against_what_answers(read: list[Conversation]) -> None:
    assert "memctl, BEAM kept aside: error" in sure_table([measure(Memctl, read)], read)
