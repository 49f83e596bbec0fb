"""A row that was expected says where it lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory


def test_a_row_without_a_word_lacks_them_all(memory: Memory) -> None:
    memory.log("The harbour is quiet", session="a")
    memory.log("Saffron for the paella", session="b")
    place = memory.why_not("saffron paella", "turn:1")
    assert place.place is None
    assert set(place.lacking) == {"saffron", "paella"}
    assert place.why.startswith("it holds no word of the question")


def test_a_row_further_behind_tells_its_place_and_its_terms(memory: Memory) -> None:
    for n in range(8):
        memory.log("Saffron for the paella " + "and more " * n, session=f"s{n}")
    place = memory.why_not("saffron paella", "turn:8", limit=2)
    assert place.place is not None
    assert place.place > 2
    assert place.score < place.last_score
    assert abs(sum(term.value for term in place.explain) - place.score) < 1e-9


def test_an_archived_row_says_so(memory: Memory) -> None:
    memory.log("Saffron for the paella")
    memory.log("Saffron again")
    memory.turns.archive([1])
    assert "archived" in memory.why_not("saffron", "turn:1").why


def test_a_filter_is_named_as_the_reason(memory: Memory) -> None:
    memory.log("Saffron for the paella", logged_at="2026-01-01")
    assert "filter" in memory.why_not("saffron", "turn:1", since="2026-06-01").why


def test_a_fact_that_ended_says_so(memory: Memory) -> None:
    memory.facts.store(["Falcon's deadline is 1 December"])
    old = memory.facts.list()[0].id
    memory.facts.forget(old)
    assert "does not hold now" in memory.why_not("deadline of Falcon", old).why


@each(("row", "error"), [("turn:99", NotFoundError), ("what", UsageError)])
def test_what_is_no_row_is_refused(memory: Memory, row: str, error: type[Exception]) -> None:
    memory.log("Saffron")
    with pytest.raises(error):
        memory.why_not("saffron", row)


def test_a_row_that_a_budget_has_no_room_for_is_told_so(memory: Memory) -> None:
    memory.log("saffron " * 40)
    memory.log("saffron and rice")
    assert "no room" in memory.why_not("saffron", "turn:1", max_tokens=25).why


def test_a_row_of_an_answer_that_is_not_sure_enough_is_told_so(memory: Memory) -> None:
    memory.log("saffron and rice")
    assert "not sure enough" in memory.why_not("saffron", "turn:1", min_confidence=1.0).why


def test_a_number_that_no_row_can_have_is_no_row(memory: Memory) -> None:
    memory.log("saffron and rice")
    with pytest.raises(UsageError, match="is no row"):
        memory.why_not("saffron", f"turn:{'9' * 30}")


def test_a_row_that_has_another_name_for_what_is_asked_holds_the_word(memory: Memory) -> None:
    memory.log("Halloran Pharma delivers tomorrow")
    memory.aliases.add("drug people", "Halloran Pharma")
    place = memory.why_not("When do the drug people deliver?", "turn:1")
    assert (set(place.matched), place.lacking) == ({"drug", "people", "deliver"}, ())
