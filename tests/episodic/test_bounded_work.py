"""A recall does no more work in a store twice as large, once its words are common."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from memctl.search.ranking.ranking_constants import ANCHORS, ENOUGH, GATHERED, KEPT, READ, THREADS
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.store.store import Store

RECALL = statements.load("store/search")
NAMES = {RECALL.statements[name].sql: name for name in RECALL.statements}
QUESTION = "When did Ann see word number?"


@pytest.fixture
def handed_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many rows each statement of a recall hands over; of `matching`, how many ids."""
    counts: Counter[str] = Counter()
    original = store.rows

    def rows(sql: str, *parameters: Any) -> Any:
        found = original(sql, *parameters)
        name = NAMES.get(sql, "others")
        ids = found
        if name == "matching":
            ids = found[0][0].split(",") if found[0][0] else []
        counts[name] += len(ids)
        return found

    monkeypatch.setattr(store, "rows", rows)
    return counts


def add(memory: Memory, first: int, last: int) -> None:
    memory.turns.add_many(
        {"text": f"word number {n}", "session": f"s{n // 20}", "speaker": "Ann"}
        for n in range(first, last)
    )


def test_every_statement_hands_over_a_bounded_number_of_rows(
    memory: Memory, handed_over: Counter[str]
) -> None:
    add(memory, 0, 3000)
    handed_over.clear()
    assert len(memory.recall(QUESTION)) == 5
    # Two words are counted, the commoner looked for among rows of the rarer, and the name too.
    assert GATHERED < handed_over["matching"] <= 4 * GATHERED
    assert handed_over["turn_rows"] <= KEPT + 5 * ANCHORS + 5 * ANCHORS
    assert handed_over["turns_around"] <= 5 * ANCHORS
    assert handed_over["session_sizes"] <= THREADS
    assert handed_over["turn_texts"] <= READ + 5


def test_enough_rows_of_a_rare_word_are_not_joined_by_the_newest_of_a_common_one(
    memory: Memory, handed_over: Counter[str]
) -> None:
    memory.turns.add_many({"text": f"quay {n}", "session": f"quay {n}"} for n in range(ENOUGH))
    memory.log("word, quay", session="its own")
    add(memory, 0, GATHERED + 100)
    handed_over.clear()
    assert memory.recall("word quay")[0].text == "word, quay"
    assert handed_over["matching"] == 0


def test_a_year_and_a_name_beside_words_that_nobody_said_are_a_question(memory: Memory) -> None:
    memory.turns.add_many(
        {
            "text": "a word in passing",
            "session": f"s{n // 20}",
            "speaker": ("Ann", "Ben")[n % 2],
            "logged_at": "2024-03-03T10:00:00Z",
        }
        for n in range(3 * KEPT)
    )
    found = memory.recall("Where was Ann between quays 2024?")
    assert [row.happened_at[:4] for row in found] == ["2024"] * 5
    assert found.unknown == ("quays",)
