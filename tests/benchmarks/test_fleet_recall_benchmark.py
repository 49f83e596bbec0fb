"""The comparison of routed recall with all: each way is asked, and finds what one store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.fleet_recall import compare
from benchmarks.retrieval.sets import Conversation, Question, Turn

if TYPE_CHECKING:
    from pathlib import Path


def test_each_way_finds_the_turn_of_a_session(tmp_path: Path) -> None:
    texts = ("The ferry leaves at noon", "Paella needs saffron", "Tulips grow in a row")
    turns = [
        Turn(f"D{n}:1", f"session_{n}", text, f"2026-01-0{n}T00:00:00Z", speaker="Ann")
        for n, text in enumerate(texts, 1)
    ]
    asked = Question("What needs saffron?", "single-hop", frozenset({"D2:1"}))
    ways = compare([Conversation("LoCoMo", "1", turns, [asked])], tmp_path, 5, (2,))
    assert [(way.name, way.r5, way.stores) for way in ways] == [
        ("2 routed", 1.0, 1.0),
        ("all", 1.0, 3.0),
        ("all in one store", 1.0, 1.0),
    ]
