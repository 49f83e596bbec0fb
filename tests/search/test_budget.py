"""A budget of tokens is packed by worth: passages of long rows, and no default limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from memctl.memory import Memory

FILLER = "Boats lie in the harbour and wait for the wind. "


def reply(about: str) -> str:
    return FILLER * 30 + about + " " + FILLER * 30


def test_a_long_row_gives_the_passage_that_holds_the_question(memory: Memory) -> None:
    memory.log(reply("Saffron belongs into the paella."), role="assistant")
    (row,) = memory.recall("saffron paella", max_tokens=200)
    assert "Saffron belongs into the paella." in row.text
    assert not row.whole
    assert row.tokens <= 200


def test_the_row_stays_whole_without_a_budget(memory: Memory) -> None:
    memory.log(reply("Saffron belongs into the paella."), role="assistant")
    (row,) = memory.recall("saffron paella")
    assert row.whole
    assert len(row.text) > 2000


def test_a_budget_is_not_cut_by_the_default_limit(memory: Memory) -> None:
    for n in range(12):
        memory.log(f"saffron {n}", session=f"s{n}")
    assert len(memory.recall("saffron")) == 5
    assert len(memory.recall("saffron", max_tokens=2000)) == 12
    assert len(memory.recall("saffron", 3, max_tokens=2000)) == 3


@pytest.mark.parametrize("budget", [0, 30, 100, 250, 1000])
def test_a_budget_holds(memory: Memory, budget: int) -> None:
    for n in range(8):
        memory.log(reply(f"Saffron number {n} is dear."), role="assistant", session=f"s{n}")
    rows = memory.recall("saffron", max_tokens=budget)
    assert sum(row.tokens for row in rows) <= budget


def test_what_room_is_left_goes_to_further_passages(memory: Memory) -> None:
    memory.log(FILLER * 20 + "Saffron one. " + FILLER * 40 + "Saffron two. " + FILLER * 20)
    (short,) = memory.recall("saffron", max_tokens=100)
    (longer,) = memory.recall("saffron", max_tokens=600)
    assert short.text.count("Saffron") == 1
    assert longer.text.count("Saffron") == 2


def test_a_budget_too_small_says_what_the_shortest_row_takes(memory: Memory) -> None:
    memory.log("saffron and rice")
    assert "takes" in memory.recall("saffron", max_tokens=1).note
