"""An agent over MCP writes what is going on, and reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.projects import project_of
from tests.cli.mcp_over_http import STOPPED
from tests.cli.test_mcp import Talk, talking, talking_at_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    with talking_at_home(tmp_path) as opened:
        yield opened


def test_what_is_logged_and_remembered_is_recalled(talk: Talk) -> None:
    assert talk.text("log", text="The ferry leaves at nine", speaker="Ann") == "Kept: turn 1"
    said = talk.text("remember", summary="Ann took the ferry", participants=["Ann"])
    assert said.startswith("Kept: episode ")
    rows = talk.rows("recall", query="When does the ferry leave?")
    assert {row.kind for row in rows} == {"turn", "episode"}


def test_the_journal_is_written_and_read_by_one_tool(talk: Talk) -> None:
    talk.text("journal", action="task", text="Book the ferry")
    talk.text("journal", action="plan", steps=["find the times", "book"])
    talk.text("journal", action="context", name="deadline", text="Friday")
    assert talk.text("journal", action="done", text="book") == "Kept. 1 item open."
    state = talk.text("journal")
    assert "Book the ferry" in state
    assert "- [ ] step" in state
    assert "find the times" in state


def test_a_journal_that_was_cleared_comes_back(talk: Talk) -> None:
    talk.text("journal", action="pending", text="Call Ann")
    assert "Call Ann" not in talk.text("journal", action="clear")
    assert "before" in talk.text("journal", action="snapshots")
    assert "Call Ann" in talk.text("journal", action="restore")


def test_an_action_says_what_it_needs(talk: Talk) -> None:
    assert talk.error("journal", action="plan") == "missing_param"
    assert talk.error("journal", action="done", text="nothing") == "not_found"
    assert "task, plan" in talk.failure("journal", action="sing")["hint"]


def test_the_context_holds_its_cap(talk: Talk) -> None:
    talk.text("journal", action="task", text="Book the ferry")
    assert "Book the ferry" in talk.text("context", query="What next?", maxTokens=60)
    assert "did not fit" in talk.text("context", maxTokens=20)
    assert talk.text("context", maxTokens=5) == ""


def test_a_password_by_its_name_is_refused(talk: Talk) -> None:
    assert (
        talk.error("journal", action="context", name="password", text="quartz41")
        == "secret_refused"
    )
    assert "quartz41" not in talk.text("journal")


def test_what_passes_belongs_to_the_session_that_the_host_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", STOPPED)
    with talking(tmp_path) as talk, memctl.open("agent", tmp_path) as host:
        host.sessions.start("claude-1")
        (kept,) = talk.store("The build runs in the red container", longTerm=False)
        talk.text("journal", action="task", text="Mend the build")
        assert kept.event == "ADD"
        assert "red container" in talk.text("memory_search", query="red container", scope="session")
        assert host.facts.get(kept.id).session_id == "claude-1"
        host.sessions.end("claude-1")
        host.sessions.start("claude-2")
        assert talk.rows("memory_search", query="red container") == []
        assert "Mend the build" not in talk.text("journal")


def test_without_a_host_what_passes_belongs_to_the_unnamed_session(tmp_path: Path) -> None:
    with talking(tmp_path) as talk:
        (kept,) = talk.store("The build runs in the red container", longTerm=False)
        assert kept.event == "ADD"
        assert "red container" in talk.text("memory_search", query="red container", scope="session")
    with memctl.open("agent", tmp_path) as memory:
        assert memory.facts.get(kept.id).session_id.startswith("default")


def test_what_is_told_belongs_to_the_project_of_the_folder_that_the_host_works_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ferry-app"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    with talking(tmp_path) as talk, memctl.open("agent", tmp_path) as host:
        (kept,) = talk.store("The build runs in the red container")
        assert host.facts.get(kept.id).project == project_of(folder)
