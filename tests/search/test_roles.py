"""Who is asked about, and as what somebody speaks, count beside the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def texts(memory: Memory, question: str) -> list[str]:
    return [row.text for row in memory.recall(question)]


def test_the_users_own_words_come_before_the_reply_to_them(chat: Memory) -> None:
    assert texts(chat, "What is my kitchen budget?")[0].startswith("The budget for the kitchen")


def test_a_reply_is_found_by_what_it_says(chat: Memory) -> None:
    first = chat.recall("What did you tell me about the old cabinets?")[0]
    assert first.who == ("assistant",)
    assert "reply" in {term.term for term in first.explain}


def test_a_reply_inherits_nothing_from_the_question_before_it(memory: Memory) -> None:
    memory.log("Which saffron should I buy for the paella?", session="s")
    memory.log("Take the Spanish one.", role="assistant", session="s")
    reply = next(
        row for row in memory.recall("saffron paella", min_worth=0) if row.who == ("assistant",)
    )
    assert {term.term for term in reply.explain} <= {"thread"}


def test_what_somebody_said_is_listed_where_nothing_else_is_asked(chat: Memory) -> None:
    said = chat.recall("What did Bo say?")
    assert {row.who for row in said[:2]} == {("Bo",)}
    assert said.names == ("Bo",)


def test_a_standing_wish_is_found_where_help_is_asked_for(memory: Memory) -> None:
    memory.log("Always answer with metric units when I ask about recipes", session="a")
    memory.log("A recipe for bread needs time", role="assistant", session="b")
    first = memory.recall("How do I scale a recipe?")[0]
    assert first.text.startswith("Always answer")
    assert "wish" in {term.term for term in first.explain}


def test_a_row_is_explained_after_its_store_is_closed(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.log("The ferry leaves at noon")
        (row,) = memory.recall("ferry")
    assert round(sum(term.value for term in row.explain), 4) == row.score
