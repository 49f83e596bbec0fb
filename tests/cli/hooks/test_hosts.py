"""Each event of each host, with the fields that the host sends, is kept and answered in its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.cli.hooks.hosts import CLAUDE, CODEX, CURSOR, call, prompt

if TYPE_CHECKING:
    from pathlib import Path

FERRY = "Ann takes the ferry at nine"
ASKED = "When does the ferry leave?"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with memctl.open("agent", tmp_path, session="s1") as memory:
        memory.facts.store(FERRY, category="configuration")
        memory.journal.task("Book the ferry")
    return tmp_path


def kept(home: Path) -> dict[str, Any]:
    """Return what a store holds of its session: turns, calls of tools, snapshots, its ending."""
    with memctl.open("agent", home, session="s1") as memory:
        return {
            "turns": [(turn.role, turn.text) for turn in memory.turns.list()],
            "calls": [(one.tool, one.input, one.ok, one.told) for one in memory.tool_calls],
            "snapshots": len(memory.journal.snapshots()),
            "ending": memory.sessions.get("s1").ending,
        }


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
@pytest.mark.parametrize("host", [CLAUDE, {**CLAUDE, "transcript_path": None, "model": "m"}])
def test_a_session_that_starts_is_told_what_is_going_on(
    home: Path, host: dict[str, Any], source: str
) -> None:
    given = {**host, "hook_event_name": "SessionStart", "source": source}
    answer = call(home, "start", given)
    assert list(answer) == ["hookSpecificOutput"]
    assert sorted(answer["hookSpecificOutput"]) == ["additionalContext", "hookEventName"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert "Book the ferry" in answer["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("host", [CLAUDE, CODEX], ids=["claude-code", "codex"])
def test_a_prompt_of_claude_code_and_codex_takes_a_context(
    home: Path, host: dict[str, Any]
) -> None:
    given = prompt(ASKED, host)
    answer = call(home, "prompt", given)
    assert list(answer) == ["hookSpecificOutput"]
    assert sorted(answer["hookSpecificOutput"]) == ["additionalContext", "hookEventName"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert FERRY in answer["hookSpecificOutput"]["additionalContext"]
    assert kept(home)["turns"] == [("user", ASKED)]


@pytest.mark.parametrize("host", [CLAUDE, CODEX], ids=["claude-code", "codex"])
def test_the_other_events_of_claude_code_and_codex_are_kept_in_silence(
    home: Path, host: dict[str, Any]
) -> None:
    tool = {
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "toolu_1",
        "tool_response": {"stdout": "a b", "stderr": "", "interrupted": False},
    }
    failed = {"tool_name": "Edit", "tool_input": {"file_path": "/a"}, "error": "no such file"}
    stop = {"stop_hook_active": True, "last_assistant_message": "At nine."}
    compact = {"trigger": "auto", "custom_instructions": ""}
    for event, named, fields in (
        ("tool", "PostToolUse", tool),
        ("tool", "PostToolUseFailure", failed),
        ("compact", "PreCompact", compact),
        ("reply", "Stop", stop),
    ):
        assert call(home, event, {**host, "hook_event_name": named, **fields}) is None
    found = kept(home)
    assert found["turns"] == [("assistant", "At nine.")]
    assert [(tool, ok) for tool, _, ok, _ in found["calls"]] == [("Edit", False), ("Bash", None)]
    assert found["snapshots"] == 1


def test_claude_code_ends_its_session(home: Path) -> None:
    given = {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "prompt_input_exit"}
    assert call(home, "end", given) is None
    assert kept(home)["ending"] == "ended"


def test_a_session_of_cursor(home: Path) -> None:
    start = {"session_id": "s1", "is_background_agent": False, "composer_mode": "agent"}
    answer = call(home, "start", {**CURSOR, "hook_event_name": "sessionStart", **start})
    assert list(answer) == ["additional_context"]
    assert FERRY in answer["additional_context"]
    mcp = {"tool_name": "query", "tool_input": '{"q": "ferry"}', "result_json": '{"rows": 2}'}
    shell = {"command": "npm install", "output": "added 3 packages", "duration": 150}
    for event, named, fields in (
        ("prompt", "beforeSubmitPrompt", {"prompt": ASKED, "attachments": []}),
        ("tool", "afterMCPExecution", {**mcp, "duration": 250}),
        ("tool", "afterShellExecution", shell),
        ("reply", "afterAgentResponse", {"text": "At nine."}),
        ("reply", "stop", {"status": "completed", "loop_count": 0}),
        ("compact", "preCompact", {"trigger": "auto"}),
        ("end", "sessionEnd", {"session_id": "s1", "reason": "completed"}),
    ):
        assert call(home, event, {**CURSOR, "hook_event_name": named, **fields}) is None
    assert kept(home) == {
        "turns": [("assistant", "At nine."), ("user", ASKED)],
        "calls": [
            ("shell", {"command": "npm install"}, None, "added 3 packages"),
            ("query", {"q": "ferry"}, None, '{"rows": 2}'),
        ],
        "snapshots": 1,
        "ending": "ended",
    }


def test_what_was_injected_is_not_logged_when_a_reply_repeats_it(home: Path) -> None:
    given = prompt(ASKED)
    block = call(home, "prompt", given)["hookSpecificOutput"]["additionalContext"]
    said = {"last_assistant_message": f"{block}\nAt nine.", "stop_hook_active": False}
    call(home, "reply", {**CLAUDE, "hook_event_name": "Stop", **said})
    assert kept(home)["turns"][0] == ("assistant", "At nine.")
