"""The journal keeps what a session is at, and loses nothing that a later entry replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import (
    NotFoundError,
    SecretRefusedError,
    UnusableInputError,
    UsageError,
)
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.memory import Memory
    from memctl.working.journal import Journal


def texts(entries: Sequence[Any]) -> list[str]:
    return [entry.text for entry in entries]


def test_what_was_replaced_stays_in_the_table(journal: Journal, memory: Memory) -> None:
    journal.task("Ship the demo")
    journal.task("Mend the demo")
    ended = memory.store.rows("select text from journal where ended_at is not null")
    assert texts_of_rows(ended) == ["Ship the demo"]
    assert texts(journal.get().entries) == ["Mend the demo"]


def texts_of_rows(rows: Sequence[Any]) -> list[str]:
    return [row[0] for row in rows]


def test_a_context_value_is_set_once_a_name(journal: Journal) -> None:
    journal.context("budget", "4,000")
    journal.context("deadline", "Friday")
    journal.context("budget", "5,500")
    assert [(e.name, e.text) for e in journal.get().context] == [
        ("deadline", "Friday"),
        ("budget", "5,500"),
    ]


def test_a_plan_replaces_the_steps_before(journal: Journal) -> None:
    journal.plan(["draw", "cut"])
    journal.plan(["measure", "draw"])
    assert texts(journal.get().plan) == ["measure", "draw"]


def test_decisions_come_newest_first(journal: Journal) -> None:
    journal.decide("take the ferry")
    journal.decide("take the train")
    assert texts(journal.get().decisions) == ["take the train", "take the ferry"]


@pytest.mark.parametrize("said", ["call ANN ", "1"])
def test_what_is_done_is_open_no_more(journal: Journal, said: str) -> None:
    journal.pending("Call Ann")
    assert journal.done(said).done_at == "2026-11-20T12:00:00Z"
    assert journal.get().open == ()
    assert texts(journal.get().pending) == ["Call Ann"]
    first, second = journal.pending("Call Bo"), journal.pending("Call Bo")
    assert [journal.done("Call Bo").id for _ in range(2)] == [first.id, second.id]


def test_done_names_what_is_open_where_nothing_fits(journal: Journal) -> None:
    journal.blocker("no key for the shed")
    with pytest.raises(NotFoundError) as raised:
        journal.done("the key")
    assert "no key for the shed" in raised.value.hint


def test_each_session_and_channel_has_a_journal_of_its_own(journal: Journal) -> None:
    journal.task("in the terminal")
    journal.of(channel="telegram").task("in the chat")
    journal.of("s2").task("another day")
    assert texts(journal.get().entries) == ["in the terminal"]
    assert texts(journal.of(channel="telegram").get().entries) == ["in the chat"]
    assert texts(journal.of("s2").get().entries) == ["another day"]
    key = "agent:main:telegram:direct:1234567890"  # a host's
    assert journal.of(key).session == key


def test_open_items_are_those_of_all_sessions(journal: Journal) -> None:
    journal.pending("Call Ann")
    journal.of("s2").blocker("no key")
    journal.of("s3").pending("done long ago")
    journal.of("s3").done("done long ago")
    assert [(i.session, i.text) for i in journal.open_items()] == [
        ("s2", "no key"),
        ("s1", "Call Ann"),
    ]
    assert texts(journal.open_items(everywhere=False)) == ["Call Ann"]


def test_clearing_keeps_a_snapshot(journal: Journal) -> None:
    journal.task("Ship the demo")
    assert journal.clear() == 1
    assert journal.get().entries == ()
    journal.restore()
    assert texts(journal.get().entries) == ["Ship the demo"]


def test_a_restore_keeps_the_present_state_first(journal: Journal) -> None:
    journal.task("one")
    snapshot = journal.snapshot()
    journal.task("two")
    journal.pending("Call Ann")
    journal.restore(snapshot.id)
    assert texts(journal.get().entries) == ["one"]
    journal.restore(journal.snapshots()[0].id)
    assert texts(journal.get().entries) == ["two", "Call Ann"]


def test_the_oldest_of_as_many_snapshots_as_are_kept_can_be_restored(journal: Journal) -> None:
    for number in range(25):
        journal.task(f"task {number}")
        journal.snapshot()
    kept = journal.snapshots()
    assert len(kept) == 20
    journal.restore(kept[-1].id)
    assert texts(journal.get().entries) == ["task 5"]
    assert kept[-1].id in [one.id for one in journal.snapshots()]


def test_a_snapshot_of_another_session_is_not_found(journal: Journal) -> None:
    journal.task("mine")
    other = journal.of("s2")
    other.task("theirs")
    theirs = other.snapshot()
    with pytest.raises(NotFoundError, match='has no snapshot "1"'):
        journal.restore(theirs.id)
    assert texts(journal.get().entries) == ["mine"]


@pytest.mark.parametrize("text", ["", "  \n", "x" * 10_001, "my password is hunter2secret!"])
def test_what_cannot_be_kept_is_refused_and_changes_nothing(journal: Journal, text: str) -> None:
    journal.task("Ship the demo")
    with pytest.raises((UsageError, UnusableInputError, SecretRefusedError)):
        journal.task(text)
    with pytest.raises((UsageError, UnusableInputError, SecretRefusedError)):
        journal.plan(["fine", text])
    assert texts(journal.get().entries) == ["Ship the demo"]


@each("name", ["", "../up", "a b", ".hidden", "x" * 121, "a/b"])
def test_a_session_that_is_no_name_is_refused(journal: Journal, name: str) -> None:
    with pytest.raises(UsageError, match="no name of a session"):
        journal.of(name)


@each(
    ("name", "text"),
    [
        ("password", "quartz41"),
        ("Wifi password:", "Lindenweg7b"),
        ("pin", "8306"),
        ("api key", "pk_7Hq2nV9sXe4RtY1b"),
    ],
)
def test_a_name_and_its_value_are_judged_together(
    name: str, text: str, journal: Journal, memory: Memory
) -> None:
    with pytest.raises(SecretRefusedError):
        journal.context(name, text)
    assert memory.store.rows("select 1 from journal") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("password policy", "12 characters"),
        ("password", "ask Ann"),
        ("staging port", "5433"),
        ("token limit", "4000"),
    ],
)
def test_a_harmless_pair_is_kept(name: str, text: str, journal: Journal) -> None:
    journal.context(name, text)
    assert texts(journal.get().context) == [text]
