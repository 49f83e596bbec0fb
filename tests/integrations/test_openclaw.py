"""OpenClaw's plugin, run by Node as the host runs it, keeps turns and answers with the context."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import memctl
from memctl.base.tokens import estimate_tokens

PLUGIN = Path(__file__).parents[2] / "integrations" / "openclaw"
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")

# Registers the plugin as the host does, then hands it the events of standard input, one by one.
HOST = """
import plugin from "./index.mjs";
const { events, ...pluginConfig } = JSON.parse(process.argv[2]);
const handlers = {};
plugin.register({ pluginConfig, on: (name, handler) => { handlers[name] = handler; } });
const answers = [];
for (const [name, event, context] of events) answers.push(await handlers[name](event, context) ?? null);
console.log(JSON.stringify({ answers, names: Object.keys(handlers) }));
"""
CONTEXT = {
    "sessionId": "s1",
    "sessionKey": "agent:main:telegram:42",
    "agentId": "main",
    "trigger": "user",
}
REPLY = [
    {"role": "user", "content": "When does the ferry leave?"},
    {"role": "assistant", "content": [{"type": "thinking"}, {"type": "text", "text": "At nine."}]},
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    # Node reads a file of this name as the module that the host's loader makes of it.
    shutil.copy(PLUGIN / "index.ts", tmp_path / "index.mjs")
    (tmp_path / "host.mjs").write_text(HOST)
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store("Ann takes the ferry at nine", category="configuration")
    return tmp_path


def told(home: Path, *events: tuple[str, Any, Any], **config: Any) -> Any:
    """Return what the plugin answers to events, in their order."""
    command = [sys.executable, "-m", "memctl", "--home", str(home)]
    given = {"command": command, "timeoutMs": 30_000, **config, "events": events}
    done = subprocess.run(
        ["node", "host.mjs", json.dumps(given)], cwd=home, capture_output=True, check=True
    )
    assert done.stderr == b""
    return json.loads(done.stdout)["answers"]


def test_a_prompt_is_answered_behind_the_prompt(home: Path) -> None:
    event = {"prompt": "history\nWhen does the ferry leave?", "messages": []}
    event["currentUserMessage"] = "When does the ferry leave?"
    (answer,) = told(home, ("before_prompt_build", event, CONTEXT))
    assert list(answer) == ["appendContext"]
    assert "Ann takes the ferry at nine" in answer["appendContext"]
    assert estimate_tokens(answer["appendContext"]) < 2_000
    with memctl.open("agent", home) as memory:
        assert [turn.text for turn in memory.turns.list(session="s1")] == [
            "When does the ferry leave?"
        ]


def test_a_whole_session_is_kept(home: Path) -> None:
    tool = {"toolName": "exec", "params": {"command": "ls"}, "error": "no such file"}
    told(
        home,
        ("session_start", {"sessionId": "s1"}, CONTEXT),
        ("before_prompt_build", {"prompt": "When does the ferry leave?", "messages": []}, CONTEXT),
        ("after_tool_call", tool, CONTEXT),
        ("before_compaction", {"messageCount": 3}, CONTEXT),
        ("agent_end", {"messages": REPLY, "success": True}, CONTEXT),
        ("session_end", {"sessionId": "s1", "reason": "compaction"}, CONTEXT),
    )
    with memctl.open("agent", home, session="s1") as memory:
        assert memory.turns.list()[0].text == "At nine."
        assert [(c.tool, c.ok, c.input) for c in memory.tool_calls] == [
            ("exec", False, {"command": "ls"})
        ]
        assert [one.why for one in memory.journal.snapshots()] == ["before a compaction"]
        assert memory.sessions.get("s1").ending is None
    told(home, ("session_end", {"sessionId": "s1", "reason": "reset"}, CONTEXT))
    with memctl.open("agent", home) as memory:
        assert memory.sessions.get("s1").ending == "ended"


@pytest.mark.parametrize(
    "context", [{"trigger": "heartbeat"}, {"inputProvenance": {"kind": "internal_system"}}]
)
def test_what_no_person_says_is_no_turn(home: Path, context: dict[str, Any]) -> None:
    event = {"prompt": "Check the mail.", "messages": []}
    assert told(home, ("before_prompt_build", event, {**CONTEXT, **context})) == [None]
    with memctl.open("agent", home) as memory:
        assert not memory.turns.list()


@pytest.mark.parametrize(
    "command",
    [["no-such-command"], [sys.executable, "-c", "print('no JSON')"], ["sleep", "60"]],
    ids=["absent", "prose", "hangs"],
)
def test_a_command_that_fails_is_silence(home: Path, command: list[str]) -> None:
    event = {"prompt": "When does the ferry leave?", "messages": []}
    asked = ("before_prompt_build", event, CONTEXT)
    assert told(home, asked, command=command, timeoutMs=1000) == [None]


def test_the_manifest_takes_what_the_printed_lines_say() -> None:
    manifest = json.loads((PLUGIN / "openclaw.plugin.json").read_text())
    package = json.loads((PLUGIN / "package.json").read_text())
    assert (PLUGIN / package["openclaw"]["extensions"][0]).is_file()
    assert manifest["id"] == "memctl"
    assert list(manifest["configSchema"]["properties"]) == ["command", "timeoutMs"]
