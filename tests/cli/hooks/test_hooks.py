"""A host's hook is answered in its own shape, keeps what happened, and never fails the host."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.calling import memctl_process
from tests.cli.hooks.hosts import CLAUDE, OPENCLAW, call, called, context, prompt

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store("Ann takes the ferry at nine", category="configuration")
    return tmp_path


def test_a_prompt_is_answered_with_the_line_of_active_memory_where_that_is_set(home: Path) -> None:
    with memctl.open("agent", home) as memory:
        memory.settings.set("active_in_hooks", "message")
        memory.journal.task("Book the train")
    named = prompt("When is the ferry for Ann?")
    text = context(home, named)
    assert text.splitlines()[1:-1] == ["Ann takes the ferry at nine"]
    assert call(home, "prompt", {**named, "prompt": "What colour is the moon?"}) is None
    called(home, "reply", {**CLAUDE, "hook_event_name": "Stop", "last_assistant_message": text})
    with memctl.open("agent", home) as memory:
        assert {turn.role for turn in memory.turns.list(session="s1")} == {"user"}


def test_openclaw_is_given_what_stands_behind_the_prompt(home: Path) -> None:
    answer = call(home, "prompt", {**OPENCLAW, "prompt": "When does the ferry leave?"})
    assert "Ann takes the ferry" in answer["appendContext"]


def test_a_prompt_is_not_told_the_one_before_it_and_a_compaction_is(tmp_path: Path) -> None:
    first, second = "Sing about the moon", "Paint a purple horse"
    for text in (first, second):
        named = prompt(text)
        assert call(tmp_path, "prompt", named) is None
    again = {**CLAUDE, "hook_event_name": "SessionStart", "source": "compact"}
    answer = call(tmp_path, "start", again)["hookSpecificOutput"]
    assert f"last prompt: {second}" in answer["additionalContext"]


def test_what_was_injected_is_not_logged(home: Path) -> None:
    named = prompt("When does the ferry leave?")
    block = context(home, named)
    call(home, "prompt", {**named, "prompt": f"{block}\nAnd the train?"})
    with memctl.open("agent", home) as memory:
        assert memory.turns.list()[0].text == "And the train?"


def test_the_prompt_stands_in_the_journal_before_the_reply(home: Path) -> None:
    call(home, "prompt", prompt("Book it"))
    with memctl.open("agent", home, session="s1") as memory:
        assert [entry.text for entry in memory.journal.get().context] == ["Book it"]


def test_a_compaction_keeps_a_snapshot(home: Path) -> None:
    with memctl.open("agent", home, session="s1") as memory:
        memory.journal.task("Book the ferry")
    given = {**CLAUDE, "hook_event_name": "PreCompact", "trigger": "auto"}
    assert call(home, "compact", given) is None
    again = call(home, "start", {**CLAUDE, "hook_event_name": "SessionStart", "source": "compact"})
    assert "Book the ferry" in again["hookSpecificOutput"]["additionalContext"]
    with memctl.open("agent", home, session="s1") as memory:
        assert [one.why for one in memory.journal.snapshots()] == ["before a compaction"]


def test_a_session_ends_with_an_episode(home: Path) -> None:
    call(home, "start", {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"})
    with memctl.open("agent", home, session="s1") as memory:
        memory.journal.task("Book the ferry")
    assert call(home, "end", {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "exit"}) is None
    with memctl.open("agent", home) as memory:
        assert memory.sessions.get("s1").ending == "ended"
        assert [episode.summary for episode in memory.episodes] == ["Book the ferry"]


def test_a_decision_is_a_fact_at_once_and_the_prompt_is_told_its_id(tmp_path: Path) -> None:
    named = prompt("We decided to keep invoices for 18 months. Change the job")
    told = context(tmp_path, named)
    with memctl.open("agent", tmp_path) as memory:
        (fact,) = memory.facts.list()
    assert "18 months" in fact.text
    assert fact.source == "turn:1"
    assert f"Kept of this message: [{fact.id}]" in told
    assert "18 months" not in told


def test_a_pair_to_decide_is_told_with_the_correction_that_made_it(tmp_path: Path) -> None:
    said = (
        "nightpress ships to production on Wednesday 11 March",
        "the auditors moved their call, so we ship on Thursday the 12th instead",
    )
    for text in said:
        named = prompt(text)
        answer = context(tmp_path, named)
    with memctl.open("agent", tmp_path) as memory:
        (pair,) = memory.facts.undecided()
    assert f"[{pair.newer.id}], which may replace [{pair.older.id}]" in answer


def test_the_next_session_starts_with_what_was_decided_and_what_stood_open(tmp_path: Path) -> None:
    said = prompt("We ship on 12 March")
    call(tmp_path, "prompt", said)
    with memctl.open("agent", tmp_path, session="s1") as memory:
        memory.journal.pending("Call the auditors")
    call(tmp_path, "end", {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "exit"})
    start = {
        **CLAUDE,
        "session_id": "s2",
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    text = context(tmp_path, start)
    assert "12 March" in text
    assert "Call the auditors" in text


def test_a_session_that_ends_leaves_an_episode_of_what_it_told(tmp_path: Path) -> None:
    said = prompt("We ship on 12 March")
    call(tmp_path, "prompt", said)
    call(tmp_path, "end", {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "exit"})
    with memctl.open("agent", tmp_path) as memory:
        assert ["12 March" in episode.summary for episode in memory.episodes] == [True]


def test_a_call_of_a_tool_is_kept_without_its_secrets(home: Path) -> None:
    given = {
        **CLAUDE,
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "ls", "env": {"api_key": "sk-ant-api03-" + "a" * 40}},
        "tool_response": {"success": True, "stdout": "a b"},
    }
    assert call(home, "tool", given) is None
    with memctl.open("agent", home) as memory:
        (kept,) = memory.tool_calls.list()
    assert (kept.tool, kept.ok, kept.session) == ("Bash", True, "s1")
    assert kept.input["command"] == "ls"
    assert "aaaa" not in json.dumps(kept.input)


@pytest.mark.parametrize("host", ["claude-code", "codex", "cursor"])
def test_the_lines_of_a_host_call_the_hooks_of_this_store(tmp_path: Path, host: str) -> None:
    made = memctl_process("--home", tmp_path, "--json", "hook", "install", host).data
    hooks = json.loads(made["text"])["hooks"]
    commands = json.dumps(hooks)
    assert f"memctl --home {tmp_path} hook prompt" in commands
    assert ("hook end" in commands) == (host != "codex")


def test_the_lines_of_openclaw_switch_its_own_memory_off(tmp_path: Path) -> None:
    made = memctl_process("--home", tmp_path, "--json", "hook", "install", "openclaw").data
    plugins = json.loads(made["text"])["plugins"]
    assert plugins["slots"] == {"memory": "none"}
    assert plugins["entries"]["memctl"]["config"]["command"] == ["memctl", "--home", str(tmp_path)]


def test_an_unknown_host_is_refused() -> None:
    done = memctl_process("hook", "install", "emacs")
    assert done.code == 2
    assert "claude-code, codex, cursor, openclaw" in done.error
