"""The journal keeps what a session is at, and loses nothing that a later entry replaces."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import NotFoundError, SecretRefusedError, UnusableInputError, UsageError
from memctl.working.entries import JournalEntry, JournalState, as_markdown
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.memory import Memory
    from memctl.working.journal import Journal


def texts(entries: Sequence[Any]) -> list[str]:
    return [entry.text for entry in entries]


def test_what_a_later_entry_replaces_stays_in_the_table(journal: Journal, memory: Memory) -> None:
    journal.task("Ship the demo")
    journal.task("Mend the demo")
    for name, text in (("budget", "4,000"), ("deadline", "Friday"), ("budget", "5,500")):
        journal.context(name, text)
    journal.plan(["draw", "cut"])
    journal.plan(["measure", "draw"])
    for text in ("take the ferry", "take the train"):
        journal.decide(text)
    state = journal.get()
    assert state.task is not None
    assert state.task.text == "Mend the demo"
    assert [(e.name, e.text) for e in state.context] == [
        ("deadline", "Friday"),
        ("budget", "5,500"),
    ]
    assert texts(state.plan) == ["measure", "draw"]
    assert texts(state.decisions) == ["take the train", "take the ferry"]
    ended = memory.store.rows("select text from journal where ended_at is not null order by id")
    assert [row[0] for row in ended] == ["Ship the demo", "4,000", "draw", "cut"]


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


def test_a_restore_and_a_clearing_keep_the_present_state_first(journal: Journal) -> None:
    journal.task("one")
    snapshot = journal.snapshot()
    journal.task("two")
    journal.pending("Call Ann")
    journal.restore(snapshot.id)
    assert texts(journal.get().entries) == ["one"]
    journal.restore(journal.snapshots()[0].id)
    assert texts(journal.get().entries) == ["two", "Call Ann"]
    assert journal.clear() == 2
    assert journal.get().entries == ()
    journal.restore()
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


@each(
    ("name", "text", "kept"),
    [
        ("password", "quartz41", False),
        ("Wifi password:", "Lindenweg7b", False),
        ("pin", "8306", False),
        ("api key", "pk_7Hq2nV9sXe4RtY1b", False),
        ("password policy", "12 characters", True),
        ("password", "ask Ann", True),
        ("staging port", "5433", True),
        ("token limit", "4000", True),
    ],
)
def test_a_name_and_its_value_are_judged_together(
    name: str, text: str, kept: bool, journal: Journal
) -> None:
    with nullcontext() if kept else pytest.raises(SecretRefusedError):
        journal.context(name, text)
    assert (text in texts(journal.get().context)) == kept


AT = "2026-11-20T12:00:00Z"
TITLES = ["Current Task", "Key Context", "Recent Decisions", "Pending Actions", "Blockers"]


def test_in_markdown_an_entry_stands_in_the_section_of_its_kind() -> None:
    state = JournalState(
        "s1",
        "chat",
        (
            JournalEntry("context", "at dock four\nbehind it", "crane *2*", AT),
            JournalEntry("pending", "\u7ed9\u5b89\u5a1c\u5199\u4fe1 🙂", "", AT, AT),
        ),
    )
    told = as_markdown(state)
    assert told.startswith("# Session s1 in chat\n")
    assert f"## Key Context\n\n- **crane \\*2\\*** ({AT}): at dock four\n  behind it\n" in told
    assert f"- [x] to do ({AT}, done {AT}): \u7ed9\u5b89\u5a1c\u5199\u4fe1 🙂\n" in told
    empty = as_markdown(JournalState("s1"))
    assert re.findall("^## (.+)$", empty, re.MULTILINE) == TITLES
