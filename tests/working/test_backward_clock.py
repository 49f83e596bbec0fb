"""A clock that goes backwards changes no order and takes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.working.session_cache import SessionCache

if TYPE_CHECKING:
    import pytest

    from memctl.memory import Memory
    from memctl.working.journal import Journal

EARLIER = "2026-11-19T12:00:00Z"


def test_entries_and_snapshots_keep_the_order_in_which_they_were_made(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.task("Book the ferry")
    journal.pending("Call Ann")
    journal.snapshot("first")
    monkeypatch.setenv("MEMCTL_NOW", EARLIER)
    journal.task("Book the train")
    journal.done("Call Ann")
    journal.snapshot("second")
    state = journal.get()
    assert state.task is not None
    assert (state.task.text, state.open) == ("Book the train", ())
    assert [one.why for one in journal.snapshots()] == ["second", "first"]
    first = journal.snapshots()[-1].id
    assert [entry.text for entry in journal.restore(first).open] == ["Call Ann"]


def test_a_value_of_the_cache_is_replaced_and_expires_by_the_new_clock(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = SessionCache(memory.store, "s1")
    cache.set("ferry", "nine", seconds=60)
    monkeypatch.setenv("MEMCTL_NOW", EARLIER)
    assert cache.get("ferry").value == "nine"
    cache.set("ferry", "ten", seconds=60)
    assert cache.get("ferry").value == "ten"
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-19T12:01:00Z")
    assert cache.list() == []


def test_a_session_ends_and_the_next_one_starts(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.sessions.start("s1")
    memory.sessions.start("s2")
    monkeypatch.setenv("MEMCTL_NOW", EARLIER)
    assert memory.sessions.end("s1").session.ending == "ended"
    assert memory.sessions.start("s3").cut_off == ()
    assert memory.sessions.get("s2").ending is None
