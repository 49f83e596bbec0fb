"""An agent over MCP writes what is going on, and reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.test_mcp import Talk, talking_at_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    with talking_at_home(tmp_path) as opened:
        yield opened


def test_what_is_logged_and_remembered_is_recalled(talk: Talk) -> None:
    talk.data("log", text="The ferry leaves at nine", speaker="Ann")
    talk.data("remember", summary="Ann took the ferry", participants=["Ann"])
    rows = talk.data("recall", query="When does the ferry leave?")["rows"]
    assert {row["kind"] for row in rows} == {"turn", "episode"}


def test_the_journal_is_written_and_read_by_one_tool(talk: Talk) -> None:
    talk.data("journal", action="task", text="Book the ferry")
    talk.data("journal", action="plan", steps=["find the times", "book"])
    talk.data("journal", action="context", name="deadline", text="Friday")
    talk.data("journal", action="done", text="book")
    state = talk.data("journal")
    assert "Book the ferry" in state["markdown"]
    assert [item["text"] for item in state["open"]] == ["find the times"]


def test_a_journal_that_was_cleared_comes_back(talk: Talk) -> None:
    talk.data("journal", action="pending", text="Call Ann")
    assert talk.data("journal", action="clear")["open"] == []
    assert [one["text"] for one in talk.data("journal", action="restore")["open"]] == ["Call Ann"]


def test_an_action_says_what_it_needs(talk: Talk) -> None:
    assert talk.error("journal", action="plan") == "missing_param"
    assert talk.error("journal", action="done", text="nothing") == "not_found"


def test_the_context_holds_its_cap(talk: Talk) -> None:
    talk.data("journal", action="task", text="Book the ferry")
    assert "Book the ferry" in talk.text("context", query="What next?", maxTokens=60)
    assert talk.data("context", maxTokens=5)["leftOut"]
