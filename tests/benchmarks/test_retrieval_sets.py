"""Chats of BEAM and LongMemEval are read, asked, and held against an earlier run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.keeping import keep
from benchmarks.retrieval.budget import in_order
from benchmarks.retrieval.engines import Fts5, Memctl
from benchmarks.retrieval.quality import (
    Answer,
    Key,
    Run,
    earlier_run,
    keys_of,
    measure,
    sure_table,
    tables,
    updates_of,
)
from benchmarks.retrieval.replies import known_replies
from benchmarks.retrieval.sets import halves, read_beam, read_longmemeval

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


def test_an_earlier_run_stands_beside_with_the_difference(
    read: list[Conversation], tmp_path: Path
) -> None:
    now = measure(Memctl, read)
    before = earlier_run(keep("before", [now.raw()], tmp_path), read)
    assert before.answers == now.answers
    printed = tables([now, before], read)
    assert "BEAM kept aside (6): knowledge update, 1" in printed
    assert "memctl before" in printed
    assert "R@10 +0.0 (0.0, 0.0)" in printed


def test_an_earlier_run_of_other_questions_is_refused(
    read: list[Conversation], tmp_path: Path
) -> None:
    file = keep("before", [measure(Memctl, read[:1]).raw()], tmp_path)
    with pytest.raises(SystemExit, match="BEAM/6/0"):
        earlier_run(file, read)
    other = keep("other", [measure(Fts5, read).raw()], tmp_path)
    with pytest.raises(SystemExit, match="lacks answers of memctl"):
        earlier_run(other, read)


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


def test_a_reply_is_asked_for_by_words_that_another_turn_holds(read: list[Conversation]) -> None:
    asked = known_replies(read[0])
    assert asked == known_replies(read[0])
    assert {next(iter(q.evidence)) for q in asked.questions} == {"1", "3"}
    assert all("once" not in q.text for q in asked.questions)
    assert len(keys_of([asked])) == 2


def test_rows_in_order_leave_out_what_does_not_fit() -> None:
    assert in_order([("a", 50), ("b", 500), ("c", 50)], 100) == ["a", "c"]


def test_the_rows_that_are_likely_to_answer_stand_apart(read: list[Conversation]) -> None:
    run = measure(Memctl, read)
    assert [one.ranked for one in run.cut(0.0).answers.values()] == [
        one.ranked for one in run.answers.values()
    ]
    assert all(not one.ranked for one in run.cut(1.1).answers.values())
    assert "memctl, BEAM kept aside: error" in sure_table([run], read)


def _history(question: str, *, marks: bool = True) -> dict[str, Any]:
    said = [
        [{"role": "user", "content": "I adopted a parrot called Juno."}],
        [
            {"role": "user", "content": "My bicycle is blue."},
            {"role": "assistant", "content": "Nice!"},
        ],
    ]
    if marks:
        said[0][0]["has_answer"] = True  # type: ignore[assignment]
    return {
        "question_id": question,
        "question_type": "single-session-user",
        "question": "What is my parrot called?",
        "answer": "Juno",
        "question_date": "2023/05/30 (Tue) 09:15",
        "haystack_session_ids": ["answer_1", "other"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/10 (Wed) 17:00"],
        "haystack_sessions": said,
        "answer_session_ids": ["answer_1"],
    }


def test_each_question_of_longmemeval_has_a_history_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "longmemeval_s.json"
    entries = [_history("q1"), _history("q2", marks=False), _history("q3_abs")]
    file.write_text(json.dumps(entries))
    first, unmarked, abstains = read_longmemeval(file)
    assert [turn.said_at for turn in first.turns][::2] == [
        "2023-05-10T17:00:00Z",
        "2023-05-20T02:21:00Z",
    ]
    assert (first.last_at, first.fitted) == ("2023-05-30T09:15:00Z", False)
    assert first.questions[0].evidence == unmarked.questions[0].evidence == {"answer_1:0"}
    assert not abstains.questions[0].answerable
    printed = tables([measure(Memctl, [first, unmarked])], [first, unmarked])
    assert "LongMemEval kept aside (q1, q2): single-session-user, 2" in printed
    assert "100.0" in printed


@pytest.mark.parametrize("held", ["{}", "[[]]", '[{"question": "Which?"}]'])
def test_a_file_that_is_no_longmemeval_says_where_it_is(tmp_path: Path, held: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(held)
    with pytest.raises(SystemExit, match="xiaowu0162"):
        read_longmemeval(file)
