"""The measures of the benchmark, on rankings whose worth is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.retrieval.engines import Fts5, Memctl, cleaned_words
from benchmarks.retrieval.quality import keys_of, measure, score, tables
from benchmarks.retrieval.sets import read_locomo

if TYPE_CHECKING:
    from pathlib import Path


def test_a_perfect_ranking_is_worth_everything() -> None:
    worth = score(["a", "b", "c"], frozenset("ab"))
    assert (worth.r1, worth.r5, worth.r10, worth.any10) == (0.5, 1, 1, 1)


def test_cleaned_words_are_never_none() -> None:
    assert cleaned_words("What did the ferry do?") == ["ferry"]
    assert cleaned_words("what is it") == ["what", "is", "it"]


def test_a_conversation_is_read_and_measured(tmp_path: Path) -> None:
    turns = [
        {"speaker": who, "dia_id": f"D1:{n}", "text": text}
        for n, (who, text) in enumerate(
            [("Ann", "I bought a violin"), ("Bo", "Nice"), ("Ann", "It was cheap")], 1
        )
    ]
    conversation = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": turns,
        "session_2_date_time": "2:00 pm on 9 May, 2023",
        "qa": [
            {"question": "What did Ann buy?", "category": 4, "evidence": ["D1:1"]},
            {"question": "Unanswerable?", "category": 3, "evidence": []},
        ],
    }
    (tmp_path / "1.json").write_text(json.dumps(conversation))
    conversations = read_locomo(tmp_path)
    assert [turn.said_at for turn in conversations[0].turns] == ["2023-05-08T13:56:00Z"] * 3
    assert [question.label for question in conversations[0].questions] == ["single-hop"]
    runs = [measure(kind, conversations) for kind in (Memctl, Fts5)]
    assert runs[0].scores(keys_of(conversations))[0].r1 == 1
    assert "memctl" in tables(runs, conversations)


def test_a_folder_without_conversations_says_where_they_are(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="snap-research/locomo"):
        read_locomo(tmp_path)
