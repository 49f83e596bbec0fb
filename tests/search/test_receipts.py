"""A recall can be replayed over the rows that were there; what changed is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UsageError

if TYPE_CHECKING:
    from memctl.memory import Memory

QUESTION = "What is my kitchen budget?"


def asked(memory: Memory, question: str = QUESTION) -> int:
    found = memory.recall(question)
    assert found.id is not None
    return found.id


def by_hand(memory: Memory, sql: str) -> None:
    with closing(sqlite3.connect(memory.store.path)) as connection, connection:
        connection.execute(sql)


def test_a_store_that_only_grows_gives_the_same_answer(chat: Memory) -> None:
    recall = asked(chat)
    for n in range(100):
        chat.log(f"The kitchen budget is {n} dollars, says Zoe", speaker="Zoe", session=f"z{n}")
    chat.facts.store(["The kitchen budget is tight"])
    again = chat.recalls.replay(recall)
    assert again.equal
    assert again.then == again.now
    assert again.differences == ()


def test_what_is_archived_later_was_there(chat: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    recall = asked(chat)
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-21T12:00:00Z")
    chat.turns.archive([4, 6])
    assert chat.recalls.replay(recall).equal


def test_a_row_edited_by_hand_is_named(chat: Memory) -> None:
    recall = asked(chat)
    by_hand(chat, "update log set text = 'My budget for the garden is 1 dollar' where id = 6")
    again = chat.recalls.replay(recall)
    assert not again.equal
    assert again.differences == ("turn 6 was edited",)


def test_a_row_replaced_by_hand_is_named(chat: Memory) -> None:
    recall = asked(chat)
    by_hand(
        chat,
        "insert or replace into log (id, session, text, logged_at)"
        " values (6, 'kitchen', 'nothing', '2026-09-01T10:00:00Z')",
    )
    assert "turn 6 was edited" in chat.recalls.replay(recall).differences


def test_an_erased_row_is_named(chat: Memory) -> None:
    recall = asked(chat)
    chat.turns.erase([6])
    again = chat.recalls.replay(recall)
    assert not again.equal
    assert "turn 6 was erased" in again.differences


def test_a_superseded_fact_is_named_or_was_there(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.facts.store(["Falcon's deadline is 1 December"])
    recall = asked(memory, "When is the deadline of Falcon?")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-22T12:00:00Z")
    memory.facts.store(["Falcon's deadline is 8 December"])
    again = memory.recalls.replay(recall)
    assert again.equal or again.differences


def test_a_setting_that_changed_is_named(chat: Memory) -> None:
    recall = asked(chat)
    by_hand(chat, "update log set text = 'gone' where id = 6")
    by_hand(chat, "insert into setting values ('min_primary_results', '7', '2026-11-20T12:00:00Z')")
    chat.store.forget_settings()
    differences = chat.recalls.replay(recall).differences
    assert any("min_primary_results" in one for one in differences)


def test_a_receipt_says_what_the_answer_depended_on(chat: Memory) -> None:
    recall = chat.recall(QUESTION, 3, thread="kitchen").id
    assert recall is not None
    receipt = chat.recalls.receipt(recall)
    assert receipt is not None
    assert receipt.request == {"limit": 3, "thread": "kitchen", "now": "2026-11-20T12:00:00Z"}
    assert receipt.past.size.marks.turn == 7


def test_a_receipt_forgets_a_name_that_is_erased(chat: Memory) -> None:
    recall = asked(chat, "Where did Bo sleep?")
    chat.turns.erase([1, 3])
    assert chat.recalls.receipt(recall) is None
    with pytest.raises(UsageError, match="no receipt"):
        chat.recalls.replay(recall)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ("update log set speaker = 'Zed' where id = 6", "turn 6 was edited"),
        ("update log set id = 600 where id = 6", "turn 6 was edited"),
        ("update fact set text = 'the kitchen is sold'", " was edited"),
        ("delete from fact", " was erased"),
        (
            (
                "insert into log (id, session, text, logged_at)"
                " values (3, 'z', 'my kitchen budget is 1', '2026-08-01T10:00:00Z')"
            ),
            "turn 3 was added",
        ),
        ("delete from participant", "changed by hand"),
    ],
)
def test_what_was_changed_by_hand_is_named(chat: Memory, change: str, difference: str) -> None:
    chat.turns.erase([3])
    chat.facts.store(["Mia's kitchen budget is tight"])
    recall = asked(chat, "What is the kitchen budget of Mia, and where will Bo sleep?")
    by_hand(chat, change)
    assert not chat.recalls.replay(recall).equal
    assert any(difference in one for one in chat.recalls.replay(recall).differences)
    assert all(hit.id != 600 for hit in chat.recalls.hits(recall))


def test_a_recall_in_an_open_store_sees_ids_that_were_exchanged_by_hand(chat: Memory) -> None:
    before = [row.text for row in chat.recall(QUESTION)]
    for one, other in ((4, 400), (6, 4), (400, 6)):
        by_hand(chat, f"update log set id = {other} where id = {one}")
    places = {row.text: row.id for row in chat.recall(QUESTION)}
    assert set(places) == set(before)
    for text, turn in places.items():
        assert chat.turns.get(int(turn)).text == text


def test_erasing_a_turn_erases_the_questions_that_told_of_it(memory: Memory) -> None:
    kept = memory.log("the harbour is quiet")
    turn = memory.log("the wurlitzer broke", speaker="Quuxington")
    for question in ("the wurlitzer broke", "What did Quuxington say?", "is the harbour quiet?"):
        memory.recall(question)
    memory.turns.erase([turn])
    assert [one.question for one in memory.recalls] == [
        "is the harbour quiet?",
        "(erased)",
        "(erased)",
    ]
    assert memory.turns.get(kept).text == "the harbour is quiet"


def test_a_secret_among_the_filters_is_kept_nowhere(chat: Memory) -> None:
    secret = "AKIAIOSFODNN7EXAMPLQ"  # noqa: S105  (made up)
    recall = chat.recall(QUESTION, participants=[secret]).id
    assert recall is not None
    assert chat.recalls.receipt(recall) is None
    chat.close()
    assert secret.encode() not in chat.store.path.read_bytes()


def test_a_repair_is_that_of_the_words_that_were_there(chat: Memory) -> None:
    question = "Which coures has the ferry?"
    chat.log("The course of the ferry is east", session="sea")
    chat.log("It keeps its course", session="sea")
    chat.log("Ginger cures on the ferry", session="sea")
    recall = asked(chat, question)
    for n in range(10):
        chat.log(f"Number {n} of the cures", session="sea")
    assert chat.recall(question, record=False).corrected == {"coures": "cures"}
    assert chat.recalls.replay(recall).equal


def test_of_many_changes_those_of_the_answer_are_named_first(chat: Memory) -> None:
    others = [chat.log(f"a walk to the lake, number {n}", session="walks") for n in range(40)]
    recall = asked(chat)
    by_hand(chat, "update log set text = 'My budget for the garden is 1 dollar' where id = 6")
    chat.turns.archive([6])
    by_hand(chat, f"update log set text = 'none' where id in ({','.join(map(str, others))})")
    differences = chat.recalls.replay(recall).differences
    assert differences[:2] == ("turn 6 was archived", "turn 6 was edited")
    assert differences[-1].startswith("other rows were changed as well: ")


def test_an_erased_row_of_the_answer_is_named_by_its_place(chat: Memory) -> None:
    others = [chat.log(f"a walk to the lake, number {n}", session="walks") for n in range(40)]
    recall = asked(chat)
    place = [hit.id for hit in chat.recalls.hits(recall)].index(6) + 1
    chat.turns.erase([6])
    by_hand(chat, f"update log set text = 'none' where id in ({','.join(map(str, others))})")
    assert f"row {place} of its answer was erased" in chat.recalls.replay(recall).differences
